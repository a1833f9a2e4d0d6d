package positions

import "math/bits"

// index finds positions by key, by open addressing. Go's map took three times
// the memory and twice the time.
type index struct {
	slots []indexed
	used  int
	shift uint
}

// indexed is an entry; key 0, which no position has, is a free one.
type indexed struct {
	key uint64
	at  int32
}

func newIndex() index {
	var x index
	x.resize(10)
	return x
}

func (x *index) resize(size int) {
	old := x.slots
	x.slots = make([]indexed, 1<<size)
	x.shift = uint(64 - size)
	for _, e := range old {
		if e.key != 0 {
			x.slots[x.find(e.key)] = e
		}
	}
}

// find is the slot with the key, or the free one it would take.
func (x *index) find(key uint64) int {
	mask := len(x.slots) - 1
	i := int(key * 0x9e3779b97f4a7c15 >> x.shift)
	for x.slots[i].key != 0 && x.slots[i].key != key {
		i = (i + 1) & mask
	}
	return i
}

func (x *index) get(key uint64) (int32, bool) {
	e := x.slots[x.find(key)]
	return e.at, e.key != 0
}

func (x *index) put(key uint64, at int32) {
	x.slots[x.find(key)] = indexed{key, at}
	x.used++
	if x.used*2 > len(x.slots) {
		x.resize(bits.Len(uint(len(x.slots))))
	}
}
