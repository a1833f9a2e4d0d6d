// Package neighbour is the attack RNB: unknown squares at random, and after a
// hit its neighbours until the ship is sunk. The neighbour attack, [Chase], is
// a part of every better attack too: ends of a line of two hits come first, at
// random; a lone hit is continued towards the longest free arm.
//
//	rules.Entrant("neighbour") // RNB
//
// Source: M. Sakuta and H. Iida, "Evaluation of Attacking and Placing
// Strategies in a Classic Battleship Game without Considering Opponent
// Models", 2002, section 3 and figure 3. The paper does not say in what order
// neighbours are tried; the order here was chosen because it fits the hit
// ratios printed there.
package neighbour

import (
	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
	"sakusen/strategies/battleship/place"
	"sakusen/strategies/battleship/random"
)

// Strategy is the strategy's entry in the catalogue.
func Strategy() arena.Strategy[battleship.Rules, battleship.Player] {
	return arena.Strategy[battleship.Rules, battleship.Player]{
		Name:   "neighbour",
		Doc:    "Shoots at random and at the neighbours of hits until the ship is sunk (RNB).",
		Source: "Sakuta and Iida 2002, section 3",
		New:    func() arena.Config[battleship.Rules, battleship.Player] { return &config{} },
	}
}

type config struct {
	sight random.Sight
	chase Chase
	place place.Group
}

func (c *config) Declare(f *param.Fields, r *battleship.Rules) {
	c.sight.Declare(f, r)
	c.chase.Declare(f)
	f.Group("place", func(f *param.Fields) { c.place.Declare(f, r) })
}

func (c *config) Player(r *battleship.Rules) (battleship.Player, error) {
	placer, err := c.place.Placer(r)
	if err != nil {
		return nil, err
	}
	return &player{placer, c.sight, c.chase}, nil
}

type player struct {
	*place.Placer
	sight random.Sight
	chase Chase
}

func (p *player) Aim(*battleship.View) {}

func (p *player) Shoot(v *battleship.View) battleship.Square {
	if Pending(v.Knowledge) {
		if at, ok := p.chase.Shoot(v); ok {
			return at
		}
	}
	return random.Draw(p.sight.Unknown(v.Knowledge), &v.Chance)
}
