package sampler

import (
	"math"
	"strconv"

	"sakusen/engines/param"
	"sakusen/tuner"
)

// axis is a parameter as the samplers with a model see it: a coordinate in
// [0, 1], on the scale (linear or logarithmic) of its range. Integers and steps
// are cells of the axis, one a value and of equal width but for logarithmic
// integers, so that both ends are as likely as their neighbours; choices and
// switches are cells too, of which only the number matters.
type axis struct {
	*tuner.Dimension
	cells   int // values, 0 where the parameter is continuous
	nominal bool
	low     float64 // end of the scale, half a cell below the lowest value
	width   float64 // of the scale
}

func newAxis(d *tuner.Dimension) axis {
	a := axis{Dimension: d, cells: d.Points(), nominal: d.Kind == param.Bool || d.Kind == param.Choice}
	low, top := d.Domain.Low, d.Domain.Top()
	switch {
	case a.nominal:
	case d.Domain.Log && d.Kind == param.Int:
		a.low, a.width = math.Log(low-0.5), math.Log(top+0.5)-math.Log(low-0.5)
	case d.Domain.Log:
		a.low, a.width = math.Log(low), math.Log(top)-math.Log(low)
	default:
		a.low, a.width = low, top-low
	}
	return a
}

func axesOf(space tuner.Space) []axis {
	axes := make([]axis, len(space))
	for i := range space {
		axes[i] = newAxis(&space[i])
	}
	return axes
}

// logCells tells whether the cells have unequal widths.
func (a *axis) logCells() bool { return a.cells > 0 && a.Domain.Log }

// place is the coordinate of a value given as text: the middle of its cell.
func (a *axis) place(text string) float64 {
	if a.cells == 0 {
		x, _ := strconv.ParseFloat(text, 64)
		if a.Domain.Log {
			x = math.Log(x)
		}
		if a.width == 0 {
			return 0.5
		}
		return math.Min(math.Max((x-a.low)/a.width, 0), 1)
	}
	return a.middle(a.number(text))
}

// number is the index of a value among the cells.
func (a *axis) number(text string) int {
	x := a.Number(text)
	switch {
	case a.nominal:
	case a.Domain.Step > 0:
		x = math.Round((x - a.Domain.Low) / a.Domain.Step)
	default:
		x = math.Round(x - a.Domain.Low)
	}
	if math.IsNaN(x) {
		return 0
	}
	return int(math.Min(math.Max(x, 0), float64(a.cells-1)))
}

// middle is the coordinate of the i-th value.
func (a *axis) middle(i int) float64 {
	if a.logCells() {
		return (math.Log(a.Domain.Low+float64(i)) - a.low) / a.width
	}
	return (float64(i) + 0.5) / float64(a.cells)
}

// edges are the ends of the i-th cell.
func (a *axis) edges(i int) (from, to float64) {
	if a.logCells() {
		x := a.Domain.Low + float64(i)
		return (math.Log(x-0.5) - a.low) / a.width, (math.Log(x+0.5) - a.low) / a.width
	}
	return float64(i) / float64(a.cells), float64(i+1) / float64(a.cells)
}

// cell is the index of the cell of a coordinate; coordinates beyond the ends
// belong to the outermost cells.
func (a *axis) cell(u float64) int {
	x := u * float64(a.cells)
	if a.logCells() {
		x = math.Exp(a.low+float64(u*a.width)) + 0.5 - a.Domain.Low
	}
	return int(math.Min(math.Max(math.Floor(x), 0), float64(a.cells-1)))
}

// snap is the coordinate that is played for u: u inside [0, 1], or the middle
// of its cell.
func (a *axis) snap(u float64) float64 {
	if a.cells == 0 {
		return math.Min(math.Max(u, 0), 1)
	}
	return a.middle(a.cell(u))
}

// internal is Goptuna's number of a coordinate.
func (a *axis) internal(u float64) float64 {
	if a.cells > 0 {
		i := a.cell(u)
		switch {
		case a.nominal:
			return float64(i)
		case a.Domain.Step > 0:
			return a.Domain.Point(i)
		default:
			return a.Domain.Low + float64(i)
		}
	}
	x := a.low + float64(math.Min(math.Max(u, 0), 1)*a.width)
	if a.Domain.Log {
		x = math.Exp(x)
	}
	return math.Min(math.Max(x, a.Domain.Low), a.Domain.High)
}

// text is the canonical value of a coordinate.
func (a *axis) text(u float64) string {
	if a.cells > 0 {
		return a.Point(a.cell(u))
	}
	return a.Text(a.internal(u))
}
