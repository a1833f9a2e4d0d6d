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
