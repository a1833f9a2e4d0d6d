package entry_test

import (
	"encoding/json"
	"testing"

	"sakusen/tuner/entry"
)

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
