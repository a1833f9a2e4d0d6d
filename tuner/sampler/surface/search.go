package surface

import (
	"math"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
)

const (
	// fewGames and manyGames are the games of a search between which abundance grows from 0 to 1.
	fewGames, manyGames = 3000, 10000
	// anyValueShare is the share of proposals in which a choice has any of its values.
	anyValueShare = 0.25
	// mostValues is the most parameter sets of a space in up to two numbers whose search plays
	// the baseline alone.
	mostValues = 10_000
	// fewNumbers is the most numbers in which a model needs no help to find the way up.
	fewNumbers = 2
	// fullPart is the blocks of pairs of a search above which the climb has less than its share,
	// by the power lessPart.
	fullPart, lessPart = 1250, 0.35
	// climbMore, climbPart and lessClimb make the share with more than fewNumbers numbers: so
	// many times as much at first, at most climbPart, and less with more blocks by the power
	// lessClimb.
	climbMore, climbPart, lessClimb = 1.47, 0.95, 0.58
	// mostLess and noneLess are the numbers between which that power falls to nothing where
	// bumps are looked for: there a top that no model follows is found by climbing alone, and
	// its pairs teach a model that fits as well as others do. With more numbers a parabola
	// needs the games of its own choice.
	mostLess, noneLess = 4, 6
)

// search is what is searched, how, and how far it has come: all that the parts of the sampler
// have in common.
type search struct {
	seed  uint64
	space tuner.Space
	options
	view  *tuner.View
	basis *basis
}

// newBasis returns the features for the view, without bumps.
func (s *search) newBasis() *basis {
	v := s.view
	b := newBasis(s.space, v.Baseline, s.cross, !v.Pinned && !v.Plan.Duels, v.Plan.Duels && v.Baseline != nil)
	b.pinned = v.Plan.Duels
	return b
}

// values returns the parameter values that a point plays.
func (s *search) values(x []float64) param.Values {
	out := make(param.Values, len(s.space))
	for i := range s.space {
		out[i] = param.Value{Name: s.space[i].Name, Text: s.basis.text(i, x[i])}
	}
	return out
}

// drawChoice returns the believed best value of the i-th parameter, a choice, or in
// anyValueShare of the draws any of its values.
func (s *search) drawChoice(rng *arena.Stream, i int, believed float64) float64 {
	if rng.Float64() < anyValueShare {
		return float64(rng.IntN(s.space[i].Points()))
	}
	return believed
}

// pairFactor returns how many games of a pair the search has for one of its budget: against
// the baseline a pair costs twice as many.
func (s *search) pairFactor() float64 {
	if s.view.Plan.Duels {
		return 2 / float64(max(2, s.view.Plan.BlockGames))
	}
	return 1 / float64(max(1, s.view.Plan.BlockGames))
}

// abundance returns how far a search has the games to look over the whole box and to give up
// a quadratic: 0 with up to fewGames games, rising to 1 with manyGames. Few games cannot tell a
// good place from a lucky one.
func (s *search) abundance() float64 {
	return clamp((float64(s.view.Plan.Games)-fewGames)/(manyGames-fewGames), 0, 1)
}

// onlyBaseline reports whether all games of a search in duels are against the baseline, and
// none are the climb's: on a grid of up to two numbers a model needs no help to find the way up, and
// what a duel between candidates tells more of a difference it may tell less of the gain.
func (s *search) onlyBaseline() bool {
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

// climbs reports whether part of the pairs climbs without a model: where games are
// scored, and there is a number to move.
func (s *search) climbs() bool {
	return s.walk > 0 && s.view.Seats > 0 && len(s.basis.numbers) > 0 && !s.onlyBaseline()
}

// mostlyClimbs reports whether the climb has most of the pairs where there are few games: in
// a space of more than two numbers they say more of which way is up than of where
// the top is.
func (s *search) mostlyClimbs() bool {
	return s.walk > 0 && len(s.basis.numbers) > fewNumbers
}

// climbShare returns the share of the pairs that is the climb's before anything is seen: the
// more games, the more a model can learn, and where there are choices, which the
// climb cannot make, it has half as many.
func (s *search) climbShare() float64 {
	n := math.Max(1, float64(s.view.Plan.Games)*s.pairFactor()/2)
	part := s.walk * math.Pow(math.Max(1, n/fullPart), -lessPart)
	if s.mostlyClimbs() {
		part = s.firstShare() * math.Pow(math.Max(1, n/fullPart), -s.shareFall())
	}
	if len(s.basis.choices) > 0 {
		part /= 2
	}
	return part
}

// firstShare returns climbShare where there are few games and mostlyClimbs holds.
func (s *search) firstShare() float64 { return math.Min(climbPart, climbMore*s.walk) }

// shareFall returns the power by which climbShare falls with the games where mostlyClimbs
// holds.
func (s *search) shareFall() float64 {
	n := len(s.basis.numbers)
	if n > mostBumpy {
		return lessClimb
	}
	return lessClimb * clamp((noneLess-float64(n))/(noneLess-mostLess), 0, 1)
}
