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
// voters bound the error by 0.0032, two and a half standard errors; set
// LIFEBOATS_MILLION=1 to play a million of each, which bound it by 0.001.
func TestEqualPlayersWinAFifth(t *testing.T) {
	million := os.Getenv("LIFEBOATS_MILLION") != ""
	for _, entrant := range []string{"random", "level0", "level1(alive=expected)"} {
		games := int64(1_000_000)
		switch {
		case million:
		case entrant == "random" && !suite.Few():
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

// No game allocates: ten times the games take no more than the memory of the further
// chunks, whoever plays.
func TestNoAllocationPerGame(t *testing.T) {
	// A chunk has a run, and what its desk and its series note of it.
	const ofChunk = 40
	for _, entrant := range []string{"random", "level0(X=2.37)", "level1(alive=expected,predict=own)", "adaptive"} {
		s := seated(t, entrant, entrant, entrant, entrant, entrant)
		pool := arena.NewPool(1)
		play := func(games int64) (allocations, chunks float64) {
			s.To = games
			allocations = testing.AllocsPerRun(2, func() {
				if _, err := pool.Play(context.Background(), s, func(*arena.Run) error { chunks++; return nil }); err != nil {
					t.Fatal(err)
				}
			})
			return allocations, chunks / 3 // with the run that warms up
		}
		few, fewChunks := play(80)
		many, manyChunks := play(800)
		if many > few+ofChunk*max(0, manyChunks-fewChunks)+16 {
			t.Errorf("%s: %v allocations and %.1f chunks in 80 games, %v and %.1f in 800", entrant, few, fewChunks, many, manyChunks)
		}
	}
}
