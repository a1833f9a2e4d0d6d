package lookahead

import (
	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
	"sakusen/strategies/battleship/checkerboard"
	"sakusen/strategies/battleship/count"
	"sakusen/strategies/battleship/mp"
)

// Reversals counts how often LA does not shoot where MP would have shot.
type Reversals struct {
	Games   int64
	Shots   int64 // of both sides, until the enemy fleet is sunk
	Counted int64 // shots for which placements were counted
	// Turned are the counted shots for which no square that LA takes for best has the
	// greatest hit probability.
	Turned int64
	// Moved are the counted shots for which LA does not take the first square in board order
	// of those with the greatest hit probability for best: what a program notes that goes
	// through the squares in order and changes its mind only for something better.
	Moved int64
}

// CountReversals plays games of an LA against itself, fleets placed at random, and adds what it counts
// to r. The values are those of the strategy's parameters. The games are those of the
// seed with numbers from, from+1, ... below to.
func (r *Reversals) CountReversals(rules *battleship.Rules, given param.Values, seed uint64, from, to int64) error {
	c := &config{}
	f, err := param.Bind(func(f *param.Fields) { c.Declare(f, rules) })
	if err != nil {
		return err
	}
	if _, errs := f.Assign(given); len(errs) > 0 {
		return errs[0]
	}
	game := battleship.Game()
	referee, err := game.Referee(rules)
	if err != nil {
		return err
	}
	witness := &witness{search: search{counter: count.New(rules.Board()), shots: c.shots, kept: c.kept}, seen: r}
	player, err := c.attack.Player(rules, witness)
	if err != nil {
		return err
	}
	out := arena.NewOutcome(2, len(game.Components))
	for block := from; block < to; block++ {
		if err := referee.Play(&arena.Fixture{Seed: seed, Block: block}, []battleship.Player{player, player}, out); err != nil {
			return err
		}
		r.Games++
		for seat := range 2 {
			r.Shots += out.Counts(seat)[2] // to win
		}
	}
	return nil
}

// witness is a search that counts reversals.
type witness struct {
	search
	seen *Reversals
}

var _ mp.Target = (*witness)(nil)

// Best implements mp.Target.
func (w *witness) Best(v *battleship.View, hunt *checkerboard.Hunt) battleship.Set {
	w.counter.Count(v.Knowledge)
	greatest, _ := w.counter.Best()
	best := w.search.Best(v, hunt)
	w.seen.Counted++
	if !best.Meets(greatest) {
		w.seen.Turned++
	}
	if !best.Has(greatest.First()) {
		w.seen.Moved++
	}
	return best
}
