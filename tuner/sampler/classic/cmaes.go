package classic

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler/shared"
)

var (
	_ tuner.Answerer = (*cmaes)(nil)
	_ tuner.Stateful = (*cmaes)(nil)
)

// cmaes is CMA-ES. A generation is asked whole, however many batches it takes,
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
type cmaes struct {
	seed uint64
	axes []shared.Axis
	cmaesOptions

	*distribution
	bred    int // generations before this one
	at      int // the first draw of the generation
	genomes [][]float64
	scored  bool // games are scored

	index shared.Generations
}

// NewCMAES makes the sampler, or says why it does not serve the space or the options.
func NewCMAES(s tuner.SamplerSpec, space tuner.Space, _ param.Values) (tuner.Proposer, error) {
	o, err := readCMAES(s.Options, space)
	if err != nil {
		return nil, err
	}
	return &cmaes{seed: s.Seed, axes: shared.Axes(space), cmaesOptions: *o}, nil
}

// Stateful implements tuner.Stateful: the distribution comes from the values that
// were told when each generation was complete.
func (c *cmaes) Stateful() bool { return true }

// reset goes back to the first generation.
func (c *cmaes) reset(v *tuner.View) {
	mean := make([]float64, len(c.axes))
	for i := range mean {
		mean[i] = 0.5
		if text, ok := v.Baseline.Get(c.axes[i].Name); ok && c.start == "baseline" {
			mean[i] = c.axes[i].Place(text)
		}
	}
	c.distribution = newDistribution(mean, c.first(v.Seats), c.size(len(mean), v.Seats))
	c.bred, c.at, c.scored = 0, 0, v.Seats > 0
	c.index = shared.Generations{}
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
func (c *cmaes) breed() {
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
func (c *cmaes) vector(s *arena.Stream) []float64 {
	z := make([]float64, c.n)
	for k := range z {
		z[k] = shared.Normal(s)
	}
	return z
}

// orthogonal turns z into the right angle to all of the basis (Gram and
// Schmidt), with its length, and adds its direction to the basis.
func orthogonal(basis [][]float64, z []float64) [][]float64 {
	length := math.Sqrt(shared.Dot(z, z))
	e := slices.Clone(z)
	for _, b := range basis {
		p := shared.Dot(e, b)
		for k := range e {
			e[k] -= float64(p * b[k])
		}
	}
	rest := math.Sqrt(shared.Dot(e, e))
	if rest < 1e-6*length {
		return basis // its direction happens to lie among the others: it stays as it is
	}
	for k := range e {
		e[k] /= rest
		z[k] = e[k] * length
	}
	return append(basis, e)
}

func (c *cmaes) inside(genome []float64) bool {
	for k, u := range genome {
		if c.axes[k].Cells == 0 && (u < 0 || u > 1) {
			return false
		}
	}
	return true
}

// fold reflects at the ends of the range.
func (c *cmaes) fold(genome []float64) {
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
func (c *cmaes) hold(genome []float64) {
	for k, u := range genome {
		if c.axes[k].Cells == 0 {
			genome[k] = math.Min(math.Max(u, 0), 1)
		}
	}
}

// seek advances to the generation that contains a draw; false if that needs values which
// are not known yet.
func (c *cmaes) seek(draw int, v *tuner.View) bool {
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
func (c *cmaes) advance(values []float64, up bool) {
	c.take(c.genomes, values, up)
	c.at += len(c.genomes)
	c.bred++
	c.breed()
}

// told is the values of the generation, false where one has none.
func (c *cmaes) told(v *tuner.View) ([]float64, bool) {
	return c.index.Values(v, c.at, len(c.genomes), func(i int) param.Values {
		values, _ := shared.Values(c.axes, c.genomes[i]) // it was a valid proposal, so there can be no error
		return values
	})
}

// Propose implements tuner.Proposer. It proposes nothing until the generation
// before that of the draw has been told: the batch ends there.
func (c *cmaes) Propose(v *tuner.View, draw int) (param.Values, bool, error) {
	if !c.seek(draw, v) {
		return nil, false, nil
	}
	values, err := shared.Values(c.axes, c.genomes[draw-c.at])
	return values, err == nil, err
}

// Answer implements tuner.Answerer. It is the mean of the distribution, with all
// that has been told: under noise the best of many trials is the luckiest, while
// the mean is made of all of them. Without noise it is the best trial.
func (c *cmaes) Answer(v *tuner.View) (a tuner.Answer, ok bool, err error) {
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
		a.Values = v.Told[shared.Ranking(values, v.Maximize)[0]].Proposed
		return a, true, nil
	}
	last := c.copied()
	if values, ok := c.told(v); ok {
		last.take(c.genomes, values, v.Maximize)
	}
	a.Values, err = shared.Values(c.axes, last.mean)
	return a, err == nil, err
}

// cmaesOptions are the options of the sampler cmaes.
type cmaesOptions struct {
	population int
	spread     float64 // first sigma, share of the range
	start      string
}

// declare declares the options of cmaes.
func (o *cmaesOptions) declare(f *param.Fields) {
	f.Int(&o.population, "population", 0, param.Range(0, 10000),
		"individuals of a generation; 0: 32 where games are scored, 4 + 3 ln(parameters) where a metric is measured")
	f.Float(&o.spread, "sigma", 0, param.Range(0, 1), "first standard deviation, as a share of each range; 0: 0.3 where games are scored, 0.16 where a metric is measured")
	f.Choice(&o.start, "start", "baseline", []string{"baseline", "centre"}, "the first mean: the baseline, where it lies in the space, or the centre")
}

func readCMAES(given param.Values, space tuner.Space) (*cmaesOptions, error) {
	if err := refuseNominal(space); err != nil {
		return nil, err
	}
	o := &cmaesOptions{}
	fields, err := param.Bind(o.declare)
	if err != nil {
		return nil, err
	}
	if _, errs := fields.Assign(given); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	if o.population > 0 && o.population < leastPopulation {
		return nil, &param.Error{Name: "options: population", Want: fmt.Sprintf("0, or at least %d", leastPopulation), Got: fmt.Sprint(o.population)}
	}
	return o, nil
}

const (
	leastPopulation = 4
	// noisyPopulation is the population where values are scores of games. On a
	// hill of 60 Elo in four dimensions, 20 000 games, the mean of 30 seeds was 44
	// Elo with 8 individuals of 16 blocks, 51 with 16, 56 with 32 and with 50.
	noisyPopulation = 32
)

// First standard deviations. Noise shortens steps that are right: with 20 000
// games, four and sixteen parameters, 0.2 reached 50.8 and 24.5 Elo of 60, 0.3
// reached 52.2 and 28.0 (30 seeds).
const (
	noisySpread = 0.3
	exactSpread = 0.16
)

// first is the first standard deviation.
func (o *cmaesOptions) first(seats int) float64 {
	switch {
	case o.spread > 0:
		return o.spread
	case seats > 0:
		return noisySpread
	}
	return exactSpread
}

// size is the population, for a study of n parameters.
func (o *cmaesOptions) size(n, seats int) int {
	switch {
	case o.population > 0:
		return o.population
	case seats > 0:
		return noisyPopulation
	}
	return 4 + int(3*math.Log(float64(n)))
}

// CMAESTraits asks for a generation at once, with few blocks each: what the
// ranks of one generation get wrong, the next puts right.
func CMAESTraits(s tuner.SamplerSpec, space tuner.Space, in tuner.SearchSize) tuner.Traits {
	blocks := min(max(in.Games/1250, 8), 128)
	t := tuner.Traits{Answers: true, Batch: noisyPopulation, Race: &tuner.Race{Method: "none", Keep: 0.5, Rungs: []int64{blocks}, Blocks: "fresh"}}
	if o, err := readCMAES(s.Options, space); err == nil && o.population > 0 {
		t.Batch = min(o.population, 1024)
	}
	return t
}

// refuseNominal refuses choices of three and more, which have no order.
func refuseNominal(space tuner.Space) error {
	var names []string
	for _, d := range space {
		if d.Kind == param.Choice && len(d.Choices) > 2 {
			names = append(names, d.Name)
		}
	}
	if len(names) > 0 {
		return fmt.Errorf("it tunes numbers, switches and choices of two values; %s has more values, which have no order: use the sampler tpe, or give it a fixed value (tune.fix)", strings.Join(names, ", "))
	}
	return nil
}
