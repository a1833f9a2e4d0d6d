package battleship

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
)

// solve finds the equilibrium of a matrix game: the row player picks i to make cost[i][j],
// which must be positive, small, the column player picks j to make it large. It returns the
// probabilities of rows and columns and the value.
//
// Source: the linear programs of G. B. Dantzig, A proof of the equivalence of the
// programming problem and the game problem, 1951.
func solve(cost [][]float64) (rows, columns []float64, value float64, err error) {
	m, n := len(cost), len(cost[0])
	turned := make([][]float64, n)
	for j := range n {
		turned[j] = make([]float64, m)
		for i := range m {
			turned[j][i] = cost[i][j]
		}
	}
	// Against each row the columns' mixture costs the value and a slack.
	if columns, value, err = mixture(cost, -1); err != nil {
		return nil, nil, 0, err
	}
	rows, _, err = mixture(turned, 1)
	return rows, columns, value, err
}

// mixture is the probabilities x of the columns of a and the value v with
// a x + side slack = v and the least side v.
func mixture(a [][]float64, side float64) ([]float64, float64, error) {
	m, n := len(a), len(a[0])
	c := make([]float64, n+1+m)
	c[n] = side
	constraints := mat.NewDense(m+1, n+1+m, nil)
	b := make([]float64, m+1)
	for i := range m {
		for j := range n {
			constraints.Set(i, j, a[i][j])
		}
		constraints.Set(i, n, -1)
		constraints.Set(i, n+1+i, side)
	}
	for j := range n {
		constraints.Set(m, j, 1)
	}
	b[m] = 1
	_, x, err := lp.Simplex(c, constraints, b, 1e-10, nil)
	if err != nil {
		return nil, 0, fmt.Errorf("equilibrium of %d x %d: %w", m, n, err)
	}
	return x[:n], x[n], nil
}
