package film_test

import (
	"context"
	"errors"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/arena/arenatest"
	"sakusen/engines/arena/film"
	"sakusen/strategies"
)

// series returns one block of a game of the catalogue, and the game's scene.
func series(t testing.TB, name, rules string, entrants ...string) (film.Scene, arena.Series) {
	t.Helper()
	g, err := strategies.All().Game(name)
	if err != nil {
		t.Fatal(err)
	}
	return g.Scene, arenatest.Series(t, g.Game, rules, entrants...)
}

// Every game is filmed: told or drawn, the frames numbered, and the game the one
// that is played unwatched.
func TestShoot(t *testing.T) {
	for _, c := range []struct {
		game, rules string
		entrants    []string
		drawn       bool
	}{
		{"battleship", "", []string{"MP70", "CB"}, true},
		{"battleship", "width=16 height=3 carrier.ships=2", []string{"R", "CB"}, true},
		{"daifugo", "", []string{"lowest-first", "random"}, true},
		{"daifugo", "players=5 cards=7", []string{"lowest-first", "greedy-out"}, true},
		{"tubstap", "", []string{"random", "single"}, true},
		{"lifeboats", "", []string{"level1", "random"}, true},
		{"laboratory", "", []string{"point"}, false},
	} {
		t.Run(c.game+" "+c.rules, func(t *testing.T) {
			scene, s := series(t, c.game, c.rules, c.entrants...)
			for rotation := range min(2, s.Ruleset.Seats) {
				one, err := film.Shoot(context.Background(), scene, s, rotation, film.Limits{}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if len(one.Frames) == 0 || one.Result == nil || one.Cut != "" {
					t.Fatalf("%d frames, result %v, cut %q", len(one.Frames), one.Result, one.Cut)
				}
				for i, f := range one.Frames {
					if f.Step != i || f.Text == "" || c.drawn && f.SVG == "" {
						t.Errorf("frame %d is step %d, %q, %d bytes", i, f.Step, f.Text, len(f.SVG))
					}
				}
				for _, i := range []int{0, len(one.Frames) / 2, len(one.Frames) - 1} {
					arenatest.WellFormed(t, one.Frames[i].SVG)
				}
				plain, err := arena.One(context.Background(), &s, 0, rotation)
				if err != nil {
					t.Fatal(err)
				}
				if one.Result.Run.Digests[0] != plain.Digests[0] {
					t.Error("filming changes the game")
				}
			}
		})
	}
}

// A film is cut at its limits, and left when its watcher leaves.
func TestShootEnds(t *testing.T) {
	for _, game := range []string{"battleship", "tubstap"} {
		scene, s := series(t, game, "", "random")
		for _, limits := range []film.Limits{{Frames: 3}, {Bytes: 100}} {
			one, err := film.Shoot(context.Background(), scene, s, 0, limits, nil)
			if err != nil || one.Cut == "" || one.Result != nil || len(one.Frames) > 3 {
				t.Errorf("%s within %v: %d frames, cut %q, error %v", game, limits, len(one.Frames), one.Cut, err)
			}
		}
		left := errors.New("the watcher left")
		n := 0
		_, err := film.Shoot(context.Background(), scene, s, 0, film.Limits{}, func(film.Frame) error {
			if n++; n == 2 {
				return left
			}
			return nil
		})
		if !errors.Is(err, left) || n != 2 {
			t.Errorf("%s: after %d frames %v", game, n, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		_, err = film.Shoot(ctx, scene, s, 0, film.Limits{}, func(film.Frame) error { cancel(); return nil })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled, got %v", game, err)
		}
	}
	scene, s := series(t, "battleship", "", "R")
	if _, err := film.Shoot(context.Background(), scene, s, 2, film.Limits{}, nil); err == nil {
		t.Error("a rotation beyond the seats is filmed")
	}
	s.From, s.To = -1, 0
	if _, err := film.Shoot(context.Background(), scene, s, 0, film.Limits{}, nil); err == nil {
		t.Error("a block before the first is filmed")
	}
}
