package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"sakusen/tuner/numeral"
)

// Friedman is the rank test that several candidates met the same blocks with
// equal luck. Source: M. Friedman (1937), with the correction for ties of
// Hollander and Wolfe, Nonparametric Statistical Methods (1973), section 7.1.
type Friedman struct {
	Chi2 Number // undefined when every row is one tie
	DF   int    // degrees of freedom, candidates - 1
	P    Number // chance of a Chi2 at least as large, by the chi-squared limit
	// RankSums of the candidates: larger values rank higher.
	RankSums []float64
	rows     int
	squares  float64 // sum of all squared ranks
}

// NewFriedman tests rows of values, one row a block and one column a candidate.
func NewFriedman(rows [][]float64) (Friedman, error) {
	if len(rows) == 0 {
		return Friedman{}, fmt.Errorf("rows: expected at least 1 row")
	}
	k := len(rows[0])
	if k < 2 {
		return Friedman{}, fmt.Errorf("rows: expected at least 2 values in row 0, got %d", k)
	}
	f := Friedman{DF: k - 1, RankSums: make([]float64, k), rows: len(rows)}
	tied := 0.0
	for i, row := range rows {
		if len(row) != k {
			return Friedman{}, fmt.Errorf("rows: expected %d values in row %d, got %d", k, i, len(row))
		}
		for j, x := range row {
			if !numeral.IsFinite(x) {
				return Friedman{}, fmt.Errorf("rows: expected a finite number in row %d, column %d, got %v", i, j, x)
			}
		}
		ranks, ties := midranks(row)
		tied += ties
		for j, r := range ranks {
			f.RankSums[j] += r
			f.squares += r * r
		}
	}
	n, c := float64(len(rows)), float64(k)
	spread := 0.0
	for _, r := range f.RankSums {
		d := r - n*(c+1)/2
		spread += d * d
	}
	if scale := n*c*(c+1) - tied/(c-1); scale > 1e-9 {
		chi2 := 12 * spread / scale
		f.Chi2 = Known(chi2)
		f.P = Known(distuv.ChiSquared{K: c - 1}.Survival(chi2))
	}
	return f, nil
}

// Conover is the difference of two rank sums above which two candidates differ
// at the level alpha, after a Friedman test that said some do:
// t(1-alpha/2, (n-1)(k-1)) sqrt(2 (n A - sum R^2)/((n-1)(k-1))), A the sum of
// squared ranks. Undefined for one row.
// Source: W. J. Conover, Practical Nonparametric Statistics (1999), section 5.8.
func (f Friedman) Conover(alpha float64) Number {
	df := float64((f.rows - 1) * f.DF)
	if df < 1 || !(alpha > 0 && alpha < 1) {
		return Number{}
	}
	sum := 0.0
	for _, r := range f.RankSums {
		sum += r * r
	}
	inside := max(float64(f.rows)*f.squares-sum, 0)
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Quantile(1 - alpha/2)
	return Known(t * math.Sqrt(2*inside/df))
}
