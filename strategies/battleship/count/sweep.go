package count

import (
	"math"

	"sakusen/engines/battleship"
)

// A sweep goes through the rows of a field and counts the arrangements in which
// at most so many ships lie down.
type sweep[T word] struct {
	field *field
	book  *book
	down  int
	lists []*list // by class
	room  int     // numbers that a new layer has room for

	known                [][]term[T] // of the row, by the columns taken
	taken                []uint16    // those known
	putRight, worthRight [battleship.MaxSide + 1][]T

	here       layer[T]                 // in a row, its starts done
	begun      []begun                  // the starts, in order
	able       []int32                  // profiles of here in which more may start
	out, price []T                      // numbers of one profile, and what they are worth
	spare      []*layer[T]              // to be used again
	total      T                        // arrangements
	sum        [battleship.MaxSquares]T // and those with a ship on a square
}

// begun is a start: a profile, the one that it becomes, and the ship's size.
type begun struct{ from, to, size int32 }

func newSweep[T word](d *side) *sweep[T] {
	f, b, down := d.field, d.book, d.down
	b.limit = math.MaxInt32
	s := &sweep[T]{field: f, book: b, down: down, room: d.between, known: make([][]term[T], 1<<f.width)}
	s.here.data = make([]T, 0, d.inside)
	for c := range f.width + 1 {
		s.putRight[c], s.worthRight[c] = make([]T, b.ring.size), make([]T, b.ring.size)
	}
	s.out, s.price = make([]T, b.ring.size*(down+1)), make([]T, b.ring.size*(down+1))
	return s
}

// layer returns an empty layer.
func (s *sweep[T]) layer() *layer[T] {
	n := len(s.spare)
	if n == 0 {
		l := &layer[T]{data: make([]T, 0, s.room)}
		l.reset()
		return l
	}
	l := s.spare[n-1]
	s.spare = s.spare[:n-1]
	l.reset()
	return l
}

// block returns the numbers of a profile of here in data of the same layout.
func (s *sweep[T]) block(data []T, i int) []T {
	if i+1 < len(s.here.at) {
		return data[s.here.at[i]:s.here.at[i+1]]
	}
	return data[s.here.at[i]:]
}

// A list says which numbers the profiles of a class have in a sweep: one for
// each multiset of ships in place, and each number of them that lie down,
// of those that can be. It holds where the numbers go in a step.
type list struct {
	n     int      // numbers
	place []int16  // by multiset and ships down, -1 if there is no such number
	more  []int32  // by size, the class when a ship starts down, -1 if none may
	start [][]pair // by size, to the list of that class
	less  int32    // the class after the row
	after []pair   // to the list of that class
	put   [][]pair // by multiset of ships put across
}

// list returns the list of a class.
func (s *sweep[T]) list(id int32) *list {
	for int(id) >= len(s.lists) {
		s.lists = append(s.lists, nil)
	}
	if l := s.lists[id]; l != nil {
		return l
	}
	r, c := s.book.ring, &s.book.classes[id]
	l := &list{place: make([]int16, r.size*(s.down+1)), more: make([]int32, len(r.ships)), start: make([][]pair, len(r.ships))}
	for u := range r.size {
		covers := r.covers(u, c)
		for d := range s.down + 1 {
			l.place[u*(s.down+1)+d] = -1
			if covers && d >= c.active && d <= r.members[u] {
				l.place[u*(s.down+1)+d] = int16(l.n)
				l.n++
			}
		}
	}
	s.lists[id] = l
	return l
}

// each calls yield for every number of a list.
func (s *sweep[T]) each(l *list, yield func(n uint16, multiset, down int)) {
	for i, n := range l.place {
		if n >= 0 {
			yield(uint16(n), i/(s.down+1), i%(s.down+1))
		}
	}
}

// starts returns the class that follows when a ship of a size starts, -1 if none may, and
// where the numbers go.
func (s *sweep[T]) starts(id int32, size int) (int32, []pair) {
	l := s.list(id)
	if l.more[size] != 0 {
		return l.more[size], l.start[size]
	}
	r := s.book.ring
	more := int32(-1)
	if s.book.classes[id].active < s.down {
		more = s.book.more(id, r.lengths[size])
	}
	l.more[size] = more
	if more < 0 {
		return more, nil
	}
	to := s.list(more)
	s.each(l, func(n uint16, u, d int) {
		if d < s.down && int(r.digits[u][size]) < r.ships[size] {
			l.start[size] = append(l.start[size], pair{n, uint16(to.place[(u+r.stride[size])*(s.down+1)+d+1])})
		}
	})
	return more, l.start[size]
}

// ends returns the class after a row, and where the numbers go.
func (s *sweep[T]) ends(id int32) (int32, []pair) {
	l := s.list(id)
	if l.less == 0 {
		l.less = s.book.less(id)
		to := s.list(l.less)
		s.each(l, func(n uint16, u, d int) {
			l.after = append(l.after, pair{n, uint16(to.place[u*(s.down+1)+d])})
		})
	}
	return l.less, l.after
}

// puts returns where the numbers of a class go when ships are put across, by
// the multiset of these.
func (s *sweep[T]) puts(id int32) [][]pair {
	l := s.list(id)
	if l.put == nil {
		r := s.book.ring
		l.put = make([][]pair, r.size)
		for j := range r.size {
			if r.squares[j] > s.field.width {
				continue
			}
			s.each(l, func(n uint16, u, d int) {
				if r.fits(u, j) {
					l.put[j] = append(l.put[j], pair{n, uint16(l.place[(u+j)*(s.down+1)+d])})
				}
			})
		}
	}
	return l.put
}

// A word is a number of arrangements, modulo 2^64 or rounded to 53 bits.
type word interface{ uint64 | float64 }

// A layer is the profiles between two rows, or in one, with a number for each
// multiset of ships in place. A profile has four bits for each column: how many
// rows the ship in it has to go.
type layer[T word] struct {
	keys  []uint64
	class []int32
	at    []int // first number in data
	data  []T
	table []int32 // by hash, the profile's index and 1
	shift uint
}

// reset empties the layer.
func (l *layer[T]) reset() {
	l.keys, l.class, l.at, l.data = l.keys[:0], l.class[:0], l.at[:0], l.data[:0]
	if l.table == nil {
		l.table, l.shift = make([]int32, 1<<8), 64-8
		return
	}
	clear(l.table)
}

// copy makes l the same as m.
func (l *layer[T]) copy(m *layer[T]) {
	l.keys, l.class, l.at = append(l.keys[:0], m.keys...), append(l.class[:0], m.class...), append(l.at[:0], m.at...)
	l.data = append(l.data[:0], m.data...)
	if len(l.table) < len(m.table) {
		l.table, l.shift = make([]int32, len(m.table)), m.shift
	}
	l.hash()
}

// hash fills the table anew.
func (l *layer[T]) hash() {
	clear(l.table)
	for i, key := range l.keys {
		slot := l.slot(key)
		for l.table[slot] != 0 {
			slot = (slot + 1) & (len(l.table) - 1)
		}
		l.table[slot] = int32(i + 1)
	}
}

func (l *layer[T]) slot(key uint64) int { return int(key * 0x9e3779b97f4a7c15 >> l.shift) }

// find returns the index of a profile that is there.
func (l *layer[T]) find(key uint64) int {
	for slot := l.slot(key); ; slot = (slot + 1) & (len(l.table) - 1) {
		if i := int(l.table[slot]) - 1; l.keys[i] == key {
			return i
		}
	}
}

// open returns the index of a profile; a new one gets so many numbers, all 0.
func (l *layer[T]) open(key uint64, class int32, numbers int) int {
	slot := l.slot(key)
	for l.table[slot] != 0 {
		if i := int(l.table[slot]) - 1; l.keys[i] == key {
			return i
		}
		slot = (slot + 1) & (len(l.table) - 1)
	}
	i := len(l.keys)
	l.table[slot] = int32(i + 1)
	from := len(l.data)
	l.keys, l.class, l.at = append(l.keys, key), append(l.class, class), append(l.at, from)
	if from+numbers > cap(l.data) {
		grown := make([]T, from, from+numbers+max(1<<10, cap(l.data)/2))
		copy(grown, l.data)
		l.data = grown
	}
	l.data = l.data[:from+numbers]
	clear(l.data[from:])
	if 2*len(l.keys) > len(l.table) {
		l.table, l.shift = make([]int32, 2*len(l.table)), l.shift-1
		l.hash()
	}
	return i
}

// filled has a bit for each column of a profile that is not empty.
func filled(key uint64) uint64 {
	return (key | key>>1 | key>>2 | key>>3) & 0x1111111111111111
}

// columns returns the columns of a profile that are not empty.
func columns(key uint64) uint16 {
	x := filled(key)
	x = (x | x>>3) & 0x0303030303030303
	x = (x | x>>6) & 0x000f000f000f000f
	x = (x | x>>12) & 0x000000ff000000ff
	return uint16(x | x>>24)
}
