package tuner

import (
	"testing"

	"sakusen/tuner/entry"
)

// Of blocks that repeat each other as many count as there are different ones, by
// the trial that repeats most.
func TestDifferent(t *testing.T) {
	of := func(blocks, distinct int64) *Trial {
		return &Trial{Evidence: []entry.Evidence{{Blocks: blocks, Distinct: distinct}}}
	}
	for _, c := range []struct {
		trials []*Trial
		want   int64
	}{
		{[]*Trial{of(128, 0), of(128, 0)}, 128},
		{[]*Trial{of(128, 0), of(128, 64)}, 64},
		{[]*Trial{of(256, 32), of(128, 64)}, 16},
		{[]*Trial{of(128, 1)}, 1},
		{[]*Trial{{}}, 128},
	} {
		if got := different(c.trials, 128); got != c.want {
			t.Errorf("%d of 128 blocks, want %d", got, c.want)
		}
	}
}
