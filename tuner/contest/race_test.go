package contest_test

import (
	"context"
	"math"
	"testing"

	"sakusen/engines/arena"
	"sakusen/strategies"
	"sakusen/tuner/contest"
	"sakusen/tuner/stats"
)

// Battleship is a race: all pairs of its lengths agree with the score of the games, with less
// error; other games have no such estimate.
func TestRace(t *testing.T) {
	catalogue := strategies.Catalogue()
	report := func(game, a, b, sprt string, pairs bool) *contest.Report {
		t.Helper()
		g, err := catalogue.Game(game)
		if err != nil {
			t.Fatal(err)
		}
		m, err := contest.NewMatch(g, nil, []string{a, b}, 3, 150)
		if err != nil {
			t.Fatal(err)
		}
		if sprt != "" {
			if m.Test, err = contest.ReadTest(sprt, "logistic", .05, .05, 3000); err != nil {
				t.Fatal(err)
			}
			m.Series.To, m.AllPairs = 3000, pairs
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
	r := report("battleship", "MP70", "CB", "", false)
	p := r.AllPairs
	if p == nil {
		t.Fatal("no estimate from all pairs")
	}
	played := r.Entrants[0]
	if math.Abs(p.Score.Value-played.Score.Value) > played.CI95.Half() || p.CI95.Half() >= played.CI95.Half() || p.Saves.Value < 1.2 {
		t.Errorf("all pairs %+v, the games %+v %+v", p, played.Score, played.CI95)
	}
	if r := report("laboratory", "point", "point(x1=0.7)", "", false); r.AllPairs != nil {
		t.Errorf("no race, and %+v", r.AllPairs)
	}
	// A test judges them where it is asked to, and takes fewer blocks.
	games := report("battleship", "MP70", "CB", "0,10", false)
	if s := games.SPRT; s.AllPairs || s.Verdict != stats.H1 || games.AllPairs != nil {
		t.Errorf("%d blocks, %+v", games.Blocks, s)
	}
	r = report("battleship", "MP70", "CB", "0,10", true)
	if s := r.SPRT; !s.AllPairs || s.Verdict != stats.H1 || r.AllPairs != nil || r.Blocks >= games.Blocks || s.LLR < s.Upper {
		t.Errorf("%d blocks, %+v", r.Blocks, r.SPRT)
	}
	if s := r.SPRT.Unbiased; !(s.EloCI95.Lo.Value < s.Elo.Value && s.Elo.Value < s.EloCI95.Hi.Value) || s.EloCI95.Lo.Value <= 0 {
		t.Errorf("the estimate after the test is %+v", s)
	}
}
