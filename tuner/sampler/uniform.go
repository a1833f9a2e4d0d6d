package sampler

import (
	"math"

	"github.com/c-bata/goptuna"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
)

// point is a relative sampler that turns a point of the unit cube, one
// coordinate a dimension, into internal numbers. Both ends of every range are
// reached: integers and grids cut the unit interval into equal parts.
type point struct {
	space tuner.Space
	at    func(trial int) []float64
}

// SampleRelative implements goptuna.RelativeSampler.
func (p *point) SampleRelative(_ *goptuna.Study, t goptuna.FrozenTrial, _ map[string]any) (map[string]float64, error) {
	out := make(map[string]float64, len(p.space))
	for i, u := range p.at(t.Number) {
		out[p.space[i].Name] = unitToInternal(&p.space[i], u)
	}
	return out, nil
}

// unitToInternal maps u in [0, 1) to a dimension.
func unitToInternal(d *tuner.Dimension, u float64) float64 {
	low, top := d.Domain.Low, d.Domain.Top()
	switch {
	case d.Kind == param.Bool || d.Kind == param.Choice:
		return math.Floor(u * float64(d.Points()))
	case d.Domain.Log && d.Kind == param.Int:
		// Half an integer more on both sides, so that the ends are as likely as
		// their neighbours.
		x := math.Exp(math.Log(low-0.5) + u*(math.Log(top+0.5)-math.Log(low-0.5)))
		return math.Min(math.Max(math.Round(x), low), top)
	case d.Domain.Log:
		return math.Exp(math.Log(low) + u*(math.Log(top)-math.Log(low)))
	case d.Domain.Step > 0:
		return d.Domain.Point(int(u * float64(d.Domain.Points())))
	case d.Kind == param.Int:
		return low + math.Floor(u*(top-low+1))
	default:
		return low + u*(top-low)
	}
}

func newUniform(seed uint64, space tuner.Space, _ param.Values) (*asker, error) {
	return &asker{relative: &point{space, func(trial int) []float64 {
		s := arena.NewStream(seed, uint64(trial))
		u := make([]float64, len(space))
		for i := range u {
			u[i] = s.Float64()
		}
		return u
	}}}, nil
}
