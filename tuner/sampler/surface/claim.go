package surface

import (
	"cmp"
	"math"
	"slices"

	"sakusen/tuner/sampler/shared"
)

const (
	// mostWitnesses is the most games against the baseline, by pairs of players, that
	// speak of a claim: the nearest.
	mostWitnesses = 256
	// misfit is the standard deviation, in Elo, by which a surface may be wrong at its peak
	// before anything is seen there.
	misfit = 50
	// alikeWithin is how far, in each number, as a share of the range, a surface is off by the
	// same.
	alikeWithin = 0.2
	// leastSize is the least size of what a surface may miss, Elo, and smallSize the same in
	// a search of smallSearch games.
	leastSize, smallSize = 3, 24
	smallSearch          = 2500
	// quadraticPart is the part of it where a quadratic follows all that was seen.
	quadraticPart = 0.6
)

// claim returns what is believed of a point: the height of the surface, moved by a
// Gaussian process of what the games against the baseline show beyond it. Its size
// and its length are not known: each of a few is taken as far as the games bear it
// out, so that a surface that is right is believed and one that is wrong where it
// is highest, which is why it was chosen there, is moved to what was seen there.
func (r *referee) claim(x []float64) (height, sd float64) {
	b := r.basis
	phi := make([]float64, b.size)
	b.fill(x, phi)
	height = shared.Dot(phi, r.now.mean)
	variance := r.now.variance(phi)
	type witness struct {
		at            []float64
		far, y, noise float64
	}
	var all []witness
	b.guess(r.rows, r.now.mean)
	for i := range r.rows {
		o := &r.rows[i]
		at, sign, ok := b.againstCentre(o)
		if !ok {
			continue
		}
		y, v := r.whole.link.linearRow(o)
		all = append(all, witness{at, b.distance(at, x), sign * (y - o.guess), v})
	}
	slices.SortStableFunc(all, func(p, q witness) int { return cmp.Compare(p.far, q.far) })
	all = all[:min(len(all), mostWitnesses)]
	if len(all) == 0 {
		return height, math.Sqrt(variance + misfit*misfit)
	}
	// Where a quadratic follows all that was seen, what it may be off by, alike nearby, is
	// corrected by the same games; elsewhere it is added to what is left.
	own, left := 0.0, variance
	wide := 1 / float64(2*alikeWithin*alikeWithin*math.Max(1, float64(len(b.numbers))))
	if b.bumps == nil {
		own, left = variance, 0
	}
	covariance := func(variance, scale float64) *shared.Symmetric {
		c := shared.NewSymmetric(len(all))
		for i := range all {
			for j := range i + 1 {
				c.Row(i)[j] = float64(variance * math.Exp(-b.distance(all[i].at, all[j].at)*scale))
			}
		}
		return c
	}
	broad := covariance(own, wide)
	var proofs, means, variances []float64
	half := make([]float64, len(all))
	toX := make([]float64, len(all))
	for _, length := range [3]float64{0.05, 0.1, 0.2} {
		scale := 1 / float64(2*length*length*math.Max(1, float64(len(b.numbers))))
		near := covariance(1, scale)
		for size := r.leastMisfit(); size <= misfit; size *= 2 {
			root := shared.NewSymmetric(len(all))
			for i := range all {
				row := root.Row(i)
				for j, c := range near.Row(i)[:i+1] {
					row[j] = float64(size*size*c) + broad.Row(i)[j]
				}
				row[i] += all[i].noise
				half[i] = all[i].y
				toX[i] = float64(size*size*math.Exp(-all[i].far*scale)) + float64(own*math.Exp(-all[i].far*wide))
			}
			logdet, ok := root.Factor()
			if !ok {
				continue
			}
			root.Forward(half)
			root.Forward(toX)
			proofs = append(proofs, -(logdet+shared.Dot(half, half))/2)
			means = append(means, shared.Dot(toX, half))
			variances = append(variances, math.Max(0, size*size+own-shared.Dot(toX, toX)))
		}
	}
	if len(proofs) == 0 {
		return height, math.Sqrt(variance + misfit*misfit)
	}
	best := slices.Max(proofs)
	total, mean, second := 0.0, 0.0, 0.0
	for i, p := range proofs {
		w := math.Exp(p - best)
		total += w
		mean += float64(w * means[i])
		second += float64(w * (variances[i] + float64(means[i]*means[i])))
	}
	mean /= total
	return height + mean, math.Sqrt(math.Max(0, second/total-mean*mean) + left)
}

// leastMisfit is the least size, in Elo, that what the surface misses is taken to
// have: few games cannot tell that it is small, and a surface is too low on a top
// that it does not follow.
func (r *referee) leastMisfit() float64 {
	size := clamp(smallSize*math.Sqrt(smallSearch/math.Max(1, float64(r.view.Plan.Games))), leastSize, smallSize)
	if b := r.basis; b.bumps == nil && len(b.numbers) <= mostBumpy && len(r.rows) >= fewRows {
		size = math.Max(leastSize, quadraticPart*size) // bumps were looked for, and not found
	}
	return size
}

const (
	// aroundAnswer is how far from a place, in each number, as a share of the range, games
	// still tell what it is worth.
	aroundAnswer = 0.1
	// fewShown is the number of games around an answer below which it was not shown at all, and
	// enoughShown the same for a place that is taken in its stead.
	fewShown, enoughShown = 32, 256
	// incumbents is the number of places that are held against an answer, and shownAhead by
	// how many standard errors one must have shown more.
	incumbents = 64
	shownAhead = 4
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
func (r *referee) shownAnswer(x []float64) []float64 {
	v := r.view
	if v.Baseline == nil || !v.Plan.Duels && !v.Pinned {
		return x
	}
	r.basis.guess(r.rows, r.now.mean)
	answer := r.shownAt(x)
	unseen := answer.games < fewShown
	if !unseen && math.IsInf(answer.sd, 1) {
		return x // only others met it
	}
	at, most := x, math.Inf(-1)
	consider := func(place []float64, e evidence) {
		least := e.height - 2*e.sd
		if (unseen || e.height-answer.height > shownAhead*math.Hypot(e.sd, answer.sd)) && least > most {
			at, most = place, least
		}
	}
	if !unseen {
		consider(r.basis.origin(), evidence{})
	}
	for _, place := range r.shownPlaces() {
		if e := r.shownAt(place); e.direct >= enoughShown {
			consider(place, e)
		}
	}
	return at
}

// shownAt is the evidence at a place. What a game shows beside the surface is taken to be the
// same all around the place, so that its slopes are followed.
func (r *referee) shownAt(x []float64) evidence {
	b := r.basis
	reach := float64(aroundAnswer * aroundAnswer * math.Max(1, float64(len(b.numbers))))
	var e evidence
	weights, sum := 0.0, 0.0
	for i := range r.rows {
		o := &r.rows[i]
		near := b.distance(o.at, x) <= reach
		if !near && (o.other == nil || b.distance(o.other, x) > reach) {
			continue
		}
		games := float64(o.blocks * float64(max(1, r.view.Plan.BlockGames)))
		e.games += games
		at, sign, ok := b.againstCentre(o)
		if !ok || b.distance(at, x) > reach {
			continue
		}
		e.direct += games
		y, v := r.whole.link.linearRow(o)
		weights += 1 / v
		sum += float64(sign * (y - o.guess) / v)
	}
	e.height, e.sd = b.heights(r.now.mean)(x), math.Inf(1)
	if weights > 0 {
		e.height += sum / weights
		e.sd = 1 / math.Sqrt(weights)
	}
	return e
}

// shownPlaces are those that are held against an answer: of what met the baseline, half are
// the highest on the surface, and half are taken evenly over the search.
func (r *referee) shownPlaces() [][]float64 {
	b := r.basis
	var all [][]float64
	for i := range r.rows {
		if at, _, ok := b.againstCentre(&r.rows[i]); ok && !b.atCentre(at) {
			all = append(all, at)
		}
	}
	var places [][]float64
	for k := range min(incumbents/2, len(all)) {
		places = append(places, all[k*len(all)/min(incumbents/2, len(all))])
	}
	sh := b.shape(r.now.mean)
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
