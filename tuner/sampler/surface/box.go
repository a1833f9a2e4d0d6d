package surface

import (
	"slices"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler/shared"
)

// box is the space in coordinates: of a number its place on its axis, in [0, 1], and of a switch or
// a choice the index of its value.
type box struct {
	axes    []shared.Axis
	numbers []int     // parameters that are numbers
	choices []int     // those that are not
	centre  []float64 // the baseline or, where it is not known, the middle of the ranges
	when    [][]condition
	off     []bool // parameters that fixed values keep from being active
	decides []bool // parameters on which it depends whether others are active
}

// condition says which values another parameter must have.
type condition struct {
	on    int
	holds func(x float64) bool
}

func newBox(space tuner.Space, fixed, baseline param.Values) *box {
	b := &box{axes: shared.Axes(space), when: make([][]condition, len(space)), off: make([]bool, len(space)), decides: make([]bool, len(space))}
	for i := range b.axes {
		a, at := &b.axes[i], 0.0
		if a.Nominal {
			b.choices = append(b.choices, i)
		} else {
			b.numbers = append(b.numbers, i)
			at = a.Snap(0.5)
		}
		if text, ok := baseline.Get(a.Name); ok {
			at = b.place(i, text)
		}
		b.centre = append(b.centre, at)
		for _, c := range space[i].When {
			if text, ok := fixed.Get(c.Name); ok && !c.Holds(text) {
				b.off[i] = true
			}
			for j := range i {
				if space[j].Name == c.Name {
					b.when[i], b.decides[j] = append(b.when[i], b.condition(j, c)), true
				}
			}
		}
	}
	return b
}

// condition returns a condition on a parameter.
func (b *box) condition(on int, c param.Condition) condition {
	if !b.axes[on].Nominal {
		return condition{on, func(x float64) bool { return c.Holds(b.text(on, x)) }}
	}
	var holds []bool
	for v := range b.axes[on].Cells {
		holds = append(holds, c.Holds(b.axes[on].Point(v)))
	}
	return condition{on, func(x float64) bool { return holds[int(x)] }}
}

// place returns the coordinate of a value.
func (b *box) place(i int, text string) float64 {
	if a := &b.axes[i]; a.Nominal {
		return a.Number(text)
	}
	return b.axes[i].Place(text)
}

// point returns the coordinates of what was played. Inactive parameters stand at the centre.
func (b *box) point(active param.Values) []float64 {
	x := make([]float64, len(b.axes))
	for i := range x {
		x[i] = b.centre[i]
		if text, ok := active.Get(b.axes[i].Name); ok {
			x[i] = b.place(i, text)
		}
	}
	return x
}

// mark writes which parameters are active at a point.
func (b *box) mark(on []bool, x []float64) {
	for i := range on {
		on[i] = !b.off[i]
		for _, c := range b.when[i] {
			on[i] = on[i] && on[c.on] && c.holds(x[c.on])
		}
	}
}

// active returns which parameters are active at a point.
func (b *box) active(x []float64) []bool {
	on := make([]bool, len(x))
	b.mark(on, x)
	return on
}

// atCentre reports whether a point is the centre.
func (b *box) atCentre(x []float64) bool { return slices.Equal(x, b.centre) }

// text returns the value that a coordinate plays.
func (b *box) text(i int, x float64) string {
	if a := &b.axes[i]; a.Nominal {
		return a.Point(int(x))
	}
	return b.axes[i].Value(x)
}

// values returns what a point plays.
func (b *box) values(x []float64) param.Values {
	out := make(param.Values, len(x))
	for i := range x {
		out[i] = param.Value{Name: b.axes[i].Name, Text: b.text(i, x[i])}
	}
	return out
}

// ends returns the ends of a number's coordinates.
func (b *box) ends(i int) (low, high float64) {
	if a := &b.axes[i]; a.Cells > 0 {
		return a.Middle(0), a.Middle(a.Cells - 1)
	}
	return 0, 1
}

// hold returns the coordinate in the range of a number that is nearest to a given one.
func (b *box) hold(i int, x float64) float64 {
	low, high := b.ends(i)
	return clamp(x, low, high)
}

func clamp(x, low, high float64) float64 { return min(max(x, low), high) }
