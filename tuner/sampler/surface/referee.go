package surface

import (
	"cmp"
	"math"
	"slices"

	"sakusen/tuner/sampler/shared"
)

const (
	// peakBias is how many standard errors ahead the peak is taken to be where meetings have
	// no say.
	peakBias = 3
	// transitive and intransitive, in Elo, are the heights of the believed top between which
	// meetings lose their say in the answer.
	transitive, intransitive = 80, 160
	// evenPart is the part of the way from the iterate to the peak at which the answer lies
	// where neither is ahead, and perError by how much it grows for each standard error by
	// which the peak is.
	evenPart, perError = 0.6, 0.25
	// valleyAhead is by how many standard errors the peak must be ahead to be the answer where
	// the model sees a valley between them: valleyAheadFew in a search of few games.
	valleyAhead, valleyAheadFew = 0.7, 2
	// trustedApart is how far apart the two may lie, in each number, a share of the range, before
	// the answer goes clearly less far towards the peak, in a search of trustedGames games in
	// which the climb has climbPart of the pairs at first. It grows in proportion to the games
	// and to the pairs that are the model's.
	trustedApart, trustedGames = 0.08, 2500
)

// referee tells what the answer is, between the model and the climb, and what is claimed of it.
type referee struct {
	*model
	climb  *climb
	mean   *shape    // of the families that the games do not decide between, nil where one is enough
	agreed []float64 // its peak, nil until it is asked for
}

// believed returns the point that is taken for the best.
func (r *referee) believed() []float64 {
	if r.agreed == nil {
		r.mean, r.agreed = r.agree()
	}
	x := r.agreed
	if r.climbs() {
		r.climb.follow()
		x = r.between(x)
	}
	if r.mean != nil {
		return r.basis.settle(func(x []float64) float64 { h, _ := r.mean.height(x); return h }, x)
	}
	return r.basis.settle(r.basis.heights(r.now.mean), x)
}

// between returns the answer: the model's peak where there are many games and a quadratic
// fits all that was seen, else a place on the way from the iterate to the peak, by how many
// standard errors the peak is predicted above the iterate and what their meetings say.
func (r *referee) between(peak []float64) []float64 {
	b := r.basis
	if r.abundance() == 1 && r.whole.smooth {
		return peak // a quadratic fits: nothing tells more than all games
	}
	x := r.climb.mean(&b.box)
	for _, i := range b.choices {
		x[i] = peak[i]
	}
	there, here := make([]float64, b.size), make([]float64, b.size)
	b.fill(peak, there)
	b.fill(x, here)
	high, low := shared.Dot(there, r.now.mean), shared.Dot(here, r.now.mean)
	for k := range there {
		there[k] -= here[k]
	}
	sure := (high - low) / math.Sqrt(math.Max(r.now.variance(there), 1e-12))
	// Who wins a meeting far above the baseline need not gain more against the baseline.
	trust := clamp((intransitive-r.summit)/(intransitive-transitive), 0, 1)
	trust *= 1 - r.whole.discord
	sure += float64((1-trust)*peakBias) - float64(trust*r.climb.lead())
	return r.blend(x, peak, sure)
}

// blend returns the point at a part of the way from the iterate to the model's peak.
// Their errors have little to do with each other, so that between them is nearly always better
// than at either end: the more surely the peak is ahead and the more games there are the nearer
// to it, and the farther apart they lie the less, unless most of the pairs are the model's.
// Where the model sees a valley between them they are two tops, and the answer is one of them.
func (r *referee) blend(x, peak []float64, sure float64) []float64 {
	b := r.basis
	sh := b.shape(r.now.mean)
	here, _ := sh.height(x)
	there, _ := sh.height(peak)
	if halfway, _ := sh.height(b.towards(x, peak, 0.5)); halfway < math.Min(here, there) {
		if sure > valleyAheadFew+float64(r.abundance()*(valleyAhead-valleyAheadFew)) {
			return peak
		}
		return x
	}
	far := float64(trustedApart * float64(r.view.Plan.Games) / trustedGames)
	far *= (1 - r.climbShare()) / (1 - climbPart)
	apart := math.Sqrt(b.distance(x, peak)/float64(max(1, len(b.numbers)))) / math.Max(far, 1e-9)
	return b.towards(x, peak, clamp(evenPart+float64(perError*sure), 0, 1)/math.Sqrt(1+float64(apart*apart)))
}

const (
	// mostMembers is the most families whose heights are averaged for an answer, and memberEvidence
	// by how much, in natural logarithms, the evidence of each may be less than the best's.
	mostMembers    = 3
	memberEvidence = 4
)

// agree returns the mean of the surfaces that the games do not decide between, by their evidence,
// and its peak; the mean is nil where one surface is enough.
func (r *referee) agree() (mean *shape, peak []float64) {
	r.basis.guess(r.rows, r.now.mean)
	rivals := slices.Clone(r.whole.rivals)
	slices.SortStableFunc(rivals, func(p, q rivalFit) int { return cmp.Compare(q.proof, p.proof) })
	var all []*shape
	var weights []float64
	var starts [][]float64
	for _, f := range rivals[:min(len(rivals), mostMembers)] {
		if f.proof < rivals[0].proof-memberEvidence {
			break
		}
		m := r.with(f.bumps)
		all = append(all, m.basis.shape(m.now.mean))
		weights = append(weights, math.Exp(f.proof-rivals[0].proof))
		starts = append(starts, m.top)
	}
	if len(all) < 2 {
		return nil, r.top
	}
	mix := &shape{b: r.basis, members: all, weights: weights}
	var top summit
	for k, x := range append([][]float64{r.top}, starts...) {
		h, near := mix.height(x)
		if k > 0 && !near {
			continue
		}
		if p := mix.improve(summit{x, h}); k == 0 || p.height > top.height {
			top = p
		}
	}
	return mix, top.at
}

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

// leastMisfit returns the least size, in Elo, that what the surface misses is taken to
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

// shownAnswer returns the answer, given what is believed to be the best: the same, unless nothing was
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

// shownAt returns the evidence at a place. What a game shows beside the surface is taken to be the
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

// shownPlaces returns those that are held against an answer: of what met the baseline, half are
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
