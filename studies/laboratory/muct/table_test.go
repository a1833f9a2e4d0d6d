package muct

import (
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/strategies"
)

var tabulate = flag.Int64("tabulate", 0, "measure blocks.csv anew, with so many blocks for each pair of members and five times as many for those with the baseline")

// played returns the results of blocks of TUBSTAP between two members.
func played(t *testing.T, rules *arena.Ruleset, a, b member, blocks int64) (counts [5]int64) {
	t.Helper()
	var entrants []arena.Entrant
	for _, m := range []member{a, b} {
		e, err := rules.Entrant(m.entrant())
		if err != nil {
			t.Fatal(err)
		}
		entrants = append(entrants, e)
	}
	tally, err := arena.NewPool(1).Play(context.Background(), arena.Series{Ruleset: rules, Entrants: entrants, Seed: 4711, To: blocks}, nil)
	if err != nil {
		t.Fatal(err)
	}
	scores := tally.Entrants[0].Scores
	if len(scores) == 5 && a != b {
		copy(counts[:], scores)
		return counts
	}
	t.Fatalf("%d kinds of blocks between %v and %v", len(scores), a, b)
	return counts
}

// tubstap returns its rules on the table's map.
func tubstap(t *testing.T) *arena.Ruleset {
	t.Helper()
	game, err := strategies.Catalogue().Game("tubstap")
	if err != nil {
		t.Fatal(err)
	}
	rules, errs := game.Open(param.Values{{Name: "map", Text: Map}})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return rules
}

// TestTable holds the table to a few of its blocks, and measures it anew with -tabulate.
func TestTable(t *testing.T) {
	rules := tubstap(t)
	if *tabulate > 0 {
		write(t, rules)
		return
	}
	for _, pair := range [][2]int{{0, 29}, {7, 10}, {10, 29}} {
		a, b := Nth(pair[0]), Nth(pair[1])
		const blocks = 25
		counts, all := played(t, rules, a, b, blocks), pairs()[pair[0]][pair[1]]
		for half := range counts {
			if counts[half] > all.blocks[half] {
				t.Errorf("%v and %v: %v of the first %d blocks, the table has %v", a, b, counts, blocks, all.blocks)
				break
			}
		}
	}
}

// write measures the table.
func write(t *testing.T, rules *arena.Ruleset) {
	rows := [][]string{{"first", "second", "points_0", "points_0.5", "points_1", "points_1.5", "points_2"}}
	for i := range Members {
		for j := i; j < Members; j++ {
			blocks, row := *tabulate, []string{strconv.Itoa(i), strconv.Itoa(j)}
			if slices.Contains([]member{Nth(i), Nth(j)}, Default) {
				blocks *= 5
			}
			counts := [5]int64{0, 0, 1, 0, 0}
			if i != j {
				counts = played(t, rules, Nth(i), Nth(j), blocks)
			}
			for _, n := range counts {
				row = append(row, fmt.Sprint(n))
			}
			rows = append(rows, row)
		}
		fmt.Println(Nth(i))
	}
	f, err := os.Create("blocks.csv")
	if err != nil {
		t.Fatal(err)
	}
	if err := csv.NewWriter(f).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
