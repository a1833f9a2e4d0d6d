// Package random is the attack R: a square drawn uniformly from the unknown
// ones, those neither shot nor trivially empty. It is the paper's weakest
// attack and, with the placement that any entrant carries, the measure of the
// others.
//
//	rules.Entrant("random(place.kind=edge1)") // R/ED1
//
// Source: M. Sakuta and H. Iida, "Evaluation of Attacking and Placing
// Strategies in a Classic Battleship Game without Considering Opponent
// Models", 2002, section 3.
package random

import (
	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
	"sakusen/strategies/battleship/place"
)

// Strategy is the strategy's entry in the catalogue.
func Strategy() arena.Strategy[battleship.Rules, battleship.Player] {
	return arena.Strategy[battleship.Rules, battleship.Player]{
		Name:   "random",
		Doc:    "Shoots at unknown squares at random (R).",
		Source: "Sakuta and Iida 2002, section 3",
		New:    func() arena.Config[battleship.Rules, battleship.Player] { return &config{} },
	}
}

type config struct {
	sight Sight
	place place.Group
}

func (c *config) Declare(f *param.Fields, r *battleship.Rules) {
	c.sight.Declare(f, r)
	f.Group("place", func(f *param.Fields) { c.place.Declare(f, r) })
}

func (c *config) Player(r *battleship.Rules) (battleship.Player, error) {
	placer, err := c.place.Placer(r)
	if err != nil {
		return nil, err
	}
	return player{placer, c.sight}, nil
}

type player struct {
	*place.Placer
	sight Sight
}

func (player) Aim(*battleship.View) {}

func (p player) Shoot(v *battleship.View) battleship.Square {
	return Draw(p.sight.Unknown(v.Knowledge), &v.Chance)
}

// Draw draws a square of a set, which must not be empty.
func Draw(set battleship.Set, chance *arena.Stream) battleship.Square {
	return set.Nth(chance.IntN(set.Len()))
}

// Sight says which squares a shooter takes for unknown. The paper leaves open
// in what order a sinking is worked out; docs/battleship.md tells how each
// fits its tables.
type Sight struct {
	Sinking string // at_once or late
}

// Declare binds the parameter.
func (s *Sight) Declare(f *param.Fields, r *battleship.Rules) {
	def := "at_once"
	if r.Fitted() {
		def = "late"
	}
	f.Choice(&s.Sinking, "sinking", def, []string{"at_once", "late"},
		"when the knowledge that a ship has sunk is used: at once, or from the next miss on", param.Fixed())
}

// Unknown returns the squares neither shot nor trivially empty.
func (s Sight) Unknown(k *battleship.Knowledge) battleship.Set {
	if s.Sinking == "late" {
		return k.UnknownLate()
	}
	return k.Unknown()
}
