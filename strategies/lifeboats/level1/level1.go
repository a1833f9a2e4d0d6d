// Package level1 reads the others' votes: it takes everybody else for a level-0
// player, works out what they will vote for, and chooses the best of the
// options for which its own vote is not dead.
//
//	rules.Entrant("level1(alive=expected,D=1)")
//
// What keeps a vote alive the paper does not say; the three readings differ in
// strength by a third, see Alive.
//
// Source: T. Kasuya, R. Suzuki and T. Arita, "Evolution of players for a board
// game based on majority voting" (in Japanese), section 3.
package level1

import (
	"sakusen/engines/arena"
	"sakusen/engines/lifeboats"
	"sakusen/engines/param"
	"sakusen/strategies/lifeboats/worth"
)

// Strategy is the strategy's entry in the catalogue.
func Strategy() arena.Strategy[lifeboats.Rules, lifeboats.Player] {
	return arena.Strategy[lifeboats.Rules, lifeboats.Player]{
		Name:   "level1",
		Doc:    "Takes the others for level 0, and votes for the best option for which its vote still counts.",
		Source: "Kasuya, Suzuki and Arita, section 3",
		New:    func() arena.Config[lifeboats.Rules, lifeboats.Player] { return &config{} },
	}
}

type config struct {
	weights worth.Weights
	alive   string
	predict string
}

func (c *config) Declare(f *param.Fields, r *lifeboats.Rules) {
	c.weights.Declare(f, r)
	f.Choice(&c.alive, "alive", "strict", []string{"strict", "tie", "expected"},
		"which options are worth voting for: those that the vote makes the only winner (strict), those that it makes a winner or one of several tied (tie), or all, judged by the mean worth of what may then win (expected)", param.Fixed())
	DeclarePredict(f, &c.predict)
}

// DeclarePredict binds the parameter that says whose weights others are
// predicted with.
func DeclarePredict(f *param.Fields, predict *string) {
	f.Choice(predict, "predict", "theirs", []string{"theirs", "own"},
		"weights by which the others' votes are predicted: theirs, if they disclose them, or one's own", param.Fixed())
}

func (c *config) Player(r *lifeboats.Rules) (lifeboats.Player, error) {
	w := c.weights.Normal()
	return &player{Reader{Mind: worth.New(&w, r.Players()), Own: c.predict == "own"}, Read(c.alive)}, nil
}

type player struct {
	Reader
	alive Alive
}

func (p *player) Model() lifeboats.Model { return p.Mind }

func (p *player) Vote(v *lifeboats.View) int { return p.Choose(v, p.alive) }
