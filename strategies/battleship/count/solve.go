package count

import (
	"math"
	"math/bits"

	"sakusen/engines/battleship"
)

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

func (c *ships) fits(length int, either, open battleship.Set) (from [2]battleship.Set) {
	for o := range from {
		if o == 1 && length == 1 {
			break
		}
		from[o] = c.board.Fits(either, length, o == 1)
		if !open.Empty() {
			from[o] = from[o].AndNot(c.board.Fits(open, length, o == 1))
		}
	}
	return from
}

// starts returns where a ship afloat of each size may start: on free squares
// and open hits, not all of it on hits.
func (c *ships) starts(t *task, free, open battleship.Set) (from [battleship.MaxShips][2]battleship.Set) {
	either := free.Or(open)
	for i := range c.sizes {
		if t.left[i] == 0 {
			continue
		}
		from[i] = c.fits(c.length[i], either, open)
	}
	return from
}

// through returns the starts of lines of a length in direction o that hold at.
func (c *ships) through(starts battleship.Set, length, o int, at battleship.Square) battleship.Set {
	var some battleship.Set
	step, back := 1, c.board.Column(at)
	if o == 1 {
		step, back = c.board.Width(), c.board.Row(at)
	}
	for i := range min(back+1, length) {
		if s := at - battleship.Square(i*step); starts.Has(s) {
			some.Add(s)
		}
	}
	return some
}

// raise goes through the places of the loose sinking that has the fewest.
func (c *Counter) raise(t *task) Number {
	best, from := c.tightest(t)
	var total Number
	length := c.sinking[best].length
	for o, starts := range from {
		for !starts.Empty() && !c.done(total) {
			line := c.board.Line(starts.Pop(), length, o == 1)
			next := *t
			next.loose &^= 1 << best
			next.open = t.open.AndNot(line)
			total = total.plus(c.solve(&next))
		}
	}
	return total
}

// tightest returns the loose sinking of a task that has the fewest places, and
// these.
func (c *ships) tightest(t *task) (best int, from [2]battleship.Set) {
	fewest := 1 << 30
	for rest := t.loose; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros16(rest)
		sinking := &c.sinking[i]
		inside := sinking.inside.And(t.open)
		var starts [2]battleship.Set
		n := 0
		for o := range starts {
			if o == 1 && sinking.length == 1 {
				break
			}
			starts[o] = c.through(c.board.Fits(inside, sinking.length, o == 1), sinking.length, o, sinking.at)
			n += starts[o].Len()
		}
		if n < fewest {
			best, fewest, from = i, n, starts
		}
	}
	return best, from
}

// costs are rough times in nanoseconds of counting ships on free squares on a
// board of 10 x 10, by the number of ships.
var costs = [5]int{50, 300, 1200, 3000, 9000}

// cost estimates the time to place ships when so many hits are open.
func cost(ships, hits int) int {
	if ships == 0 {
		return costs[0]
	}
	if hits == 0 {
		return costs[ships]
	}
	return min(costs[ships]<<min(hits, 20), 400+10*cost(ships-1, hits-1))
}

// explain covers the open hits. It goes through the ships that may cover the
// hit with the fewest, or, when that looks slower, counts by inclusion and
// exclusion: all arrangements, less those that miss a hit, and so on.
func (c *Counter) explain(t *task) Number {
	room := 0
	for i := range c.sizes {
		room += int(t.left[i]) * (c.length[i] - 1)
	}
	hits := t.open.Len()
	if room < hits {
		return Number{}
	}
	from := c.starts(t, t.free, t.open)
	var hit battleship.Square
	fewest := 1 << 30
	for rest := t.open; !rest.Empty(); {
		h := rest.Pop()
		n := 0
		for i := range c.sizes {
			for o := range 2 {
				n += c.through(from[i][o], c.length[i], o, h).Len()
			}
		}
		if n < fewest {
			hit, fewest = h, n
		}
	}
	if fewest == 0 {
		return Number{}
	}
	if t.ships <= 4 && costs[t.ships]<<min(hits, 20) <= c.branching(t, &from, hit) {
		return c.exclude(t)
	}
	var total Number
	for i := range c.sizes {
		for o := range 2 {
			for starts := c.through(from[i][o], c.length[i], o, hit); !starts.Empty() && !c.done(total); {
				total = total.plus(c.place(t, i, o, starts.Pop(), int64(t.left[i])))
			}
		}
	}
	return total
}

// branching estimates the time to go through the ships that may cover a hit.
func (c *Counter) branching(t *task, from *[battleship.MaxShips][2]battleship.Set, hit battleship.Square) int {
	time := 0
	hits := t.open.Len()
	for i := range c.sizes {
		for o := range 2 {
			for starts := c.through(from[i][o], c.length[i], o, hit); !starts.Empty(); {
				line := c.board.Line(starts.Pop(), c.length[i], o == 1)
				time += cost(t.ships-1, hits-line.And(t.open).Len())
			}
		}
	}
	return time
}

// exclude counts up to four ships by inclusion and exclusion over open hits.
func (c *Counter) exclude(t *task) Number {
	var hits [16]battleship.Square
	n := 0
	for rest := t.open; !rest.Empty(); n++ {
		hits[n] = rest.Pop()
	}
	total := int64(0)
	for missed := range uint(1) << n {
		open := t.open
		for i := range n {
			if missed>>i&1 != 0 {
				open.Remove(hits[i])
			}
		}
		sign := int64(1 - 2*(bits.OnesCount(missed)&1))
		total += sign * c.leaf(t, t.free, open, t.times.mul(signed(sign)))
	}
	return signed(total)
}
