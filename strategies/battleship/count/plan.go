package count

import (
	"math"
	"runtime"

	"sakusen/engines/battleship"
)

// A plan is how a task is to be swept, and what that takes.
type plan struct {
	ring  *ring
	log   float64 // bits of the arrangements at most
	sides [2]side
	steps float64
	words float64 // of memory at most
}

// plan finds the cheapest way to sweep a task. A task that cannot be swept has infinitely
// many steps.
func (c *Counter) plan(t *task) *plan {
	var lengths, ships []int
	n := 0
	for i := range c.sizes {
		if c.length[i] > 1 && t.left[i] > 0 {
			lengths, ships = append(lengths, c.length[i]), append(ships, int(t.left[i]))
			n += int(t.left[i])
		}
	}
	p := &plan{steps: math.Inf(1)}
	if n == 0 || lengths[0] >= battleship.MaxSide {
		return p
	}
	p.ring = newRing(lengths, ships)
	for o := range p.sides {
		side := &p.sides[o]
		side.field = c.newField(t, o == 1)
		side.book = newBook(p.ring, min(n, mostDown))
		if !side.count() {
			return p
		}
	}
	if p.log = p.sides[0].bits(); p.log > mostBits {
		return p
	}
	for down := -1; down <= n; down++ {
		a, b := p.sides[0].price(down), p.sides[1].price(n-1-down)
		if steps := a.steps + b.steps; steps < p.steps {
			p.steps, p.words = steps, max(a.words(), b.words())
			p.sides[0].set(down, a)
			p.sides[1].set(n-1-down, b)
		}
	}
	switch {
	case p.log > 66:
		p.steps *= 2.25
	case p.log > 64:
		p.steps *= 1.25
	}
	return p
}

// do sweeps a task as planned. The total and the squares are of arrangements
// in which ships of one length are alike. Numbers are found modulo 2^64, and,
// where they may be greater, a second time in floating point: all terms are
// positive, so its error is far below 2^64.
func (p *plan) do(squares bool, sum *[battleship.MaxSquares]Number) (total Number) {
	for o := range p.sides {
		side := &p.sides[o]
		if side.down < 0 {
			continue
		}
		if o > 0 {
			p.collect()
		}
		low := newSweep[uint64](side)
		low.run(squares, side.all)
		lowTotal, lowSum := low.total, &low.sum
		high := &sweep[float64]{}
		if p.log > 64 {
			low = nil
			p.collect()
			high = newSweep[float64](side)
			high.run(false, side.all)
			if squares && high.total > narrow {
				high = nil
				p.collect()
				high = newSweep[float64](side)
				high.run(true, side.all)
			}
		}
		total = total.plus(whole(lowTotal, high.total))
		if squares {
			for i, n := range lowSum {
				sum[i] = sum[i].plus(whole(n, high.sum[i]))
			}
		}
	}
	return total
}

// collect frees the memory of a finished sweep, so that a second large one does not need as
// much again.
func (p *plan) collect() {
	if p.words > keepWords {
		runtime.GC()
	}
}

// whole returns the number whose low 64 bits are low and which is about high.
func whole(low uint64, high float64) Number {
	if high < narrow {
		return Number{0, low}
	}
	return Number{uint64(math.Round((high - float64(low)) / (1 << 64))), low}
}
