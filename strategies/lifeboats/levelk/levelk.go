// Package levelk reads the others to any depth: level 0 votes for what it likes best,
// and level k gives the best response to everybody else voting as level k-1.
//
//	rules.Entrant("levelk(level=2,D=1)")
//
// Level 1 is the strategy level1 with alive=expected. All levels predict the others
// with the weights that they disclose, and with the own ones where they disclose none.
//
// Source: ours, after T. Kasuya, R. Suzuki and T. Arita, "Evolution of players for a
// board game based on majority voting" (in Japanese), section 5, which names the
// evolution of levels as future work; D. O. Stahl and P. W. Wilson, "On players'
// models of other players", 1995, for levels.
package levelk

import (
	"sakusen/engines/arena"
	"sakusen/engines/lifeboats"
	"sakusen/engines/param"
	"sakusen/strategies/lifeboats/level1"
	"sakusen/strategies/lifeboats/worth"
)

// deepest is the highest level.
const deepest = 4

// Strategy is the strategy's entry in the catalogue.
func Strategy() arena.Strategy[lifeboats.Rules, lifeboats.Player] {
	return arena.Strategy[lifeboats.Rules, lifeboats.Player]{
		Name:   "levelk",
		Doc:    "Takes the others for one level below its own, and gives the best response to their votes.",
		Source: "ours, after Kasuya, Suzuki and Arita, section 5",
		New:    func() arena.Config[lifeboats.Rules, lifeboats.Player] { return &config{} },
	}
}

type config struct {
	weights worth.Weights
	level   int
}

func (c *config) Declare(f *param.Fields, r *lifeboats.Rules) {
	f.Int(&c.level, "level", 1, param.Range(0, deepest), "depth to which the others are read, levels: 0 does not read them, 1 takes them for level 0, and so on")
	c.weights.Declare(f, r)
}

func (c *config) Player(r *lifeboats.Rules) (lifeboats.Player, error) {
	w := c.weights.Normal()
	return &player{mind: worth.New(&w, r.Players()), level: c.level}, nil
}

type player struct {
	mind  *worth.Model
	level int
	votes [lifeboats.MaxPlayers]lifeboats.Set // of one level, by seat
}

func (p *player) Model() lifeboats.Model { return p.mind }

func (p *player) Vote(v *lifeboats.View) int {
	if p.level == 0 {
		return v.Draw(v.Favourites(v.Seat))
	}
	for seat := range v.Players {
		if v.Votes(seat) > 0 {
			p.votes[seat] = p.favourites(v, seat)
		}
	}
	for level := 1; level < p.level; level++ {
		var next [lifeboats.MaxPlayers]lifeboats.Set
		for seat := range v.Players {
			if v.Votes(seat) > 0 {
				next[seat] = p.respond(v, seat)
			}
		}
		p.votes = next
	}
	return v.Draw(p.respond(v, v.Seat))
}

// favourites are the votes of a seat at level 0.
func (p *player) favourites(v *lifeboats.View, seat int) lifeboats.Set {
	if v.HasModel(seat) {
		return v.Favourites(seat)
	}
	return p.mind.Favour(v.Position, seat)
}

// respond is a seat's best response to the votes of the others; where they find several
// options equally good, one is guessed.
func (p *player) respond(v *lifeboats.View, seat int) lifeboats.Set {
	var ballot lifeboats.Ballot
	ballot.Reset()
	for other := range v.Players {
		if votes := v.Votes(other); other != seat && votes > 0 {
			ballot.Cast(other, v.Draw(p.votes[other]), votes)
		}
	}
	mind := lifeboats.Model(p.mind)
	if v.HasModel(seat) {
		mind = v.Judge(seat)
	}
	var values lifeboats.Values
	mind.Evaluate(v.Position, seat, &values)
	return level1.Respond(v, seat, &ballot, &values)
}
