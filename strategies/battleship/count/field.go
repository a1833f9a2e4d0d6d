package count

import (
	"math/bits"

	"sakusen/engines/battleship"
)

// maxClasses bounds the classes of a book; a task with more is not swept.
const maxClasses = 1 << 13

// A class is all profiles with the same ships to finish: how many ships have
// 1, 2, 3, ... rows to go, in whichever columns. What else a profile needs to
// know, the ships in place, depends on the class alone.
type class struct {
	key    uint64 // ships with v rows to go in the four bits from 4(v-1)
	active int    // ships
	longer [17]uint8
	more   [17]int32 // by rows to go, the class with one more; 0 not known, -1 none
	less   int32     // the class a row further on; 0 not known
}

// A book numbers the classes as they come up, from 1: the first is empty.
type book struct {
	ring    *ring
	classes []class
	index   map[uint64]int32
	most    int // ships in a class at most
	limit   int // classes
	full    bool
}

func newBook(r *ring, most int) *book {
	return &book{ring: r, classes: make([]class, 2), index: map[uint64]int32{0: 1}, most: most, limit: maxClasses}
}

// more returns the class id with one more ship that has v rows to go; -1 when
// the fleet has not got the ships.
func (b *book) more(id int32, v int) int32 {
	if known := b.classes[id].more[v]; known != 0 {
		return known
	}
	next := b.open(b.classes[id].key + 1<<(4*(v-1)))
	b.classes[id].more[v] = next
	return next
}

// less returns the class id a row further on.
func (b *book) less(id int32) int32 {
	if known := b.classes[id].less; known != 0 {
		return known
	}
	next := b.open(b.classes[id].key >> 4)
	b.classes[id].less = next
	return next
}

func (b *book) open(key uint64) int32 {
	if id, ok := b.index[key]; ok {
		return id
	}
	c := class{key: key}
	for v := 16; v >= 1; v-- {
		c.active += int(key >> (4 * (v - 1)) & 15)
		c.longer[v] = uint8(c.active)
	}
	id := int32(-1)
	switch {
	case c.active > b.most || !b.ring.covers(b.ring.size-1, &c):
	case len(b.classes) >= b.limit:
		b.full = true
	default:
		id = int32(len(b.classes))
		b.classes = append(b.classes, c)
	}
	b.index[key] = id
	return id
}

// covers reports whether the ships of a multiset can be those of a class.
func (r *ring) covers(u int, c *class) bool {
	for v := 1; v <= r.lengths[0]; v++ {
		if c.longer[v] > r.longer[u][v] {
			return false
		}
	}
	return true
}

// A ring holds the multisets of ships that a sweep keeps apart: how many of
// each size are in place. A multiset is a number, mixed radix, the digit of
// size i worth stride[i]; sums of multisets are sums of numbers.
type ring struct {
	lengths []int // different lengths, longest first
	ships   []int // of each length
	stride  []int
	size    int         // multisets
	digits  [][]uint8   // of each multiset
	members []int       // ships in it
	squares []int       // squares they cover
	room    [][]uint16  // by size, the multisets to which one more may be added
	longer  [][17]uint8 // ships of at least so many squares
}

func newRing(lengths, ships []int) *ring {
	r := &ring{lengths: lengths, ships: ships, stride: make([]int, len(ships)), size: 1, room: make([][]uint16, len(ships))}
	for i, n := range ships {
		r.stride[i] = r.size
		r.size *= n + 1
	}
	for u := range r.size {
		digits := make([]uint8, len(ships))
		var longer [17]uint8
		members, squares := 0, 0
		for i, n := range ships {
			digit := u / r.stride[i] % (n + 1)
			digits[i] = uint8(digit)
			members += digit
			squares += digit * lengths[i]
			for v := 1; v <= lengths[i]; v++ {
				longer[v] += uint8(digit)
			}
			if digit < n {
				r.room[i] = append(r.room[i], uint16(u))
			}
		}
		r.digits = append(r.digits, digits)
		r.members = append(r.members, members)
		r.squares = append(r.squares, squares)
		r.longer = append(r.longer, longer)
	}
	return r
}

// fits reports whether u and j together are not more than the fleet.
func (r *ring) fits(u, j int) bool {
	for i, n := range r.ships {
		if int(r.digits[u][i]+r.digits[j][i]) > n {
			return false
		}
	}
	return true
}

// sums returns for every multiset how many others of at most so many squares
// may be added to it.
func (r *ring) sums(squares int) []int {
	n := make([]int, r.size)
	for u := range n {
		for j := range r.size {
			if r.squares[j] <= squares && r.fits(u, j) {
				n[u]++
			}
		}
	}
	return n
}

// A field is the board as a sweep sees it: rows to go through, ships that lie
// across, in a row, or down. The sweep column by column sees it turned.
type field struct {
	width, height int
	square        [battleship.MaxSide][battleship.MaxSide]battleship.Square // by row and column
	free, open    [battleship.MaxSide]uint16                                // columns
	across, down  [][battleship.MaxSide]uint16                              // by size and row, columns in which a ship may start
}

// newField returns the field of a task, turned or not.
func (c *ships) newField(t *task, turned bool) *field {
	b := c.board
	f := &field{width: b.Width(), height: b.Height()}
	if turned {
		f.width, f.height = f.height, f.width
	}
	at := func(s battleship.Square) (row, column int) {
		if turned {
			return b.Column(s), b.Row(s)
		}
		return b.Row(s), b.Column(s)
	}
	mark := func(rows *[battleship.MaxSide]uint16, set battleship.Set) {
		for s := range set.All() {
			row, column := at(s)
			rows[row] |= 1 << column
		}
	}
	for s := range b.All().All() {
		row, column := at(s)
		f.square[row][column] = s
	}
	mark(&f.free, t.free)
	mark(&f.open, t.open)
	for i := range c.sizes {
		if c.length[i] == 1 || t.left[i] == 0 {
			continue
		}
		from := c.fits(c.length[i], t.free.Or(t.open), t.open)
		if turned {
			from[0], from[1] = from[1], from[0]
		}
		var across, down [battleship.MaxSide]uint16
		mark(&across, from[0])
		mark(&down, from[1])
		f.across, f.down = append(f.across, across), append(f.down, down)
	}
	return f
}

// goes returns for a row the values that a column's place in a profile may
// have, a bit each: v when a ship may have v rows to go, this one too, that
// started at least so many rows above.
func (f *field) goes(lengths []int, row, least int) (values [battleship.MaxSide]uint32) {
	for i, length := range lengths {
		for above := least; above < length && above <= row; above++ {
			for columns := f.down[i][row-above]; columns != 0; columns &= columns - 1 {
				values[bits.TrailingZeros16(columns)] |= 1 << (length - above)
			}
		}
	}
	return values
}
