package wide

import "math/bits"

const (
	// cells is the number of bits of a set, last the last cell.
	cells = 256
	last  = cells - 1
	// stride leads from a column to the next: a column's cells and a spare one.
	stride = 16
	// maxRows and maxColumns leave a spare column at the end, so that a
	// neighbour off the board is a spare cell, counted modulo Cells.
	maxRows, maxColumns = 15, 15
)

// set is a set of cells; see the package narrow.
type set struct{ a, b, c, d uint64 }

// at returns the cell in a column and row, counted from 0.
func at(column, row int) uint { return uint(column*stride + row) }

// place returns the column and row of a cell.
func place(c uint) (column, row int) { return int(c / stride), int(c % stride) }

func (s set) and(t set) set     { return set{s.a & t.a, s.b & t.b, s.c & t.c, s.d & t.d} }
func (s set) or(t set) set      { return set{s.a | t.a, s.b | t.b, s.c | t.c, s.d | t.d} }
func (s set) xor(t set) set     { return set{s.a ^ t.a, s.b ^ t.b, s.c ^ t.c, s.d ^ t.d} }
func (s set) without(t set) set { return set{s.a &^ t.a, s.b &^ t.b, s.c &^ t.c, s.d &^ t.d} }
func (s set) meets(t set) bool  { return s.a&t.a|s.b&t.b|s.c&t.c|s.d&t.d != 0 }
func (s set) empty() bool       { return s.a|s.b|s.c|s.d == 0 }

// hit returns 1 if the sets meet and 0 otherwise.
func (s set) hit(t set) uint16 {
	if s.a&t.a|s.b&t.b|s.c&t.c|s.d&t.d != 0 {
		return 1
	}
	return 0
}

// down, up, left and right shift a set by one cell.
func (s set) down() set {
	return set{s.a << 1, s.b<<1 | s.a>>63, s.c<<1 | s.b>>63, s.d<<1 | s.c>>63}
}

func (s set) up() set {
	return set{s.a>>1 | s.b<<63, s.b>>1 | s.c<<63, s.c>>1 | s.d<<63, s.d >> 1}
}

func (s set) right() set {
	const r = 64 - stride
	return set{s.a << stride, s.b<<stride | s.a>>r, s.c<<stride | s.b>>r, s.d<<stride | s.c>>r}
}

func (s set) left() set {
	const r = 64 - stride
	return set{s.a>>stride | s.b<<r, s.b>>stride | s.c<<r, s.c>>stride | s.d<<r, s.d >> stride}
}

// bit returns the set of one cell; cells are taken modulo Cells.
func bit(c uint) set { return single[c&last] }

// single holds the sets of one cell.
var single = func() (t [cells]set) {
	for c := range t {
		w := [4]uint64{}
		w[c>>6&3] = 1 << (c & 63)
		t[c] = set{w[0], w[1], w[2], w[3]}
	}
	return t
}()

// has returns 1 for a member and 0 otherwise; cells are taken modulo Cells.
func (s set) has(c uint) uint {
	odd := -uint64(c >> 6 & 1)
	low, high := s.a^(s.a^s.b)&odd, s.c^(s.c^s.d)&odd
	return uint((low^(low^high)&-uint64(c>>7&1))>>(c&63)) & 1
}

func (s set) count() uint {
	return uint(bits.OnesCount64(s.a) + bits.OnesCount64(s.b) + bits.OnesCount64(s.c) + bits.OnesCount64(s.d))
}

// nth returns the member with k members below it.
func (s set) nth(k uint) uint {
	low := uint(bits.OnesCount64(s.a) + bits.OnesCount64(s.b))
	over := (low - 1 - k) >> 63 // 1 if the member is in the upper half
	m := -uint64(over)
	x, y := s.a&^m|s.c&m, s.b&^m|s.d&m
	k -= low & uint(m)
	low = uint(bits.OnesCount64(x))
	odd := (low - 1 - k) >> 63
	m = -uint64(odd)
	return over<<7 + odd<<6 + pick(x&^m|y&m, k-low&uint(m))
}

// first returns the lowest member of a set that is not empty.
func (s set) first() uint {
	for i, w := range [4]uint64{s.a, s.b, s.c, s.d} {
		if w != 0 {
			return uint(i<<6 + bits.TrailingZeros64(w))
		}
	}
	return cells
}

// flood returns what a unit of the kind reaches from a cell when enemies are in its way. It spreads
// from the start by layers of equal cost; dear cells cost 2 and are entered a layer late.
func (l *layout) flood(kind uint8, from uint, enemies set) set {
	cheap, dear := l.cheap[kind&(kinds-1)].without(enemies), l.dear[kind&(kinds-1)].without(enemies)
	now := bit(from)
	var before set
	for layers := l.points[kind&(kinds-1)]; layers > 0; layers-- {
		near := now.or(now.up()).or(now.down()).or(now.left()).or(now.right())
		now = now.or(near.and(cheap)).or(before.and(dear))
		before = near
	}
	return now
}
