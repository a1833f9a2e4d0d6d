// Package points are the samplers that learn nothing: independent uniform draws, a
// scrambled Halton sequence, and every parameter set of a finite space in order.
//
//	p, err := points.Uniform(spec.Sampler, space, nil)
//	values, ok, err := p.Propose(view, draw)
package points

import (
	"math"

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

// value is the value of a dimension at u in [0, 1).
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
