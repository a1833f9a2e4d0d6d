package tubstap

import (
	"math"
	"testing"

	"sakusen/tuner/stats"
)

// A win rate over maps has Student's interval, cut at 0 and 1, and a width also where all
// maps were lost or won.
func TestOverMaps(t *testing.T) {
	for _, c := range []struct {
		values []float64
		lo, hi float64
	}{
		{[]float64{0, 0, 0, 0, 0, 0, 0, 0}, 0, 0.3244}, // Wilson: z^2 / (8 + z^2)
		{[]float64{1, 1, 1, 1, 1, 1, 1, 1}, 0.6756, 1},
		{[]float64{0.4, 0.6, 0.4, 0.6}, 0.3163, 0.6837}, // .5 +- 3.1824 x .11547 / 2
		{[]float64{0, 0, 0, 0.5}, 0, 0.5228},            // .125 +- 3.1824 x .25 / 2
		{[]float64{0.5, 0.5, 0.5}, 0.5, 0.5},
	} {
		m := overMaps(c.values)
		if math.Abs(m.CI95.Lo.Value-c.lo) > 1e-4 || math.Abs(m.CI95.Hi.Value-c.hi) > 1e-4 {
			t.Errorf("%v: %v to %v, expected %v to %v", c.values, m.CI95.Lo.Value, m.CI95.Hi.Value, c.lo, c.hi)
		}
	}
}

// A win rate near 0 or 1 has an interval that does not depend on a single draw.
func TestScoreRow(t *testing.T) {
	of := func(lost, drawn, won int64) score { // blocks with 0, 1/4 and 1 of the points
		return score{Blocks: stats.Blocks{Seats: 2, Counts: []int64{lost, drawn, 0, 0, won}}}
	}
	for _, c := range []struct {
		score  score
		lo, hi float64
	}{
		{of(12, 0, 0), 0, 0.2425},      // z^2 / (12 + z^2)
		{of(11, 1, 0), 0.0019, 0.2706}, // a quarter of 12 blocks, after Wilson
		{of(0, 0, 12), 0.7575, 1},
	} {
		row := scoreRow("x", c.score)
		if math.Abs(row.CI.Lo.Value-c.lo) > 5e-3 || math.Abs(row.CI.Hi.Value-c.hi) > 5e-3 {
			t.Errorf("%v: %v to %v, expected %v to %v", c.score.Blocks.Counts, row.CI.Lo.Value, row.CI.Hi.Value, c.lo, c.hi)
		}
	}
	if row := scoreRow("x", of(8, 0, 8)); row.CI != of(8, 0, 8).estimate().CI95 {
		t.Errorf("a half: %+v", row.CI)
	}
}
