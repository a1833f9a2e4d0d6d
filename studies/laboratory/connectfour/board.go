package connectfour

import (
	"math/bits"
)

const (
	columns = 7
	rows    = 6
	height  = rows + 1 // bits of a column: its cells from below, and one that stays empty
)

// board is a position seen by whoever moves. Bit column*height + row is a cell.
type board struct {
	own, taken uint64 // discs of the side to move, and of both
}

var (
	bottom  = everyColumn(1)
	cells   = everyColumn(1<<rows - 1)
	oddRows = everyColumn(0b010101) // rows 1, 3 and 5, counted from 1
	centre  = uint64(1<<rows-1) << (3 * height)
	inner   = uint64(1<<rows-1)<<(2*height) | uint64(1<<rows-1)<<(4*height)
)

// everyColumn puts the same bits into each column.
func everyColumn(column uint64) uint64 {
	all := uint64(0)
	for c := range columns {
		all |= column << (c * height)
	}
	return all
}

// enemy are the discs of the side that moved last.
func (b board) enemy() uint64 { return b.own ^ b.taken }

// playable are the lowest empty cells.
func (b board) playable() uint64 { return (b.taken + bottom) & cells }

// after is the position after a move, seen by the other side.
func (b board) after(move uint64) board { return board{b.enemy(), b.taken | move} }

// completing are the empty cells that make four in a row for a side with these
// discs (the shifts are those of P. Pons, Solving Connect 4, 2015).
func completing(own, taken uint64) uint64 {
	all := own << 1 & (own << 2) & (own << 3)
	for _, s := range [...]int{height, height - 1, height + 1} {
		p := own << s & (own << (2 * s))
		all |= p & (own << (3 * s))
		all |= p & (own >> s)
		p = own >> s & (own >> (2 * s))
		all |= p & (own << s)
		all |= p & (own >> (3 * s))
	}
	return all & (cells ^ taken)
}

// safe are the moves of the side to move after which the other has no four at
// once: none where it has two, or one on top of a forced move. The side to move
// must have no four itself, or be asked for that first.
func (b board) safe() uint64 {
	moves, theirs := b.playable(), completing(b.enemy(), b.taken)
	if forced := moves & theirs; forced != 0 {
		if forced&(forced-1) != 0 {
			return 0
		}
		moves = forced
	}
	return moves &^ (theirs >> 1)
}

// lines are how many rows of four a side can still fill, and in how many of them
// it has exactly two discs.
func lines(own, enemy uint64) (open, twos int) {
	free := cells &^ enemy
	for _, s := range [...]int{1, height, height - 1, height + 1} {
		starts := free & (free >> s)
		starts &= starts >> (2 * s)
		a, b := own, own>>s
		one, both := a^b, a&b
		oneLater, bothLater := one>>(2*s), both>>(2*s)
		two := both&^(oneLater|bothLater) | bothLater&^(one|both) | one&oneLater
		open += bits.OnesCount64(starts)
		twos += bits.OnesCount64(two & starts)
	}
	return open, twos
}
