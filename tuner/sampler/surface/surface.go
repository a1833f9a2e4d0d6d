// Package surface is a response surface: a Bayesian quadratic regression of all
// games, whose answer is its maximum. It proposes where a game tells most about
// where the maximum lies. docs/search.md has the formulas, and what was
// measured.
//
//	p, err := surface.New(spec.Sampler, space, nil)
//	values, ok, err := p.Propose(view, draw)
//
// Reading order: surface.go (the sampler, its options, its answer), basis.go and bumps.go (the
// features of the model), regression.go and fit.go (how they are fitted to games), peak.go
// (the top of a fitted surface), design.go (what a proposal would teach), walk.go and
// between.go (the climb beside the model, and what is agreed between both), scouts.go (looks
// at places far away), claim.go (what games show of the answer), explain.go (what they tell
// of each parameter).
package surface

import (
	"errors"
	"fmt"
	"math"

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
	seed  uint64
	space tuner.Space
	options

	view   *tuner.View
	basis  *basis
	points [][]float64 // by trial
	rows   []row       // by observation or duel
	seen   int         // observations or duels in them
	shown  *tuner.View // when the posterior was made

	whole  fitted // all up to the last full fit
	now    *posterior
	top    []float64 // its peak
	summit float64   // the peak's height, Elo
	agreed []float64 // peak of the mean of the families, where it was asked for
	mean   *shape    // that mean, nil where one surface is enough
	walk   walk

	members *members.Model // of a space of few members, nil elsewhere
	listed  bool           // whether it was asked for
}

// fitted is a full fit of the first rows.
type fitted struct {
	rows    int
	link    link
	moments *moments
	belief  *posterior
	bumps   bumps
	best    float64    // height of its peak
	rivals  []rivalFit // every family that was tried
	discord float64    // how clear it is, 0 to 1, that the baseline tells another thing than duels do
}

// gather turns what is new in the view into rows.
func (s *Surface) gather() {
	v := s.view
	if s.basis != nil && (len(v.Told) < len(s.points) || len(v.Observed)+len(v.Duels) < s.seen) {
		s.basis, s.points, s.rows, s.seen, s.whole = nil, nil, nil, 0, fitted{} // another study
	}
	if s.basis == nil {
		s.basis = basisOf(s)
	}
	for i := len(s.points); i < len(v.Told); i++ {
		s.points = append(s.points, s.basis.point(v.Told[i].Params))
	}
	for ; v.Plan.Duels && s.seen < len(v.Duels); s.seen++ {
		d := &v.Duels[s.seen]
		s.add(row{at: s.points[d.A], other: s.points[d.B], batch: d.Batch, value: d.Score, noise: d.Noise, blocks: float64(d.Blocks)})
	}
	for ; !v.Plan.Duels && s.seen < len(v.Observed); s.seen++ {
		o := &v.Observed[s.seen]
		if o.Blocks > 0 && !math.IsNaN(o.Value) {
			s.add(row{at: s.points[o.Trial], batch: o.Batch, value: o.Value, noise: o.Noise, blocks: float64(o.Blocks)})
		}
	}
}

// basisOf is the basis of the view, without bumps.
func basisOf(s *Surface) *basis {
	v := s.view
	b := newBasis(s.space, v.Baseline, s.cross, !v.Pinned && !v.Plan.Duels, v.Plan.Duels && v.Baseline != nil)
	b.pinned = v.Plan.Duels
	return b
}

func (s *Surface) add(r row) {
	_, r.sign, _ = s.basis.againstCentre(&r)
	one := []row{r}
	s.features(one)
	s.rows = append(s.rows, one[0])
}

// Propose implements tuner.Proposer.
func (s *Surface) Propose(v *tuner.View, draw int) (param.Values, bool, error) {
	s.view = v
	if m := membersOf(s); m != nil {
		values := m.Propose(v, s.seed, draw)
		return values, values != nil, nil
	}
	s.fit()
	return s.values(s.propose(draw)), true, nil
}

// membersOf is the model of a space of few members, nil where there are many.
func membersOf(s *Surface) *members.Model {
	if !s.listed {
		s.members = members.New(s.space, s.view)
	}
	s.listed = true
	return s.members
}

// values is what a point plays.
func (s *Surface) values(x []float64) param.Values {
	out := make(param.Values, len(s.space))
	for i := range s.space {
		out[i] = param.Value{Name: s.space[i].Name, Text: s.basis.text(i, x[i])}
	}
	return out
}

// options are the options of the sampler surface.
type options struct {
	near, far float64 // jitter, shares of a range
	warm      float64 // share of the games spent around the baseline
	cross     int     // parameters up to which products are features
	anchor    float64 // share of the duels in which a point meets the baseline
	tries     int     // candidates of which a proposal is the best
	share     float64 // of the pairs that the walk has at first
}

// declare declares the options.
func (o *options) declare(f *param.Fields) {
	f.Float(&o.near, "near", 0.03, param.Range(0.001, 1), "least jitter about the believed optimum, shares of a range")
	f.Float(&o.far, "far", 0.6, param.Range(0.001, 1), "largest jitter about the believed optimum, shares of a range")
	f.Float(&o.warm, "warm", 0.2, param.Range(0, 1), "share of the games whose points lie around the baseline")
	f.Int(&o.cross, "cross", 8, param.Range(0, 40), "parameters up to which products of two are features")
	f.Float(&o.anchor, "anchor", 0.15, param.Range(0, 1), "share of the duels in which a point meets the baseline, twice as many around the baseline")
	f.Int(&o.tries, "tries", 8, param.Range(1, 1000), "candidates of which a proposal is the one that tells most, points")
	f.Float(&o.share, "walk", 0.65, param.Range(0, 1), "share of the pairs that climb without a model, at first")
}

// Options returns the declarations of the options.
func Options() []param.Param { return param.List(new(options).declare) }

func readOptions(given param.Values) (*options, error) {
	o := &options{}
	fields, err := param.Bind(o.declare)
	if err != nil {
		return nil, err
	}
	if _, errs := fields.Assign(given); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	if o.near > o.far {
		return nil, fmt.Errorf("options: near: expected at most far's %g, got %g", o.far, o.near)
	}
	return o, nil
}

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
	o, err := readOptions(s.Options)
	if err != nil {
		return nil, err
	}
	return &Surface{seed: s.Seed, space: space, options: *o}, nil
}

// Answer implements tuner.Answerer: it is the maximum of the posterior mean, on
// the grid of what can be played, where games show it (see shows).
func (s *Surface) Answer(v *tuner.View) (a tuner.Answer, ok bool, err error) {
	s.view = v
	if m := membersOf(s); m != nil {
		a, ok = m.Answer(v)
		return a, ok, nil
	}
	s.fit()
	if len(s.rows) == 0 {
		return a, false, nil
	}
	x := shows(s, s.believed())
	a.Values = s.values(x)
	if v.Plan.Duels && v.Baseline == nil {
		return a, true, nil // nobody is known to be at height 0
	}
	height, sd := s.claim(x)
	if v.Baseline != nil && v.Seats > 0 && height < (s.rich()-1)*sd && (v.Plan.Duels || v.Pinned) {
		x, height = s.basis.origin(), 0 // nothing better than the baseline was seen; few games tell too little to say so of what is doubtful
		a.Values = s.values(x)
	}
	value, slope := s.whole.link.seen(height)
	a.Belief = &tuner.Belief{Mean: value, StandardError: sd * math.Abs(slope)}
	return a, true, nil
}
