package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A fit of rows has the least sum of squares, weighted by their errors, and the standard
// errors that the rows have about it; what no row tells is not known.
func TestNormals(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	var rows []Row
	s := NewNormals(4)
	s.Suppose(1e3)
	if _, ok := s.Fit(); ok {
		t.Error("no row makes a fit")
	}
	for range 200 {
		x := chance.Float64()
		r := Row{Value: 1 + 2*x - x*x + 0.1*chance.NormFloat64(), Error: 0.05 + 0.1*chance.Float64(), Terms: []float64{1, x, x * x, 0}}
		rows = append(rows, r)
		s.Add(r)
	}
	fit, ok := s.Fit()
	if !ok {
		t.Fatal("no fit")
	}
	for i := range 3 { // the residuals tell of no term
		left := 0.0
		for _, r := range rows {
			at, _ := fit.Contrast(r.Terms)
			left += (r.Value - at) * r.Terms[i] / (r.Error * r.Error)
		}
		if math.Abs(left) > 1e-2 {
			t.Errorf("term %d: the residuals tell %g of it", i, left)
		}
	}
	if v, e := fit.Contrast([]float64{1, 0.5, 0.25, 0}); math.Abs(v-1.75) > 4*e || e < 0.005 || e > 0.02 {
		t.Errorf("at 0.5 it is %g +- %g, want 1.75", v, e)
	}
	if v, e := fit.Contrast([]float64{0, 0, 0, 1}); v != 0 || e < 1e3 {
		t.Errorf("what no row tells is %g +- %g", v, e)
	}
}
