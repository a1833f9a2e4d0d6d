package count

import (
	"math/bits"

	"sakusen/engines/battleship"
)

// A tally adds up arrangements by the first and the last square of a ship, and
// turns them into counts of squares once. Sums are taken modulo 2^64, or 2^128
// when big, so that terms of either sign may come in any order.
type tally struct {
	on  bool
	big bool
	// by direction and layout; high words only when big
	start, end         [2][battleship.MaxSquares]uint64
	startHigh, endHigh [2][battleship.MaxSquares]uint64
	// counts of squares in board order
	low, high [battleship.MaxSquares]uint64
}

func (y *tally) reset(squares int, big bool) {
	y.big = big
	if !y.on {
		return
	}
	for o := range 2 {
		clear(y.start[o][:squares])
		clear(y.end[o][:squares])
		if big {
			clear(y.startHigh[o][:squares])
			clear(y.endHigh[o][:squares])
		}
	}
}

// add counts a ship from s to t of the layout of direction o.
func (y *tally) add(o int, s, t uint8, n Number) {
	var carry uint64
	y.start[o][s], carry = bits.Add64(y.start[o][s], n.Lo, 0)
	y.startHigh[o][s] += n.Hi + carry
	y.end[o][t], carry = bits.Add64(y.end[o][t], n.Lo, 0)
	y.endHigh[o][t] += n.Hi + carry
}

// take adds the weights of a kernel's ship, times a factor.
func (y *tally) take(z *kernel, ship int, times Number) {
	last := z.length[ship] - 1
	for o := range 2 {
		list := &z.lists[ship][o]
		weight := z.weight[ship][o][:list.n]
		if y.big {
			for q, s := range list.at[:list.n] {
				y.add(o, s, s+last, signed(weight[q]).mul(times))
			}
			continue
		}
		start, end := &y.start[o], &y.end[o]
		for q, s := range list.at[:list.n] {
			w := uint64(weight[q]) * times.Lo
			start[s] += w
			end[s+last] += w
		}
	}
}

func (y *tally) at(s battleship.Square) Number {
	if !y.big {
		return Number{0, y.low[s]}
	}
	return Number{y.high[s], y.low[s]}
}
