package surface

import (
	"math"

	"sakusen/engines/param"
)

// sweeps bounds the rounds over the coordinates in which a peak is looked for.
const sweeps = 60

// peak is the point of the box at which a surface with the given weights is
// highest. Without products every coordinate has its own peak; with them the
// coordinates are optimised in turn until none moves, from several starts.
func (b *basis) peak(w []float64, starts ...[]float64) []float64 {
	x := make([]float64, len(b.space))
	k := b.levels
	for _, i := range b.choices {
		x[i] = b.centre[i]
		best := 0.0
		for v := range b.space[i].Points() {
			if l, ok := b.level(i, float64(v)); ok && w[k+l] > best {
				best, x[i] = w[k+l], float64(v)
			}
		}
		k += b.space[i].Points() - 1
	}
	if !b.cross || len(b.numbers) < 2 {
		for a := range b.numbers {
			b.climbOne(w, x, a)
		}
		return x
	}
	var top []float64
	highest := math.Inf(-1)
	phi := make([]float64, b.size)
	for _, s := range append([][]float64{make([]float64, len(b.space))}, starts...) {
		at := append([]float64(nil), x...)
		for _, i := range b.numbers {
			at[i] = s[i]
		}
		for range sweeps {
			moved := 0.0
			for a := range b.numbers {
				moved = math.Max(moved, b.climbOne(w, at, a))
			}
			if moved < 1e-6 {
				break
			}
		}
		b.fill(at, phi)
		if h := dot(w, phi); h > highest {
			highest, top = h, at
		}
	}
	return top
}

// climbOne moves the a-th number to its best place, the others staying where
// they are, and returns how far it went.
func (b *basis) climbOne(w, x []float64, a int) float64 {
	i := b.numbers[a]
	slope, bend := w[a], w[len(b.numbers)+a]
	if b.cross {
		for c, j := range b.numbers {
			switch {
			case c < a:
				slope += float64(w[b.product(a, c)] * x[j])
			case c > a:
				slope += float64(w[b.product(c, a)] * x[j])
			}
		}
	}
	before := x[i]
	at := func(z float64) float64 { return float64(z * (slope + float64(bend*z))) }
	x[i] = b.low[i]
	if at(b.high[i]) > at(x[i]) {
		x[i] = b.high[i]
	}
	if bend < 0 {
		x[i] = math.Min(math.Max(-slope/(2*bend), b.low[i]), b.high[i])
	}
	return math.Abs(x[i] - before)
}

// settle moves a peak to a point that can be played and that no neighbour on the
// grids of integers and steps surpasses.
func (b *basis) settle(w, peak []float64) []float64 {
	x := append([]float64(nil), peak...)
	for _, i := range b.numbers {
		x[i] = place(&b.space[i], b.text(i, x[i])) - b.centre[i]
	}
	phi := make([]float64, b.size)
	height := func() float64 {
		b.fill(x, phi)
		return dot(w, phi)
	}
	best := height()
	for moved, n := true, 0; moved && n < sweeps; n++ {
		moved = false
		for _, i := range b.numbers {
			d := &b.space[i]
			width := d.Domain.Step
			if d.Kind == param.Int && width == 0 {
				width = 1
			}
			if width == 0 {
				continue
			}
			before := x[i]
			here := d.Number(b.text(i, x[i]))
			at := before
			for _, y := range []float64{here - width, here + width} {
				if y < d.Domain.Low || y > d.Domain.Top() {
					continue
				}
				x[i] = place(d, d.Text(y)) - b.centre[i]
				if h := height(); h > best {
					best, at, moved = h, x[i], true
				}
			}
			x[i] = at
		}
	}
	return x
}
