package battleship

import (
	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
	"sakusen/strategies/battleship/count"
)

// mp is the attack MPx: checkerboard until few ships are afloat and
// few squares unknown, then the square whose miss would leave the fewest
// placements of the enemy's fleet, which is the square that holds a ship in
// the most of them. All placements that agree with the answers are counted,
// exactly.
//
//	rules.Entrant("mp(start_squares=70)") // MP70
//
// Source: M. Sakuta and H. Iida, "Evaluation of Attacking and Placing
// Strategies in a Classic Battleship Game without Considering Opponent
// Models", 2002, section 3. The paper does not say which of equally good squares
// is taken; ties at random fit its tables best (docs/research/battleship.md).
func mp() arena.Strategy[battleship.Rules, battleship.Player] {
	return arena.Strategy[battleship.Rules, battleship.Player]{
		Name:   "mp",
		Doc:    "Checkerboard, then the square with the greatest hit probability, counted exactly (MPx).",
		Source: "Sakuta and Iida 2002, section 3",
		New: func(f *param.Fields, r *battleship.Rules) arena.Maker[battleship.Player] {
			return attack(f, r, func() huntTarget { return &greatest{count.New(r.Board())} })
		},
	}
}

// greatest is the target of MP: the squares with the greatest hit probability.
type greatest struct{ counter counter }

// counter is what MP needs of count.Counter, so that tests can put plain
// enumeration in its place.
type counter interface {
	Count(k *battleship.Knowledge)
	Total() count.Number
	Best() (battleship.Set, count.Number)
}

// Best implements Target.
func (g *greatest) Best(v *battleship.View, _ *hunt) battleship.Set {
	g.counter.Count(v.Knowledge)
	n := g.counter.Total()
	v.Visit(n.Hi, n.Lo)
	best, _ := g.counter.Best()
	return best
}

// attack declares a player that counts from a point of the game on; before, it is the
// checkerboard. What it makes of the counts is its target.
func attack(f *param.Fields, r *battleship.Rules, target func() huntTarget) arena.Maker[battleship.Player] {
	var from start
	var rule huntRule
	var c chase
	from.declare(f, r)
	rule.declare(f, r)
	c.declare(f)
	return placing(f, r, func(p *fleetPlacer) (battleship.Player, error) {
		return &mpPlayer{p, newHunt(rule, r.Board()), c, from, target()}, nil
	})
}

// A Target finds the best squares to shoot at by counting. It is used by one
// goroutine.
type huntTarget interface {
	// Best is the equally good squares, at least one. The hunt knows the order of
	// the checkerboard.
	Best(v *battleship.View, hunt *hunt) battleship.Set
}

type mpPlayer struct {
	*fleetPlacer
	*hunt
	chase  chase
	start  start
	target huntTarget
}

func (p *mpPlayer) Shoot(v *battleship.View) battleship.Square {
	pending := pending(v.Knowledge)
	if p.start.counts(v.Knowledge, p.hunt, pending) {
		return p.start.choose(p.target.Best(v, p.hunt), v, p.hunt)
	}
	if pending {
		if at, ok := p.chase.shoot(v); ok {
			return at
		}
	}
	return p.hunt.shoot(v)
}

// start says from when placements are counted, and what becomes of ties.
type start struct {
	Squares  int    // unknown squares
	Afloat   int    // ships
	OpenHits string // neighbours or board
	Ties     string // hunt, random or first
}

// declare binds the parameters.
func (s *start) declare(f *param.Fields, r *battleship.Rules) {
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
func (s *start) counts(k *battleship.Knowledge, hunt *hunt, pending bool) bool {
	return (!pending || s.OpenHits == "board") && k.Afloat() <= s.Afloat && hunt.unknown(k).Len() <= s.Squares
}

// choose takes one of several equally good squares.
func (s *start) choose(best battleship.Set, v *battleship.View, hunt *hunt) battleship.Square {
	switch s.Ties {
	case "first":
		return best.First()
	case "hunt":
		best = hunt.first(v, best)
	}
	return draw(best, &v.Chance)
}
