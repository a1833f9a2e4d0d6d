package battleship_test

import (
	"math"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/suite"
	"sakusen/strategies"
)

// digests plays an entrant against itself and returns what happened.
func (r room) digests(t testing.TB, entrant string, blocks int64) (sums []uint64, tally arena.Tally) {
	tally = r.play(t, entrant, entrant, 7, blocks, func(run *arena.Run) error {
		sums = append(sums, run.Digests...)
		return nil
	})
	return sums, tally
}

// TestExactIsMPWithoutLimits plays the same games with and without a tree, with
// a tree that is full at once, and as MP, which has none.
func TestExactIsMPWithoutLimits(t *testing.T) {
	r := newRoom(t)
	want, tally := r.digests(t, "mp(start_squares=100,start_ships=5,open_hits=board,ties=first)", 8)
	for _, entrant := range []string{"EX", "exact(tree_shots=0)", "exact(tree_memory=1)", "EX"} {
		got, other := r.digests(t, entrant, 8)
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("%s: game %d differs", entrant, i)
			}
		}
		for seat := range 2 {
			for c, sum := range other.Entrants[seat].Seats[seat].Sums {
				if sum != tally.Entrants[seat].Seats[seat].Sums[c] {
					t.Errorf("%s: seat %d, component %d sums up to %d, without a tree to %d",
						entrant, seat, c, sum, tally.Entrants[seat].Seats[seat].Sums[c])
				}
			}
		}
	}
}

// shotsToWin returns the mean of an entrant against its own placement with its
// standard error, shots.
func (r room) shotsToWin(t testing.TB, entrant string, seed uint64, blocks int64) (mean, se float64) {
	tally := r.play(t, entrant, entrant, seed, blocks, nil)
	n, sum, squares := 0.0, 0.0, 0.0
	for seat := range 2 {
		s := tally.Entrants[seat].Seats[seat]
		n += float64(s.Games)
		sum += float64(s.Sums[2])
		squares += s.Cross[2][2].Float()
	}
	mean = sum / n
	return mean, math.Sqrt((squares/n - mean*mean) / n)
}

// TestExactMean compares with 100,000 games: 44.46 shots against fleets drawn
// jointly, 44.38 against fleets drawn ship by ship.
func TestExactMean(t *testing.T) {
	blocks := int64(2000)
	if suite.Few() {
		blocks = 200
	}
	r := newRoom(t)
	for _, c := range []struct {
		entrant string
		want    float64
	}{
		{"exact(place.draw=joint)", 44.46}, {"EX", 44.38}, {"exact(ties=turned)", 44.38},
	} {
		mean, se := r.shotsToWin(t, c.entrant, 3, blocks)
		if math.Abs(mean-c.want) > 0.03+4*se {
			t.Errorf("%s: %.3f shots +- %.3f, want %.2f", c.entrant, mean, 1.96*se, c.want)
		}
	}
}

// BenchmarkExact plays games of EX against EX from a cold tree: the more games,
// the more of the tree is known.
func BenchmarkExact(b *testing.B) {
	for b.Loop() {
		newRoom(b).play(b, "EX", "EX", 1, 500, nil)
	}
	b.ReportMetric(500*float64(b.N)/b.Elapsed().Seconds(), "games/s")
}

// BenchmarkForesight plays games of EX+ against itself from a cold tree.
func BenchmarkForesight(b *testing.B) {
	for b.Loop() {
		newRoom(b).play(b, "foresight", "foresight", 1, 500, nil)
	}
	b.ReportMetric(500*float64(b.N)/b.Elapsed().Seconds(), "games/s")
}

// BenchmarkModel plays games of OM against itself from a cold tree.
func BenchmarkModel(b *testing.B) {
	for b.Loop() {
		newRoom(b).play(b, "model", "model", 1, 500, nil)
	}
	b.ReportMetric(500*float64(b.N)/b.Elapsed().Seconds(), "games/s")
}

// TestManyShips plays fleets that cannot be counted at first: no player hangs, and
// all beat the neighbour attack.
func TestManyShips(t *testing.T) {
	game, err := strategies.Catalogue().Game("battleship")
	if err != nil {
		t.Fatal(err)
	}
	rules, errs := game.Open(param.Values{{Name: "destroyer.ships", Text: "4"}, {Name: "cruiser.ships", Text: "2"}, {Name: "submarine.ships", Text: "1"}, {Name: "battleship.ships", Text: "2"}})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	r := room{rules, arena.NewPool(1)}
	worst, _ := r.shotsToWin(t, "RNB", 1, 50)
	for _, entrant := range []string{"EX", "EX+", "OM"} {
		if mean, se := r.shotsToWin(t, entrant, 1, 50); mean > worst-4+4*se {
			t.Errorf("%s needs %.2f shots, RNB %.2f", entrant, mean, worst)
		}
	}
}
