package battleship_test

import (
	"math"
	"testing"

	"sakusen/engines/suite"
)

// TestFigures compares our figures with the paper's. TestTables has all rows
// and counts more games.
func TestFigures(t *testing.T) {
	r := newRoom(t)
	for _, c := range []struct {
		first, second string
		hits          float64 // first player's hit ratio, percent; 0 for the wins
		within        float64
		wins          float64 // of the first player, percent
	}{
		{"R", "R", 20.8, 0.2, 0},
		{"RNB", "RNB", 31.4, 0.2, 0},
		{"CB", "CB", 36.65, 0.25, 0},
		{"MP70", "RNB", 0, 1, 74.4},
		{"MP70/RSP", "MP70/R", 0, 1, 48.3}, // separated ships lose: the paper's surprise
		{"RNB/RSP", "RNB/R", 0, 1, 54.28},  // and win against a lesser attack
	} {
		if suite.Few() && c.wins > 0 {
			continue
		}
		tally := r.play(t, c.first, c.second, 11, 20_000, nil)
		first := tally.Entrants[0].Seats[0]
		got, _ := ratio(first)
		want := c.hits
		if c.wins > 0 {
			got, want = 50*float64(first.Score)/float64(first.Games), c.wins
		}
		if math.Abs(got-want) > c.within {
			t.Errorf("%s against %s: %.2f, want %g within %g", c.first, c.second, got, want, c.within)
		}
	}
}

// TestOneSided: the wins that follow from the shots each side needs are those
// of the games.
func TestOneSided(t *testing.T) {
	r := newRoom(t)
	const blocks = 5000
	tally := r.play(t, "CB", "RNB/ED2SP", 3, blocks, nil)
	cb, rnb := r.distribution(t, "CB/ED2SP", 4, blocks), r.distribution(t, "RNB", 5, blocks)
	got := 100 * firstWins(&cb, &rnb)
	want := 50 * float64(tally.Entrants[0].Seats[0].Score) / blocks
	if math.Abs(got-want) > 4*100*math.Sqrt(.25/blocks) {
		t.Errorf("%.2f %% of the games are won, %.2f %% by the shots each side needs", want, got)
	}
}

// BenchmarkGames plays each strategy against itself in the arena, digests
// included; a game is two sides.
func BenchmarkGames(b *testing.B) {
	for _, name := range []string{"R", "RNB", "CB", "MP70", "MP80", "MP100", "LA2.8.70", "RNB/ED1SP", "MP70/ED1SP"} {
		b.Run(name, func(b *testing.B) {
			r := newRoom(b)
			const blocks = 100
			r.play(b, name, name, 1, blocks, nil) // tables are made and caches warm
			for seed := uint64(2); b.Loop(); seed++ {
				r.play(b, name, name, seed, blocks, nil)
			}
			b.ReportMetric(float64(b.N)*2*blocks/b.Elapsed().Seconds(), "sides/s")
			b.ReportMetric(float64(b.N)*blocks/b.Elapsed().Seconds(), "games/s")
		})
	}
}
