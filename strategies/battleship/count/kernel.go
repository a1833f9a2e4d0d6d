package count

import (
	"sakusen/engines/battleship"
)

// places is how one ship may lie in one direction: the first squares of its
// placements in the layout of that direction, in no particular order.
type places struct {
	n  int
	at [battleship.MaxSquares]uint8
}

// A kernel counts up to four ships on free squares in closed form. The caller
// fills ships, length and lists; count leaves the number of arrangements in
// total and, for every placement of every ship, how many arrangements have it
// there in weight, in the order of the lists.
//
// Every number of a kernel fits its lane. On 256 squares a ship has at most 480 placements, and
// at most 16 of them cover a square: so 16 bits hold a sum of 16 x 480 and 18 bits hold 480 x
// 480.
type kernel struct {
	squares int
	flip    *[battleship.MaxSquares]uint8 // from the layout across to the layout down
	width   int
	height  int

	ships  int
	alike  bool // of four ships the last two have one length; only the third has a list
	length [4]uint8
	lists  [4][2]places
	weight [4][2][battleship.MaxSquares]int64
	total  int64

	number  [4]int64    // placements of each ship
	joint   [4][4]int64 // pairs of placements of two ships that meet
	without [4]int64    // arrangements of the three other ships
	met     [4][2][battleship.MaxSquares]uint64
	reach   int // greatest distance of two squares with arrays across
	planes  [2]plane
}

// A plane holds the sums of one direction: squares and the edges between
// neighbours along the direction, in the layout in which those neighbours
// follow each other (across: row by row, down: column by column). Packed
// words hold a lane for each ship or pair of ships.
type plane struct {
	start, end   [battleship.MaxSquares]uint64 // placements by first and last square
	square, edge [battleship.MaxSquares]uint64 // those that cover a square; edge s joins s and s+1
	cover        sums

	// pairs of placements that meet, then what three ships leave the fourth
	pairStart, pairEnd   [battleship.MaxSquares][2]uint64
	pairSquare, pairEdge [battleship.MaxSquares][2]uint64
	near                 doubles
	gradSquare, gradEdge [battleship.MaxSquares][2]uint64
	grad                 doubles

	// by distance: placements through two squares, and what they add
	across, cross [battleship.MaxSide][battleship.MaxSquares]uint64
}

// sums are prefix sums of a function on squares less the same function on the
// edges between them. The function summed over the placements that meet a line
// from s to t is over(s, t).
type sums struct {
	before, upto [battleship.MaxSquares]uint64
}

func (p *sums) over(s, t uint8) uint64 { return p.upto[t] - p.before[s] }

func (p *sums) fill(square, edge []uint64) {
	run := uint64(0)
	for s, f := range square {
		p.before[s] = run
		run += f
		p.upto[s] = run
		run -= edge[s]
	}
}

// doubles are sums of two words at a time.
type doubles struct {
	before, upto [battleship.MaxSquares][2]uint64
}

func (p *doubles) fill(square, edge [][2]uint64) {
	a, b := uint64(0), uint64(0)
	for s, f := range square {
		p.before[s] = [2]uint64{a, b}
		a += f[0]
		b += f[1]
		p.upto[s] = [2]uint64{a, b}
		a -= edge[s][0]
		b -= edge[s][1]
	}
}

const lane = 0xffff

// listed returns the number of ships with lists and weights of their own.
func (z *kernel) listed() int {
	if z.alike {
		return 3
	}
	return z.ships
}

func (z *kernel) one() {
	for o := range z.lists[0] {
		for q := range z.lists[0][o].n {
			z.weight[0][o][q] = 1
		}
	}
	z.total = z.number[0]
}

// cover counts for every square and edge the placements of each ship on it.
func (z *kernel) cover() {
	n := z.squares
	for o := range z.planes {
		p := &z.planes[o]
		clear(p.start[:n])
		clear(p.end[:n])
		for i := range z.listed() {
			one := uint64(1) << (16 * i)
			if i == 2 && z.alike {
				one |= 1 << 48
			}
			last := z.length[i] - 1
			list := &z.lists[i][o]
			for _, s := range list.at[:list.n] {
				p.start[s] += one
				p.end[s+last] += one
			}
		}
		run := uint64(0)
		for s := range n {
			run += p.start[s]
			p.square[s] = run
			run -= p.end[s]
			p.edge[s] = run
		}
	}
	a, d := &z.planes[0], &z.planes[1]
	for s := range n {
		t := z.flip[s]
		both := a.square[s] + d.square[t]
		a.square[s], d.square[t] = both, both
	}
	for o := range z.planes {
		p := &z.planes[o]
		p.cover.fill(p.square[:n], p.edge[:n])
	}
}

// two counts the pairs of placements of two ships that do not meet.
func (z *kernel) two() {
	for i := range 2 {
		other := 16 * (1 - i)
		last := z.length[i] - 1
		all := z.number[1-i]
		total := int64(0)
		for o := range z.planes {
			p := &z.planes[o]
			list := &z.lists[i][o]
			for q, s := range list.at[:list.n] {
				w := all - int64(p.cover.over(s, s+last)>>other&lane)
				z.weight[i][o][q] = w
				total += w
			}
		}
		z.total = total
	}
}

// count does the closed form.
func (z *kernel) count() {
	z.total = 0
	for i := range z.listed() {
		z.number[i] = int64(z.lists[i][0].n + z.lists[i][1].n)
		if z.number[i] == 0 {
			return
		}
	}
	if z.alike {
		z.number[3] = z.number[2]
	}
	switch z.ships {
	case 0:
		z.total = 1
	case 1:
		z.one()
	case 2:
		z.cover()
		z.two()
	case 3:
		z.cover()
		z.three()
	case 4:
		z.cover()
		z.four()
	}
}
