package daifugo

import (
	"fmt"
	"math/bits"
)

// Move is the kind of the card played, or Pass.
type Move uint8

// Pass plays nothing.
const Pass Move = 0

func (m Move) String() string {
	if m == Pass {
		return "pass"
	}
	return fmt.Sprint(int(m))
}

// none is the seat of nobody: Last before the first card, Turn after the end.
const none = -1

// Position is one moment of a game. It is a value: copying it copies the
// game, and == compares two.
type Position struct {
	hands [MaxSeats]Hand
	rank  [MaxSeats]uint8 // 0 while unfinished
	seats uint8
	cards uint8
	ranks uint8
	out   uint8 // seats without cards
	table uint8
	turn  int8
	last  int8 // not reset when the table clears, because the transposition key has it
}

// New is the opening the paper searches: one card of every kind for everybody,
// seat 0 leads.
func New(r Rules) (Position, error) {
	if err := r.Validate(); err != nil {
		return Position{}, err
	}
	hands := make([]Hand, r.Seats)
	for i := range hands {
		hands[i] = fullHand(r.Cards)
	}
	return Deal(r, hands)
}

// Deal is an opening with the given hands, none of them empty; seat 0 leads.
func Deal(r Rules, hands []Hand) (Position, error) {
	if err := r.Validate(); err != nil {
		return Position{}, err
	}
	if len(hands) != r.Seats {
		return Position{}, fmt.Errorf("daifugo: hands: expected %d, got %d", r.Seats, len(hands))
	}
	p := Position{seats: uint8(r.Seats), cards: uint8(r.Cards), ranks: uint8(r.Ranks), last: none}
	for i, h := range hands {
		if h == 0 || h&^fullHand(r.Cards) != 0 {
			return Position{}, fmt.Errorf("daifugo: hands[%d]: expected cards of kinds 1 to %d, at least one, got %v", i, r.Cards, h.Kinds())
		}
		p.hands[i] = h
	}
	return p, nil
}

// Rules that the position is played by.
func (p *Position) Rules() Rules {
	return Rules{Seats: int(p.seats), Cards: int(p.cards), Ranks: int(p.ranks)}
}

// Turn is the seat to move, None after the end.
func (p *Position) Turn() int { return int(p.turn) }

// Last is the seat that played the last card, None before the first.
func (p *Position) Last() int { return int(p.last) }

// Table is the kind on the table, 0 when it is empty.
func (p *Position) Table() int { return int(p.table) }

// Hand of a seat.
func (p *Position) Hand(seat int) Hand { return p.hands[seat] }

// Out is the number of seats that have no cards left.
func (p *Position) Out() int { return int(p.out) }

// Rank of a seat, 1 for the best, 0 while it is open.
func (p *Position) Rank(seat int) int { return int(p.rank[seat]) }

// Over tells whether every seat has its rank.
func (p *Position) Over() bool { return p.turn == none }

// Playable is the part of the mover's hand that may be played now.
func (p *Position) Playable() Hand { return p.hands[p.turn].Above(int(p.table)) }

// MayPass tells whether passing is allowed: there is a card on the table.
func (p *Position) MayPass() bool { return p.table != 0 }

// Legal tells whether the mover may make this move.
func (p *Position) Legal(m Move) bool {
	if p.Over() {
		return false
	}
	if m == Pass {
		return p.MayPass()
	}
	return m <= Move(p.cards) && p.Playable().Has(int(m))
}

// Moves appends the legal moves to dst in the paper's order: small cards
// first, pass last.
func (p *Position) Moves(dst []Move) []Move {
	if p.Over() {
		return dst
	}
	for h := p.Playable(); h != 0; h &= h - 1 {
		dst = append(dst, Move(bits.TrailingZeros16(uint16(h))+1))
	}
	if p.MayPass() {
		dst = append(dst, Pass)
	}
	return dst
}

// Play makes a move, which must be Legal, and hands the turn on: round the
// table past those who are out; where it reaches or skips over the seat that
// played last, the table clears, and that seat leads, or if it is out the
// next one that is not.
func (p *Position) Play(m Move) {
	seat := p.turn
	if m != Pass {
		p.hands[seat] &^= 1 << (m - 1)
		p.table = uint8(m)
		p.last = seat
		if p.hands[seat] == 0 {
			p.out++
			p.rank[seat] = p.out
			if p.out == p.ranks-1 {
				p.finish()
				return
			}
		}
	}
	for {
		seat++
		if seat == int8(p.seats) {
			seat = 0
		}
		if seat == p.last {
			p.table = 0
		}
		if p.hands[seat] != 0 {
			p.turn = seat
			return
		}
	}
}

// finish ranks everybody still holding cards last.
func (p *Position) finish() {
	for i := range p.seats {
		if p.rank[i] == 0 {
			p.rank[i] = p.ranks
		}
	}
	p.turn = none
}
