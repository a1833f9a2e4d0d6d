package insight_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/insight"
)

// Intervals of scores lie in 0 to 1, have a width whatever the blocks were, and
// cover what they should, also after few blocks.
func TestIntervalOfFewBlocks(t *testing.T) {
	c := insight.NewChronicle(&tuner.Spec{Objective: tuner.Objective{Of: "score"}}, &arena.Ruleset{Seats: 2})
	for _, v := range []struct {
		value, e float64
		blocks   int64
	}{{0.5, 0, 2}, {0, 0, 2}, {1, 0, 8}, {0.25, 0.25, 2}, {0.999, 0.01, 1000}} {
		lo, hi := c.Interval(v.value, v.e, v.blocks)
		if !(lo >= 0 && hi <= 1 && hi-lo > 0.001 && lo <= v.value && v.value <= hi) {
			t.Errorf("%v: %g to %g", v, lo, hi)
		}
	}
	if lo, hi := c.Interval(0.55, 0.005, 10000); math.Abs(lo-0.5402) > 2e-4 || math.Abs(hi-0.5598) > 2e-4 {
		t.Errorf("of many blocks it is %g to %g", lo, hi)
	}
	random := rand.New(rand.NewPCG(1, 1))
	for _, blocks := range []int64{2, 8, 64} {
		covered := 0
		const samples = 4000
		for range samples {
			p, sum, squares := 0.62, 0.0, 0.0
			for range blocks {
				x := 0.0
				for range 2 {
					if random.Float64() < p {
						x += 0.5
					}
				}
				sum, squares = sum+x, squares+x*x
			}
			mean := sum / float64(blocks)
			se := math.Sqrt(max(0, squares/float64(blocks)-mean*mean) / float64(blocks-1))
			if lo, hi := c.Interval(mean, se, blocks); lo <= p && p <= hi {
				covered++
			}
		}
		if share := float64(covered) / samples; share < 0.93 {
			t.Errorf("after %d blocks %.3f of the intervals cover the truth", blocks, share)
		}
	}
}
