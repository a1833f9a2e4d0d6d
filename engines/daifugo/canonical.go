package daifugo

import "math/bits"

// Canonical is all of a position that its future depends on: the unfinished
// hands as seen from the mover, with kinds that nobody holds squeezed out; the
// table's card, counted in the kinds that are left; and the passes left before
// the table clears, which replace "who played last" and "who is out". Two
// positions with the same Canonical and the same ranks left to give have equal
// values, and equal search trees, up to the names of seats and ranks.
type Canonical struct {
	Hands  [MaxSeats]Hand // of the Seats unfinished seats, mover first
	Seats  uint8          // unfinished seats
	Kinds  uint8          // kinds of card somebody still holds
	Table  uint8          // of those kinds, the number whose card the table's card is not below
	Passes uint8          // passes left before the table clears; 0: it is empty
}

// Canonical of a position that is not over.
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
		// that played last and is out; everybody has a turn then.
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

// Position is a game of its own that goes on as the positions with this
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
