package daifugo

import "fmt"

// Bounds of what a Position can hold.
const (
	MaxSeats = 12 // players
	MaxCards = 15 // kinds of card; a Hand has bits 0..14
	MaxHeld  = 52 // Seats x Cards: all hands of a position fit the key of Key
	MaxWords = 64 // Seats x Ranks: one rank set for every seat fits 64 bits
	MaxRanks = 8  // rank kinds; follows from Ranks <= Seats and MaxWords
)

// Rules are the three numbers the paper varies.
type Rules struct {
	Seats int // players, 2..MaxSeats
	Cards int // kinds of card 1..Cards
	Ranks int // rank kinds 1..Ranks, 2..Seats; rank Ranks reads "Ranks-th or worse"
}

// Validate says which number is out of bounds, and what was expected.
func (r Rules) Validate() error {
	switch {
	case r.Seats < 2 || r.Seats > MaxSeats:
		return fmt.Errorf("daifugo: players: expected 2 to %d, got %d", MaxSeats, r.Seats)
	case r.Cards < 1 || r.Cards > MaxCards:
		return fmt.Errorf("daifugo: cards: expected 1 to %d kinds, got %d", MaxCards, r.Cards)
	case r.Ranks < 2 || r.Ranks > r.Seats:
		return fmt.Errorf("daifugo: ranks: expected 2 to %d (the number of players), got %d", r.Seats, r.Ranks)
	case r.Seats*r.Cards > MaxHeld:
		return fmt.Errorf("daifugo: players x cards: expected at most %d cards in all, got %d x %d = %d",
			MaxHeld, r.Seats, r.Cards, r.Seats*r.Cards)
	case r.Seats*r.Ranks > MaxWords || r.Ranks > MaxRanks:
		return fmt.Errorf("daifugo: players x ranks: expected at most %d, with at most %d ranks, got %d x %d",
			MaxWords, MaxRanks, r.Seats, r.Ranks)
	}
	return nil
}
