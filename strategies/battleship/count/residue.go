package count

import (
	"math"

	"sakusen/engines/battleship"
)

// residue counts a task by sweeps, one for each set of open hits that its loose
// sinkings may leave.
func (c *Counter) residue(t *task) (total Number) {
	for open, ways := range c.residues(t) {
		next := *t
		next.loose, next.open = 0, open
		next.times = t.times.mul(signed(ways))
		total = total.plus(c.solve(&next).mul(next.times))
	}
	return total
}

// sweep counts a task without loose sinkings by sweeps.
func (c *Counter) sweep(t *task) Number {
	if c.longest(t) == battleship.MaxSide {
		var total Number
		for o, starts := range c.fits(battleship.MaxSide, t.free.Or(t.open), t.open) {
			for !starts.Empty() {
				total = total.plus(c.place(t, 0, o, starts.Pop(), 1))
			}
		}
		return total
	}
	if t.ships == 0 {
		if t.open.Empty() {
			return signed(1)
		}
		return Number{}
	}
	p := c.plan(t)
	if math.IsInf(p.steps, 1) {
		return Number{}
	}
	var sum [battleship.MaxSquares]Number
	orders := signed(1) // ships are told apart
	for i := range c.sizes {
		for n := range t.left[i] {
			orders = orders.mul(signed(int64(n) + 1))
		}
	}
	total := p.do(c.tally.on, &sum).mul(orders)
	if c.tally.on {
		times := orders.mul(t.times)
		for free := t.free; !free.Empty(); {
			s := uint8(free.Pop())
			c.tally.add(0, s, s, sum[s].mul(times))
		}
	}
	return total
}
