// Package checkerboard is the attack CB: a wide checkerboard first, then the
// squares between, with the neighbour attack after hits. No ship of two
// squares or more can hide from the finished pattern, and it never puts two
// shots side by side.
//
//	rules.Entrant("checkerboard") // CB
//
// Source: M. Sakuta and H. Iida, "Evaluation of Attacking and Placing
// Strategies in a Classic Battleship Game without Considering Opponent
// Models", 2002, section 3 and figure 4. That squares with the fewest known
// neighbours come before the order of the classes is a choice of ours, made
// because it fits the tables printed there best (docs/battleship.md).
package checkerboard

import (
	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
	"sakusen/strategies/battleship/neighbour"
	"sakusen/strategies/battleship/place"
)

// Strategy is the strategy's entry in the catalogue.
func Strategy() arena.Strategy[battleship.Rules, battleship.Player] {
	return arena.Strategy[battleship.Rules, battleship.Player]{
		Name:   "checkerboard",
		Doc:    "Shoots along a wide checkerboard, then between, and at the neighbours of hits (CB).",
		Source: "Sakuta and Iida 2002, section 3",
		New:    func() arena.Config[battleship.Rules, battleship.Player] { return &config{} },
	}
}

type config struct {
	rule  Rule
	chase neighbour.Chase
	place place.Group
}

func (c *config) Declare(f *param.Fields, r *battleship.Rules) {
	c.rule.Declare(f, r)
	c.chase.Declare(f)
	f.Group("place", func(f *param.Fields) { c.place.Declare(f, r) })
}

func (c *config) Player(r *battleship.Rules) (battleship.Player, error) {
	placer, err := c.place.Placer(r)
	if err != nil {
		return nil, err
	}
	return &player{placer, NewHunt(c.rule, r.Board()), c.chase}, nil
}

type player struct {
	*place.Placer
	*Hunt
	chase neighbour.Chase
}

func (p *player) Shoot(v *battleship.View) battleship.Square {
	if neighbour.Pending(v.Knowledge) {
		if at, ok := p.chase.Shoot(v); ok {
			return at
		}
	}
	return p.Hunt.Shoot(v)
}
