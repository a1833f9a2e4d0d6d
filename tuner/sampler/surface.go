package sampler

import (
	"math"

	"github.com/c-bata/goptuna"

	"sakusen/engines/param"
	"sakusen/tuner"
)

// surface is a response surface (G. Box, K. Wilson, On the experimental
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
// view to the next could be computed again.
type surface struct {
	seed  uint64
	space tuner.Space
	surfaceOptions

	view   *tuner.View
	basis  *basis
	points [][]float64 // by trial
	rows   []row       // by observation or duel
	seen   int         // observations or duels in them
	shown  *tuner.View // when the posterior was made

	whole  fitted // all up to the last full fit
	now    *posterior
	top    []float64 // its peak
	claim  [2]float64
	claims bool
}

// fitted is a full fit of the first rows.
type fitted struct {
	rows    int
	link    link
	moments *moments
	belief  *posterior
	best    float64 // height of its peak
}

// see is given the view before every proposal.
func (s *surface) see(v *tuner.View) { s.view = v }

// gather turns what is new in the view into rows.
func (s *surface) gather() {
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

// SampleRelative implements goptuna.RelativeSampler.
func (s *surface) SampleRelative(_ *goptuna.Study, t goptuna.FrozenTrial, _ map[string]any) (map[string]float64, error) {
	s.fit()
	x := s.propose(t.Number)
	out := make(map[string]float64, len(s.space))
	for i := range s.space {
		d := &s.space[i]
		internal, err := d.Internal(d.Distribution(false), s.basis.text(i, x[i]))
		if err != nil {
			return nil, err
		}
		out[d.Name] = internal
	}
	return out, nil
}

// answer is the maximum of the posterior mean, on the grid of what can be played.
func (s *surface) answer(v *tuner.View) (param.Values, bool, error) {
	s.see(v)
	s.fit()
	if len(s.rows) == 0 {
		return nil, false, nil
	}
	x := s.basis.settle(s.now.mean, s.top)
	out := make(param.Values, len(s.space))
	for i := range s.space {
		out[i] = param.Value{Name: s.space[i].Name, Text: s.basis.text(i, x[i])}
	}
	phi := make([]float64, s.basis.size)
	s.basis.fill(x, phi)
	height, sd := dot(s.now.mean, phi), math.Sqrt(s.now.variance(phi))
	l := s.whole.link
	value, slope := l.seen(height)
	s.claim = [2]float64{value, sd * math.Abs(slope)}
	s.claims = !v.Plan.Duels || v.Baseline != nil // else nobody is known to be at 0
	return out, true, nil
}

// claimed is what the model believes of the answer given last.
func (s *surface) claimed() (mean, standardError float64, ok bool) {
	return s.claim[0], s.claim[1], s.claims
}
