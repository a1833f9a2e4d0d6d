package daifugo

import (
	"math/bits"

	"sakusen/engines/daifugo"
)

// layout numbers the entries of one layer without gaps or hashing.
//
// An entry is "seat 0 has just played kind v, and the hands are now H", where
// the seats are rotated so that seat 0 is the one that played. H is split in
// seat 0's own hand and the others'. Entries with the same others' hands lie
// in one block, ordered by the rank of the own hand among those with as many
// cards, then by the kind played, counted among the kinds the own hand lacks.
// So all children of one seat's moves lie in one block of the layer below.
type layout struct {
	cards int        // cards left in all hands
	low   uint       // bits in the low part of the others' hands
	mask  uint64     // of the low part
	high  []uint64   // entries before the high part
	lower [][]uint32 // entries before the low part, by cards in the high part
	size  uint64     // entries in all
}

// newLayout numbers the entries with the given number of cards left.
func newLayout(r daifugo.Rules, cards int) *layout {
	others := uint((r.Seats - 1) * r.Cards)
	l := &layout{cards: cards, low: others / 2}
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

// entries returns the number of entries of a layer, without making its layout.
func entries(r daifugo.Rules, cards int) uint64 {
	block := blocks(r.Cards, cards)
	var sum uint64
	others := (r.Seats - 1) * r.Cards
	for held := range others + 1 {
		sum += binomial(others, held) * block(held)
	}
	return sum
}

// block returns where the entries with the given others' hands start.
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

// find returns the slot with the key, or the free one it would take.
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

// word is what one value is stored in: the smallest type with Seats x Ranks
// bits.
type word interface{ uint16 | uint32 | uint64 }

// shape is what all groups of one rule set share.
type shape struct {
	daifugo.Rules
	rank  []uint16 // of a hand among those with as many cards
	width int      // bits in a value
	whole Value
	hands uint64 // bits in all hands
	one   uint64 // bits in one hand
}

func newShape(r daifugo.Rules) shape {
	return shape{
		Rules: r, rank: rankHands(r.Cards), width: r.Seats * r.Ranks,
		whole: ^Value(0) >> (64 - r.Seats*r.Ranks),
		hands: 1<<(r.Seats*r.Cards) - 1, one: 1<<r.Cards - 1,
	}
}

// turned returns the hands as the given seat sees them, itself in the low bits.
func (s *shape) turned(hands uint64, seat int) uint64 {
	by := seat * s.Cards
	return hands>>by | hands<<(s.Seats*s.Cards-by)&s.hands
}

// rotate moves a value seen from the given seat to seat 0's numbering.
func (s *shape) rotate(v Value, seat int) Value {
	by := seat * s.Ranks
	return v<<by&s.whole | v>>(s.width-by)
}

// unrotate returns the inverse of rotate.
func (s *shape) unrotate(v Value, seat int) Value {
	by := seat * s.Ranks
	return v>>by | v<<(s.width-by)&s.whole
}

// group is the work on one set of hands: every seat's children are looked up
// once in the layer below, and all entries of the group are made of them.
type group[W word] struct {
	shape
	below   *layout // nil under the lowest layer
	values  []W
	empties int                                            // seats without cards
	hand    [daifugo.MaxSeats]daifugo.Hand                 // by seat
	choice  [daifugo.MaxSeats][daifugo.MaxCards + 1]choice // of a seat's n highest cards
	lead    [daifugo.MaxSeats]Value                        // value when the seat leads
}

// load takes the hands, and looks up what every seat's cards lead to. It tells
// whether there is anything to do: a set of hands with Ranks-1 empty ones ends
// the game.
func (g *group[W]) load(hands uint64) bool {
	g.empties = 0
	for i := range g.Seats {
		g.hand[i] = daifugo.Hand(hands >> (i * g.Cards) & g.one)
		if g.hand[i] == 0 {
			g.empties++
		}
	}
	if g.empties >= g.Ranks-1 {
		return false
	}
	for i := range g.Seats {
		if g.hand[i] != 0 {
			g.seat(i, g.turned(hands, i))
		}
	}
	return true
}

// seat folds the children of one seat's cards, from the highest down, and
// keeps every state on the way: with kind t on the table only the cards above
// t may be played.
func (g *group[W]) seat(i int, turned uint64) {
	hand := g.hand[i]
	n := hand.Len()
	choice := &g.choice[i]
	choice[0] = newChoice()
	if n == 1 && g.empties == g.Ranks-2 {
		v := g.last(i)
		choice[1] = choice[0]
		choice[1].Add(v, v.at(i, g.Ranks))
		g.lead[i] = v
		return
	}
	base := g.below.block(turned >> g.Cards)
	missing := uint64(g.Cards - n + 1)
	for m := 1; m <= n; m++ {
		v := hand.Highest()
		hand &^= 1 << (v - 1)
		at := base + uint64(g.rank[g.hand[i]&^(1<<(v-1))])*missing + uint64(v-1-(n-m))
		child := g.rotate(Value(g.values[at]), i)
		choice[m] = choice[m-1]
		choice[m].Add(child, child.at(i, g.Ranks))
	}
	g.lead[i] = choice[n].value()
}

// last returns the value once a seat has played the card that ends the game.
func (g *group[W]) last(i int) Value {
	v := Value(0).With(i, g.Ranks-1, g.Ranks)
	for j := range g.Seats {
		if j != i && g.hand[j] != 0 {
			v = v.With(j, g.Ranks, g.Ranks)
		}
	}
	return v
}

// passed returns the value when the given seat leads after all others have passed.
func (g *group[W]) passed(seat int) Value {
	for g.hand[seat] == 0 {
		seat++
		if seat == g.Seats {
			seat = 0
		}
	}
	return g.lead[seat]
}

// fold goes back from the pass of the last player before the table clears to
// the turn of seat to: each of the seats from..to-1 backwards may play a card
// above table, or pass on to v.
func (g *group[W]) fold(v Value, seat, turns, table int) Value {
	for range turns {
		seat--
		if seat < 0 {
			seat = g.Seats - 1
		}
		if n := bits.OnesCount16(uint16(g.hand[seat] >> table)); n != 0 {
			v = g.choice[seat][n].plus(v, v.at(seat, g.Ranks))
		}
	}
	return v
}

// store makes the entries of the group in which the given seat has just
// played, and returns how many there are.
func (g *group[W]) store(l *layout, to []W, hands uint64, seat int) int {
	hand := g.hand[seat]
	missing := ^hand & daifugo.Hand(g.one)
	count := missing.Len()
	if count == 0 {
		return 0
	}
	turned := g.turned(hands, seat)
	at := l.block(turned>>g.Cards) + uint64(g.rank[hand])*uint64(count)
	var others daifugo.Hand
	for i := range g.Seats {
		if i != seat {
			others |= g.hand[i]
		}
	}
	lead := g.passed(seat)
	var own Value // the rank the seat has just got, if it is out
	if hand == 0 {
		own = own.With(0, g.empties, g.Ranks)
	}
	var v Value
	cut := daifugo.Hand(0)
	for i := range count {
		t := missing.Lowest()
		missing &= missing - 1
		// Kinds between which the others hold no card are one and the same.
		if above := others.Above(t); i == 0 || above != cut {
			cut = above
			v = g.unrotate(g.fold(lead, seat, g.Seats-1, t), seat) | own
		}
		to[at] = W(v)
		at++
	}
	return count
}
