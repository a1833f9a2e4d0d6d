package bench

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// comparedCells is the number of cells in which we and benchstat are held to be
// equal, so that a test that compares nothing cannot pass.
const comparedCells = 394

// The yardstick: in every cell of benchstat's tables our centre, interval,
// change and p read the same. testdata/pairs/*/benchstat.csv was printed by
// golang.org/x/perf/cmd/benchstat at v0.0.0-20260908200009-22c9c6c9d4da with
// -format csv old.txt new.txt.
func TestBenchstat(t *testing.T) {
	dirs, err := filepath.Glob("testdata/pairs/*")
	if err != nil || len(dirs) < 10 {
		t.Fatalf("%d pairs, %v", len(dirs), err)
	}
	total := 0
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			c := Compare(readFile(t, dir+"/old.txt"), readFile(t, dir+"/new.txt"), Options{})
			text, err := os.ReadFile(dir + "/benchstat.csv")
			if err != nil {
				t.Fatal(err)
			}
			total += checkBenchstat(t, c, string(text))
		})
	}
	if total != comparedCells {
		t.Errorf("compared %d cells, expected %d", total, comparedCells)
	}
}

// checkBenchstat compares every cell of a table of benchstat with ours, and
// returns how many there were.
func checkBenchstat(t *testing.T, c *Comparison, text string) int {
	t.Helper()
	rows := map[Series]*Row{}
	for i := range c.Rows {
		rows[c.Rows[i].Series] = &c.Rows[i]
	}
	cells, seen := 0, 0
	check := func(s Series, what, got, want string) {
		cells++
		if got != want {
			t.Errorf("%s: %s: got %q, benchstat printed %q", s.Title(), what, got, want)
		}
	}
	reader := csv.NewReader(strings.NewReader(text))
	reader.FieldsPerRecord = -1
	lines, err := reader.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var where Series
	var sides []string // of the columns
	for i, line := range lines {
		switch {
		case len(line) == 1:
			key, value, _ := strings.Cut(line[0], ": ")
			switch key {
			case "pkg":
				where.Pkg = value
			case "goos":
				where.GOOS = value
			case "goarch":
				where.GOARCH = value
			case "cpu":
				where.Machine = value
			}
		case line[0] == "" && i > 0 && len(lines[i-1]) == len(line) && lines[i-1][0] == "" && lines[i-1][1] != line[1]:
			where.Unit = line[1]
			sides = lines[i-1]
		case line[0] == "geomean":
			cells += checkGeomean(t, c, where, sides, line)
		case line[0] == "":
		default:
			s := where
			s.Name = line[0]
			r := rows[s]
			if r == nil {
				t.Errorf("%s: no such series", s.Title())
				continue
			}
			seen++
			for at, file := range sides {
				if file == "" {
					continue
				}
				side, isNew := r.Old, file == "new.txt"
				if isNew {
					side = r.New
				}
				if at >= len(line) || line[at] == "" {
					if side != nil {
						t.Errorf("%s: %s: benchstat has no such side", s.Title(), file)
					}
					continue
				}
				if side == nil {
					t.Errorf("%s: %s: we have no such side", s.Title(), file)
					continue
				}
				check(s, file+" centre", fmt.Sprint(side.Center), line[at])
				check(s, file+" interval", side.Range, line[at+1])
				if isNew && at+3 < len(line) && line[at+3] != "" {
					check(s, "change", r.Printed, line[at+2])
					check(s, "test", r.Test, line[at+3])
				}
			}
		}
	}
	if seen != len(c.Rows) {
		t.Errorf("benchstat has %d series, we %d", seen, len(c.Rows))
	}
	return cells
}

// checkGeomean compares benchstat's summary row with ours, and returns the cells.
func checkGeomean(t *testing.T, c *Comparison, where Series, sides, line []string) int {
	t.Helper()
	where.Name = ""
	for _, part := range c.tables() {
		if part.where != where {
			continue
		}
		g, cells := part.geomean(), 0
		for at, file := range sides {
			if file == "" || at >= len(line) {
				continue
			}
			mean := g.Old
			if file == "new.txt" {
				mean = g.New
				if at+2 < len(line) && line[at+2] != g.printed() { // without an old side there is no change
					t.Errorf("%s: geomean of the ratios %q, benchstat printed %q", where.Title(), g.printed(), line[at+2])
				}
			}
			cells++
			want, err := strconv.ParseFloat(line[at], 64)
			if line[at] == "" {
				want, err = math.NaN(), nil
			}
			if err != nil || math.IsNaN(mean) != math.IsNaN(want) || math.Abs(mean-want) > 1e-9*want {
				t.Errorf("%s: geomean %v, benchstat printed %q", where.Title(), mean, line[at])
			}
		}
		return cells
	}
	t.Errorf("%s: no such table", where.Title())
	return 0
}

func readFile(t testing.TB, name string) *Run {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	run, err := Read(f, filepath.Base(name), ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return run
}
