package battleship

import (
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
	"sakusen/engines/suite"
	"sakusen/strategies/battleship/count"
)

// both is greatest with its counter and with plain enumeration, compared.
type both struct {
	t          *testing.T
	fast, slow greatest
	compared   int
}

func (b *both) Best(v *battleship.View, hunt *hunt) battleship.Set {
	best, want := b.fast.Best(v, hunt), b.slow.Best(v, hunt)
	if best != want || b.fast.counter.Total() != b.slow.counter.Total() {
		b.t.Fatalf("%v of %v placements, by enumeration %v of %v", best, b.fast.counter.Total(), want, b.slow.counter.Total())
	}
	b.compared++
	return best
}

// TestMPIsEnumeration plays games in which every choice is made twice.
func TestMPIsEnumeration(t *testing.T) {
	games := uint64(1500)
	if suite.Few() {
		games = 150
	}
	for _, c := range []struct {
		rules, attack param.Values
		games         uint64
	}{
		{nil, param.Values{{Name: "start_squares", Text: "60"}}, games},
		{nil, param.Values{{Name: "start_squares", Text: "60"}, {Name: "place.kind", Text: "packed"}}, games},
		{nil, param.Values{{Name: "start_squares", Text: "40"}, {Name: "open_hits", Text: "board"}, {Name: "start_ships", Text: "5"}}, games / 3},
		{param.Values{{Name: "width", Text: "8"}, {Name: "height", Text: "8"}, {Name: "destroyer.ships", Text: "2"}},
			param.Values{{Name: "start_squares", Text: "40"}}, games / 3},
	} {
		rules, errs := battleship.NewRules(c.rules)
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		target := &both{t: t, fast: greatest{count.New(rules.Board())}, slow: greatest{&enumeration{}}}
		p, err := attacking(rules, c.attack, target)
		if err != nil {
			t.Fatal(err)
		}
		game := battleship.Game()
		referee, err := game.Referee(rules)
		if err != nil {
			t.Fatal(err)
		}
		for block := range c.games {
			out := arena.NewOutcome(2, len(game.Components))
			if err := referee.Play(&arena.Fixture{Seed: 8, Block: int64(block)}, []battleship.Player{p, p}, out); err != nil {
				t.Fatal(err)
			}
			if out.Faults[0] || out.Faults[1] {
				t.Fatalf("block %d: a fault", block)
			}
		}
		if target.compared < int(c.games) {
			t.Errorf("%v: only %d choices compared", c.attack, target.compared)
		}
	}
}
