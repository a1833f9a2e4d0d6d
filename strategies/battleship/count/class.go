package count

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
