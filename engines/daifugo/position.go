package daifugo

import (
	"fmt"
	"math/bits"
)

// Hand is a set of cards, one of each kind: bit v-1 is the card of kind v.
type Hand uint16

// fullHand holds one card of every kind 1..cards.
func fullHand(cards int) Hand { return Hand(1)<<cards - 1 }

// handOf makes a hand of the given kinds, or says which of them is repeated
// or out of 1..cards.
func handOf(kinds []int, cards int) (Hand, error) {
	var h Hand
	for _, v := range kinds {
		if v < 1 || v > cards {
			return 0, fmt.Errorf("card: expected a kind from 1 to %d, got %d", cards, v)
		}
		if h.Has(v) {
			return 0, fmt.Errorf("card: expected each kind once in a hand, got %d twice", v)
		}
		h |= 1 << (v - 1)
	}
	return h, nil
}

// Has reports whether the hand holds kind v.
func (h Hand) Has(v int) bool { return h>>(v-1)&1 != 0 }

// Len returns the number of cards held.
func (h Hand) Len() int { return bits.OnesCount16(uint16(h)) }

// Above returns the part of the hand strictly higher than kind v; v = 0 keeps all.
func (h Hand) Above(v int) Hand { return h >> v << v }

// Lowest returns the lowest kind held, 0 of an empty hand.
func (h Hand) Lowest() int {
	if h == 0 {
		return 0
	}
	return bits.TrailingZeros16(uint16(h)) + 1
}

// Highest returns the highest kind held, 0 of an empty hand.
func (h Hand) Highest() int { return bits.Len16(uint16(h)) }

// Kinds lists the cards in ascending order.
func (h Hand) Kinds() []int {
	kinds := make([]int, 0, h.Len())
	for ; h != 0; h &= h - 1 {
		kinds = append(kinds, h.Lowest())
	}
	return kinds
}

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

// none stands for no seat: Last before the first card, Turn after the end.
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

// New returns the opening the paper searches: one card of every kind for every player, seat
// 0 leads.
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

// Deal returns an opening with the given hands, none of them empty; seat 0 leads.
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

// Rules returns the rules by which the position is played.
func (p *Position) Rules() Rules {
	return Rules{Seats: int(p.seats), Cards: int(p.cards), Ranks: int(p.ranks)}
}

// Turn returns the seat to move, None after the end.
func (p *Position) Turn() int { return int(p.turn) }

// Last returns the seat that played the last card, None before the first.
func (p *Position) Last() int { return int(p.last) }

// Table returns the kind on the table, 0 when it is empty.
func (p *Position) Table() int { return int(p.table) }

// Hand returns the hand of a seat.
func (p *Position) Hand(seat int) Hand { return p.hands[seat] }

// Out returns the number of seats that have no cards left.
func (p *Position) Out() int { return int(p.out) }

// Rank returns the rank of a seat, 1 for the best, 0 while it is open.
func (p *Position) Rank(seat int) int { return int(p.rank[seat]) }

// Over reports whether every seat has its rank.
func (p *Position) Over() bool { return p.turn == none }

// Playable returns the part of the mover's hand that may be played now.
func (p *Position) Playable() Hand { return p.hands[p.turn].Above(int(p.table)) }

// MayPass reports whether passing is allowed: there is a card on the table.
func (p *Position) MayPass() bool { return p.table != 0 }

// Legal reports whether the mover may make this move.
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
// table past those who are out. Where it reaches or skips over the seat that
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

// finish ranks the players who still hold cards last.
func (p *Position) finish() {
	for i := range p.seats {
		if p.rank[i] == 0 {
			p.rank[i] = p.ranks
		}
	}
	p.turn = none
}

// Setup describes any position of a game, as a person or a file would: the
// form `paper analyse daifugo` reads.
type Setup struct {
	Hands [][]int `json:"hands"` // kinds held, by seat
	Table int     `json:"table"` // kind on the table, 0 when empty
	Last  *int    `json:"last"`  // seat that played last; nil if none has
	Turn  int     `json:"turn"`  // seat to move
	Out   []int   `json:"out"`   // seats without cards, in the order they finished
	Ranks int     `json:"ranks"` // rank kinds K
}

// Position checks a Setup and makes it. The kinds of card are those up to the
// highest held or on the table. The error names the field.
func (s Setup) Position() (Position, error) {
	kinds := max(1, min(s.Table, MaxCards))
	for _, held := range s.Hands {
		for _, v := range held {
			kinds = max(kinds, min(v, MaxCards))
		}
	}
	return s.PositionOf(kinds)
}

// PositionOf returns what Position returns, in a game with the given number of kinds of card.
func (s Setup) PositionOf(kinds int) (Position, error) {
	r := Rules{Seats: len(s.Hands), Cards: kinds, Ranks: s.Ranks}
	if err := r.Validate(); err != nil {
		return Position{}, err
	}
	p := Position{seats: uint8(r.Seats), cards: uint8(r.Cards), ranks: uint8(r.Ranks), last: none}
	if err := s.deal(&p, r); err != nil {
		return Position{}, err
	}
	if s.Table < 0 || s.Table > r.Cards {
		return Position{}, fmt.Errorf("daifugo: table: expected 0 or a kind up to %d, got %d", r.Cards, s.Table)
	}
	p.table = uint8(s.Table)
	if s.Last != nil {
		if *s.Last < 0 || *s.Last >= r.Seats {
			return Position{}, fmt.Errorf("daifugo: last: expected null or a seat from 0 to %d, got %d", r.Seats-1, *s.Last)
		}
		p.last = int8(*s.Last)
	}
	if p.out == p.ranks-1 {
		p.finish()
		return p, nil
	}
	switch {
	case s.Turn < 0 || s.Turn >= r.Seats:
		return Position{}, fmt.Errorf("daifugo: turn: expected a seat from 0 to %d, got %d", r.Seats-1, s.Turn)
	case p.hands[s.Turn] == 0:
		return Position{}, fmt.Errorf("daifugo: turn: expected a seat with cards, got %d, which is out", s.Turn)
	case s.Table != 0 && s.Last == nil:
		return Position{}, fmt.Errorf("daifugo: last: expected the seat that played the %d on the table, got null", s.Table)
	case s.Table != 0 && *s.Last == s.Turn:
		return Position{}, fmt.Errorf("daifugo: turn: expected another seat than last (%d) while a card is on the table", s.Turn)
	}
	p.turn = int8(s.Turn)
	return p, nil
}

func (s Setup) deal(p *Position, r Rules) error {
	for i, kinds := range s.Hands {
		h, err := handOf(kinds, r.Cards)
		if err != nil {
			return fmt.Errorf("daifugo: hands[%d]: %w", i, err)
		}
		p.hands[i] = h
	}
	for _, seat := range s.Out {
		if seat < 0 || seat >= r.Seats {
			return fmt.Errorf("daifugo: out: expected seats from 0 to %d, got %d", r.Seats-1, seat)
		}
		if p.hands[seat] != 0 {
			return fmt.Errorf("daifugo: out: expected seats without cards, got %d, which holds %v", seat, p.hands[seat].Kinds())
		}
		if p.rank[seat] != 0 {
			return fmt.Errorf("daifugo: out: expected each seat once, got %d twice", seat)
		}
		p.out++
		p.rank[seat] = p.out
	}
	for i := range p.seats {
		if p.hands[i] == 0 && p.rank[i] == 0 {
			return fmt.Errorf("daifugo: hands[%d]: expected at least one card, or seat %d among out", i, i)
		}
	}
	if p.out > p.ranks-1 {
		return fmt.Errorf("daifugo: out: expected at most %d seats, where the game ends, got %d", p.ranks-1, p.out)
	}
	return nil
}

// Setup returns the inverse of Setup.Position.
func (p *Position) Setup() Setup {
	s := Setup{
		Hands: make([][]int, p.seats), Table: int(p.table), Turn: int(p.turn),
		Out: make([]int, p.out), Ranks: int(p.ranks),
	}
	if p.last != none {
		last := int(p.last)
		s.Last = &last
	}
	for i := range int(p.seats) {
		s.Hands[i] = p.hands[i].Kinds()
		if p.hands[i] == 0 {
			s.Out[p.rank[i]-1] = i
		}
	}
	return s
}
