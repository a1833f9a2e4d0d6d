package count

import "sakusen/engines/battleship"

// loop goes through the places of one ship, of the size with the fewest. A
// second ship of one size it takes to the later places only, and so on, each
// such set of places standing for all its orders.
func (c *Counter) loop(t *task) Number {
	size, fewest := 0, 1<<30
	var from [2]battleship.Set
	for i := range c.sizes {
		if t.left[i] == 0 {
			continue
		}
		starts := c.fits(c.length[i], t.free, battleship.Set{})
		if n := starts[0].Len() + starts[1].Len(); n < fewest {
			size, fewest, from = i, n, starts
		}
	}
	var total Number
	for o := range from {
		for starts := from[o]; !starts.Empty() && !c.done(total); {
			start := starts.Pop()
			order := uint16(o)<<8 | uint16(start) + 1
			if order <= t.after[size] {
				continue
			}
			next := *t
			next.after[size] = order
			next.looped[size]++
			total = total.plus(c.place(&next, size, o, start, int64(next.looped[size])))
		}
	}
	return total
}

// leaf counts at most four ships on the given squares with no hit to be
// covered; ships may lie on open hits, but not wholly.
func (c *Counter) leaf(t *task, free, open battleship.Set, times int64) int64 {
	z := &c.kernel
	z.ships = 0
	either := free.Or(open)
	for i := range c.sizes {
		if t.left[i] == 0 {
			continue
		}
		from := c.fits(c.length[i], either, open)
		first := z.ships
		for ; z.ships < first+int(t.left[i]); z.ships++ {
			z.length[z.ships] = uint8(c.length[i])
			if z.ships > first {
				z.lists[z.ships] = z.lists[first]
				continue
			}
			for o := range from {
				list := &z.lists[first][o]
				list.n = 0
				for starts := from[o]; !starts.Empty(); list.n++ {
					s := starts.Pop()
					if o == 1 {
						s = battleship.Square(c.flip[s])
					}
					list.at[list.n] = uint8(s)
				}
			}
			if z.lists[first][0].n+z.lists[first][1].n == 0 {
				return 0
			}
		}
	}
	c.budget--
	z.count()
	if c.tally.on && z.total != 0 {
		for i := range z.ships {
			c.tally.take(z, i, times)
		}
	}
	return z.total
}
