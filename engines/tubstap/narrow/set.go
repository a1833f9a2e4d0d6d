package narrow

import "math/bits"

const (
	// cells is the number of bits of a set, last the last cell.
	cells = 128
	last  = cells - 1
	// stride leads from a column to the next: a column's cells and a spare one.
	stride = 11
	// columns are in a word, so that nothing goes from word to word but sideways.
	columns = 5
	// maxRows and maxColumns leave spare cells at the end of each word; the last of all stands
	// for the neighbours off the board.
	maxRows, maxColumns = 10, 2 * columns
	// across leads from the last column of a word to the first.
	across = (columns - 1) * stride
)

// set is a set of cells. Columns follow one another, each with a spare row
// at its end, so that the order of bits is the order of the move list and a
// shift by one never wraps into the next column. Strides are constant
// because shifts by a variable cost three times as much. Shifts leave bits in
// spare cells; no reach and no side has any there.
type set struct{ a, b uint64 }

// at returns the cell in a column and row, counted from 0.
func at(column, row int) uint { return uint(column/columns*64 + column%columns*stride + row) }

// place returns the column and row of a cell.
func place(c uint) (column, row int) { return int(c/64*columns + c%64/stride), int(c % 64 % stride) }

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
func (s set) down() set  { return set{s.a << 1, s.b << 1} }
func (s set) up() set    { return set{s.a >> 1, s.b >> 1} }
func (s set) right() set { return set{s.a << stride, s.b<<stride | s.a>>across} }
func (s set) left() set  { return set{s.a>>stride | s.b<<across, s.b >> stride} }

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

// flood returns what a unit of the kind reaches from a cell when enemies are in its way. It spreads
// from the start by layers of equal cost; dear cells cost 2 and are entered a layer late. It is
// written out word by word because it is the hottest loop.
func (l *layout) flood(kind uint8, from uint, enemies set) set {
	cheap, dear := &l.cheap[kind&(kinds-1)], &l.dear[kind&(kinds-1)]
	ca, cb := cheap.a&^enemies.a, cheap.b&^enemies.b
	da, db := dear.a&^enemies.a, dear.b&^enemies.b
	start := bit(from)
	a, b := start.a, start.b
	var la, lb uint64 // neighbours of the layer before
	for layers := l.points[kind&(kinds-1)]; layers > 0; layers-- {
		na := a | a<<1 | a>>1 | a<<stride | a>>stride | b<<across
		nb := b | b<<1 | b>>1 | b<<stride | b>>stride | a>>across
		a |= na&ca | la&da
		b |= nb&cb | lb&db
		la, lb = na, nb
	}
	return set{a, b}
}
