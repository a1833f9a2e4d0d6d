package surface

import (
	"math"

	"sakusen/tuner/sampler/shared"
)

const (
	// certain is how many standard errors ahead the peak is taken to be where meetings have
	// no say.
	certain = 3
	// transitive and intransitive, in Elo, are the heights of the believed top between which
	// meetings lose their say in the answer.
	transitive, intransitive = 80, 160
	// evenly is the part of the way from the iterate to the peak at which the answer lies
	// where neither is ahead, and perError by how much it grows for each standard error by
	// which the peak is.
	evenly, perError = 0.6, 0.25
	// crossed is by how many standard errors the peak must be ahead to be the answer where
	// the model sees a valley between them: crossedPoor in a search of few games.
	crossed, crossedPoor = 0.7, 2
	// trusted is how far apart the two may lie, in each number, a share of the range, before
	// the answer goes clearly less far towards the peak, in a search of trustedGames games in
	// which the walk has climbPart of the pairs at first. It grows in proportion to the games
	// and to the pairs that are the model's.
	trusted, trustedGames = 0.08, 2500
)

// between returns the answer: the model's peak where there are many games and a quadratic
// fits all that was seen, else a place on the way from the iterate to the peak, by how many
// standard errors the peak is predicted above the iterate and what their meetings say.
func (s *Surface) between(peak []float64) []float64 {
	b, w := s.basis, &s.walk
	if s.rich() == 1 && s.whole.smooth() {
		return peak // a quadratic fits: nothing tells more than all games
	}
	x := w.mean(b)
	for _, i := range b.choices {
		x[i] = peak[i]
	}
	there, here := make([]float64, b.size), make([]float64, b.size)
	b.fill(peak, there)
	b.fill(x, here)
	high, low := shared.Dot(there, s.now.mean), shared.Dot(here, s.now.mean)
	for k := range there {
		there[k] -= here[k]
	}
	sure := (high - low) / math.Sqrt(math.Max(s.now.variance(there), 1e-12))
	// Who wins a meeting far above the baseline need not gain more against the baseline.
	trust := clamp((intransitive-s.summit)/(intransitive-transitive), 0, 1)
	trust *= 1 - s.whole.discord
	sure += float64((1-trust)*certain) - float64(trust*w.lead())
	return blend(s, x, peak, sure)
}

// blend returns the point at a part of the way from the iterate to the model's peak.
// Their errors have little to do with each other, so that between them is nearly always better
// than at either end: the more surely the peak is ahead and the more games there are the nearer
// to it, and the farther apart they lie the less, unless most of the pairs are the model's.
// Where the model sees a valley between them they are two tops, and the answer is one of them.
func blend(s *Surface, x, peak []float64, sure float64) []float64 {
	b := s.basis
	sh := b.shape(s.now.mean)
	here, _ := sh.height(x)
	there, _ := sh.height(peak)
	if halfway, _ := sh.height(b.towards(x, peak, 0.5)); halfway < math.Min(here, there) {
		if sure > crossedPoor+float64(s.rich()*(crossed-crossedPoor)) {
			return peak
		}
		return x
	}
	far := float64(trusted * float64(s.view.Plan.Games) / trustedGames)
	far *= (1 - s.part()) / (1 - climbPart)
	apart := math.Sqrt(b.distance(x, peak)/float64(max(1, len(b.numbers)))) / math.Max(far, 1e-9)
	return b.towards(x, peak, clamp(evenly+float64(perError*sure), 0, 1)/math.Sqrt(1+float64(apart*apart)))
}

// towards is the point at a part of the way from one to another, in all numbers.
func (b *basis) towards(x, y []float64, part float64) []float64 {
	at := append([]float64(nil), x...)
	for _, i := range b.numbers {
		at[i] += float64(part * (y[i] - x[i]))
	}
	return at
}
