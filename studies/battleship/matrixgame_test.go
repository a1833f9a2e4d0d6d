package battleship

import (
	"math"
	"testing"
)

func TestSolve(t *testing.T) {
	for _, c := range []struct {
		name          string
		cost          [][]float64
		rows, columns []float64
		value         float64
	}{
		{"pennies", [][]float64{{2, 1}, {1, 2}}, []float64{.5, .5}, []float64{.5, .5}, 1.5},
		{"saddle", [][]float64{{3, 5}, {4, 6}}, []float64{1, 0}, []float64{0, 1}, 5},
		{"three attacks of two places", [][]float64{{10, 20}, {20, 10}, {16, 16}}, []float64{.5, .5, 0}, []float64{.5, .5}, 15},
		{"one attack", [][]float64{{7, 9, 8}}, []float64{1}, []float64{0, 1, 0}, 9},
	} {
		rows, columns, value, err := solve(c.cost)
		if err != nil || math.Abs(value-c.value) > 1e-9 {
			t.Errorf("%s: value %g, %v; want %g", c.name, value, err, c.value)
			continue
		}
		for i, want := range append(append([]float64(nil), c.rows...), c.columns...) {
			if got := append(append([]float64(nil), rows...), columns...)[i]; math.Abs(got-want) > 1e-9 {
				t.Errorf("%s: rows %v, columns %v; want %v, %v", c.name, rows, columns, c.rows, c.columns)
				break
			}
		}
	}
}
