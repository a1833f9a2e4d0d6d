package surface

import (
	"math"
	"strconv"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler/axis"
)

// basis is the features of a response surface. A point is one coordinate a
// parameter: for a number its place in the range, of width 1, less that of the
// centre; for a switch or a choice its index.
//
// The features are, in this order, the numbers, their squares, the products of
// two numbers (where cross is set), an indicator of every value of a choice but
// the centre's, and a one (where the height of the centre is not known). At the
// centre all but the last are 0.
type basis struct {
	space     tuner.Space
	numbers   []int     // parameters that are numbers
	choices   []int     // those that are not
	centre    []float64 // place in the range, or index
	low, high []float64 // ends of the numbers' coordinates
	cross     bool
	intercept bool

	products, levels int // first feature of the kind
	size             int
}

func newBasis(space tuner.Space, centre param.Values, crossUpTo int, intercept bool) *basis {
	b := &basis{space: space, intercept: intercept}
	for i := range space {
		d := &space[i]
		at := 0.5
		if nominal(d) {
			at = 0
		}
		if text, ok := centre.Get(d.Name); ok {
			at = place(d, text)
		}
		b.centre = append(b.centre, at)
		if nominal(d) {
			b.choices = append(b.choices, i)
			b.low, b.high = append(b.low, 0), append(b.high, float64(d.Points()-1))
			continue
		}
		b.numbers = append(b.numbers, i)
		b.low, b.high = append(b.low, -at), append(b.high, 1-at)
		if d.Domain.Top() == d.Domain.Low {
			b.low[i], b.high[i] = 0, 0
		}
	}
	n := len(b.numbers)
	b.cross = n <= crossUpTo
	b.products = 2 * n
	b.levels = b.products
	if b.cross {
		b.levels += n * (n - 1) / 2
	}
	b.size = b.levels
	for _, i := range b.choices {
		b.size += space[i].Points() - 1
	}
	if intercept {
		b.size++
	}
	return b
}

func nominal(d *tuner.Dimension) bool { return d.Kind == param.Bool || d.Kind == param.Choice }

// place is a text's place in the range, or index.
func place(d *tuner.Dimension, text string) float64 {
	if nominal(d) {
		return d.Number(text)
	}
	x, _ := strconv.ParseFloat(text, 64)
	return axis.ToUnit(d, x)
}

// point is the coordinates of a parameter set.
func (b *basis) point(v param.Values) []float64 {
	x := make([]float64, len(b.space))
	for i := range b.space {
		d := &b.space[i]
		text, ok := v.Get(d.Name)
		switch {
		case !ok && nominal(d):
			x[i] = b.centre[i]
		case !ok:
		case nominal(d):
			x[i] = place(d, text)
		default:
			x[i] = place(d, text) - b.centre[i]
		}
	}
	return x
}

// text is the value that a coordinate plays: the nearest of the range.
func (b *basis) text(i int, x float64) string {
	d := &b.space[i]
	if nominal(d) {
		return d.Point(int(x))
	}
	return d.Text(axis.FromUnit(d, math.Min(math.Max(x+b.centre[i], 0), 1)))
}

// fill writes a point's features.
func (b *basis) fill(x, phi []float64) {
	n := len(b.numbers)
	k := b.products
	for a, i := range b.numbers {
		phi[a], phi[n+a] = x[i], float64(x[i]*x[i])
		if b.cross {
			for _, j := range b.numbers[:a] {
				phi[k] = float64(x[i] * x[j])
				k++
			}
		}
	}
	k = b.levels
	for _, i := range b.choices {
		m := b.space[i].Points() - 1
		for l := range m {
			phi[k+l] = 0
		}
		if l, ok := b.level(i, x[i]); ok {
			phi[k+l] = 1
		}
		k += m
	}
	if b.intercept {
		phi[k] = 1
	}
}

// level is the indicator of a choice's value, none of the centre's.
func (b *basis) level(i int, x float64) (int, bool) {
	c := b.centre[i]
	switch {
	case x == c:
		return 0, false
	case x > c:
		return int(x) - 1, true
	}
	return int(x), true
}

// product is the feature of the numbers a and b, b < a.
func (b *basis) product(a, c int) int { return b.products + a*(a-1)/2 + c }
