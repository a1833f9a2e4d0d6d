// Package hold holds at a fixed number of points in a turn: one parameter, which
// the first study (studies/pig-first.yaml) tunes.
//
//	rules.Entrant("hold(at=20)")
package hold

import (
	"example.org/pig/engines/pig"
	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Strategy is the strategy's entry in the catalogue.
func Strategy() arena.Strategy[pig.Rules, pig.Player] {
	return arena.Strategy[pig.Rules, pig.Player]{
		Name: "hold", Doc: "Holds at a number of points in a turn.", Source: "ours",
		New: func() arena.Config[pig.Rules, pig.Player] { return &config{} },
	}
}

// config is the parameters, and the player, which keeps nothing of a game.
type config struct {
	at int
}

// Declare implements arena.Config.
func (c *config) Declare(f *param.Fields, _ *pig.Rules) {
	f.Int(&c.at, "at", 10, param.Grid(5, 50, 5), "points of a turn at which to hold, points")
}

// Player implements arena.Config.
func (c *config) Player(*pig.Rules) (pig.Player, error) { return c, nil }

// Roll implements pig.Player.
func (c *config) Roll(v *pig.View) bool { return v.Turn < c.at }
