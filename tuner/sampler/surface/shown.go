package surface

import (
	"cmp"
	"math"
	"slices"

	"sakusen/tuner/sampler/shared"
)

const (
	// aroundAnswer is how far from a place, in each number, as a share of the range, games
	// still tell what it is worth.
	aroundAnswer = 0.1
	// fewShown is the number of games around an answer below which it was not shown at all, and
	// enoughShown the same for a place that is taken in its stead.
	fewShown, enoughShown = 32, 256
	// incumbents is the number of places that are held against an answer, and clearly by
	// how many standard errors one must have shown more.
	incumbents = 64
	clearly    = 4
)

// evidence is what the games around a place show of it.
type evidence struct {
	games  float64 // all games there
	direct float64 // those against the baseline
	height float64 // the surface's height moved to what those show, Elo
	sd     float64 // its standard error, +Inf where there are none
}

// shows is the answer, given what is believed to be the best: the same, unless nothing was
// played around it, or the games against the baseline show clearly less of it than of another
// place or of the baseline. Then it is the place of which they show most. Where
// nothing is known to be at height 0 it is what is believed.
func shows(s *Surface, x []float64) []float64 {
	v := s.view
	if v.Baseline == nil || !v.Plan.Duels && !v.Pinned {
		return x
	}
	s.basis.guess(s.rows, s.now.mean)
	answer := shownAt(s, x)
	unseen := answer.games < fewShown
	if !unseen && math.IsInf(answer.sd, 1) {
		return x // only others met it
	}
	at, most := x, math.Inf(-1)
	consider := func(place []float64, e evidence) {
		least := e.height - 2*e.sd
		if (unseen || e.height-answer.height > clearly*math.Hypot(e.sd, answer.sd)) && least > most {
			at, most = place, least
		}
	}
	if !unseen {
		consider(s.basis.origin(), evidence{})
	}
	for _, place := range shownPlaces(s) {
		if e := shownAt(s, place); e.direct >= enoughShown {
			consider(place, e)
		}
	}
	return at
}

// shownAt is the evidence at a place. What a game shows beside the surface is taken to be the
// same all around the place, so that its slopes are followed.
func shownAt(s *Surface, x []float64) evidence {
	b := s.basis
	reach := float64(aroundAnswer * aroundAnswer * math.Max(1, float64(len(b.numbers))))
	var e evidence
	weights, sum := 0.0, 0.0
	for i := range s.rows {
		r := &s.rows[i]
		near := b.distance(r.at, x) <= reach
		if !near && (r.other == nil || b.distance(r.other, x) > reach) {
			continue
		}
		games := float64(r.blocks * float64(max(1, s.view.Plan.BlockGames)))
		e.games += games
		at, sign, ok := b.againstCentre(r)
		if !ok || b.distance(at, x) > reach {
			continue
		}
		e.direct += games
		y, v := s.whole.link.linearRow(r)
		weights += 1 / v
		sum += float64(sign * (y - r.guess) / v)
	}
	phi := make([]float64, b.size)
	b.fill(x, phi)
	e.height, e.sd = shared.Dot(phi, s.now.mean), math.Inf(1)
	if weights > 0 {
		e.height += sum / weights
		e.sd = 1 / math.Sqrt(weights)
	}
	return e
}

// shownPlaces are those that are held against an answer: of what met the baseline, half are
// the highest on the surface, and half are taken evenly over the search.
func shownPlaces(s *Surface) [][]float64 {
	b := s.basis
	var all [][]float64
	for i := range s.rows {
		if at, _, ok := b.againstCentre(&s.rows[i]); ok && !b.atCentre(at) {
			all = append(all, at)
		}
	}
	var places [][]float64
	for k := range min(incumbents/2, len(all)) {
		places = append(places, all[k*len(all)/min(incumbents/2, len(all))])
	}
	sh := b.shape(s.now.mean)
	heights := make([]float64, len(all))
	order := make([]int, len(all))
	for i, at := range all {
		heights[i], _ = sh.height(at)
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(heights[j], heights[i]) })
	for _, i := range order {
		if len(places) >= incumbents {
			break
		}
		if !slices.ContainsFunc(places, func(x []float64) bool { return slices.Equal(x, all[i]) }) {
			places = append(places, all[i])
		}
	}
	return places
}
