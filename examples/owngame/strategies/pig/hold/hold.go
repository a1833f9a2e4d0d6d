// Package hold is a strategy that ends its turn at a fixed number of points. This number is
// its only parameter; the first study (studies/pig-first.yaml) tunes it.
//
//	rules.Entrant("hold(at=20)")
package hold

import (
	"example.org/pig/engines/pig"
	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Strategy returns the strategy's entry in the catalogue.
func Strategy() arena.Strategy[pig.Rules, pig.Player] {
	return arena.Strategy[pig.Rules, pig.Player]{
		Name: "hold", Doc: "Holds at a number of points in a turn.", Source: "ours",
		New: func(f *param.Fields, _ *pig.Rules) arena.Maker[pig.Player] {
			p := &player{}
			f.Int(&p.at, "at", 10, param.Grid(5, 50, 5), "points of a turn at which to hold, points")
			return arena.Made[pig.Player](p)
		},
	}
}

// player has the parameters; it remembers nothing of a game.
type player struct{ at int }

// Roll implements pig.Player.
func (p *player) Roll(v *pig.View) bool { return v.Turn < p.at }
