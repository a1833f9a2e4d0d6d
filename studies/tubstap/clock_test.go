package tubstap

import (
	"math"
	"testing"
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
