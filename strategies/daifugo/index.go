package daifugo

import (
	"math/bits"

	"sakusen/engines/daifugo"
)

// layout numbers the entries of one layer without gaps or hashing.
//
// An entry is "seat 0 has just played kind v, and the hands are now H", where
// seat 0 is whoever played: rotating the seats makes it so. H is split in
// seat 0's own hand and the others'. Entries with the same others' hands lie
// in one block, ordered by the rank of the own hand among those with as many
// cards, then by the kind played, counted among the kinds the own hand lacks.
// So all children of one seat's moves lie in one block of the layer below.
type layout struct {
	cards int // cards left in all hands
	kinds uint
	low   uint       // bits in the low part of the others' hands
	mask  uint64     // of the low part
	high  []uint64   // entries before the high part
	lower [][]uint32 // entries before the low part, by cards in the high part
	size  uint64     // entries in all
}

// newLayout numbers the entries with the given number of cards left.
func newLayout(r daifugo.Rules, cards int) *layout {
	others := uint((r.Seats - 1) * r.Cards)
	l := &layout{cards: cards, kinds: uint(r.Cards), low: others / 2}
	l.mask = 1<<l.low - 1
	block := blocks(r.Cards, cards)
	top := int(others - l.low)
	l.lower = make([][]uint32, top+1)
	whole := make([]uint64, top+1)
	for q := range l.lower {
		row := make([]uint32, 1<<l.low)
		var sum uint64
		for w := range row {
			row[w] = uint32(sum)
			sum += block(q + bits.OnesCount(uint(w)))
		}
		l.lower[q], whole[q] = row, sum
	}
	l.high = make([]uint64, 1<<top)
	for w := range l.high {
		l.high[w] = l.size
		l.size += whole[bits.OnesCount(uint(w))]
	}
	return l
}

// blocks gives the entries of a block by the number of cards the others hold.
func blocks(kinds, cards int) func(others int) uint64 {
	return func(others int) uint64 {
		own := cards - others
		if own < 0 || own > kinds {
			return 0
		}
		return binomial(kinds, own) * uint64(kinds-own)
	}
}

// entries of a layer, without making its layout.
func entries(r daifugo.Rules, cards int) uint64 {
	block := blocks(r.Cards, cards)
	var sum uint64
	others := (r.Seats - 1) * r.Cards
	for held := range others + 1 {
		sum += binomial(others, held) * block(held)
	}
	return sum
}

// block is where the entries with the given others' hands start.
func (l *layout) block(others uint64) uint64 {
	high := others >> l.low
	return l.high[high] + uint64(l.lower[bits.OnesCount64(high)][others&l.mask])
}

func binomial(n, k int) uint64 {
	if k < 0 || k > n {
		return 0
	}
	b := uint64(1)
	for i := range k {
		b = b * uint64(n-i) / uint64(i+1)
	}
	return b
}

// rankHands gives every hand of so many kinds its rank among the hands with as
// many cards.
func rankHands(kinds int) []uint16 {
	seen := make([]uint16, kinds+1)
	ranks := make([]uint16, 1<<kinds)
	for h := range ranks {
		n := bits.OnesCount(uint(h))
		ranks[h] = seen[n]
		seen[n]++
	}
	return ranks
}

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
