package shared_test

import (
	"math"
	"testing"

	"sakusen/tuner/sampler/shared"
)

// A factor solves what its matrix was made of.
func TestFactorSolves(t *testing.T) {
	const n = 7
	m := shared.NewSymmetric(n)
	for k := range 2 * n {
		x := make([]float64, n)
		for i := range x {
			x[i] = math.Sin(float64((k + 1) * (i + 2) * (i + 3)))
		}
		m.Add(x, 1+float64(k))
	}
	full := m.Clone()
	want := make([]float64, n)
	b := make([]float64, n)
	for i := range n {
		want[i] = float64(i) - 2
	}
	at := func(i, j int) float64 {
		if j > i {
			i, j = j, i
		}
		return full.Row(i)[j]
	}
	for i := range n {
		for j := range n {
			b[i] += at(i, j) * want[j]
		}
	}
	if m.Rows() != n {
		t.Errorf("%d rows", m.Rows())
	}
	logdet, ok := m.Factor()
	if !ok || math.IsNaN(logdet) {
		t.Fatal("the matrix has no factor")
	}
	m.Forward(b)
	m.Backward(b)
	for i := range want {
		if math.Abs(b[i]-want[i]) > 1e-8 {
			t.Fatalf("%v, expected %v", b, want)
		}
	}
	if _, ok := shared.NewSymmetric(2).Factor(); ok {
		t.Error("a matrix of zeros has a factor")
	}
}
