package surface

import (
	"cmp"
	"math"
	"slices"

	"sakusen/engines/arena"
)

const (
	// scouting is the share of the pairs that are scouts' during the first scoutUntil of
	// a search in up to scoutWide numbers; with more than scoutFull numbers, of which a few points
	// cover less, it is smaller in proportion.
	scouting, scoutUntil = 0.6, 0.25
	scoutFull, scoutWide = 4, 8
	// poor and wealthy are the games of a search between which what edition 4 adds grows
	// from nothing: few games cannot tell a good place from a lucky one.
	poor, wealthy = 3000, 10000
	// scoutGames are the games of the scouts for each of them, and leastScouts and
	// mostScouts bound their number.
	scoutGames              = 24
	leastScouts, mostScouts = 8, 64
	// hopeless is the mean of wins less losses of a game below which scouting ends:
	// nearly all of the box is worse than the baseline.
	hopeless = -0.5
	// doubt is the games of no gain that are counted to every scout.
	doubt = 8
	// found is by how many standard errors a scout is ahead of the baseline when a second
	// walk begins there, and newGround its least distance from the first, a share of the range
	// in each number.
	found     = 0.5
	newGround = 0.15
	// outdone is by how many standard errors one of two walks is ahead of the other
	// when it goes on alone; at the share lastWalk of the search it does in any case.
	outdone  = 2.0
	lastWalk = 0.7
	scoutKey = 0x73636f7574
)

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

// scouts tells whether part of the pairs are scouts': in duels with a baseline, where
// a few dozen places are enough to find one that a walk from the baseline does not.
func (s *Surface) scouts() bool {
	n := len(s.basis.numbers)
	return s.edition > 3 && s.share > 0 && s.view.Plan.Duels && s.view.Baseline != nil && n > 1 && n <= scoutWide && s.walk.rival == nil
}

// scoutPart is the share of the pairs that are scouts' now.
func (s *Surface) scoutPart(progress float64) float64 {
	if !s.scouts() || progress >= scoutUntil || s.walk.given {
		return 0
	}
	return scouting * s.rich() * math.Min(1, scoutFull/float64(len(s.basis.numbers)))
}

// rich is how far a search has the games for what edition 4 adds: 0 where it has few, and
// in earlier editions, to 1.
func (s *Surface) rich() float64 {
	if s.edition < 4 {
		return 0
	}
	return clamp((float64(s.view.Plan.Games)-poor)/(wealthy-poor), 0, 1)
}

// scoutsOf is how many scouts a search has.
func (s *Surface) scoutsOf() int {
	games := float64(s.view.Plan.Games) * s.worth() * s.scoutPart(0) * scoutUntil
	return int(clamp(games/scoutGames, leastScouts, mostScouts))
}

// scoutAt is the place of the n-th scout (a shifted Kronecker sequence, of the powers of the
// root of x^(d+1) = x + 1: M. Roberts, The unreasonable effectiveness of quasirandom
// sequences, 2018).
func (s *Surface) scoutAt(n int) []float64 {
	b := s.basis
	x := b.origin()
	root := 2.0
	for range 40 {
		root = math.Pow(1+root, 1/float64(len(b.numbers)+1))
	}
	rng := arena.NewStream(s.seed^scoutKey, 0)
	step := 1.0
	for _, i := range b.numbers {
		step /= root
		_, u := math.Modf(rng.Float64() + step*float64(n+1))
		x[i] = b.low[i] + (b.high[i]-b.low[i])*u
	}
	if len(b.choices) > 0 {
		rng = arena.NewStream(s.seed^scoutKey, uint64(n+1))
		for _, i := range b.choices {
			x[i] = s.choice(&rng, i, s.top[i])
		}
	}
	return x
}

// nextScout is who goes in the k-th scouting pair of a batch: first all once, then the
// most promising.
func (s *Surface) nextScout(k int) []float64 {
	w := &s.walk
	if n := len(w.scouts) + k; n < s.scoutsOf() {
		return s.scoutAt(n)
	}
	order := make([]int, len(w.scouts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(w.scouts[j].promise(), w.scouts[i].promise()) })
	if len(order) == 0 {
		return s.scoutAt(k)
	}
	return w.scouts[order[k%len(order)]].at
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

// judgeScouts ends scouting: a second walk begins at the best of the scouts where it is
// ahead of the baseline, and somewhere else than the first.
func (s *Surface) judgeScouts(progress float64) {
	b, w := s.basis, &s.walk
	if w.given || len(w.scouts) < leastScouts {
		return
	}
	wins, games := 0.0, 0.0
	for i := range w.scouts {
		wins += w.scouts[i].wins
		games += w.scouts[i].games
	}
	if wins < hopeless*games {
		w.given = true
		return
	}
	if progress < scoutUntil {
		return
	}
	w.given = true
	best := slices.MaxFunc(w.scouts, func(p, q scout) int { return cmp.Compare(p.wins/(p.games+doubt), q.wins/(q.games+doubt)) })
	if best.wins < found*spreadOfGame*math.Sqrt(best.games) ||
		b.distance(best.at, w.at) < newGround*newGround*float64(len(b.numbers)) {
		return
	}
	w.rival = &rival{at: slices.Clone(best.at)}
}

// judgeRival lets one of two walks go on alone once it is known which.
func (s *Surface) judgeRival(progress float64) {
	w := &s.walk
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
