package count

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
