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
	// scoutGames are the games of the scouts for each of them, and leastScouts and
	// mostScouts bound their number.
	scoutGames              = 24
	leastScouts, mostScouts = 8, 64
	// hopeless is the mean of wins less losses of a game below which scouting ends:
	// nearly all of the box is worse than the baseline.
	hopeless = -0.5
	// found is by how many standard errors a scout is ahead of the baseline when a second
	// walk begins there, and newGround its least distance from the first, a share of the range
	// in each number.
	found     = 0.5
	newGround = 0.15
	scoutKey  = 0x73636f7574
	// otherValue is the share of proposals in which a choice has any of its values.
	otherValue = 0.25
)

// mayScout tells whether part of the pairs are scouts': in duels with a baseline, where
// a few dozen places are enough to find one that a walk from the baseline does not.
func mayScout(s *Surface) bool {
	n := len(s.basis.numbers)
	return s.share > 0 && s.view.Plan.Duels && s.view.Baseline != nil && n > 1 && n <= scoutWide && s.walk.rival == nil
}

// scoutPart is the share of the pairs that are scouts' now.
func scoutPart(s *Surface, progress float64) float64 {
	if !mayScout(s) || progress >= scoutUntil || s.walk.given {
		return 0
	}
	return scouting * s.rich() * math.Min(1, scoutFull/float64(len(s.basis.numbers)))
}

// scoutsOf is how many scouts a search has.
func scoutsOf(s *Surface) int {
	games := float64(s.view.Plan.Games) * s.worth() * scoutPart(s, 0) * scoutUntil
	return int(clamp(games/scoutGames, leastScouts, mostScouts))
}

// scoutAt is the place of the n-th scout (a shifted Kronecker sequence, of the powers of the
// root of x^(d+1) = x + 1: M. Roberts, The unreasonable effectiveness of quasirandom
// sequences, 2018).
func scoutAt(s *Surface, n int) []float64 {
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
func nextScout(s *Surface, k int) []float64 {
	w := &s.walk
	if n := len(w.scouts) + k; n < scoutsOf(s) {
		return scoutAt(s, n)
	}
	order := make([]int, len(w.scouts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(w.scouts[j].promise(), w.scouts[i].promise()) })
	if len(order) == 0 {
		return scoutAt(s, k)
	}
	return w.scouts[order[k%len(order)]].at
}

// judgeScouts ends scouting, when the pairs of a batch have been told: a second walk begins
// at the best of the scouts where it is ahead of the baseline, and somewhere else than the
// first. In more than fewNumbers numbers it ends halfway where a quadratic
// fits all that was seen.
func judgeScouts(s *Surface, progress float64, batch int) {
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
	quiet := progress >= scoutUntil/2 && len(b.numbers) > fewNumbers && fittedAt(s, batch).smooth
	if progress < scoutUntil && !quiet {
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

// choice is the believed best value of a choice, or now and then any.
func (s *Surface) choice(rng *arena.Stream, i int, believed float64) float64 {
	if rng.Float64() < otherValue {
		return float64(rng.IntN(s.space[i].Points()))
	}
	return believed
}

// progress is the share of the search that the walk has seen.
func (s *Surface) progress() float64 {
	return s.walk.played / math.Max(1, float64(s.view.Plan.Games)*s.worth())
}

// worth is how many games of a pair the search has for one of its budget: against
// the baseline a pair costs twice as many.
func (s *Surface) worth() float64 {
	if s.view.Plan.Duels {
		return 2 / float64(max(2, s.view.Plan.BlockGames))
	}
	return 1 / float64(max(1, s.view.Plan.BlockGames))
}

// sounding is the share of the walk's pairs that are soundings during the first soundUntil of a
// search in which it has most of them.
const sounding, soundUntil = 0.25, 0.06

// climbs tells whether the walk has most of the pairs where there are few games: in
// a space of more than two numbers they say more of which way is up than of where
// the top is.
func (s *Surface) climbs() bool {
	return s.share > 0 && len(s.basis.numbers) > fewNumbers
}

// soundPart returns the share of the walk's pairs that are soundings now: one
// side of a pair meets the baseline. Where all that lies a pair's distance away is equally bad,
// its two sides are alike, and duels between them do not tell that they are too far away.
func soundPart(s *Surface, progress float64) float64 {
	if !s.climbs() || !s.view.Plan.Duels || s.view.Baseline == nil || progress >= soundUntil {
		return 0
	}
	return sounding
}

// surely is by how much, in natural logarithms, the evidence must be larger with what is seen
// against the baseline alone than nearly without it, when only games against the baseline
// count for a search.
const surely = 1

// mostValues is the most parameter sets of a space in up to two numbers whose search plays
// the baseline alone.
const mostValues = 10_000

// fewNumbers is the most numbers in which a model needs no help to find the way up.
const fewNumbers = 2

// discordOf is how clear a fit makes it, 0 to 1, that what beats the baseline is another
// thing than what beats other candidates: the evidence of all games for a height of its own
// against the baseline, over the whole box, against next to none.
func discordOf(s *Surface, f *fitted) float64 {
	b := s.basis
	if !b.apart {
		return 0
	}
	none := f.belief.scales
	none.own = leastScale
	p, ok := b.solve(f.moments, none)
	if !ok {
		return 0
	}
	// Few games do not tell it from a hill that is no parabola.
	return clamp((f.belief.proof-p.proof)/surely, 0, 1) * s.rich()
}

// alone tells whether all games of a search in duels are against the baseline, and none are
// the walk's: on a grid of up to two numbers a model needs no help to find the way up, and
// what a duel between candidates tells more of a difference it may tell less of the gain.
func alone(s *Surface) bool {
	v := s.view
	if !v.Plan.Duels || v.Baseline == nil || v.Seats == 0 ||
		len(s.basis.numbers) > fewNumbers || len(s.basis.choices) > 0 {
		return false
	}
	members := 1
	for i := range s.space {
		n := s.space[i].Points()
		if n == 0 || n > mostValues {
			return false
		}
		members *= n
	}
	return members <= mostValues
}
