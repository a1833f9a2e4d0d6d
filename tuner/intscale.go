package tuner

import (
	"math"
	"strconv"

	"sakusen/engines/param"
)

// Scaled is an integer parameter as the real number x of which it is round(x*scale),
// scale > 0. The ends and the default are those of the integer, divided. A range
// without a step gets the distance at which the integer changes, 1/scale, so that each
// trial is another integer.
func Scaled(p param.Param, scale float64) Dimension {
	d := Dimension{Param: p, IntScale: scale}
	d.Kind = param.Float
	d.Domain.Low, d.Domain.High = p.Domain.Low/scale, p.Domain.High/scale
	if d.Domain.Step /= scale; d.Domain.Step == 0 && !d.Domain.Log {
		d.Domain.Step = 1 / scale
	}
	d.Default = d.Searched(p.Default)
	return d
}

// Played is the text of a searched value as the strategy takes it: the value itself,
// or with a scale the integer nearest to value*scale, halves away from 0.
func (d *Dimension) Played(text string) string {
	x, err := strconv.ParseFloat(text, 64)
	if d.IntScale == 0 || err != nil {
		return text
	}
	return strconv.FormatInt(int64(math.Round(x*d.IntScale)), 10)
}

// Searched is the text of a value that the strategy takes as a search has it: the
// value itself, or with a scale value/scale.
func (d *Dimension) Searched(text string) string {
	x, err := strconv.ParseFloat(text, 64)
	if d.IntScale == 0 || err != nil {
		return text
	}
	if x /= d.IntScale; d.Domain.Step > 0 && x >= d.Domain.Low && x <= d.Domain.High {
		x = d.Domain.Round(x) // as a trial has it
	}
	return strconv.FormatFloat(x+0, 'g', -1, 64) // + 0: never -0
}

// Native is the parameter as the strategy declares it, in the range that is tuned.
func (d *Dimension) Native() param.Param {
	p := d.Param
	if d.IntScale == 0 {
		return p
	}
	p.Kind, p.Default = param.Int, d.Played(d.Default)
	p.Domain.Low, p.Domain.High = math.Round(p.Domain.Low*d.IntScale), math.Round(p.Domain.High*d.IntScale)
	p.Domain.Step = math.Round(p.Domain.Step * d.IntScale)
	if p.Domain.Step == 1 {
		p.Domain.Step = 0
	}
	return p
}

// Played are searched values as the strategy takes them; see [Dimension.Played].
func (s Space) Played(values param.Values) param.Values {
	out := append(param.Values(nil), values...)
	for i := range out {
		if d := s.dimension(out[i].Name); d != nil {
			out[i].Text = d.Played(out[i].Text)
		}
	}
	return out
}
