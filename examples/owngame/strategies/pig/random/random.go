// Package random is a strategy that rolls again with probability one half, for others to be
// compared with.
//
//	rules.Entrant("random")
package random

import (
	"example.org/pig/engines/pig"
	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Strategy returns the strategy's entry in the catalogue.
func Strategy() arena.Strategy[pig.Rules, pig.Player] {
	return arena.Strategy[pig.Rules, pig.Player]{
		Name: "random", Doc: "Rolls on at the toss of a coin.", Source: "ours",
		New: func(*param.Fields, *pig.Rules) arena.Maker[pig.Player] { return arena.Made[pig.Player](player{}) },
	}
}

type player struct{}

// Roll implements pig.Player.
func (player) Roll(v *pig.View) bool { return v.Chance.Bool() }
