package rating

import "fmt"

// Race is one look at a race of several candidates over the same blocks.
type Race struct {
	Keep []bool // who goes on
	Best int    // candidate with the highest rank sum, the lower one of equals
	P    Number // of the test that all are equal
}

// FRace drops the candidates that are significantly worse than the best: when
// Friedman's test rejects equality at the level alpha, those whose rank sum lies
// more than Conover's critical difference below the best one; with two
// candidates the signed-rank test decides. rows[b][c] is the score of candidate
// c on block b, more is better. Nobody is dropped before `first` blocks.
//
// alpha is the level of one look. A race that looks after every block drops the
// best candidate more often than that; the test of [Differences] by a [Test]
// states its error over all looks.
// Source: M. Birattari, T. Stuetzle, L. Paquete, K. Varrentrapp, "A racing
// algorithm for configuring metaheuristics" (2002); M. Lopez-Ibanez et al.,
// "The irace package" (2016).
func FRace(rows [][]float64, alpha float64, first int) (Race, error) {
	if !(alpha > 0 && alpha < 1) {
		return Race{}, fmt.Errorf("alpha: expected a number inside (0, 1), got %v", alpha)
	}
	f, err := NewFriedman(rows)
	if err != nil {
		return Race{}, err
	}
	r := Race{Keep: make([]bool, len(f.RankSums))}
	for c, sum := range f.RankSums {
		r.Keep[c] = true
		if sum > f.RankSums[r.Best] {
			r.Best = c
		}
	}
	r.P = f.P
	if len(r.Keep) == 2 {
		x, y := make([]float64, len(rows)), make([]float64, len(rows))
		for b, row := range rows {
			x[b], y[b] = row[0], row[1]
		}
		w, err := SignedRank(x, y, TwoSided, DropZeros)
		if err != nil {
			return Race{}, err
		}
		r.P = w.P
		if total := float64(w.N) * float64(w.N+1) / 2; w.V < total/2 {
			r.Best = 1
		} else if w.V > total/2 {
			r.Best = 0
		}
	}
	if len(rows) < first || !r.P.Defined || r.P.Value >= alpha {
		return r, nil
	}
	if len(r.Keep) == 2 {
		r.Keep[1-r.Best] = false
		return r, nil
	}
	critical := f.Conover(alpha)
	for c, sum := range f.RankSums {
		if critical.Defined && f.RankSums[r.Best]-sum > critical.Value {
			r.Keep[c] = false
		}
	}
	return r, nil
}
