package documents

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/plain"
)

// hostileNames are what a pull request's code, a file of a stranger or a player over a
// network may call things: a title for the terminal, colours by one byte, text turned
// round, formulas.
var hostileNames = []string{
	"\x1b]0;owned\a", "\u009b31mred", "a\u202ecod.exe", "\x08\x08\x08", "=HYPERLINK(1)", "@SUM(1)", "+cmd|1", "\x7f",
}

// No command prints what a terminal obeys, on either stream, in any format, and no
// CSV has a formula, whatever things are called.
func TestHostileNamesArePlain(t *testing.T) {
	dir := t.TempDir()
	db := []string{"--db", filepath.Join(dir, "x.db")}
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var bench strings.Builder
	for i, name := range hostileNames {
		fmt.Fprintf(&bench, "pkg: %s\nmachine: m%d\n", name, i)
		for n := range 6 {
			fmt.Fprintf(&bench, "BenchmarkA/%s-2 100 %d ns/op 7 %s/op\n", strings.ReplaceAll(name, " ", "_"), 1000+n, strings.ReplaceAll(name, " ", "_"))
		}
	}
	text := file("bench.txt", bench.String())
	var cup strings.Builder
	cup.WriteString("version: 1\nname: cup\ngame: dice\nblocks: 10\nseed: 1\nformat: round_robin\nentrants:\n")
	for i, name := range hostileNames[:4] {
		quoted, err := json.Marshal(name + fmt.Sprint(i))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&cup, "  - {name: %s, strategy: plain}\n", quoted)
	}
	cupFile := file("cup.yaml", cup.String())
	seen := 0
	for _, args := range [][]string{
		{"bench", "record", text, "--branch", hostileNames[0], "--commit", hostileNames[1]},
		{"bench", "record", text, "--branch", "main", "--commit", "abc"},
		{"bench", "history"}, {"bench", "history", "--json"}, {"bench", "history", hostileNames[0]},
		{"bench", "compare", text, text}, {"bench", "compare", text, text, "--format", "csv"}, {"bench", "compare", text, text, "--format", "markdown"},
		{"bench", "compare", text, text, "--json"}, {"bench", "compare", hostileNames[0], hostileNames[1]},
		{"bench", "gate", text, text}, {"bench", "export", "run:1"}, {"bench", "export", text},
		{"bench", "baseline", "set", hostileNames[0], text}, {"bench", "baseline", "list"}, {"bench", "baseline", "rm", hostileNames[1]},
		{"tournament", cupFile, "--record=false"}, {"tournament", cupFile, "--record=false", "--json"}, {"tournament", hostileNames[0]},
		{"match", "dice", hostileNames[0], hostileNames[1]}, {"match", hostileNames[2], "a", "b"},
		{"study", "show", hostileNames[0]}, {"study", "list", hostileNames[1]}, {"export", hostileNames[2]}, {"tune", hostileNames[0]},
		{hostileNames[0]}, {"--" + hostileNames[1]}, {"games", hostileNames[3]}, {"strategies", hostileNames[1]}, {"db", "check"},
		{"experiment", "run", hostileNames[0]}, {"config", "--config", filepath.Join(dir, hostileNames[0])},
	} {
		p := clitest.Launch(t, "", append(append([]string{}, args...), db...)...)
		for _, printed := range []string{p.Out, p.Err} {
			if !plain.Is(printed) {
				t.Errorf("%q prints %q", args, printed)
			}
			if strings.Contains(printed, `\u`) || strings.Contains(printed, `\x1b`) || strings.Contains(printed, `\b\b`) {
				seen++
			}
		}
		if args[len(args)-1] != "csv" {
			continue
		}
		rows, err := csv.NewReader(strings.NewReader(p.Out)).ReadAll()
		if err != nil || len(rows) < 2 {
			t.Fatalf("%q: %v\n%s", args, err, p.Out)
		}
		for _, row := range rows {
			for i, cell := range row {
				if i < 6 && plain.Cell(cell) != cell {
					t.Errorf("%q has the cell %q", args, cell)
				}
			}
		}
	}
	if seen < 15 { // names in benchmarks' texts have lost it when they are read
		t.Errorf("only %d outputs have a hostile name: the test no longer reaches what it is about", seen)
	}
}
