package pig

import (
	"context"
	"math"
	"os"
	"testing"

	"sakusen/engines/arena"
)

// What is worked out is what games show.
func TestExactScores(t *testing.T) {
	game, err := Catalogue().Game("pig")
	if err != nil {
		t.Fatal(err)
	}
	rules, errs := game.Open(nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for _, c := range []struct {
		a, b string
		x, y hold
	}{
		{"hold(at=25,end=29)", "hold(at=10)", hold{At: 25, End: 29}, hold{At: 10}},
		{"hold(at=15,greed=40)", "hold(at=30,end=50)", hold{At: 15, Greed: 40}, hold{At: 30, End: 50}},
		{"hold(at=60,greed=50)", "hold(at=20)", hold{At: 60, Greed: 50}, hold{At: 20}},
	} {
		a, err := rules.Entrant(c.a)
		if err != nil {
			t.Fatal(err)
		}
		b, err := rules.Entrant(c.b)
		if err != nil {
			t.Fatal(err)
		}
		const blocks = 20_000
		tally, err := arena.NewPool(1).Play(context.Background(), arena.Series{Ruleset: rules, Entrants: []arena.Entrant{a, b}, Seed: 3, To: blocks}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, want := 0.0, score(c.x, c.y)
		for i, n := range tally.Entrants[0].Scores {
			got += float64(i) / 4 * float64(n) / blocks
		}
		if math.Abs(got-want) > 4*0.5/math.Sqrt(2*blocks) {
			t.Errorf("%s - %s: %.4f in %d games, %.4f worked out", c.a, c.b, got, 2*blocks, want)
		}
		if back := score(c.y, c.x); math.Abs(want+back-1) > 1e-12 {
			t.Errorf("%s - %s: %v and %v", c.a, c.b, want, back)
		}
	}
}

// The tops of the studies are the best of all pairs of integers: SAKUSEN_PIG=all
// looks at all of them, otherwise at their neighbours.
func TestTops(t *testing.T) {
	for _, c := range Tops() {
		best := Elo(c.Best, c.Baseline)
		if math.Abs(best-c.Elo) > 0.05 {
			t.Errorf("%+v against %+v: %.2f Elo, stored %.2f", c.Best, c.Baseline, best, c.Elo)
		}
		for at := 2; at <= 60; at++ {
			for other := 0; other <= 60; other++ {
				h := hold{At: at, End: other}
				near := other - c.Best.End
				if c.Greedy {
					h, near = hold{At: at, Greed: other}, other-c.Best.Greed
				}
				if c.Greedy && other > 50 || os.Getenv("SAKUSEN_PIG") == "" && max(at-c.Best.At, c.Best.At-at, near, -near) > 2 {
					continue
				}
				if x := Elo(h, c.Baseline); x > best+1e-9 {
					best = x
					t.Errorf("%+v has %.2f Elo against %+v, more than %+v", h, x, c.Baseline, c.Best)
				}
			}
		}
	}
}
