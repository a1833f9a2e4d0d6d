// Package random votes at random, uniformly over the options of each vote: the
// measure of all others, and the fifth player at the tables where level-0
// players evolve.
//
//	rules.Entrant("random")
//
// Source: T. Kasuya, R. Suzuki and T. Arita, "Evolution of players for a board
// game based on majority voting" (in Japanese), section 3.
package random

import (
	"sakusen/engines/arena"
	"sakusen/engines/lifeboats"
	"sakusen/engines/param"
)

// Strategy is the strategy's entry in the catalogue.
func Strategy() arena.Strategy[lifeboats.Rules, lifeboats.Player] {
	return arena.Strategy[lifeboats.Rules, lifeboats.Player]{
		Name:   "random",
		Doc:    "Votes at random.",
		Source: "Kasuya, Suzuki and Arita, section 3",
		New:    func() arena.Config[lifeboats.Rules, lifeboats.Player] { return voter{} },
	}
}

// voter is the configuration and the player.
type voter struct{}

func (voter) Declare(*param.Fields, *lifeboats.Rules) {}

func (voter) Player(*lifeboats.Rules) (lifeboats.Player, error) { return voter{}, nil }

func (voter) Model() lifeboats.Model { return nil }

func (voter) Vote(v *lifeboats.View) int { return v.Draw(v.Options()) }
