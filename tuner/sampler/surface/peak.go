package surface

import (
	"cmp"
	"math"
	"slices"

	"sakusen/engines/param"
	"sakusen/tuner/sampler/shared"
)

// sweeps bounds the rounds over the coordinates in which a peak is looked for.
const sweeps = 60

// peak returns the point of the box at which the surface is highest.
// Without bumps the coordinates are optimised in turn until none moves, starting from the
// baseline, from every value of a choice, and from further points. With bumps, the best
// points so found and those at which bumps stand are improved in shrinking steps, close to
// where games were played. What is returned is the caller's: no start, and no point that
// was played, shares its memory.
func (s *shape) peak(starts ...[]float64) []float64 {
	b := s.b
	first := b.origin()
	all := [][]float64{first}
	for _, i := range b.choices {
		for v := range b.space[i].Points() {
			if float64(v) != first[i] {
				x := append([]float64(nil), first...)
				x[i] = float64(v)
				all = append(all, x)
			}
		}
	}
	var found []summit
	for _, start := range append(all, starts...) {
		x := append([]float64(nil), start...)
		s.climb(x)
		if h, near := s.height(x); near {
			found = append(found, summit{x, h})
		}
	}
	if b.bumps != nil {
		for _, x := range append(slices.Clone(b.bumps.starts()), append(starts, first)...) {
			h, _ := s.height(x)
			found = append(found, summit{x, h})
		}
	}
	slices.SortStableFunc(found, func(p, q summit) int { return cmp.Compare(q.height, p.height) })
	if b.bumps == nil {
		return found[0].at
	}
	top := found[0]
	for _, p := range found[:min(len(found), climbed)] {
		if p = s.improve(s.scan(p)); p.height > top.height {
			top = p
		}
	}
	return slices.Clone(top.at)
}

// summit is a point and its height.
type summit struct {
	at     []float64
	height float64
}

const (
	climbed    = 3   // summits that are improved
	firstStep  = 0.1 // of the range
	lastStep   = 0.004
	roundsStep = 3 // at one step
)

// scanRounds is how often each number is moved to the best of its places.
const scanRounds = 2

// scan moves each number of a point to the best of its places, the others staying where they
// are.
func (s *shape) scan(p summit) summit {
	x := slices.Clone(p.at)
	for range scanRounds {
		for a, i := range s.b.numbers {
			best := x[i]
			for _, z := range s.b.bumps.places(a) {
				x[i] = z
				if h, _ := s.height(x); h > p.height {
					p.height, best = h, z
				}
			}
			x[i] = best
		}
	}
	return summit{x, p.height}
}

// improve moves a point's coordinates one by one while that leads up.
func (s *shape) improve(p summit) summit {
	b := s.b
	x := append([]float64(nil), p.at...)
	best := p.height
	try := func(i int, to float64) bool {
		before := x[i]
		x[i] = to
		if h, near := s.height(x); near && h > best {
			best = h
			return true
		}
		x[i] = before
		return false
	}
	for step := firstStep; step > lastStep; step /= 2 {
		for range roundsStep {
			moved := false
			for _, i := range b.numbers {
				for _, to := range [2]float64{math.Min(x[i]+step, b.high[i]), math.Max(x[i]-step, b.low[i])} {
					if to != x[i] && try(i, to) {
						moved = true
						break
					}
				}
			}
			for _, i := range b.choices {
				for v := range b.space[i].Points() {
					moved = float64(v) != x[i] && try(i, float64(v)) || moved
				}
			}
			if !moved {
				break
			}
		}
	}
	return summit{x, best}
}

// climb moves every coordinate to its best place until none moves any further.
func (s *shape) climb(x []float64) {
	b := s.b
	for range sweeps {
		moved := 0.0
		for a := range b.numbers {
			moved = math.Max(moved, s.climbOne(x, a))
		}
		for _, i := range b.choices {
			before := x[i]
			x[i] = s.bestLevel(x, i)
			if x[i] != before {
				moved = 1
			}
		}
		if moved < 1e-6 || !b.cross && !b.shifts {
			return
		}
	}
}

// bestLevel returns the best value of a choice, the numbers staying where they are.
func (s *shape) bestLevel(x []float64, i int) float64 {
	b, w := s.b, s.w
	at, best := b.centre[i], 0.0
	for v := range b.space[i].Points() {
		l, ok := b.indicator(i, float64(v))
		if !ok {
			continue
		}
		h := w[l]
		if b.shifts {
			from := b.shift(l)
			for a, j := range b.numbers {
				h += float64(w[from+a] * x[j])
			}
		}
		if h > best {
			at, best = float64(v), h
		}
	}
	return at
}

// climbOne moves the a-th number to its best place, the others staying where
// they are, and returns how far it went.
func (s *shape) climbOne(x []float64, a int) float64 {
	b, w := s.b, s.w
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
	if b.shifts {
		for _, j := range b.choices {
			if l, ok := b.indicator(j, x[j]); ok {
				slope += w[b.shift(l)+a]
			}
		}
	}
	if b.ownShape {
		slope += w[b.own+1+a]
		bend += w[b.own+1+len(b.numbers)+a]
	}
	before := x[i]
	at := func(z float64) float64 { return float64(z * (slope + float64(bend*z))) }
	low, high := b.low[i], b.high[i]
	x[i] = low
	if at(high) > at(x[i]) {
		x[i] = high
	}
	if bend < 0 {
		x[i] = math.Min(math.Max(-slope/(2*bend), low), high)
	}
	return math.Abs(x[i] - before)
}

// settle moves a peak to a point that can be played and that is at least as high as its
// neighbours on the grids of integers and steps.
func (b *box) settle(heightOf func(x []float64) float64, peak []float64) []float64 {
	x := append([]float64(nil), peak...)
	for _, i := range b.numbers {
		x[i] = shared.Place(&b.space[i], b.text(i, x[i])) - b.centre[i]
	}
	height := func() float64 { return heightOf(x) }
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
				if y < d.Domain.Low || y > d.Domain.End() {
					continue
				}
				x[i] = shared.Place(d, d.Text(y)) - b.centre[i]
				if h := height(); h > best {
					best, at, moved = h, x[i], true
				}
			}
			x[i] = at
		}
	}
	return x
}
