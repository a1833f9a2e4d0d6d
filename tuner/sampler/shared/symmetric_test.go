package shared_test

import (
	"math"
	"testing"

	"sakusen/tuner/sampler/shared"
)

// A factor solves what its matrix was made of, by one vector or by several at a time.
func TestFactorSolves(t *testing.T) {
	const n = 7
	m := shared.NewSymmetric(n)
	var xs [][]float64
	var ws []float64
	for k := range 2 * n {
		x := make([]float64, n)
		for i := range x {
			x[i] = math.Sin(float64((k + 1) * (i + 2) * (i + 3)))
		}
		xs, ws = append(xs, x), append(ws, 1+float64(k))
	}
	m.AddAll(xs, ws)
	one := shared.NewSymmetric(n)
	for k := range xs {
		one.Add(xs[k], ws[k])
	}
	for i := range n {
		for j := range i + 1 {
			if math.Abs(m.Row(i)[j]-one.Row(i)[j]) > 1e-12*math.Abs(one.Row(i)[j])+1e-12 {
				t.Fatalf("%d, %d: %g and %g", i, j, m.Row(i)[j], one.Row(i)[j])
			}
		}
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
	var several [][]float64
	for range 5 {
		several = append(several, append([]float64(nil), b...))
	}
	m.Forward(b)
	m.ForwardAll(several)
	for k, c := range several {
		for i := range c {
			if math.Abs(c[i]-b[i]) > 1e-12 {
				t.Fatalf("vector %d: %v, alone %v", k, c, b)
			}
		}
	}
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
