package narrow

import "math/bits"

const (
	// cells is the number of bits of a set, last the last cell.
	cells = 128
	last  = cells - 1
	// stride leads from a column to the next: a column's cells and a spare one.
	stride = 11
	// maxRows and maxColumns leave a spare column at the end, so that a
	// neighbour off the board is a spare cell, counted modulo Cells.
	maxRows, maxColumns = 10, 10
)

// set is a set of cells. Columns follow one another, each with a spare row
// at its end, so that the order of bits is the order of the move list and a
// shift by one never wraps into the next column. Strides are constant
// because shifts by a variable cost three times as much.
type set struct{ a, b uint64 }

func (s set) and(t set) set     { return set{s.a & t.a, s.b & t.b} }
func (s set) or(t set) set      { return set{s.a | t.a, s.b | t.b} }
func (s set) xor(t set) set     { return set{s.a ^ t.a, s.b ^ t.b} }
func (s set) without(t set) set { return set{s.a &^ t.a, s.b &^ t.b} }
func (s set) meets(t set) bool  { return s.a&t.a|s.b&t.b != 0 }
func (s set) empty() bool       { return s.a|s.b == 0 }

// hit returns 1 if the sets meet and 0 otherwise.
func (s set) hit(t set) uint16 {
	if s.a&t.a|s.b&t.b != 0 {
		return 1
	}
	return 0
}

// down, up, left and right shift a set by one cell.
func (s set) down() set  { return set{s.a << 1, s.b<<1 | s.a>>63} }
func (s set) up() set    { return set{s.a>>1 | s.b<<63, s.b >> 1} }
func (s set) right() set { return set{s.a << stride, s.b<<stride | s.a>>(64-stride)} }
func (s set) left() set  { return set{s.a>>stride | s.b<<(64-stride), s.b >> stride} }

// bit returns the set of one cell.
func bit(c uint) set {
	x, hi := uint64(1)<<(c&63), uint64(c>>6&1)
	return set{x &^ -hi, x & -hi}
}

// has returns 1 for a member and 0 otherwise; cells are taken modulo Cells.
func (s set) has(c uint) uint {
	w := s.a ^ (s.a^s.b)&-uint64(c>>6&1)
	return uint(w>>(c&63)) & 1
}

func (s set) count() uint { return uint(bits.OnesCount64(s.a) + bits.OnesCount64(s.b)) }

// nth returns the member with k members below it.
func (s set) nth(k uint) uint {
	low := uint(bits.OnesCount64(s.a))
	over := (low - 1 - k) >> 63 // 1 if the member is in the upper word
	m := -uint64(over)
	return over<<6 + pick(s.a&^m|s.b&m, k-low&uint(m))
}

// first returns the lowest member of a set that is not empty.
func (s set) first() uint {
	if s.a != 0 {
		return uint(bits.TrailingZeros64(s.a))
	}
	return 64 + uint(bits.TrailingZeros64(s.b))
}

// fill spreads from the start by layers of equal cost; dear cells cost 2 and are entered a
// layer late. It is written out word by word because it is the hottest loop.
func fill(from, cheap, dear set, layers uint8) set {
	a, b := from.a, from.b
	var la, lb uint64 // neighbours of the layer before
	for ; layers > 0; layers-- {
		na := a | a<<1 | a>>1 | b<<63 | a<<stride | a>>stride | b<<(64-stride)
		nb := b | b<<1 | b>>1 | a>>63 | b<<stride | b>>stride | a>>(64-stride)
		a |= na&cheap.a | la&dear.a
		b |= nb&cheap.b | lb&dear.b
		la, lb = na, nb
	}
	return set{a, b}
}
