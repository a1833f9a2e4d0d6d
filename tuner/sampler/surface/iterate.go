package surface

import (
	"math"
	"slices"

	"sakusen/tuner"
)

const (
	// spreadOfGame is the standard deviation of a game's wins less losses.
	spreadOfGame = 0.72
	// averaged is the share of the batches, the last ones, whose iterates are
	// averaged.
	averaged = 0.2
	// doubt is the games of no gain that are counted to every scout.
	doubt = 8
	// outdone is by how many standard errors one of two walks is ahead of the other
	// when it goes on alone; at the share lastWalk of the search it does in any case.
	outdone  = 2.0
	lastWalk = 0.7
	// likelier is by how much, in natural logarithms, the evidence for bumps must be larger than
	// without for a quadratic not to fit all that is seen.
	likelier = 0.5
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

	wins, games float64  // of the iterate against the model's peak, the older the less
	share       float64  // of the pairs that are the walk's
	moments     []moment // by batch, when it was taken
	begun       int      // batches of an earlier study

	then   map[int]known // by rows of a full fit, what it showed
	scouts []scout
	given  bool   // scouting is over
	rival  *rival // a second walk, or nil
}

// known is what a full fit showed: whether it had bumps, whether none of those that were
// tried were likelier than a quadratic alone, and how clear it was that the baseline tells
// another thing than duels do.
type known struct {
	bumpy   bool
	smooth  bool
	discord float64
}

// smooth tells whether kinds of bumps were tried, and none was clearly likelier than a
// quadratic alone.
func (f *fitted) smooth() bool {
	if f.bumps != nil || len(f.rivals) < 2 {
		return false
	}
	for _, r := range f.rivals[1:] {
		if r.proof > f.rivals[0].proof+likelier {
			return false
		}
	}
	return true
}

func knownBy(f *fitted) known { return known{f.bumps != nil, f.smooth(), f.discord} }

// moment is what roles depend on when a batch is asked for.
type moment struct {
	share, scouting, sounding float64
	rival                     bool
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

// scout is a place far from the baseline that has met it.
type scout struct {
	at          []float64
	wins, games float64
}

// promise is the mean of its wins, with an optimist's part of the error.
func (c *scout) promise() float64 {
	n := c.games + doubt
	return c.wins/n + spreadOfGame/math.Sqrt(n)
}

// rival is a second walk, from the best of the scouts, and what its iterate has won
// of the first's.
type rival struct {
	at          []float64
	trail       [][]float64
	wins, games float64
}

// scouted takes a scout's pair.
func (w *walk) scouted(x []float64, wins, games float64) {
	i := slices.IndexFunc(w.scouts, func(c scout) bool { return slices.Equal(c.at, x) })
	if i < 0 {
		i = len(w.scouts)
		w.scouts = append(w.scouts, scout{at: x})
	}
	w.scouts[i].wins += wins
	w.scouts[i].games += games
}

// judgeRival lets one of two walks go on alone once it is known which.
func (w *walk) judgeRival(progress float64) {
	r := w.rival
	if r == nil {
		return
	}
	lead := r.wins / (spreadOfGame * math.Sqrt(math.Max(1, r.games)))
	switch {
	case lead > outdone || progress >= lastWalk && lead > 0:
		w.at, w.trail = r.at, r.trail
		w.wins, w.games = 0, 0
	case lead >= -outdone && progress < lastWalk:
		return
	}
	w.rival = nil
}
