package count

import "sakusen/engines/battleship"

// solve returns the number of arrangements of a task, and adds for every place
// of a ship of it the arrangements with that ship there, times t.times, to the
// tally.
func (c *Counter) solve(t *task) Number {
	if squares := t.free.Len() + t.open.Len(); squares < c.least(t) {
		return Number{}
	}
	switch {
	case t.loose != 0:
		return c.raise(t)
	case !t.open.Empty() && !c.sweeping:
		return c.explain(t)
	case c.single(t) > 0:
		return c.scatter(t)
	case c.sweeping:
		return c.sweep(t)
	case t.ships > len(c.kernel.lists):
		return c.loop(t)
	}
	return signed(c.leaf(t, t.free, battleship.Set{}, t.times))
}

// place puts a ship of a size somewhere, which stands for so many ways to do
// it, and counts the rest.
func (c *Counter) place(t *task, size, o int, start battleship.Square, ways int64) Number {
	line := c.board.Line(start, c.length[size], o == 1)
	next := *t
	next.free, next.open = t.free.AndNot(line), t.open.AndNot(line)
	next.left[size]--
	next.ships--
	next.times = t.times.mul(signed(ways))
	total := c.solve(&next).mul(signed(ways))
	if c.tally.on {
		at := uint8(start)
		if o == 1 {
			at = c.flip[start]
		}
		c.tally.add(o, at, at+uint8(c.length[size])-1, total.mul(t.times))
	}
	return total
}
