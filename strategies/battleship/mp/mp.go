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
// Models", 2002, section 3. The paper does not say which of equally good squares
// is taken; ties at random fit its tables best (docs/battleship.md).
package mp

import (
	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
	"sakusen/strategies/battleship/checkerboard"
	"sakusen/strategies/battleship/count"
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

type config struct{ attack Attack }

func (c *config) Declare(f *param.Fields, r *battleship.Rules) { c.attack.Declare(f, r) }

func (c *config) Player(r *battleship.Rules) (battleship.Player, error) {
	return c.attack.Player(r, &greatest{count.New(r.Board())})
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
func (g *greatest) Best(v *battleship.View, _ *checkerboard.Hunt) battleship.Set {
	g.counter.Count(v.Knowledge)
	n := g.counter.Total()
	v.Visit(n.Hi, n.Lo)
	best, _ := g.counter.Best()
	return best
}
