package mp

import (
	"sakusen/engines/battleship"
	"sakusen/engines/param"
	"sakusen/strategies/battleship/checkerboard"
	"sakusen/strategies/battleship/random"
)

// start says from when placements are counted, and what becomes of ties.
type start struct {
	Squares  int    // unknown squares
	Afloat   int    // ships
	OpenHits string // neighbours or board
	Ties     string // hunt, random or first
}

// Declare binds the parameters.
func (s *start) Declare(f *param.Fields, r *battleship.Rules) {
	ties := "hunt"
	if r.Fitted() {
		ties = "random"
	}
	f.Int(&s.Squares, "start_squares", 70, param.Grid(10, 100, 10),
		"positions of the ships are counted once this few squares are unknown, squares")
	f.Int(&s.Afloat, "start_ships", 4, param.Range(1, battleship.MaxShips),
		"positions are counted once this few ships are afloat, ships", param.Fixed())
	f.Choice(&s.OpenHits, "open_hits", "neighbours", []string{"neighbours", "board"},
		"next shot while a ship is hit and not sunk: a neighbour of the hit, or the best square of the whole board", param.Fixed())
	f.Choice(&s.Ties, "ties", ties, []string{"hunt", "random", "first"},
		"which of equally good squares: by the order of the checkerboard, at random, or the first in board order", param.Fixed())
}

// counts reports whether placements are counted for the next shot.
func (s *start) counts(k *battleship.Knowledge, hunt *checkerboard.Hunt, pending bool) bool {
	return (!pending || s.OpenHits == "board") && k.Afloat() <= s.Afloat && hunt.Unknown(k).Len() <= s.Squares
}

// choose takes one of several equally good squares.
func (s *start) choose(best battleship.Set, v *battleship.View, hunt *checkerboard.Hunt) battleship.Square {
	switch s.Ties {
	case "first":
		return best.First()
	case "hunt":
		best = hunt.First(v, best)
	}
	return random.Draw(best, &v.Chance)
}
