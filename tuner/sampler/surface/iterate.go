package surface

import (
	"math"

	"sakusen/tuner"
)

const (
	// spreadOfGame is the standard deviation of a game's wins less losses.
	spreadOfGame = 0.72
	// averaged is the share of the batches, the last ones, whose iterates are
	// averaged.
	averaged = 0.2
)

// walk is the half of a search that has no model: simultaneous perturbation (J.
// Spall, Multivariate stochastic approximation using a simultaneous perturbation
// gradient approximation, 1992), two points at equal distance on both sides of an
// iterate, which moves towards the winner. It is right wherever up is up, so that
// landscapes which no model fits are climbed too, and its pairs teach the model as
// all others do. Now and then its iterate meets the model's peak: who wins gets
// more of the pairs, and an iterate that has clearly lost goes on from the peak.
// All of it is a function of the log.
type walk struct {
	at     []float64   // the iterate
	trail  [][]float64 // by batch, the iterate after it
	seen   int         // duels or observations taken
	played float64     // games of pairs so far
	plan   tuner.Plan

	wins, games float64 // of the iterate against the model's peak, the older the less
	share       float64 // of the pairs that are the walk's

	scouts []scout
	given  bool   // scouting is over
	rival  *rival // a second walk, or nil
}

// lead is by how many standard errors the iterate is ahead of the model's peak.
func (w *walk) lead() float64 {
	if w.games == 0 {
		return 0
	}
	return w.wins / (spreadOfGame * math.Sqrt(w.games))
}

// mean is the mean of the last iterates.
func (w *walk) mean(b *basis) []float64 { return meanOf(b, w.at, w.trail) }

// meanOf is the mean of the last iterates of a trail.
func meanOf(b *basis, at []float64, trail [][]float64) []float64 {
	x := append([]float64(nil), at...)
	if n := len(trail); n > 0 {
		last := trail[n-max(1, int(averaged*float64(n))):]
		for _, i := range b.numbers {
			x[i] = 0
			for _, t := range last {
				x[i] += t[i] / float64(len(last))
			}
		}
	}
	return x
}
