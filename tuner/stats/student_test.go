package stats

import (
	"math"
	"testing"
)

// Three runs: the mean of 1, 2 and 3 is 2, with a standard error of 1/sqrt(3)
// and 4.3027 of them on either side.
func TestOfRuns(t *testing.T) {
	m := OfRuns([]float64{1, 2, 3})
	half := 4.302652729911275 / math.Sqrt(3)
	if m.Mean.Value != 2 || math.Abs(m.CI95.Hi.Value-2-half) > 1e-9 || math.Abs(2-half-m.CI95.Lo.Value) > 1e-9 {
		t.Errorf("%+v, expected 2 +- %g", m, half)
	}
	if m := OfRuns([]float64{4}); m.Mean.Value != 4 || m.SE.Defined || m.CI95.Lo.Defined {
		t.Errorf("one run: %+v", m)
	}
	if m := OfRuns(nil); m.Mean.Defined {
		t.Errorf("no run: %+v", m)
	}
}
