package battleship_test

import (
	"flag"
	"math"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/suite"
)

// The gains of the attacks beyond EX are measured by
//
//	go test ./strategies/battleship -run TestGains -gains 50000 -v
//
// with so many blocks, each of two one-sided games.
var gains = flag.Int64("gains", 0, "measure the gains over exact play with this many blocks for each row")

var gainRow = flag.Int("gain-row", -1, "with -gains, the only row to measure")

// shots returns the shots to win of each one-sided game of an entrant against its
// own placement, in the order of blocks and seats.
func (r room) shots(t testing.TB, entrant string, seed uint64, blocks int64) []float64 {
	var all []float64
	r.play(t, entrant, entrant, seed, blocks, func(run *arena.Run) error {
		for b := range run.Blocks {
			for seat := range 2 {
				all = append(all, float64(run.Game(b, 0, seat)[4]))
			}
		}
		return nil
	})
	return all
}

// TestGains plays the same fleets twice and takes the difference game by game.
func TestGains(t *testing.T) {
	for i, row := range []struct {
		better, worse string
		least         float64 // shots
		short         int64   // blocks in the everyday test
	}{
		{"foresight", "exact", 0.10, 300},
		{"model", "exact", -0.10, 300},
		{"model(place.kind=edge1,place.separated=true)", "EX/ED1SP", 2, 100},
	} {
		if *gainRow >= 0 && *gainRow != i {
			continue
		}
		blocks := *gains
		if blocks == 0 {
			if blocks = row.short; suite.Few() {
				blocks /= 5
			}
		}
		r := newRoom(t) // a new one for each row, so that trees are cold
		better, worse := r.shots(t, row.better, 11, blocks), r.shots(t, row.worse, 11, blocks)
		n, sum, squares := float64(len(better)), 0.0, 0.0
		for i := range better {
			d := worse[i] - better[i]
			sum += d
			squares += d * d
		}
		gain := sum / n
		se := math.Sqrt((squares/n - gain*gain) / n)
		t.Logf("%s: %.3f shots better than %s, 95 %% +- %.3f, %d one-sided games", row.better, gain, row.worse, 1.96*se, len(better))
		if gain < row.least-4*se || *gains > 0 && gain < row.least {
			t.Errorf("%s: %.3f +- %.3f shots better than %s, want %.2f", row.better, gain, 1.96*se, row.worse, row.least)
		}
	}
}
