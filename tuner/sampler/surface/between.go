package surface

import (
	"cmp"
	"math"
	"slices"

	"sakusen/tuner"
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

const (
	// mostMembers is the most families whose heights are averaged for an answer, and unlikely
	// by how much, in natural logarithms, the evidence of each may be less than the best's.
	mostMembers = 3
	unlikely    = 4
)

// agree is the mean of the surfaces that the games do not decide between, by their evidence,
// and its peak; the mean is nil where one surface is enough.
func agree(s *Surface) (mean *shape, peak []float64) {
	s.basis.guess(s.rows, s.now.mean)
	rivals := slices.Clone(s.whole.rivals)
	slices.SortStableFunc(rivals, func(p, q rivalFit) int { return cmp.Compare(q.proof, p.proof) })
	var all []*shape
	var weights []float64
	var starts [][]float64
	for _, r := range rivals[:min(len(rivals), mostMembers)] {
		if r.proof < rivals[0].proof-unlikely {
			break
		}
		m := memberOf(s, r.bumps)
		all = append(all, m.basis.shape(m.now.mean))
		weights = append(weights, math.Exp(r.proof-rivals[0].proof))
		starts = append(starts, m.top)
	}
	if len(all) < 2 {
		return nil, s.top
	}
	mix := &shape{b: s.basis, members: all, weights: weights}
	var top summit
	for k, x := range append([][]float64{s.top}, starts...) {
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

// memberOf is the surface of a family, fitted to all that was seen.
func memberOf(s *Surface, u bumps) *Surface {
	m := &Surface{seed: s.seed, space: s.space, options: s.options, view: s.view}
	m.basis = basisOf(m)
	for i := range s.rows {
		r := &s.rows[i]
		m.rows = append(m.rows, row{at: r.at, other: r.other, batch: r.batch, value: r.value, noise: r.noise, blocks: r.blocks, guess: r.guess, lowest: r.lowest, highest: r.highest, sign: r.sign})
	}
	m.shape(u)
	f := fitted{rows: len(m.rows), link: s.whole.link, best: s.whole.best, belief: s.now} // its scales are nearly right
	m.pass(&f, m.rows, false)
	m.whole, m.now = f, f.belief
	m.top = m.basis.peak(m.now.mean)
	return m
}
