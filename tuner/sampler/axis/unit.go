package axis

import (
	"math"
	"strconv"

	"sakusen/engines/param"
	"sakusen/tuner"
)

// FromUnit is the place of a coordinate in a parameter's range, unrounded;
// outside [0, 1] it lies outside the range.
func FromUnit(d *tuner.Dimension, u float64) float64 {
	low, top := d.Domain.Low, d.Domain.End()
	if d.Domain.Log {
		return math.Exp(math.Log(low) + u*(math.Log(top)-math.Log(low)))
	}
	x := low + u*(top-low)
	if d.Domain.Step > 0 {
		i := math.Round((x - low) / d.Domain.Step)
		return d.Domain.Point(int(math.Min(math.Max(i, 0), float64(d.Domain.Points()-1))))
	}
	return x
}

// ToUnit is the coordinate of a number of a parameter's range.
func ToUnit(d *tuner.Dimension, x float64) float64 {
	low, top := d.Domain.Low, d.Domain.End()
	if top == low {
		return 0
	}
	if d.Domain.Log {
		return (math.Log(x) - math.Log(low)) / (math.Log(top) - math.Log(low))
	}
	return (x - low) / (top - low)
}

// Nominal tells whether the values of a parameter have no order: a switch, or a choice.
func Nominal(d *tuner.Dimension) bool { return d.Kind == param.Bool || d.Kind == param.Choice }

// Place is the coordinate of a canonical text: of a number in its range, and else the index.
func Place(d *tuner.Dimension, text string) float64 {
	if Nominal(d) {
		return d.Number(text)
	}
	x, _ := strconv.ParseFloat(text, 64) // it is canonical
	return ToUnit(d, x)
}
