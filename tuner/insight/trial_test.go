package insight

import (
	"testing"

	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// Of blocks that repeat each other as many count as there are different ones, by
// the trial that repeats most.
func TestDifferent(t *testing.T) {
	of := func(blocks, distinct int64) *tuner.Trial {
		return &tuner.Trial{Evidence: []entry.Evidence{{Blocks: blocks, Distinct: distinct}}}
	}
	for _, c := range []struct {
		trials []*tuner.Trial
		want   int64
	}{
		{[]*tuner.Trial{of(128, 0), of(128, 0)}, 128},
		{[]*tuner.Trial{of(128, 0), of(128, 64)}, 64},
		{[]*tuner.Trial{of(256, 32), of(128, 64)}, 16},
		{[]*tuner.Trial{of(128, 1)}, 1},
		{[]*tuner.Trial{{}}, 128},
	} {
		if got := different(c.trials, 128); got != c.want {
			t.Errorf("%d of 128 blocks, want %d", got, c.want)
		}
	}
}
