package sampler

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/c-bata/goptuna"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
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
// value. Switches, and choices of two, are axes with two cells.
type cmaes struct {
	seed uint64
	axes []axis
	cmaesOptions
	view *tuner.View

	*distribution
	generation int
	at         int // the first draw of the generation
	genomes    [][]float64
	scored     bool // games are scored

	index   map[string]int // trials by what they played
	indexed int
}

func newCMAES(s tuner.SamplerSpec, space tuner.Space, _ param.Values) (*asker, error) {
	o, err := readCMAES(s.Options, space)
	if err != nil {
		return nil, err
	}
	c := &cmaes{seed: s.Seed, axes: axesOf(space), cmaesOptions: *o}
	return &asker{relative: c, model: c}, nil
}

// reset goes back to the first generation.
func (c *cmaes) reset(v *tuner.View) {
	mean := make([]float64, len(c.axes))
	for i := range mean {
		mean[i] = 0.5
		if text, ok := v.Baseline.Get(c.axes[i].Name); ok && c.start == "baseline" {
			mean[i] = c.axes[i].place(text)
		}
	}
	c.distribution = newDistribution(mean, c.first(v.Seats), c.size(len(mean), v.Seats))
	c.generation, c.at, c.scored = 0, 0, v.Seats > 0
	c.index, c.indexed = map[string]int{}, 0
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
		s := arena.NewStream(c.seed, uint64(c.generation)<<20|uint64(i))
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
		z[k] = gaussian(s)
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
		return basis // by chance within the others' reach: it stays as it is
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

func (c *cmaes) inside(genome []float64) bool {
	for k, u := range genome {
		if c.axes[k].cells == 0 && (u < 0 || u > 1) {
			return false
		}
	}
	return true
}

// fold reflects at the ends of the range.
func (c *cmaes) fold(genome []float64) {
	for k, u := range genome {
		if c.axes[k].cells == 0 {
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
		if c.axes[k].cells == 0 {
			genome[k] = math.Min(math.Max(u, 0), 1)
		}
	}
}

// seek brings the generation that holds a draw about.
func (c *cmaes) seek(draw int, v *tuner.View) error {
	if c.distribution == nil || draw < c.at {
		c.reset(v)
	}
	for draw >= c.at+len(c.genomes) {
		values, ok := c.told(v)
		if !ok {
			return errNotYet
		}
		c.advance(values, v.Maximize)
	}
	return nil
}

// advance moves on to the next generation.
func (c *cmaes) advance(values []float64, up bool) {
	c.take(c.genomes, values, up)
	c.at += len(c.genomes)
	c.generation++
	c.breed()
}

// told is the values of the generation, false where one has none. A parameter
// set that was tried before has no trial of its own: its value is that of the
// earlier trial.
func (c *cmaes) told(v *tuner.View) ([]float64, bool) {
	values, found := make([]float64, len(c.genomes)), make([]bool, len(c.genomes))
	for i := len(v.Told) - 1; i >= 0 && v.Told[i].Draw >= c.at; i-- {
		if k := v.Told[i].Draw - c.at; k < len(values) {
			values[k], found[k] = v.Told[i].Value, true
		}
	}
	for i, genome := range c.genomes {
		if found[i] {
			continue
		}
		for ; c.indexed < len(v.Told); c.indexed++ {
			c.index[v.Told[c.indexed].Params.String()] = c.indexed
		}
		at, ok := c.index[v.Space.Activate(v.Fixed, c.texts(genome)).String()]
		if !ok {
			return nil, false
		}
		values[i] = v.Told[at].Value
	}
	return values, true
}

// texts is what a genome plays.
func (c *cmaes) texts(genome []float64) param.Values {
	out := make(param.Values, len(c.axes))
	for k := range c.axes {
		out[k] = param.Value{Name: c.axes[k].Name, Text: c.axes[k].text(genome[k])}
	}
	return out
}

// see implements model.
func (c *cmaes) see(v *tuner.View) { c.view = v }

// claimed implements model: it has no opinion of its answer.
func (c *cmaes) claimed() (mean, standardError float64, ok bool) { return 0, 0, false }

// SampleRelative implements goptuna.RelativeSampler.
func (c *cmaes) SampleRelative(_ *goptuna.Study, trial goptuna.FrozenTrial, _ map[string]any) (map[string]float64, error) {
	if err := c.seek(trial.Number, c.view); err != nil {
		return nil, err
	}
	out := make(map[string]float64, len(c.axes))
	for k, u := range c.genomes[trial.Number-c.at] {
		out[c.axes[k].Name] = c.axes[k].internal(u)
	}
	return out, nil
}

// answer is the mean of the distribution, with all that has been told: under
// noise the best of many trials is the luckiest, while the mean is made of all of
// them. Without noise it is the best trial.
func (c *cmaes) answer(v *tuner.View) (param.Values, bool, error) {
	if c.distribution == nil {
		return nil, false, nil
	}
	noisy := false
	for i := range v.Told {
		noisy = noisy || v.Told[i].Noise > 0
	}
	if !noisy {
		at := topFew(upTo(len(v.Told)), 1, func(i int) float64 { return v.Told[i].Value }, v.Maximize)
		return v.Told[at[0]].Proposed, true, nil
	}
	last := c.copied()
	if values, ok := c.told(v); ok {
		last.take(c.genomes, values, v.Maximize)
	}
	return c.texts(last.mean), true, nil
}

// upTo is the numbers below n.
func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
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
		return fmt.Errorf("it serves numbers, switches and choices of two; %s has more choices, which have no order: take tpe, or fix it", strings.Join(names, ", "))
	}
	return nil
}
