package muct

import (
	"context"
	"math"
	"testing"

	"sakusen/engines/arena"
)

// What is worked out is what games show, in any order of seats.
func TestScores(t *testing.T) {
	game, err := Catalogue().Game("muct-table")
	if err != nil {
		t.Fatal(err)
	}
	rules, errs := game.Open(nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	entrant := func(text string) arena.Entrant {
		e, err := rules.Entrant(text)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	for _, c := range []struct {
		a, b string
		x, y member
	}{
		{"muct(c=0.6,attack_rate=100)", "muct", member{0.6, 10, 100}, Default},
		{"muct(c=0,expansion=0,attack_rate=60)", "muct(c=0.45)", member{0, 0, 60}, member{0.45, 10, 80}},
		{"muct(expansion=0)", "muct(c=0.3,expansion=0,attack_rate=100)", member{0.15, 0, 80}, member{0.3, 0, 100}},
	} {
		const blocks = 20_000
		s := arena.Series{Ruleset: rules, Entrants: []arena.Entrant{entrant(c.a), entrant(c.b)}, Seed: 3, To: blocks}
		tally, err := arena.NewPool(1).Play(context.Background(), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, want := 0.0, score(c.x, c.y)
		for half, n := range tally.Entrants[0].Scores {
			got += float64(half) / 4 * float64(n) / blocks
		}
		if math.Abs(got-want) > 4*0.5/math.Sqrt(blocks) {
			t.Errorf("%s - %s: %.4f in %d games, %.4f worked out", c.a, c.b, got, 2*blocks, want)
		}
		if back := score(c.y, c.x); math.Abs(want+back-1) > 1e-12 {
			t.Errorf("%s - %s: %v and %v", c.a, c.b, want, back)
		}
	}
	if _, err := rules.Entrant("muct(c=0.2)"); err == nil {
		if _, err = arena.NewPool(1).Play(context.Background(), arena.Series{Ruleset: rules, Entrants: []arena.Entrant{entrant("muct(c=0.2)"), entrant("muct")}, Seed: 3, To: 1}, nil); err == nil {
			t.Error("a member that is not in the table plays")
		}
	}
}

// Members and numbers are the same list, and every two of them have met.
func TestMembers(t *testing.T) {
	for n := range Members {
		if m := Nth(n); m.number() != n || m.check() != nil {
			t.Errorf("%d is %+v, whose number is %d: %v", n, m, m.number(), m.check())
		}
		for k := range Members {
			if pairs()[min(n, k)][max(n, k)].all == 0 {
				t.Errorf("%v and %v have not met", Nth(n), Nth(k))
			}
		}
	}
}
