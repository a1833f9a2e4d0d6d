package arena_test

import (
	"errors"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// clumsy drops its dice now and then.
type clumsy struct{}

func (clumsy) Declare(*param.Fields, *diceRules)     {}
func (clumsy) Player(*diceRules) (dicePlayer, error) { return clumsy{}, nil }
func (clumsy) again(_ int, s *arena.Stream) bool {
	if s.IntN(300) == 0 {
		panic("the dice are under the table")
	}
	return false
}

// A player that panics ends its series with an error that names the block, and
// the pool plays on.
func TestPanic(t *testing.T) {
	game := arena.Enter(arena.Definition[diceRules, dicePlayer]{
		Name: "dice", Doc: "The highest throw wins.", Source: "ours",
		Declare:    func(r *diceRules, f *param.Fields) { f.Int(&r.players, "players", 2, param.Range(2, 5), "players") },
		Seats:      func(r *diceRules) int { return r.players },
		Components: []string{"rethrows", "pips"},
		Referee:    func(r *diceRules) (arena.Referee[dicePlayer], error) { return diceReferee{r}, nil },
	},
		arena.Strategy[diceRules, dicePlayer]{Name: "clumsy", Doc: "Drops its dice.", Source: "ours",
			New: func(f *param.Fields, r *diceRules) arena.Maker[dicePlayer] {
				c := clumsy{}
				c.Declare(f, r)
				return func() (dicePlayer, error) { return c.Player(r) }
			}},
		arena.Strategy[diceRules, dicePlayer]{Name: "coin", Doc: "Tosses a coin.", Source: "ours",
			New: func(f *param.Fields, r *diceRules) arena.Maker[dicePlayer] {
				c := coin{}
				c.Declare(f, r)
				return func() (dicePlayer, error) { return c.Player(r) }
			}},
	)
	rs, errs := game.Open(nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	pool := arena.NewPool(2)
	for range 3 { // the table of the first panic is not met again
		_, err := pool.Play(t.Context(), arena.Series{Ruleset: rs, Entrants: entrants(t, rs, "clumsy", "coin"), Seed: 3, To: 10000}, nil)
		p, ok := errors.AsType[*arena.PanicError](err)
		if !ok || p.Block < 0 || p.Block >= 10000 || !strings.Contains(err.Error(), "under the table") || !strings.Contains(string(p.Stack), "clumsy") {
			t.Fatalf("%v", err)
		}
		_, err = pool.Play(t.Context(), arena.Series{Ruleset: rs, Entrants: entrants(t, rs, "clumsy", "coin"), Seed: 3, From: p.Block, To: p.Block + 1}, nil)
		if again, ok := errors.AsType[*arena.PanicError](err); !ok || again.Block != p.Block {
			t.Errorf("block %d does not panic again: %v", p.Block, err)
		}
	}
	tally, err := pool.Play(t.Context(), arena.Series{Ruleset: rs, Entrants: entrants(t, rs, "coin", "coin"), Seed: 3, To: 1000}, nil)
	if err != nil || tally.Blocks != 1000 {
		t.Errorf("after the panics: %v, %d blocks", err, tally.Blocks)
	}
}
