package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Rows that are added one by one give the fit of all of them.
func TestNormals(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	var rows []Row
	s := NewNormals(3)
	if _, ok := s.Fit(); ok {
		t.Error("no row makes a fit")
	}
	for range 200 {
		x := chance.Float64()
		r := Row{Value: 1 + 2*x - x*x + 0.1*chance.NormFloat64(), Error: 0.05 + 0.1*chance.Float64(), Terms: []float64{1, x, x * x}}
		rows = append(rows, r)
		s.Add(r)
	}
	want, ok := NewFit(rows)
	got, same := s.Fit()
	if !ok || !same {
		t.Fatal("no fit")
	}
	for _, c := range [][]float64{{1, 0, 0}, {0, 1, 0}, {1, 0.5, 0.25}} {
		v, e := want.Contrast(c)
		if x, y := got.Contrast(c); math.Abs(x-v) > 1e-6 || math.Abs(y-e) > 1e-6 {
			t.Errorf("%v: %g +- %g, want %g +- %g", c, x, y, v, e)
		}
	}
}
