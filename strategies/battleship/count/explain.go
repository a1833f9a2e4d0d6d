package count

import (
	"math/bits"

	"sakusen/engines/battleship"
)

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
func (c *Counter) tightest(t *task) (best int, from [2]battleship.Set) {
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
