// Package cmaes is an evolution strategy that adapts the covariance matrix of the
// normal distribution from which it draws (N. Hansen, "The CMA evolution strategy:
// a tutorial", 2016), on integers, steps and switches too (margins: R. Hamano et
// al., 2022). Under noise its answer is the mean of the distribution.
//
//	p, err := cmaes.New(spec.Sampler, space, nil)
//	values, ok, err := p.Propose(view, draw)
package cmaes

import (
	"math"
	"slices"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler/axis"
	"sakusen/tuner/sampler/generation"
	"sakusen/tuner/sampler/normal"
)

var (
	_ tuner.Answerer = (*CMAES)(nil)
	_ tuner.Stateful = (*CMAES)(nil)
)

// CMAES is CMA-ES. A generation is asked whole, however many batches it takes,
// and the distribution moves when all of it has been told. Its state is a
// function of what was told at the time of each ask.
//
// On continuous axes a draw outside the range is brought to the end where games
// are scored: drawing anew keeps the mean away from the ends, and cost 6 Elo of 60
// with four parameters and 8 with sixteen, whose optimum is an end one time in
// eight. Values without noise are drawn anew, and folded back where that does not
// help. On axes with cells what lies beyond the ends is played as the outermost
// value. Switches, and choices of two, are axes with two cells. It
// implements tuner.Answerer and tuner.Stateful.
type CMAES struct {
	seed uint64
	axes []axis.Axis
	options

	*distribution
	bred    int // generations before this one
	at      int // the first draw of the generation
	genomes [][]float64
	scored  bool // games are scored

	index generation.Index
}

// New makes the sampler, or says why it does not serve the space or the options.
func New(s tuner.SamplerSpec, space tuner.Space, _ param.Values) (tuner.Proposer, error) {
	o, err := readOptions(s.Options, space)
	if err != nil {
		return nil, err
	}
	return &CMAES{seed: s.Seed, axes: axis.Of(space), options: *o}, nil
}

// Stateful implements tuner.Stateful: the distribution comes from the values that
// were told when each generation was complete.
func (c *CMAES) Stateful() bool { return true }

// reset goes back to the first generation.
func (c *CMAES) reset(v *tuner.View) {
	mean := make([]float64, len(c.axes))
	for i := range mean {
		mean[i] = 0.5
		if text, ok := v.Baseline.Get(c.axes[i].Name); ok && c.start == "baseline" {
			mean[i] = c.axes[i].Place(text)
		}
	}
	c.distribution = newDistribution(mean, c.first(v.Seats), c.size(len(mean), v.Seats))
	c.bred, c.at, c.scored = 0, 0, v.Seats > 0
	c.index = generation.Index{}
	c.breed()
}

// redraws is the number of draws for one individual that may lie outside the
// range before one is folded back.
const redraws = 30

// breed draws a generation. The standard normal vectors behind it are made
// orthogonal, as many at a time as there are axes, and keep their lengths: each
// is as likely as before, but no direction is looked at twice (H. Wang, M.
// Emmerich and T. Baeck, "Mirrored orthogonal sampling", 2014, without the
// mirrors).
func (c *CMAES) breed() {
	c.keepMargin(c.axes, 1/float64(c.lambda*c.n))
	c.genomes = make([][]float64, c.lambda)
	var basis [][]float64
	for i := range c.genomes {
		s := arena.NewStream(c.seed, uint64(c.bred)<<20|uint64(i))
		if i%c.n == 0 {
			basis = nil
		}
		z := c.vector(&s)
		basis = orthogonal(basis, z)
		c.genomes[i] = c.distribution.at(z)
		if c.scored {
			c.hold(c.genomes[i])
			continue
		}
		for try := 1; try < redraws && !c.inside(c.genomes[i]); try++ {
			c.genomes[i] = c.distribution.at(c.vector(&s))
		}
		c.fold(c.genomes[i])
	}
}

// vector is a standard normal vector.
func (c *CMAES) vector(s *arena.Stream) []float64 {
	z := make([]float64, c.n)
	for k := range z {
		z[k] = normal.Draw(s)
	}
	return z
}

// orthogonal turns z into the right angle to all of the basis (Gram and
// Schmidt), with its length, and adds its direction to the basis.
func orthogonal(basis [][]float64, z []float64) [][]float64 {
	length := math.Sqrt(inner(z, z))
	e := slices.Clone(z)
	for _, b := range basis {
		p := inner(e, b)
		for k := range e {
			e[k] -= float64(p * b[k])
		}
	}
	rest := math.Sqrt(inner(e, e))
	if rest < 1e-6*length {
		return basis // its direction happens to lie among the others: it stays as it is
	}
	for k := range e {
		e[k] /= rest
		z[k] = e[k] * length
	}
	return append(basis, e)
}

func inner(a, b []float64) float64 {
	sum := 0.0
	for k := range a {
		sum += float64(a[k] * b[k])
	}
	return sum
}

func (c *CMAES) inside(genome []float64) bool {
	for k, u := range genome {
		if c.axes[k].Cells == 0 && (u < 0 || u > 1) {
			return false
		}
	}
	return true
}

// fold reflects at the ends of the range.
func (c *CMAES) fold(genome []float64) {
	for k, u := range genome {
		if c.axes[k].Cells == 0 {
			if u < 0 || u > 1 {
				u = math.Mod(math.Abs(u), 2)
				genome[k] = math.Min(u, 2-u)
			}
		}
	}
}

// hold brings what lies beyond an end of a continuous range to the end.
func (c *CMAES) hold(genome []float64) {
	for k, u := range genome {
		if c.axes[k].Cells == 0 {
			genome[k] = math.Min(math.Max(u, 0), 1)
		}
	}
}

// seek advances to the generation that contains a draw; false if that needs values which
// are not known yet.
func (c *CMAES) seek(draw int, v *tuner.View) bool {
	if c.distribution == nil || draw < c.at {
		c.reset(v)
	}
	for draw >= c.at+len(c.genomes) {
		values, ok := c.told(v)
		if !ok {
			return false
		}
		c.advance(values, v.Maximize)
	}
	return true
}

// advance moves on to the next generation.
func (c *CMAES) advance(values []float64, up bool) {
	c.take(c.genomes, values, up)
	c.at += len(c.genomes)
	c.bred++
	c.breed()
}

// told is the values of the generation, false where one has none.
func (c *CMAES) told(v *tuner.View) ([]float64, bool) {
	return c.index.Values(v, c.at, len(c.genomes), func(i int) param.Values {
		values, _ := axis.Values(c.axes, c.genomes[i]) // it was a valid proposal, so there can be no error
		return values
	})
}

// Propose implements tuner.Proposer. It proposes nothing until the generation
// before that of the draw has been told: the batch ends there.
func (c *CMAES) Propose(v *tuner.View, draw int) (param.Values, bool, error) {
	if !c.seek(draw, v) {
		return nil, false, nil
	}
	values, err := axis.Values(c.axes, c.genomes[draw-c.at])
	return values, err == nil, err
}

// Answer implements tuner.Answerer. It is the mean of the distribution, with all
// that has been told: under noise the best of many trials is the luckiest, while
// the mean is made of all of them. Without noise it is the best trial.
func (c *CMAES) Answer(v *tuner.View) (a tuner.Answer, ok bool, err error) {
	if c.distribution == nil || len(v.Told) == 0 {
		return a, false, nil
	}
	noisy := false
	values := make([]float64, len(v.Told))
	for i := range v.Told {
		values[i] = v.Told[i].Value
		noisy = noisy || v.Told[i].Noise > 0
	}
	if !noisy {
		a.Values = v.Told[generation.Best(values, v.Maximize)[0]].Proposed
		return a, true, nil
	}
	last := c.copied()
	if values, ok := c.told(v); ok {
		last.take(c.genomes, values, v.Maximize)
	}
	a.Values, err = axis.Values(c.axes, last.mean)
	return a, err == nil, err
}
