package narrow

import "math/bits"

// Cells is the number of bits of a set.
const Cells = 128

// set is a set of cells. Columns follow one another, each with a spare row
// at its end, so that the order of bits is the order of the move list and a
// shift by one never wraps into the next column.
type set struct{ a, b uint64 }

func (s set) and(t set) set     { return set{s.a & t.a, s.b & t.b} }
func (s set) or(t set) set      { return set{s.a | t.a, s.b | t.b} }
func (s set) xor(t set) set     { return set{s.a ^ t.a, s.b ^ t.b} }
func (s set) without(t set) set { return set{s.a &^ t.a, s.b &^ t.b} }
func (s set) meets(t set) bool  { return s.a&t.a|s.b&t.b != 0 }
func (s set) empty() bool       { return s.a|s.b == 0 }

// up and down shift by 1 to 63 cells.
func (s set) up(n uint) set {
	return set{s.a << (n & 63), s.b<<(n&63) | s.a>>((64-n)&63)}
}

func (s set) down(n uint) set {
	return set{s.a>>(n&63) | s.b<<((64-n)&63), s.b >> (n & 63)}
}

// bit is the set of one cell.
func bit(c uint) set {
	x, hi := uint64(1)<<(c&63), uint64(c>>6&1)
	return set{x &^ -hi, x & -hi}
}

// has is 1 for a member and 0 otherwise; cells are taken modulo Cells.
func (s set) has(c uint) uint {
	hi := -uint64(c >> 6 & 1)
	return uint((s.a&^hi|s.b&hi)>>(c&63)) & 1
}

func (s set) count() uint { return uint(bits.OnesCount64(s.a) + bits.OnesCount64(s.b)) }

// nth is the member with k members below it.
func (s set) nth(k uint) uint {
	low := uint(bits.OnesCount64(s.a))
	over := (low - 1 - k) >> 63 // 1 if the member is in the upper word
	m := -uint64(over)
	return over<<6 + pick(s.a&^m|s.b&m, k-low&uint(m))
}

// first is the lowest member of a set that is not empty.
func (s set) first() uint {
	if s.a != 0 {
		return uint(bits.TrailingZeros64(s.a))
	}
	return 64 + uint(bits.TrailingZeros64(s.b))
}
