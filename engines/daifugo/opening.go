package daifugo

import (
	"fmt"
	"math/bits"

	"sakusen/engines/arena"
)

// Hands that the others see.
const (
	OpenHands   = "open"
	HiddenHands = "hidden"
)

// Blind is a Player that can play with hidden hands as they are. Any other player
// is given one deal that the mover holds possible, drawn anew for every move, and
// takes it for the truth.
type Blind interface {
	Player
	// ChooseBlind is Choose by what the mover can know.
	ChooseBlind(v *View, chance *arena.Stream) (m Move, nodes int64)
}

// View is what the mover knows when hands are hidden: its own hand, how many cards
// the others hold, and every card that was played. As each seat's hand is dealt for
// itself, the cards that a seat still holds are, for all that the cards tell, any
// so many of the kinds that it has not played: all such hands are equally likely.
// What a seat's passes tell is left out.
type View struct {
	known  Position // the hands of the others are empty, but for their number of cards
	counts [MaxSeats]int
	played [MaxSeats]Hand
}

// See returns the mover's view of a position; played are the kinds that each seat has
// played since the deal.
func See(p *Position, played []Hand) View {
	v := View{known: *p}
	for i := range int(p.seats) {
		v.counts[i] = p.hands[i].Len()
		v.played[i] = played[i]
		if i != p.Turn() {
			v.known.hands[i] = 0
		}
	}
	return v
}

// Played returns the kinds that a seat has played.
func (v *View) Played(seat int) Hand { return v.played[seat] }

// Moves appends the mover's legal moves to dst, as Position.Moves does.
func (v *View) Moves(dst []Move) []Move { return v.known.Moves(dst) }

// Deal draws a position that the mover holds possible.
func (v *View) Deal(chance *arena.Stream) Position {
	p := v.known
	for i := range int(p.seats) {
		if i != p.Turn() {
			p.hands[i] = draw(fullHand(int(p.cards))&^v.played[i], v.counts[i], chance)
		}
	}
	return p
}

// draw takes n of the given kinds, each set of so many equally likely.
func draw(from Hand, n int, chance *arena.Stream) Hand {
	var h Hand
	for left := from.Len(); n > 0; left-- {
		lowest := Hand(1) << bits.TrailingZeros16(uint16(from))
		from &^= lowest
		if chance.IntN(left) < n {
			h |= lowest
			n--
		}
	}
	return h
}

// phases that share the openings of a seed, each with a quarter of its own.
const phases = 4

// Purposes of the streams that order the openings.
const (
	shuffling arena.Purpose = 2 + iota // all openings, the same for every seed
	ordering                           // a phase's openings, by seed
)

// openings returns the number of distinct openings with unequal hands that each
// phase has: a quarter of all, all being every way to give each seat at least
// one card.
func openings(r Rules) int64 {
	all := uint64(1)
	for range r.Seats {
		all *= 1<<r.Cards - 1
	}
	return int64(all / phases)
}

// opening returns the hands of one block. All openings are shuffled once and for
// all, and each phase has a stretch of them: so what is tuned on is never
// validated on, whatever the seeds. The seed orders the stretch, and the block
// is an index in it: so no opening is met twice in a series. A block beyond the
// last is an error.
func opening(r Rules, fx *arena.Fixture) ([]Hand, error) {
	n := openings(r)
	if fx.Block >= n {
		return nil, fmt.Errorf("daifugo-solve: block %d: expected a block below %d: %d players with %d kinds have no more distinct openings for each phase",
			fx.Block, n, r.Seats, r.Cards)
	}
	own := arena.Fixture{Seed: fx.Seed, Phase: fx.Phase}
	keys := own.Chance(ordering)
	order := newPermutation(bits.Len64(uint64(n-1)), &keys)
	index := order.within(uint64(fx.Block), func(i uint64) bool { return i < uint64(n) })
	index += uint64(fx.Phase) * uint64(n)
	var word uint64
	kinds := uint64(1)<<r.Cards - 1
	for i := range r.Seats {
		word |= (1 + index%kinds) << (i * r.Cards)
		index /= kinds
	}
	keys = (&arena.Fixture{}).Chance(shuffling)
	all := newPermutation(r.Seats*r.Cards, &keys)
	word = all.within(word, func(w uint64) bool {
		for i := range r.Seats {
			if w>>(i*r.Cards)&kinds == 0 {
				return false
			}
		}
		return true
	})
	hands := make([]Hand, r.Seats)
	for i := range hands {
		hands[i] = Hand(word >> (i * r.Cards) & kinds)
	}
	return hands, nil
}

// permutation is a one-to-one map of words that depends on a key: Feistel rounds that
// change a low and a high part in turn, of unequal sizes if the width is odd.
type permutation struct {
	low, high uint
	keys      [8]uint64
}

func newPermutation(width int, keys *arena.Stream) permutation {
	p := permutation{low: uint(width) / 2}
	p.high = uint(width) - p.low
	for i := range p.keys {
		p.keys[i] = keys.Uint64()
	}
	return p
}

// within returns the permutation of those words for which in holds; word is one of them. It
// repeats the map until the result is one of them too (cycle walking, Black and Rogaway
// 2002).
func (p *permutation) within(word uint64, in func(word uint64) bool) uint64 {
	for {
		if word = p.at(word); in(word) {
			return word
		}
	}
}

func (p *permutation) at(word uint64) uint64 {
	a, b := word&(1<<p.low-1), word>>p.low
	for i, k := range p.keys {
		if i%2 == 0 {
			b ^= scramble(a, k) >> (64 - p.high) // by 64 where the part is empty: 0
		} else {
			a ^= scramble(b, k) >> (64 - p.low)
		}
	}
	return a | b<<p.low
}

// scramble makes the high bits of the result depend on all of x and key.
func scramble(x, key uint64) uint64 {
	hi, lo := bits.Mul64(x^key, 0x9E3779B97F4A7C15)
	z := hi ^ lo ^ key
	return (z ^ z>>29) * 0xBF58476D1CE4E5B9
}

// Canonical has all parts of a position on which its future depends. These are the unfinished
// hands, the mover's first, with the kinds that no hand has left out and the others numbered
// anew. The table's card is counted in the kinds that are left. Last come the passes left
// before the table clears, which replace "who played last" and "who is out". Two positions with
// the same Canonical and the same ranks left to give have equal values, and equal search trees,
// up to the names of seats and ranks.
type Canonical struct {
	Hands  [MaxSeats]Hand // of the Seats unfinished seats, mover first
	Seats  uint8          // unfinished seats
	Kinds  uint8          // kinds of card that are left in hands
	Table  uint8          // of those kinds, the number whose card the table's card is not below
	Passes uint8          // passes left before the table clears; 0: it is empty
}

// Canonical returns the canonical form of a position that is not over.
func (p *Position) Canonical() Canonical {
	var c Canonical
	var held Hand
	for i := range p.seats {
		held |= p.hands[i]
	}
	c.Kinds = uint8(held.Len())
	squeeze := held != fullHand(int(c.Kinds))
	seat := p.turn
	met := p.table == 0
	for i := range p.seats {
		// i > 0: in a Position made by Canonical.Position the mover may stand in for a seat
		// that played last and is out; every player has a turn then.
		if seat == p.last && i > 0 {
			met = true
		}
		if h := p.hands[seat]; h != 0 {
			if squeeze {
				h = extract(h, held)
			}
			c.Hands[c.Seats] = h
			c.Seats++
			if !met {
				c.Passes++
			}
		}
		seat++
		if seat == int8(p.seats) {
			seat = 0
		}
	}
	c.Table = uint8(bits.OnesCount16(uint16(held & fullHand(int(p.table)))))
	return c
}

// extract moves the bits of h that are in mask next to one another.
func extract(h, mask Hand) Hand {
	var out, bit Hand = 0, 1
	for ; mask != 0; mask &= mask - 1 {
		if h&mask&-mask != 0 {
			out |= bit
		}
		bit <<= 1
	}
	return out
}

// Key packs the position into 64 bits: equal keys, equal positions. cards is
// the number of kinds of the game; Seats x cards is at most MaxHeld.
func (c *Canonical) Key(cards int) uint64 {
	key := uint64(c.Seats)<<8 | uint64(c.Table)<<4 | uint64(c.Passes)
	for i := int(c.Seats) - 1; i >= 0; i-- {
		key = key<<cards | uint64(c.Hands[i])
	}
	return key
}

// Key packs what the paper's transposition table keys on into 64 bits: turn,
// hands, table card, seat that played last, and, as the empty hands, who is
// ranked. Of a position that is not over it is never 0.
func (p *Position) Key() uint64 {
	key := uint64(p.turn)<<8 | uint64(p.table)<<4 | uint64(p.last+1)
	for i := int(p.seats) - 1; i >= 0; i-- {
		key = key<<p.cards | uint64(p.hands[i])
	}
	return key
}

// Position returns a game of its own that goes on as the positions with this
// Canonical do: its seats are the unfinished ones, the mover first, its kinds
// those still held, and ranks the rank kinds left to give. When the seat that
// played last is out, its place is taken by the next one: that seat leads
// after the clear, and gets its turn before.
func (c *Canonical) Position(ranks int) Position {
	p := Position{hands: c.Hands, seats: c.Seats, cards: c.Kinds, ranks: uint8(ranks), last: none}
	if c.Passes == 0 {
		return p
	}
	p.table = c.Table
	p.last = int8(c.Passes % c.Seats)
	if p.table == 0 {
		// The card on the table is lower than all that are held: give it a kind.
		p.table, p.cards = 1, p.cards+1
		for i := range p.seats {
			p.hands[i] <<= 1
		}
	}
	return p
}
