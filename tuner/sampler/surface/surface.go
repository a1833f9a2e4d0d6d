// Package surface is a response surface: a Bayesian quadratic regression of all
// games, whose answer is its maximum. It proposes where a game tells most about
// where the maximum lies. docs/search.md has the formulas, and what was
// measured.
//
//	p, err := surface.New(spec.Sampler, space, nil)
//	values, ok, err := p.Propose(view, draw)
package surface

import (
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
