package laboratory

import (
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"os"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/suite"
	"sakusen/strategies"
	"sakusen/tuner/contest"
)

var tabulate = flag.Int64("tabulate", 0, "measure battleship.csv anew, with so many blocks for each member of a space")

// members returns all entrants of a tabulated ground.
func members(g *ground) []string {
	var all []string
	if !g.Mixed {
		for n := 10; n <= 90; n += 5 {
			all = append(all, fmt.Sprintf("mp(start_squares=%d,place.kind=random)", n))
		}
		return all
	}
	for _, separated := range []string{"false", "true"} {
		for _, kind := range []string{"random", "edge1", "edge2"} {
			all = append(all, fmt.Sprintf("checkerboard(place.kind=%s,place.separated=%s)", kind, separated))
		}
		for height := 1; height <= 10; height++ {
			for width := 1; width <= 10; width++ {
				all = append(all, fmt.Sprintf("checkerboard(place.kind=packed,place.height=%d,place.width=%d,place.separated=%s)", height, width, separated))
			}
		}
	}
	return all
}

// TestTabulated holds the table to a few of its games, and measures it anew with -tabulate.
func TestTabulated(t *testing.T) {
	suite.All(t)
	game, err := strategies.Catalogue().Game("battleship")
	if err != nil {
		t.Fatal(err)
	}
	rows := [][]string{{"ground", "member", "elo", "half_width", "games"}}
	for i := range tables {
		g := &tables[i]
		all := members(g)
		t.Logf("%s: %d members", g.Name, len(all))
		step, blocks := len(all)/5, int64(2000)
		if *tabulate > 0 {
			step, blocks = 1, *tabulate
		}
		for k := 0; k < len(all); k += step {
			m, err := contest.NewMatch(game, nil, []string{all[k], "CB"}, 4711, blocks)
			if err != nil {
				t.Fatal(all[k], err)
			}
			if err := m.Play(t.Context(), arena.NewPool(2)); err != nil {
				t.Fatal(err)
			}
			r, err := m.Report()
			if err != nil {
				t.Fatal(err)
			}
			e, err := m.Series.Ruleset.Entrant(all[k])
			if err != nil {
				t.Fatal(err)
			}
			elo, half := r.Entrants[0].Elo.Value, r.Entrants[0].EloCI95.Half()
			if r.AllPairs != nil {
				elo, half = r.AllPairs.Elo.Value, r.AllPairs.EloCI.Half()
			}
			if math.IsNaN(half) { // the baseline itself: all games are drawn pairs
				half = 0
			}
			if *tabulate > 0 {
				rows = append(rows, []string{g.Name, member(e.Params), fmt.Sprintf("%.2f", elo), fmt.Sprintf("%.2f", half), fmt.Sprint(2 * blocks)})
				continue
			}
			for _, table := range grounds() {
				if table.Name != g.Name {
					continue
				}
				truth, err := table.Elo(e.Params)
				if err != nil || math.Abs(truth-elo) > 2*half+2 {
					t.Errorf("%s, %s: %.1f +- %.1f Elo, the table has %.1f (%v)", g.Name, member(e.Params), elo, half, truth, err)
				}
			}
		}
	}
	if *tabulate == 0 {
		return
	}
	f, err := os.Create("battleship.csv")
	if err != nil {
		t.Fatal(err)
	}
	w := csv.NewWriter(f)
	if err := w.WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
