package pairing_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"sakusen/engines/arena"
	"sakusen/strategies"
	"sakusen/strategies/battleship/pairing"
)

// TestAllPairs compares with counting the wins of all pairs of games.
func TestAllPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		var a, b pairing.Distribution
		var xs, ys []int
		for range 1 + r.IntN(50) {
			xs = append(xs, 17+r.IntN(30))
			a.Add(xs[len(xs)-1])
		}
		for range 1 + r.IntN(50) {
			ys = append(ys, 17+r.IntN(30))
			b.Add(ys[len(ys)-1])
		}
		wins := 0
		for _, x := range xs {
			for _, y := range ys {
				if x <= y {
					wins++
				}
			}
		}
		want := float64(wins) / float64(len(xs)*len(ys))
		if got := pairing.First(&a, &b).Value; math.Abs(got-want) > 1e-12 {
			t.Fatalf("%g by distributions, %g by pairs", got, want)
		}
	}
}

// TestAgainstMatches plays the pairings and, with another seed, each attack
// alone at each place.
func TestAgainstMatches(t *testing.T) {
	game, err := strategies.Catalogue().Game("battleship")
	if err != nil {
		t.Fatal(err)
	}
	rules, errs := game.Open(nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	blocks := int64(10000)
	if testing.Short() {
		blocks = 1000
	}
	component := rules.Component("shots_to_win")
	play := func(first, second string, seed uint64, observe func(*arena.Run) error) arena.Tally {
		var entrants []arena.Entrant
		for _, text := range []string{first, second} {
			e, err := rules.Entrant(text)
			if err != nil {
				t.Fatal(err)
			}
			entrants = append(entrants, e)
		}
		tally, err := arena.NewPool(1).Play(context.Background(), arena.Series{Ruleset: rules, Entrants: entrants, Seed: seed, To: blocks}, observe)
		if err != nil {
			t.Fatal(err)
		}
		return tally
	}
	// alone is an attack against fleets placed so: both sides of a mirror match.
	alone := func(attack, place string, seed uint64) *pairing.Distribution {
		d := &pairing.Distribution{}
		e := attack + "/" + place
		play(e, e, seed, func(run *arena.Run) error {
			for seat := range 2 {
				d.AddRun(run, seat, component)
			}
			return nil
		})
		return d
	}
	for _, row := range []struct{ first, firstPlace, second, secondPlace string }{
		{"CB", "R", "RNB", "R"},
		{"MP70", "ED1", "CB", "PK2X10"},
		{"R", "ED2SP", "R", "R"},
	} {
		tally := play(row.first+"/"+row.firstPlace, row.second+"/"+row.secondPlace, 5, nil)
		s := tally.Entrants[0].Seats[0]
		played := float64(s.Score) / 2 / float64(s.Games)
		se := math.Sqrt(played * (1 - played) / float64(s.Games))
		got := pairing.First(alone(row.first, row.secondPlace, 6), alone(row.second, row.firstPlace, 7))
		t.Logf("%v: %.2f %% +- %.2f of %d matches, %.2f %% +- %.2f by distributions",
			row, 100*played, 196*se, s.Games, 100*got.Value, 196*got.SE)
		if math.Abs(got.Value-played) > 3.5*math.Hypot(se, got.SE) {
			t.Errorf("%v: %.4f played, %.4f by distributions, standard errors %.4f and %.4f", row, played, got.Value, se, got.SE)
		}
		if got.SE > 1.05*se {
			t.Errorf("%v: the standard error %.4f by distributions is above that of matches, %.4f", row, got.SE, se)
		}
	}
}
