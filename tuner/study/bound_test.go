package study_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"sakusen/tuner/entry"
)

// The bound of an incumbent in the log lies 1.96 standard errors of its own
// value below that value, and it is the best bound of the complete trials.
func TestIncumbentBound(t *testing.T) {
	m := newMemory()
	if _, err := run(t, read(t, fmt.Sprintf(flat, .1, 3, "")), m, 2); err != nil {
		t.Fatal(err)
	}
	type told struct {
		Trial        int
		State        string
		Value, Error float64
		Bound        float64
	}
	trials := map[int]told{}
	incumbents := 0
	for _, e := range m.entries {
		if e.Kind != entry.KindTell && e.Kind != entry.KindIncumbent {
			continue
		}
		var p told
		if err := json.Unmarshal(e.Payload, &p); err != nil {
			t.Fatal(err)
		}
		if e.Kind == entry.KindTell {
			trials[p.Trial] = p
			continue
		}
		own := trials[p.Trial]
		if own.Error > 0 {
			incumbents++
		}
		if want := own.Value - 1.96*own.Error; p.Value != own.Value || math.Abs(p.Bound-want) > 1e-12 {
			t.Errorf("trial %d of %v +- %v: an incumbent of %v with the bound %v, want %v", p.Trial, own.Value, own.Error, p.Value, p.Bound, want)
		}
		for _, other := range trials {
			if bound := other.Value - 1.96*other.Error; other.State == "complete" && bound > p.Bound+1e-12 {
				t.Errorf("trial %d with the bound %v is the incumbent, trial %d has %v", p.Trial, p.Bound, other.Trial, bound)
			}
		}
	}
	if incumbents == 0 {
		t.Error("no incumbent has an error: nothing is tested")
	}
}
