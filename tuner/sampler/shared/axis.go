package shared

import (
	"fmt"
	"math"
	"strconv"

	"sakusen/engines/param"
	"sakusen/tuner"
)

// Axis is the range of a parameter as an axis on which its values have places in
// [0, 1], on the scale (linear or logarithmic) of the range. Integers and steps
// are cells of the axis, one a value and of equal width but for logarithmic
// integers, so that both ends are as likely as their neighbours. Choices and
// switches are cells too, of which only the number matters.
type Axis struct {
	*tuner.Dimension
	Cells   int     // values, 0 where the parameter is continuous
	Nominal bool    // a choice or a switch: the cells have no order
	low     float64 // end of the scale, half a cell below the lowest value
	width   float64 // of the scale
}

// newAxis returns the axis of a parameter.
func newAxis(d *tuner.Dimension) Axis {
	a := Axis{Dimension: d, Cells: d.Points(), Nominal: d.Kind == param.Bool || d.Kind == param.Choice}
	low, top := d.Domain.Low, d.Domain.Top()
	switch {
	case a.Nominal:
	case d.Domain.Log && d.Kind == param.Int:
		a.low, a.width = math.Log(low-0.5), math.Log(top+0.5)-math.Log(low-0.5)
	case d.Domain.Log:
		a.low, a.width = math.Log(low), math.Log(top)-math.Log(low)
	default:
		a.low, a.width = low, top-low
	}
	return a
}

// Axes returns the axes of a space.
func Axes(space tuner.Space) []Axis {
	axes := make([]Axis, len(space))
	for i := range space {
		axes[i] = newAxis(&space[i])
	}
	return axes
}

// logCells reports whether the cells have unequal widths.
func (a *Axis) logCells() bool { return a.Cells > 0 && a.Domain.Log }

// Place returns the coordinate of a value given as text: the middle of its cell.
func (a *Axis) Place(text string) float64 {
	if a.Cells == 0 {
		x, _ := strconv.ParseFloat(text, 64)
		if a.Domain.Log {
			x = math.Log(x)
		}
		if a.width == 0 {
			return 0.5
		}
		return math.Min(math.Max((x-a.low)/a.width, 0), 1)
	}
	return a.Middle(a.number(text))
}

// number returns the index of a value among the cells.
func (a *Axis) number(text string) int {
	x := a.Number(text)
	switch {
	case a.Nominal:
	case a.Domain.Step > 0:
		x = math.Round((x - a.Domain.Low) / a.Domain.Step)
	default:
		x = math.Round(x - a.Domain.Low)
	}
	if math.IsNaN(x) {
		return 0
	}
	return int(math.Min(math.Max(x, 0), float64(a.Cells-1)))
}

// Middle returns the coordinate of the i-th value.
func (a *Axis) Middle(i int) float64 {
	if a.logCells() {
		return (math.Log(a.Domain.Low+float64(i)) - a.low) / a.width
	}
	return (float64(i) + 0.5) / float64(a.Cells)
}

// Edges returns the ends of the i-th cell.
func (a *Axis) Edges(i int) (from, to float64) {
	if a.logCells() {
		x := a.Domain.Low + float64(i)
		return (math.Log(x-0.5) - a.low) / a.width, (math.Log(x+0.5) - a.low) / a.width
	}
	return float64(i) / float64(a.Cells), float64(i+1) / float64(a.Cells)
}

// Cell returns the index of the cell of a coordinate; coordinates beyond the ends
// belong to the outermost cells.
func (a *Axis) Cell(u float64) int {
	x := u * float64(a.Cells)
	if a.logCells() {
		x = math.Exp(a.low+float64(u*a.width)) + 0.5 - a.Domain.Low
	}
	return int(math.Min(math.Max(math.Floor(x), 0), float64(a.Cells-1)))
}

// Snap returns the coordinate that is played for u: u inside [0, 1], or the middle
// of its cell.
func (a *Axis) Snap(u float64) float64 {
	if a.Cells == 0 {
		return math.Min(math.Max(u, 0), 1)
	}
	return a.Middle(a.Cell(u))
}

// Rounded returns the cell of a coordinate, rounded up with a chance that grows from
// 0 at the middle of one cell to 1 at the middle of the next; round is what
// decides, in [0, 1).
func (a *Axis) Rounded(u, round float64) int {
	t := float64(u*float64(a.Cells)) - 0.5
	if a.logCells() {
		t = math.Exp(a.low+float64(u*a.width)) - a.Domain.Low
	}
	return int(math.Min(math.Max(math.Floor(t+round), 0), float64(a.Cells-1)))
}

// Value returns the canonical text that is played for a coordinate.
func (a *Axis) Value(u float64) string {
	if a.Cells > 0 {
		return a.Point(a.Cell(u))
	}
	x := a.low + float64(math.Min(math.Max(u, 0), 1)*a.width)
	if a.Domain.Log {
		x = math.Exp(x)
	}
	return a.Text(x)
}

// Values returns what is played for a point, one coordinate an axis. A coordinate that
// is no number is an error that names the parameter.
func Values(axes []Axis, point []float64) (param.Values, error) {
	out := make(param.Values, len(axes))
	for i, u := range point {
		if math.IsNaN(u) {
			return nil, fmt.Errorf("%s: the sampler proposed %v", axes[i].Name, u)
		}
		out[i] = param.Value{Name: axes[i].Name, Text: axes[i].Value(u)}
	}
	return out, nil
}

// FromUnit returns the place of a coordinate in a parameter's range, unrounded;
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

// ToUnit returns the coordinate of a number of a parameter's range.
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
