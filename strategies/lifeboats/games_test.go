package lifeboats_test

import (
	"context"
	"math"
	"os"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/suite"
)

// Equal players win a fifth each, in whatever seat. 100 000 games of random
// voters bound the error by 0.0032, two and a half standard errors, 5 000 games of
// anybody by 0.0141; set
// LIFEBOATS_MILLION=1 to play a million of each, which bound it by 0.001.
func TestEqualPlayersWinAFifth(t *testing.T) {
	million := os.Getenv("LIFEBOATS_MILLION") != ""
	for _, entrant := range []string{"random", "level0", "level1(alive=expected)"} {
		games := int64(1_000_000)
		switch {
		case million:
		case suite.Few():
			games = 5_000
		case entrant == "random":
			games = 100_000
		default:
			games = 20_000
		}
		tolerance := 0.001 * math.Sqrt(1e6/float64(games))
		s := seated(t, entrant, entrant, entrant, entrant, entrant)
		s.To = games
		tally, err := arena.NewPool(2).Play(context.Background(), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		if tally.Games != games {
			t.Fatalf("%d games", tally.Games)
		}
		for seat, got := range tally.Entrants[0].Seats {
			share := float64(got.Score) / float64(games*arena.Scale(5))
			t.Logf("%s, seat %d: %.5f of %d games", entrant, seat, share, games)
			if math.Abs(share-0.2) > tolerance {
				t.Errorf("%s wins %.5f in seat %d", entrant, share, seat)
			}
		}
	}
}

// No game allocates: 800 games take fewer allocations than one each, for all players. The
// chunks in which games are handed out do allocate, and how many there are is a matter of
// time; so the least of some runs counts, for a game that allocates does so in every run.
func TestNoAllocationPerGame(t *testing.T) {
	const games, runs = 800, 20
	for _, entrant := range []string{"random", "level0(X=2.37)", "level1(alive=expected,predict=own)", "adaptive"} {
		s := seated(t, entrant, entrant, entrant, entrant, entrant)
		s.To = games
		pool, least := arena.NewPool(1), math.Inf(1)
		for n := 0; n < runs && least >= games; n++ {
			least = min(least, testing.AllocsPerRun(1, func() {
				if _, err := pool.Play(context.Background(), s, nil); err != nil {
					t.Fatal(err)
				}
			}))
		}
		if least >= games {
			t.Errorf("%s: %v allocations in %d games", entrant, least, games)
		}
	}
}
