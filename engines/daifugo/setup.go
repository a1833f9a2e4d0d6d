package daifugo

import "fmt"

// Setup describes any position of a game, as a person or a file would: the
// form `analyse daifugo` reads.
type Setup struct {
	Hands [][]int `json:"hands"` // kinds held, by seat
	Table int     `json:"table"` // kind on the table, 0 when empty
	Last  *int    `json:"last"`  // seat that played last; nil when nobody has
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

// PositionOf is Position in a game with the given number of kinds of card.
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

// Setup is the inverse of Setup.Position.
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
