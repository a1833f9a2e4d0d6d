package surface

import (
	"math"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler/shared"
)

// box is the space in coordinates. A point is one coordinate a parameter: for a number its
// place in the range, of width 1, less that of the centre; for a switch or a choice its index.
type box struct {
	space     tuner.Space
	numbers   []int     // parameters that are numbers
	choices   []int     // those that are not
	centre    []float64 // place in the range, or index
	low, high []float64 // ends of the numbers' coordinates
}

// otherLevel is the distance squared that another value of a choice is worth.
const otherLevel = 0.05

// point returns the coordinates of a parameter set.
func (b *box) point(v param.Values) []float64 {
	x := make([]float64, len(b.space))
	for i := range b.space {
		d := &b.space[i]
		text, ok := v.Get(d.Name)
		switch {
		case !ok && shared.Nominal(d):
			x[i] = b.centre[i]
		case !ok:
		case shared.Nominal(d):
			x[i] = shared.Place(d, text)
		default:
			x[i] = shared.Place(d, text) - b.centre[i]
		}
	}
	return x
}

// text returns the value that a coordinate plays: the nearest of the range.
func (b *box) text(i int, x float64) string {
	d := &b.space[i]
	if shared.Nominal(d) {
		return d.Point(int(x))
	}
	return d.Text(shared.FromUnit(d, math.Min(math.Max(x+b.centre[i], 0), 1)))
}

// origin returns the baseline.
func (b *box) origin() []float64 {
	x := make([]float64, len(b.space))
	for _, i := range b.choices {
		x[i] = b.centre[i]
	}
	return x
}

// atCentre reports whether a point is the centre.
func (b *box) atCentre(x []float64) bool {
	for _, i := range b.numbers {
		if x[i] != 0 {
			return false
		}
	}
	for _, i := range b.choices {
		if x[i] != b.centre[i] {
			return false
		}
	}
	return true
}

// distance returns the square of the distance of two points; another value of a choice
// is worth a part of the range.
func (b *box) distance(x, y []float64) float64 {
	r := 0.0
	for _, i := range b.numbers {
		d := x[i] - y[i]
		r += float64(d * d)
	}
	for _, i := range b.choices {
		if x[i] != y[i] {
			r += otherLevel
		}
	}
	return r
}

// towards returns the point at a part of the way from one to another, in all numbers.
func (b *box) towards(x, y []float64, part float64) []float64 {
	at := append([]float64(nil), x...)
	for _, i := range b.numbers {
		at[i] += float64(part * (y[i] - x[i]))
	}
	return at
}

// againstCentre returns where a row's games were played against the baseline: the point,
// and the sign of its gain; ok is false for games between two other points.
func (b *box) againstCentre(r *row) (at []float64, sign float64, ok bool) {
	switch {
	case r.other == nil || b.atCentre(r.other):
		return r.at, 1, true
	case b.atCentre(r.at):
		return r.other, -1, true
	}
	return nil, 0, false
}

// basis is the features of a response surface at the points of a box.
//
// The features are, in this order, the numbers, their squares, the products of
// two numbers (where cross is set), an indicator of every value of a choice but
// the centre's, the products of such an indicator and a number (where shifts is
// set: a choice may move the top), a one (where the height of the centre is not
// known), what is seen against the baseline alone (apart: a one, the numbers and
// their squares), and the bumps. At the centre all but the one are 0. A number that is not
// active stands at the centre.
type basis struct {
	box
	cross     bool
	shifts    bool
	intercept bool
	apart     bool  // what beats the baseline need not be what beats other players
	ownShape  bool  // and not by a constant alone
	pinned    bool  // a pair with the baseline counts by the height of the other
	bumps     bumps // nil where the quadratic is enough

	products, levels, moves, one, own int   // first feature of the kind
	indicators                        []int // of a choice, the first of its values'
	plain                             int   // features but the bumps
	size                              int
}

// mostOwn is the most numbers that have a slope and a bend of their own against
// the baseline.
const mostOwn = 8

// mostShifts is the most products of a choice's value and a number that are
// features.
const mostShifts = 64

func newBasis(space tuner.Space, centre param.Values, crossUpTo int, intercept, apart bool) *basis {
	b := &basis{box: box{space: space}, intercept: intercept, apart: apart}
	for i := range space {
		d := &space[i]
		at := 0.5
		if shared.Nominal(d) {
			at = 0
		}
		if text, ok := centre.Get(d.Name); ok {
			at = shared.Place(d, text)
		}
		b.centre = append(b.centre, at)
		if shared.Nominal(d) {
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
	b.moves = b.levels
	b.indicators = make([]int, len(space))
	for _, i := range b.choices {
		b.indicators[i] = b.moves
		b.moves += space[i].Points() - 1
	}
	b.size = b.moves
	if m := (b.moves - b.levels) * n; m > 0 && m <= mostShifts {
		b.shifts = true
		b.size += m
	}
	b.one = b.size
	if intercept {
		b.size++
	}
	b.own = b.size
	if apart {
		b.size++
		if n <= mostOwn {
			b.ownShape = true
			b.size += 2 * n
		}
	}
	b.plain = b.size
	return b
}

// fill writes a point's features.
func (b *basis) fill(x, phi []float64) {
	b.fillAll([][]float64{x}, [][]float64{phi})
}

// fillAll writes those of several points.
func (b *basis) fillAll(at, phi [][]float64) {
	for i, x := range at {
		b.fillPlain(x, phi[i])
	}
	if b.bumps != nil {
		white := make([][]float64, len(at))
		for i := range phi {
			white[i] = phi[i][b.plain:]
		}
		b.bumps.fillAll(at, white)
	}
}

// fillPlain writes a point's features but the bumps.
func (b *basis) fillPlain(x, phi []float64) {
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
	clear(phi[b.levels:b.plain])
	for _, i := range b.choices {
		if l, ok := b.indicator(i, x[i]); ok {
			phi[l] = 1
			if b.shifts {
				copy(phi[b.shift(l):], phi[:n])
			}
		}
	}
	if b.intercept {
		phi[b.one] = 1
	}
	if b.apart {
		if !b.atCentre(x) {
			phi[b.own] = 1
		}
		copy(phi[b.own+1:b.plain], phi[:2*n])
	}
}

// heights returns the function of the height of a surface with the given weights.
func (b *basis) heights(w []float64) func(x []float64) float64 {
	phi := make([]float64, b.size)
	return func(x []float64) float64 {
		b.fill(x, phi)
		return shared.Dot(w, phi)
	}
}

// indicator returns the feature of a choice's value; ok is false for the centre's, which has
// none.
func (b *basis) indicator(i int, x float64) (feature int, ok bool) {
	if x > b.centre[i] {
		x--
	} else if x == b.centre[i] {
		return 0, false
	}
	return b.indicators[i] + int(x), true
}

// shift returns the first product of the indicator at a feature.
func (b *basis) shift(level int) int { return b.moves + (level-b.levels)*len(b.numbers) }

// product returns the feature of the numbers a and b, b < a.
func (b *basis) product(a, c int) int { return b.products + a*(a-1)/2 + c }

// bumps are what a quadratic cannot follow: a Gaussian process, known by its heights at a few
// places. The features are white: their weights are independent before anything is seen. At
// the baseline they are 0.
type bumps interface {
	// count is the number of features, and fillAll writes those of several points.
	count() int
	fillAll(at, phi [][]float64)
	// relief is the surface of given weights, made ready for its height to be asked often.
	relief(w []float64) relief
	// reach is how far from a peak it is worth looking, a share of the range.
	reach() float64
	// starts are the points from which a peak is looked for, and places those to which the a-th
	// number is moved before it is improved.
	starts() [][]float64
	places(a int) []float64
}

// relief is bumps of given weights: a point's height on top of that of the plain features, and
// whether it lies where games were played.
type relief interface {
	height(plain float64, x []float64) (h float64, near bool)
}

// shape is a surface of given weights, made ready for its height to be asked often.
type shape struct {
	b      *basis
	w      []float64
	relief relief // nil without bumps
	phi    []float64

	members []*shape  // unless empty, the height is the mean of theirs
	weights []float64 // of the members
}

func (b *basis) shape(w []float64) *shape {
	s := &shape{b: b, w: w[:b.plain], phi: make([]float64, b.plain)}
	if b.bumps != nil {
		s.relief = b.bumps.relief(w[b.plain:])
	}
	return s
}

// height returns that of a point, Elo; near tells whether it lies where a bump stands.
func (s *shape) height(x []float64) (h float64, near bool) {
	b := s.b
	if len(s.members) > 0 {
		sum := 0.0
		near = true
		for i, m := range s.members {
			g, close := m.height(x)
			h += float64(s.weights[i] * g)
			sum += s.weights[i]
			near = near && close
		}
		return h / sum, near
	}
	b.fillPlain(x, s.phi)
	h = shared.Dot(s.w, s.phi)
	if s.relief == nil {
		return h, true
	}
	return s.relief.height(h, x)
}
