package stats

import (
	"fmt"
	"math"
)

// EloPerAbility turns abilities into Elo.
const EloPerAbility = 400 / math.Ln10

// BradleyTerry fits abilities to a matrix of wins: wins[i][j] games that i won
// against j, a draw counting half for both; the diagonal is ignored. The
// maximum of likelihood is found by minorisation-maximisation, which rises at
// every step, and finished by Newton's method.
// Source: R. A. Bradley, M. E. Terry (1952); D. R. Hunter (2004), section 2.
func BradleyTerry(wins [][]float64) (Abilities, error) {
	n := len(wins)
	if n < 2 {
		return Abilities{}, fmt.Errorf("wins: expected at least 2 rows, got %d", n)
	}
	for i, row := range wins {
		if len(row) != n {
			return Abilities{}, fmt.Errorf("wins: expected %d values in row %d, got %d", n, i, len(row))
		}
		for j, w := range row {
			if !(w >= 0 && w <= float64(maxCount)) {
				return Abilities{}, fmt.Errorf("wins: expected a number in [0, 2^53] in row %d, column %d, got %v", i, j, w)
			}
		}
	}
	// A pair of games is a ranking of two, so both models share one fit.
	fit := newFit(n)
	for i := range n {
		for j := range n {
			if i != j && wins[i][j] > 0 {
				fit.add(choice{winner: i, field: []int{i, j}, weight: wins[i][j]})
			}
		}
	}
	return fit.solve(), nil
}
