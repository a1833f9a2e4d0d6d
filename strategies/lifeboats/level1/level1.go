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

// Alive says which votes count.
type Alive uint8

// The readings of "a vote that is not dead".
const (
	// strict keeps the options that have strictly the most votes with one's own.
	// There always is one: that which the others put on top.
	strict Alive = iota
	// tie keeps the options that have the most votes, alone or tied.
	tie
	// expected keeps all, and judges each ballot by the mean worth of the options
	// that may then win: the best response to the predicted votes.
	expected
)

// Read reads the name of a reading.
func Read(name string) Alive {
	switch name {
	case "tie":
		return tie
	case "expected":
		return expected
	}
	return strict
}

// Reader predicts the others' votes.
type Reader struct {
	// Mind is how the reader judges positions.
	Mind lifeboats.Model
	// Own makes it predict all others with its own judgement.
	Own bool

	values lifeboats.Values // of the vote at hand
}

// Choose chooses a vote.
func (r *Reader) Choose(v *lifeboats.View, alive Alive) int {
	var ballot lifeboats.Ballot
	r.predict(v, &ballot)
	if alive == expected {
		r.Mind.Evaluate(v.Position, v.Seat, &r.values)
		return v.Draw(Respond(v, v.Seat, &ballot, &r.values))
	}
	// If a vote for a favourite counts, no other vote can be better.
	live := living(v, &ballot, alive)
	if best := v.Favourites(v.Seat) & live; best != 0 {
		return v.Draw(best)
	}
	r.Mind.Evaluate(v.Position, v.Seat, &r.values)
	return v.Draw(lifeboats.Best(&r.values, live))
}

// predict fills in the votes of all others as level-0 players would cast them. Where such a
// player finds several options equally good, the reader guesses among them.
func (r *Reader) predict(v *lifeboats.View, ballot *lifeboats.Ballot) {
	ballot.Reset()
	for seat := range v.Players {
		votes := v.Votes(seat)
		if seat == v.Seat || votes == 0 {
			continue
		}
		var best lifeboats.Set
		if r.Own || !v.HasModel(seat) {
			best = r.Mind.Favour(v.Position, seat)
		} else {
			best = v.Favourites(seat)
		}
		ballot.Cast(seat, v.Draw(best), votes)
	}
}

// living are the options for which the vote counts.
func living(v *lifeboats.View, ballot *lifeboats.Ballot, alive Alive) lifeboats.Set {
	mine := v.Votes(v.Seat)
	var out lifeboats.Set
	for set := v.Options(); set != 0; set = set.Rest() {
		o := set.First()
		rival := 0
		for others := v.Options().Without(o); others != 0; others = others.Rest() {
			rival = max(rival, ballot.Count(others.First()))
		}
		if n := ballot.Count(o) + mine; n > rival || n == rival && alive == tie {
			out = out.With(o)
		}
	}
	return out
}

// Respond is the votes of a seat with the best mean value of the options that may then
// win. The ballot has the others' votes, and values are the options' worth to the seat.
func Respond(v *lifeboats.View, seat int, ballot *lifeboats.Ballot, values *lifeboats.Values) lifeboats.Set {
	var mean lifeboats.Values
	mine := v.Votes(seat)
	for set := v.Options(); set != 0; set = set.Rest() {
		o := set.First() & (lifeboats.Slots - 1)
		ballot.Cast(seat, o, mine)
		winners := v.MayWin(ballot)
		ballot.Withdraw(seat, mine)
		sum := 0.0
		for w := winners; w != 0; w = w.Rest() {
			sum += values[w.First()&(lifeboats.Slots-1)]
		}
		mean[o] = sum / float64(winners.Len())
	}
	return lifeboats.Best(&mean, v.Options())
}
