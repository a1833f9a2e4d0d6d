// Package level0 looks one vote ahead: it votes for the option whose following
// position it judges best (package worth), ties at random, and thinks nothing
// of what others will vote for.
//
//	rules.Entrant("level0(A1=0.8,D=1,X=2.5)")
//
// Source: T. Kasuya, R. Suzuki and T. Arita, "Evolution of players for a board
// game based on majority voting" (in Japanese), section 3.
package level0

import (
	"sakusen/engines/arena"
	"sakusen/engines/lifeboats"
	"sakusen/engines/param"
	"sakusen/strategies/lifeboats/worth"
)

// Strategy is the strategy's entry in the catalogue.
func Strategy() arena.Strategy[lifeboats.Rules, lifeboats.Player] {
	return arena.Strategy[lifeboats.Rules, lifeboats.Player]{
		Name:   "level0",
		Doc:    "Votes for the best position that may follow, whatever the others vote.",
		Source: "Kasuya, Suzuki and Arita, section 3",
		New:    func() arena.Config[lifeboats.Rules, lifeboats.Player] { return &config{} },
	}
}

type config struct{ weights worth.Weights }

func (c *config) Declare(f *param.Fields, r *lifeboats.Rules) { c.weights.Declare(f, r) }

func (c *config) Player(r *lifeboats.Rules) (lifeboats.Player, error) {
	w := c.weights.Normal()
	return player{worth.New(&w, r.Players())}, nil
}

type player struct{ model *worth.Model }

func (p player) Model() lifeboats.Model { return p.model }

func (p player) Vote(v *lifeboats.View) int {
	return v.Draw(v.Favourites(v.Seat))
}
