// Package surface is a response surface: a Bayesian quadratic regression of all
// games, whose answer is its maximum. It proposes where a game tells most about
// where the maximum lies. docs/search.md has the formulas, and what was
// measured.
//
//	p, err := surface.New(spec.Sampler, space, nil)
//	values, ok, err := p.Propose(view, draw)
//
// Reading order: surface.go (the sampler, its options, its answer), basis.go and bumps.go (the
// features of the model), regression.go and model.go (how they are fitted to games), peak.go
// (the top of a fitted surface), chooser.go (the model's own proposals), climb.go (the climb
// beside the model), scouts.go (what pairs show, and looks at places far away), referee.go (the
// answer, between both, and what games show of it), explain.go (what they tell of each
// parameter).
package surface

import (
	"errors"
	"fmt"
	"math"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler/members"
)

var _ tuner.Answerer = (*Surface)(nil)

// Surface is a response surface (G. Box, K. Wilson, On the experimental
// attainment of optimum conditions, 1951): a Bayesian linear regression of all
// games on quadratic features of the parameters, whose answer is the maximum of
// the posterior mean and never the best of its trials. docs/search.md has the
// formulas, and what was measured.
//
// Proposals are the optimum of a surface drawn from the posterior (W. Thompson,
// On the likelihood that one unknown probability exceeds another, 1933) with a
// jitter of a size drawn for each, the one of a few candidates that tells most
// about where the optimum lies. In duels they are pairs that mirror each other
// about it. Everything is a function of (seed, view, draw): what is kept from one
// view to the next could be computed again. It implements tuner.Answerer.
type Surface struct {
	*model
	climb   *climb
	referee *referee
	members *members.Model // of a space of few members, nil elsewhere
	listed  bool           // whether it was asked for
}

// newSurface returns the sampler of a search.
func newSurface(of search) *Surface {
	m := &model{search: of}
	c := &climb{model: m}
	return &Surface{model: m, climb: c, referee: &referee{model: m, climb: c}}
}

// Propose implements tuner.Proposer.
func (s *Surface) Propose(v *tuner.View, draw int) (param.Values, bool, error) {
	s.view = v
	if m := s.memberModel(); m != nil {
		values := m.Propose(v, s.seed, draw)
		return values, values != nil, nil
	}
	s.fit()
	return s.values(s.propose(draw)), true, nil
}

// fit brings what is believed up to date with the view.
func (s *Surface) fit() {
	if s.update() {
		s.referee.agreed = nil
	}
}

// propose returns the point of a draw: at the end of a search in duels the believed answer,
// against the baseline; else the climb's, or where that has none the model's.
func (s *Surface) propose(draw int) []float64 {
	v := s.view
	if v.Plan.Duels && v.Baseline != nil && float64(v.Plan.Played) >= (1-finalShare)*float64(v.Plan.Games) {
		if draw%2 == 1 {
			return s.basis.origin()
		}
		return s.referee.believed()
	}
	if s.climbs() {
		if x := s.climb.point(draw); x != nil {
			return x
		}
	}
	return chooser{s.model}.propose(draw)
}

// memberModel returns the model of a space of few members, nil where there are many.
func (s *Surface) memberModel() *members.Model {
	if !s.listed {
		s.members = members.New(s.space, s.view)
	}
	s.listed = true
	return s.members
}

// options are the options of the sampler surface.
type options struct {
	near, far float64 // jitter, shares of a range
	warm      float64 // share of the games spent around the baseline
	cross     int     // parameters up to which products are features
	anchor    float64 // share of the duels in which a point meets the baseline
	tries     int     // candidates of which a proposal is the best
	walk      float64 // share of the pairs that the climb has at first
}

// declare declares the options.
func (o *options) declare(f *param.Fields) {
	f.Float(&o.near, "near", 0.03, param.Range(0.001, 1), "least jitter about the believed optimum, shares of a range")
	f.Float(&o.far, "far", 0.6, param.Range(0.001, 1), "largest jitter about the believed optimum, shares of a range")
	f.Float(&o.warm, "warm", 0.2, param.Range(0, 1), "share of the games whose points lie around the baseline")
	f.Int(&o.cross, "cross", 8, param.Range(0, 40), "parameters up to which products of two are features")
	f.Float(&o.anchor, "anchor", 0.15, param.Range(0, 1), "share of the duels in which a point meets the baseline, twice as many around the baseline")
	f.Int(&o.tries, "tries", 8, param.Range(1, 1000), "candidates of which a proposal is the one that tells most, points")
	f.Float(&o.walk, "walk", 0.65, param.Range(0, 1), "share of the pairs that climb without a model, at first")
}

// Options returns the declarations of the options.
func Options() []param.Param { return param.List(new(options).declare) }

// Defaults of a study with this sampler. There are many trials and they are short: a
// regression does not mind how its games are spread over points, and many points are many
// steps. A small budget proves little and gives half of its games to the proof; many
// parameters need four fifths for the search.
const (
	surfaceBatch   = 16
	surfaceGames   = 1250 // games of a budget for each game of a trial
	surfaceLeast   = 2    // blocks; a shorter trial does not show its own noise
	smallBudget    = 5000 // games
	provingSmall   = 0.5
	provingMany    = 0.2
	manyParameters = 8
)

// Traits are the defaults of a study that surface searches.
func Traits(_ tuner.SamplerSpec, space tuner.Space, in tuner.SearchSize) tuner.Traits {
	t := tuner.Traits{Answers: true, Duels: true, Batch: surfaceBatch}
	blocks := max(surfaceLeast, in.Games/surfaceGames/in.BlockGames)
	t.Race = &tuner.Race{Method: "none", Rungs: []int64{blocks}, Keep: 0.5}
	if !in.Duels {
		t.Race.Blocks = "fresh"
	}
	switch {
	case in.Games <= smallBudget:
		t.Proving = provingSmall
	case len(space) > manyParameters:
		t.Proving = provingMany
	}
	return t
}

// New makes the sampler, or says why it does not serve the space or the options.
func New(s tuner.SamplerSpec, space tuner.Space, _ param.Values) (tuner.Proposer, error) {
	var o options
	fields, err := param.Bind(o.declare)
	if err != nil {
		return nil, err
	}
	if _, errs := fields.Assign(s.Options); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	if o.near > o.far {
		return nil, fmt.Errorf("options: near: expected at most far's %g, got %g", o.far, o.near)
	}
	return newSurface(search{seed: s.Seed, space: space, options: o}), nil
}

// Answer implements tuner.Answerer: it is the maximum of the posterior mean, on
// the grid of what can be played, where games show it (see referee.shownAnswer).
func (s *Surface) Answer(v *tuner.View) (a tuner.Answer, ok bool, err error) {
	s.view = v
	if m := s.memberModel(); m != nil {
		a, ok = m.Answer(v)
		return a, ok, nil
	}
	s.fit()
	if len(s.rows) == 0 {
		return a, false, nil
	}
	x := s.referee.shownAnswer(s.referee.believed())
	a.Values = s.values(x)
	if v.Plan.Duels && v.Baseline == nil {
		return a, true, nil // no player is known to be at height 0
	}
	height, sd := s.referee.claim(x)
	if v.Baseline != nil && v.Seats > 0 && height < (s.abundance()-1)*sd && (v.Plan.Duels || v.Pinned) {
		x, height = s.basis.origin(), 0 // nothing better than the baseline was seen; few games tell too little to say so of what is doubtful
		a.Values = s.values(x)
	}
	value, slope := s.whole.link.seen(height)
	a.Belief = &tuner.Belief{Mean: value, StandardError: sd * math.Abs(slope)}
	return a, true, nil
}

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
