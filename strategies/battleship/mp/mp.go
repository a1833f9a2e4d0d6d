// Package mp is the attack MPx: checkerboard until few ships are afloat and
// few squares unknown, then the square whose miss would leave the fewest
// placements of the enemy's fleet, which is the square that holds a ship in
// the most of them. All placements that agree with the answers are counted,
// exactly.
//
//	rules.Entrant("mp(start_squares=70)") // MP70
//
// Source: M. Sakuta and H. Iida, "Evaluation of Attacking and Placing
// Strategies in a Classic Battleship Game without Considering Opponent
// Models", 2002, section 3. That ties are broken by the order of the
// checkerboard is a choice of ours; it fits the paper's table 4.
package mp

import (
	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
	"sakusen/strategies/battleship/checkerboard"
	"sakusen/strategies/battleship/count"
	"sakusen/strategies/battleship/neighbour"
	"sakusen/strategies/battleship/place"
	"sakusen/strategies/battleship/random"
)

// Strategy is the strategy's entry in the catalogue.
func Strategy() arena.Strategy[battleship.Rules, battleship.Player] {
	return arena.Strategy[battleship.Rules, battleship.Player]{
		Name:   "mp",
		Doc:    "Checkerboard, then the square with the greatest hit probability, counted exactly (MPx).",
		Source: "Sakuta and Iida 2002, section 3",
		New:    func() arena.Config[battleship.Rules, battleship.Player] { return &config{} },
	}
}

type config struct {
	start Start
	rule  checkerboard.Rule
	chase neighbour.Chase
	place place.Group
}

func (c *config) Declare(f *param.Fields, r *battleship.Rules) {
	c.start.Declare(f, r)
	c.rule.Declare(f)
	c.chase.Declare(f)
	f.Group("place", func(f *param.Fields) { c.place.Declare(f, r) })
}

func (c *config) Player(r *battleship.Rules) (battleship.Player, error) {
	placer, err := c.place.Placer(r)
	if err != nil {
		return nil, err
	}
	return &player{placer, checkerboard.NewHunt(c.rule, r.Board()), c.chase, c.start, count.New(r.Board())}, nil
}

type player struct {
	*place.Placer
	*checkerboard.Hunt
	chase   neighbour.Chase
	start   Start
	counter *count.Counter
}

func (p *player) Shoot(v *battleship.View) battleship.Square {
	pending := neighbour.Pending(v.Knowledge)
	if p.start.Counts(v.Knowledge, pending) {
		p.counter.Count(v.Knowledge)
		n := p.counter.Total()
		v.Visit(n.Hi, n.Lo)
		best, _ := p.counter.Best()
		return p.start.Break(best, v, p.Hunt)
	}
	if pending {
		if at, ok := p.chase.Shoot(v); ok {
			return at
		}
	}
	return p.Hunt.Shoot(v)
}

// Start says from when placements are counted, and what becomes of ties.
type Start struct {
	Squares  int    // unknown squares
	Afloat   int    // ships
	OpenHits string // neighbours or board
	Ties     string // hunt, random or first
}

// Declare binds the parameters.
func (s *Start) Declare(f *param.Fields, r *battleship.Rules) {
	f.Int(&s.Squares, "start_squares", 70, param.Grid(10, 100, 10),
		"unknown squares at which counting starts, squares")
	f.Int(&s.Afloat, "start_ships", 4, param.Range(1, battleship.MaxShips),
		"ships afloat at which counting starts, ships", param.Fixed())
	f.Choice(&s.OpenHits, "open_hits", "neighbours", []string{"neighbours", "board"},
		"what decides while a ship afloat is hit: the neighbour attack, or the exact count over the board", param.Fixed())
	f.Choice(&s.Ties, "ties", "hunt", []string{"hunt", "random", "first"},
		"which of equally good squares: by the checkerboard's order, at random, or the first in board order", param.Fixed())
}

// Counts reports whether placements are counted for the next shot.
func (s *Start) Counts(k *battleship.Knowledge, pending bool) bool {
	return (!pending || s.OpenHits == "board") && k.Afloat() <= s.Afloat && k.Unknown().Len() <= s.Squares
}

// Break chooses one of several equally good squares.
func (s *Start) Break(best battleship.Set, v *battleship.View, hunt *checkerboard.Hunt) battleship.Square {
	switch s.Ties {
	case "first":
		return best.First()
	case "hunt":
		best = hunt.First(v, best)
	}
	return random.Draw(best, &v.Chance)
}
