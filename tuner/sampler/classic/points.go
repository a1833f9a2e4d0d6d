package classic

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/samplemv"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
)

// cube turns a point of the unit cube for each draw, one coordinate a dimension,
// into values. Both ends of every range are reached: integers and grids cut the
// unit interval into equal parts.
type cube struct {
	space tuner.Space
	at    func(draw int) []float64
}

// Propose implements tuner.Proposer.
func (c *cube) Propose(_ *tuner.View, draw int) (param.Values, bool, error) {
	out := make(param.Values, len(c.space))
	for i, u := range c.at(draw) {
		out[i] = param.Value{Name: c.space[i].Name, Text: value(&c.space[i], u)}
	}
	return out, true, nil
}

// value returns the value of a dimension at u in [0, 1).
func value(d *tuner.Dimension, u float64) string {
	low, top := d.Domain.Low, d.Domain.Top()
	switch {
	case d.Kind == param.Bool || d.Kind == param.Choice:
		return d.Point(int(u * float64(d.Points())))
	case d.Domain.Log && d.Kind == param.Int:
		// Half an integer more on both sides, so that the ends are as likely as
		// their neighbours.
		x := math.Exp(math.Log(low-0.5) + u*(math.Log(top+0.5)-math.Log(low-0.5)))
		return d.Text(math.Min(math.Max(math.Round(x), low), top))
	case d.Domain.Log:
		return d.Text(math.Exp(math.Log(low) + u*(math.Log(top)-math.Log(low))))
	case d.Domain.Step > 0:
		return d.Text(d.Domain.Point(int(u * float64(d.Domain.Points()))))
	case d.Kind == param.Int:
		return d.Text(low + math.Floor(u*(top-low+1)))
	default:
		return d.Text(low + u*(top-low))
	}
}

// maxGrid bounds the parameter sets of a grid.
const maxGrid = 1 << 16

// grid proposes a list, one member a draw.
type grid struct {
	space tuner.Space
	fixed param.Values
	list  []param.Values // made when it is first needed
}

// Grid proposes the parameter sets that play differently: of those that differ
// only in inactive values, the first. It refuses spaces that are not finite or
// larger than 65 536 sets.
func Grid(_ tuner.SamplerSpec, space tuner.Space, fixed param.Values) (tuner.Proposer, error) {
	if space.Size() == 0 || space.Size() > maxGrid {
		return nil, fmt.Errorf("a grid needs at most %d parameter sets: give every number a step, or narrow the ranges", maxGrid)
	}
	return &grid{space: space, fixed: fixed}, nil
}

// Propose implements tuner.Proposer.
func (g *grid) Propose(_ *tuner.View, draw int) (param.Values, bool, error) {
	if g.list == nil {
		g.fill()
	}
	if draw >= len(g.list) {
		return nil, false, nil
	}
	return g.list[draw], true, nil
}

// fill makes the list.
func (g *grid) fill() {
	seen := map[string]bool{}
	for i := range g.space.Size() {
		m := g.space.Ordered(g.fixed, g.space.Member(i))
		if key := g.space.Activate(g.fixed, m).String(); !seen[key] {
			seen[key] = true
			g.list = append(g.list, m)
		}
	}
}

// maxHalton is the largest dimension that gonum's scrambled Halton serves.
const maxHalton = 1000

// halton hands out a scrambled Halton sequence (A. Owen, "A randomized Halton
// algorithm in R", 2017, by way of gonum). Row i does not depend on how many rows
// are made, so the table is doubled when it is too short.
type halton struct {
	seed  uint64
	dims  int
	table *mat.Dense
}

// newHalton returns a sequence of so many dimensions.
func newHalton(seed uint64, dims int) (halton, error) {
	if dims > maxHalton {
		return halton{}, fmt.Errorf("at most %d parameters, not %d", maxHalton, dims)
	}
	return halton{seed: seed, dims: dims}, nil
}

// row returns the i-th point of the unit cube, i from 0; it must not be changed.
func (h *halton) row(i int) []float64 {
	if h.table == nil || i >= h.table.RawMatrix().Rows {
		n := 64
		for n <= i {
			n *= 2
		}
		h.table = mat.NewDense(n, h.dims, nil)
		src := rand.NewPCG(h.seed, 0x48616c746f6e)
		samplemv.Halton{Kind: samplemv.Owen, Q: distmv.NewUnitUniform(h.dims, nil), Src: src}.Sample(h.table)
	}
	return h.table.RawRowView(i)
}

// Quasi proposes the points of a scrambled Halton sequence.
func Quasi(s tuner.SamplerSpec, space tuner.Space, _ param.Values) (tuner.Proposer, error) {
	if len(space) == 0 {
		return &cube{at: func(int) []float64 { return nil }}, nil // a sequence has a dimension
	}
	h, err := newHalton(s.Seed, len(space))
	if err != nil {
		return nil, err
	}
	return &cube{space, h.row}, nil
}

// Uniform makes independent uniform draws.
func Uniform(s tuner.SamplerSpec, space tuner.Space, _ param.Values) (tuner.Proposer, error) {
	return &cube{space, func(draw int) []float64 {
		chance := arena.NewStream(s.Seed, uint64(draw))
		u := make([]float64, len(space))
		for i := range u {
			u[i] = chance.Float64()
		}
		return u
	}}, nil
}

// Options returns the declarations of the options of a sampler of this package, none where it
// has none.
func Options(sampler string) []param.Param {
	switch sampler {
	case "tpe":
		return param.List(new(tpeOptions).declare)
	case "spsa":
		return param.List(new(spsaOptions).declare)
	case "jgg":
		return append(param.List(new(jggOptions).declare), param.Param{Name: startOption, Kind: param.Choice, Default: "the whole range",
			Doc: "range of the first population, low..high, of all parameters; start.NAME is that of one"})
	}
	return nil
}
