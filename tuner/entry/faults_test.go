package entry_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"sakusen/engines/arena"
	"sakusen/tuner/entry"
)

// Faults are told by their kind: a game that is lost on time breaks no rule.
func TestFaultsAreTold(t *testing.T) {
	rs := &arena.Ruleset{Components: []string{"plies", "illegal", "overtime"}}
	of := entry.EntrantFaults(rs, &arena.EntrantTally{Faults: 106, Sums: []int64{900, 1, 103}})
	if got, want := of.Did(func(n int64) string { return fmt.Sprint(n) }), "lost on time in 103 and made an illegal move in 1 and made an error in 2"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, c := range []struct {
		counted []int64
		want    string
	}{{[]int64{9, 0, 1}, "on time"}, {[]int64{9, 1, 0}, "by an illegal move"}, {[]int64{9, 0, 0}, "by an error"}, {nil, "by an error"}} {
		if got := entry.FaultHow(rs, c.counted); got != c.want {
			t.Errorf("%v: %q, want %q", c.counted, got, c.want)
		}
	}
}

// Evidence adds and takes away faults, and has none where there are none.
func TestFaultsOfEvidence(t *testing.T) {
	a := entry.Evidence{Faults: &entry.Faults{Own: entry.FaultCounts{"crashes": 2}}}
	b := entry.Evidence{Faults: &entry.Faults{Own: entry.FaultCounts{"crashes": 1, "void": 3}, Others: entry.FaultCounts{"overtime": 4}}}
	sum := a.Plus(b)
	for _, c := range []struct {
		of   *entry.Faults
		want string
	}{
		{sum.Faults, `{"own":{"crashes":3,"void":3},"others":{"overtime":4}}`},
		{sum.Less(b).Faults, `{"own":{"crashes":2}}`},
		{sum.Less(a).Less(b).Faults, "null"},
		{a.Plus(entry.Evidence{}).Faults, `{"own":{"crashes":2}}`},
		{entry.Evidence{}.Plus(entry.Evidence{}).Faults, "null"},
		{a.Faults, `{"own":{"crashes":2}}`},
	} {
		if got, _ := json.Marshal(c.of); string(got) != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}
