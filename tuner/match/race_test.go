package match_test

import (
	"context"
	"math"
	"testing"

	"sakusen/engines/arena"
	"sakusen/strategies"
	"sakusen/tuner/match"
)

// Battleship is a race: all pairs of its lengths agree with the score of the games, with less
// error; other games have no such estimate.
func TestRace(t *testing.T) {
	catalogue := strategies.Catalogue()
	report := func(game, a, b string) *match.Report {
		t.Helper()
		g, err := catalogue.Game(game)
		if err != nil {
			t.Fatal(err)
		}
		m, err := match.New(g, nil, []string{a, b}, 3, 150)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Play(context.Background(), arena.NewPool(2)); err != nil {
			t.Fatal(err)
		}
		r, err := m.Report()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := report("battleship", "MP70", "CB")
	p := r.AllPairs
	if p == nil {
		t.Fatal("no estimate from all pairs")
	}
	played := r.Entrants[0]
	if math.Abs(p.Score.Value-played.Score.Value) > played.CI95.Half() || p.CI95.Half() >= played.CI95.Half() || p.Saves.Value < 1.2 {
		t.Errorf("all pairs %+v, the games %+v %+v", p, played.Score, played.CI95)
	}
	if r := report("laboratory", "point", "point(x1=0.7)"); r.AllPairs != nil {
		t.Errorf("no race, and %+v", r.AllPairs)
	}
}
