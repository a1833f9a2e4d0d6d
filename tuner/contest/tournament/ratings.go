package tournament

import (
	"math"

	"sakusen/tuner/stats"
)

// Ratings are strengths in Elo relative to the first entrant.
type Ratings struct {
	Elo []stats.Number
	CI  []stats.Interval // 95 %, of the difference from the first; its own is undefined
	// Reason says who has no rating, and why.
	Reason string
}

// Ratings fits all meetings together.
func (r *Result) Ratings() (Ratings, error) {
	n := len(r.File.Entrants)
	out := Ratings{Elo: make([]stats.Number, n), CI: make([]stats.Interval, n)}
	if n < 2 {
		return out, nil
	}
	wins := square(n)
	for _, p := range r.Played {
		for i, a := range p.meetings.entrants {
			for j, b := range p.meetings.entrants {
				wins[a][b] += p.meetings.wins[i][j]
			}
		}
	}
	fit, err := stats.BradleyTerry(wins)
	if err != nil {
		return out, err
	}
	out.Reason = fit.Reason
	variance := r.variance(fit, wins)
	for i, a := range fit.Ability {
		if !a.Defined {
			continue
		}
		elo := stats.EloPerAbility * a.Value
		out.Elo[i] = stats.Known(elo)
		if se := stats.EloPerAbility * math.Sqrt(variance[i]); i > 0 && r.Blocks > 1 && !math.IsNaN(se) && !math.IsInf(se, 0) {
			out.CI[i] = stats.Normal(elo, se).CI95
		}
	}
	return out, nil
}

// variance is that of each ability, NaN where it has none: the diagonal of
// H^-1 G H^-1 over the entrants that are linked, without the first.
func (r *Result) variance(fit stats.Abilities, wins [][]float64) []float64 {
	var linked []int
	index := make([]int, len(wins)) // place in linked, or -1
	out := make([]float64, len(wins))
	for i := range wins {
		index[i], out[i] = -1, math.NaN()
		if i > 0 && fit.Ability[i].Defined {
			index[i] = len(linked)
			linked = append(linked, i)
		}
	}
	h, g := square(len(linked)), square(len(linked))
	for a, i := range linked {
		for j := range wins {
			games := wins[i][j] + wins[j][i]
			if j == i || games == 0 || !fit.Ability[j].Defined {
				continue
			}
			p := 1 / (1 + math.Exp(fit.Ability[j].Value-fit.Ability[i].Value))
			h[a][a] += games * p * (1 - p)
			if index[j] >= 0 {
				h[a][index[j]] -= games * p * (1 - p)
			}
		}
	}
	for _, p := range r.Played {
		growth := p.repeats.growth()
		for i, a := range p.meetings.entrants {
			for j, b := range p.meetings.entrants {
				if index[a] >= 0 && index[b] >= 0 {
					// One block, however often it was repeated, has no known variance.
					g[index[a]][index[b]] += p.meetings.covariance(i, j) * growth * growth
				}
			}
		}
	}
	inverse, ok := invert(h)
	if !ok {
		return out
	}
	for a, i := range linked {
		sum := 0.0
		for b := range linked {
			for c := range linked {
				sum += inverse[a][b] * g[b][c] * inverse[c][a]
			}
		}
		out[i] = max(sum, 0)
	}
	return out
}

// invert inverts a small positive definite matrix by Gauss and Jordan.
func invert(m [][]float64) ([][]float64, bool) {
	n := len(m)
	inverse := square(n)
	for i := range n {
		inverse[i][i] = 1
	}
	for c := range n {
		pivot := m[c][c]
		if !(pivot > 0) {
			return nil, false
		}
		for j := range n {
			m[c][j] /= pivot
			inverse[c][j] /= pivot
		}
		for i := range n {
			if f := m[i][c]; i != c && f != 0 {
				for j := range n {
					m[i][j] -= f * m[c][j]
					inverse[i][j] -= f * inverse[c][j]
				}
			}
		}
	}
	return inverse, true
}
