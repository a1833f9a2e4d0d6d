package contest

import (
	"math"
	"testing"

	"sakusen/engines/arena"
	"sakusen/tuner/stats"
)

// Blocks that repeat each other make errors larger, never smaller: a hundred
// times the same ten blocks know what ten know, and one knows nothing.
func TestRepeatsAreNoEvidence(t *testing.T) {
	for _, c := range []struct {
		starts, blocks int
		growth         float64
	}{
		{1000, 100, 1},
		{10, 100, math.Sqrt(100./9) * 2.2621571628 / stats.Deviate95},
		{1, 100, math.Inf(1)},
	} {
		r := &repeats{}
		run := arena.NewRun(2, 0, 2, 0, c.blocks)
		run.Blocks, run.Digests = c.blocks, make([]uint64, 2*c.blocks)
		for b := range c.blocks {
			run.Digests[2*b], run.Digests[2*b+1] = uint64(b%c.starts), uint64(b%c.starts)+1e6
		}
		r.add(run)
		if got := r.growth(); math.Abs(got-c.growth) > 1e-6 && got != c.growth {
			t.Errorf("%d starts: %v, expected %v", c.starts, got, c.growth)
		}
		m := r.widened(stats.Normal(0.5, 0.01))
		switch {
		case c.starts == 1 && (m.SE.Defined || !m.Mean.Defined):
			t.Errorf("one start: %+v", m)
		case c.starts > 1 && (math.Abs(m.SE.Value-0.01*c.growth) > 1e-6 || math.Abs(m.CI95.Hi.Value-0.5-stats.Deviate95*0.01*c.growth) > 1e-6):
			t.Errorf("%d starts: %+v", c.starts, m)
		}
	}
	var fresh *repeats
	fresh.add(nil)
	if fresh.growth() != 1 || fresh.distinct() != 0 {
		t.Error("equal games of fresh chance are coincidences")
	}
}
