// Package surface is a response surface: a Bayesian quadratic regression of all
// games, whose answer is its maximum. It proposes where a game tells most about
// where the maximum lies. docs/searches.md has the formulas, and what was
// measured.
//
//	p, err := surface.New(spec.Sampler, space, nil)
//	values, ok, err := p.Propose(view, draw)
package surface

import (
	"math"

	"sakusen/engines/param"
	"sakusen/tuner"
)

var _ tuner.Answerer = (*Surface)(nil)

// Surface is a response surface (G. Box, K. Wilson, On the experimental
// attainment of optimum conditions, 1951): a Bayesian linear regression of all
// games on quadratic features of the parameters, whose answer is the maximum of
// the posterior mean and never the best of its trials. docs/searches.md has the
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

	whole fitted // all up to the last full fit
	now   *posterior
	top   []float64 // its peak
}

// fitted is a full fit of the first rows.
type fitted struct {
	rows    int
	link    link
	moments *moments
	belief  *posterior
	best    float64 // height of its peak
}

// gather turns what is new in the view into rows.
func (s *Surface) gather() {
	v := s.view
	if s.basis != nil && (len(v.Told) < len(s.points) || len(v.Observed)+len(v.Duels) < s.seen) {
		s.basis, s.points, s.rows, s.seen, s.whole = nil, nil, nil, 0, fitted{} // another study
	}
	if s.basis == nil {
		s.basis = newBasis(s.space, v.Baseline, s.cross, !v.Pinned && !v.Plan.Duels)
	}
	for i := len(s.points); i < len(v.Told); i++ {
		s.points = append(s.points, s.basis.point(v.Told[i].Proposed))
	}
	features := func(trial int) []float64 {
		phi := make([]float64, s.basis.size)
		s.basis.fill(s.points[trial], phi)
		return phi
	}
	if v.Plan.Duels {
		for ; s.seen < len(v.Duels); s.seen++ {
			d := &v.Duels[s.seen]
			r := row{side: features(d.A), phi: features(d.B), batch: d.Batch, value: d.Score, noise: d.Noise, blocks: float64(d.Blocks)}
			for k := range r.phi {
				r.phi[k] = r.side[k] - r.phi[k]
			}
			s.rows = append(s.rows, r)
		}
		return
	}
	for ; s.seen < len(v.Observed); s.seen++ {
		o := &v.Observed[s.seen]
		if o.Blocks > 0 && !math.IsNaN(o.Value) {
			s.rows = append(s.rows, row{phi: features(o.Trial), batch: o.Batch, value: o.Value, noise: o.Noise, blocks: float64(o.Blocks)})
		}
	}
}

// Propose implements tuner.Proposer.
func (s *Surface) Propose(v *tuner.View, draw int) (param.Values, bool, error) {
	s.view = v
	s.fit()
	return s.values(s.propose(draw)), true, nil
}

// values is what a point plays.
func (s *Surface) values(x []float64) param.Values {
	out := make(param.Values, len(s.space))
	for i := range s.space {
		out[i] = param.Value{Name: s.space[i].Name, Text: s.basis.text(i, x[i])}
	}
	return out
}

// Answer implements tuner.Answerer: it is the maximum of the posterior mean, on
// the grid of what can be played.
func (s *Surface) Answer(v *tuner.View) (a tuner.Answer, ok bool, err error) {
	s.view = v
	s.fit()
	if len(s.rows) == 0 {
		return a, false, nil
	}
	x := s.basis.settle(s.now.mean, s.top)
	a.Values = s.values(x)
	if v.Plan.Duels && v.Baseline == nil {
		return a, true, nil // nobody is known to be at height 0
	}
	phi := make([]float64, s.basis.size)
	s.basis.fill(x, phi)
	height, sd := dot(s.now.mean, phi), math.Sqrt(s.now.variance(phi))
	value, slope := s.whole.link.seen(height)
	a.Belief = &tuner.Belief{Mean: value, StandardError: sd * math.Abs(slope)}
	return a, true, nil
}
