package count

import (
	"math/bits"

	"sakusen/engines/battleship"
)

// A tally adds up arrangements by the place of a ship of each size, and turns
// them into counts of squares once. Sums are taken modulo 2^64, or 2^128 when
// big, so that terms of either sign may come in any order.
type tally struct {
	on  bool
	big bool
	lo  [battleship.MaxShips][2][battleship.MaxSquares]uint64 // by size, direction and layout
	hi  [battleship.MaxShips][2][battleship.MaxSquares]uint64 // when big
	// counts of squares in board order
	low, high [battleship.MaxSquares]uint64
}

func (y *tally) reset(c *Counter, big bool) {
	y.big = big
	if !y.on {
		return
	}
	n := c.board.Squares()
	for i := range c.sizes {
		for o := range 2 {
			clear(y.lo[i][o][:n])
			if big {
				clear(y.hi[i][o][:n])
			}
		}
	}
}

// add counts a ship of a size at s of the layout of direction o.
func (y *tally) add(size, o int, s uint8, n Number) {
	lo, carry := bits.Add64(y.lo[size][o][s], n.Lo, 0)
	y.lo[size][o][s] = lo
	if y.big {
		y.hi[size][o][s] += n.Hi + carry
	}
}

// take adds the weights of a kernel's ship, times a factor.
func (y *tally) take(z *kernel, ship, size int, times int64) {
	for o := range 2 {
		list, weight := &z.lists[ship][o], &z.weight[ship][o]
		if y.big {
			for q, s := range list.at[:list.n] {
				y.add(size, o, s, signed(weight[q]*times))
			}
			continue
		}
		lo := &y.lo[size][o]
		for q, s := range list.at[:list.n] {
			lo[s] += uint64(weight[q] * times)
		}
	}
}

// spread turns the sums by place into counts of squares.
func (y *tally) spread(c *Counter) {
	n := c.board.Squares()
	low, high := y.low[:n], y.high[:n]
	clear(low)
	clear(high)
	for i := range c.sizes {
		length := c.length[i]
		for o := range 2 {
			lo, hi := &y.lo[i][o], &y.hi[i][o]
			var l, h, borrow uint64
			for s := range n {
				at := s
				if o == 1 {
					at = int(c.flop[s])
				}
				var carry uint64
				l, carry = bits.Add64(l, lo[s], 0)
				if y.big {
					h += hi[s] + carry
				}
				low[at], carry = bits.Add64(low[at], l, 0)
				if y.big {
					high[at] += h + carry
				}
				if last := s - length + 1; last >= 0 {
					l, borrow = bits.Sub64(l, lo[last], 0)
					if y.big {
						h -= hi[last] + borrow
					}
				}
			}
		}
	}
	if c.unshot != c.board.All() {
		for rest := c.board.All().AndNot(c.unshot); !rest.Empty(); {
			s := rest.Pop()
			low[s], high[s] = 0, 0
		}
	}
}

func (y *tally) at(s battleship.Square) Number { return Number{y.high[s], y.low[s]} }
