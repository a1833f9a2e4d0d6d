package count

import (
	"fmt"
	"math/big"
	"math/bits"

	"sakusen/engines/battleship"
)

// A Number is a count of placements: an unsigned integer below 2^128.
type Number struct{ Hi, Lo uint64 }

// Cmp returns -1, 0 or +1 as a is less than, equal to or greater than b.
func (a Number) Cmp(b Number) int {
	switch {
	case a == b:
		return 0
	case a.Hi < b.Hi || a.Hi == b.Hi && a.Lo < b.Lo:
		return -1
	}
	return 1
}

// IsZero reports whether a is 0.
func (a Number) IsZero() bool { return a.Hi|a.Lo == 0 }

// Float returns the nearest float64.
func (a Number) Float() float64 {
	if a.Hi == 0 {
		return float64(a.Lo)
	}
	f, _ := new(big.Float).SetInt(a.big()).Float64()
	return f
}

// String returns a in decimal.
func (a Number) String() string {
	if a.Hi == 0 {
		return fmt.Sprint(a.Lo)
	}
	return a.big().String()
}

func (a Number) big() *big.Int {
	hi := new(big.Int).Lsh(new(big.Int).SetUint64(a.Hi), 64)
	return hi.Or(hi, new(big.Int).SetUint64(a.Lo))
}

// plus adds modulo 2^128.
func (a Number) plus(b Number) Number {
	lo, carry := bits.Add64(a.Lo, b.Lo, 0)
	hi, _ := bits.Add64(a.Hi, b.Hi, carry)
	return Number{hi, lo}
}

// mul multiplies modulo 2^128.
func (a Number) mul(b Number) Number {
	hi, lo := bits.Mul64(a.Lo, b.Lo)
	return Number{hi + a.Hi*b.Lo + a.Lo*b.Hi, lo}
}

// signed widens a signed integer modulo 2^128.
func signed(x int64) Number { return Number{uint64(x >> 63), uint64(x)} }

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

// spread turns the sums by place into counts of the squares not shot.
func (y *tally) spread(c *Counter) {
	n := c.board.Squares()
	var across, down uint64
	for s := range n {
		across += y.start[0][s]
		y.low[s] = across
		across -= y.end[0][s]
	}
	for t := range n {
		s := c.flop[t]
		down += y.start[1][t]
		y.low[s] += down
		down -= y.end[1][t]
	}
	if y.big {
		y.spreadBig(c)
	}
	for rest := c.board.All().AndNot(c.unshot); !rest.Empty(); {
		s := rest.Pop()
		y.low[s], y.high[s] = 0, 0
	}
}

func (y *tally) spreadBig(c *Counter) {
	n := c.board.Squares()
	clear(y.low[:n])
	clear(y.high[:n])
	for o := range 2 {
		var run Number
		for t := range n {
			s := t
			if o == 1 {
				s = int(c.flop[t])
			}
			run = run.plus(Number{y.startHigh[o][t], y.start[o][t]})
			sum := run.plus(Number{y.high[s], y.low[s]})
			y.low[s], y.high[s] = sum.Lo, sum.Hi
			run = run.plus(Number{y.endHigh[o][t], y.end[o][t]}.mul(signed(-1)))
		}
	}
}
