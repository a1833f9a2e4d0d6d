package count

import "sakusen/engines/battleship"

// loop tries the places of one ship, of the size that has the fewest. A second ship of the
// same size is put only on later places than the first, and so on; each set of places then
// counts for all its orders.
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
func (c *Counter) leaf(t *task, free, open battleship.Set, times Number) int64 {
	z := &c.kernel
	z.ships, z.alike = 0, false
	either := free.Or(open)
	// sizes with several ships last: the closed form of four gains by it
	for _, several := range [2]bool{false, true} {
		for i := range c.sizes {
			if n := int(t.left[i]); n > 0 && n > 1 == several && !c.list(i, n, c.fits(c.length[i], either, open)) {
				return 0
			}
		}
	}
	c.budget--
	z.count()
	if c.tally.on && z.total != 0 {
		for i := range z.listed() {
			if i == 2 && z.alike {
				times = times.plus(times)
			}
			c.tally.take(z, i, times)
		}
	}
	return z.total
}

// list gives n ships of a size to the kernel; false if they have no place.
func (c *Counter) list(size, n int, from [2]battleship.Set) bool {
	z := &c.kernel
	first := z.ships
	z.ships += n
	z.alike = n > 1 && z.ships == 4
	listed := z.listed()
	for i := first; i < z.ships; i++ {
		z.length[i] = uint8(c.length[size])
	}
	for o, starts := range from {
		list := &z.lists[first][o]
		list.n = 0
		for !starts.Empty() {
			s := uint8(starts.Pop())
			if o == 1 {
				s = c.flip[s]
			}
			list.at[list.n] = s
			list.n++
		}
	}
	for i := first + 1; i < min(z.ships, listed); i++ {
		z.lists[i] = z.lists[first]
	}
	return z.lists[first][0].n+z.lists[first][1].n > 0
}

// scatter places ships of length 1. They take any of the squares not shot that the other
// ships leave, and the others, which must cover all open hits, always leave the same number
// of squares.
func (c *Counter) scatter(t *task) Number {
	n := c.single(t)
	rest := *t
	rest.left[c.sizes-1] = 0
	rest.ships -= n
	spare := t.free.Len() + t.open.Len() - c.least(&rest)
	through := signed(int64(n)) // ways that have a ship on one given square
	for i := 1; i < n; i++ {
		through = through.mul(signed(int64(spare - i)))
	}
	all := signed(int64(spare))
	for i := 1; i < n; i++ {
		all = all.mul(signed(int64(spare - i)))
	}
	// A square that the others leave is on through ways for each of theirs,
	// so a square of theirs is worth that much less.
	rest.times = t.times.mul(all.plus(through.mul(signed(-1))))
	others := c.solve(&rest)
	if c.tally.on {
		worth := others.mul(through).mul(t.times)
		for free := t.free; !free.Empty(); {
			s := uint8(free.Pop())
			c.tally.add(0, s, s, worth)
		}
	}
	return others.mul(all)
}
