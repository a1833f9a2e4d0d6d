package daifugo

import (
	"strings"
	"testing"

	"sakusen/engines/daifugo"
	"sakusen/engines/suite"
	strategies "sakusen/strategies/daifugo"
	"sakusen/tuner/contest/experiment"
)

func mustCells(t *testing.T) []cell {
	t.Helper()
	all, err := allCells()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestCellsAreAllThere(t *testing.T) {
	all := mustCells(t)
	if len(all) != 135 {
		t.Errorf("%d cells, want 27 columns of 5", len(all))
	}
	misprints, perTable := 0, map[int]int{}
	for i, c := range all {
		perTable[c.Table]++
		if misprint(c) {
			misprints++
		}
		if (c.Printed == c.Expected) != (c.Note == "") {
			t.Errorf("table %d, %s, %s: printed %v, expected %v, note %q", c.Table, c.column(), c.Method, c.Printed, c.Expected, c.Note)
		}
		if c.Printed != c.Expected && !misprint(c) && !c.Method.Remembers() {
			t.Errorf("%s, %s: only methods with a table may differ from the paper", c.column(), c.Method)
		}
		if want := strategies.Methods()[i%5]; c.Method != want {
			t.Errorf("cell %d is %s, want %s", i, c.Method, want)
		}
	}
	// The full cell of 6 players is printed once, 4 players' prune+tt once, 5
	// players' prune+tt with a digit missing once.
	if misprints != 3 {
		t.Errorf("%d misprints, want 3", misprints)
	}
	for table, columns := range map[int]int{1: 5, 2: 5, 3: 5, 4: 4, 5: 4, 6: 4} {
		if perTable[table] != 5*columns {
			t.Errorf("table %d has %d cells, want %d", table, perTable[table], 5*columns)
		}
	}
}

// Every cell, to the node and the depth. Searches of more than 2^22 nodes, of which the
// largest takes as long as all others, are behind -heavy; by default those of more than
// 2^20 are left out.
func TestEveryCell(t *testing.T) {
	type search struct {
		rules  daifugo.Rules
		method strategies.Method
	}
	done, left := map[search]printedFigure{}, 0
	for _, c := range mustCells(t) {
		most := uint64(1 << 22)
		if suite.Few() {
			most = 1 << 20
		}
		if !*heavy && (c.Expected.Over || uint64(c.Expected.Nodes) > most) {
			left++
			continue
		}
		key := search{c.Rules, c.Method}
		got, ok := done[key]
		if !ok {
			var err error
			if got, err = c.measure(); err != nil {
				t.Fatal(err)
			}
			done[key] = got
		}
		if got != c.Expected {
			t.Errorf("table %d, %s, %s: %v, want %v", c.Table, c.column(), c.Method, got, c.Expected)
		}
	}
	t.Logf("%d searches, %d cells left out", len(done), left)
}

func TestEverySolution(t *testing.T) {
	columns := 0
	for i, c := range mustCells(t) {
		if i%5 != 0 {
			continue
		}
		columns++
		rows, err := c.solution()
		if err != nil {
			t.Fatal(err)
		}
		if row := rows[0]; !*row.Agrees {
			t.Errorf("table %d, %s: %s, want %s", c.Table, c.column(), row.Measured, row.Printed)
		}
	}
	if columns != 27 {
		t.Errorf("%d solutions, want 27", columns)
	}
}

// The exact counts of the position graph are the printed ones too.
func TestEveryExactCount(t *testing.T) {
	for i, c := range mustCells(t) {
		if c.Method.Remembers() || c.Expected.Over || i%5 > 2 {
			continue
		}
		p, err := daifugo.New(c.Rules)
		if err != nil {
			t.Fatal(err)
		}
		g, err := strategies.NewGraph(p, 0)
		if err != nil {
			t.Fatal(err)
		}
		got, err := g.Count(c.Method)
		if err != nil {
			t.Fatal(err)
		}
		if !got.Nodes.IsUint64() || got.Nodes.Uint64() != c.Expected.Nodes || got.Depth != c.Expected.Depth {
			t.Errorf("table %d, %s, %s: %v(%d), want %v", c.Table, c.column(), c.Method, got.Nodes, got.Depth, c.Expected)
		}
	}
}

func TestRowsShowMisprints(t *testing.T) {
	var column []cell
	for _, c := range mustCells(t) {
		if c.Table == 3 && c.Rules.Seats == 4 {
			column = append(column, c)
		}
	}
	var rows []experiment.Row
	for _, c := range column {
		measured, err := c.rows()
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, measured...)
	}
	solution, err := column[0].solution()
	if err != nil {
		t.Fatal(err)
	}
	if rows = append(rows, solution...); len(rows) != 11 {
		t.Fatalf("%d rows, want nodes and depth of 5 methods, and a solution", len(rows))
	}
	tt := rows[6]
	if *tt.Agrees || tt.Metric != "nodes" || tt.Printed.String() != "877" || tt.Measured.String() != "677" || tt.Note != "misprint: 877 for 677" {
		t.Errorf("the misprint of prune+tt is shown as %+v", tt)
	}
	for i, r := range rows {
		if i != 6 && (!*r.Agrees || r.Note != "") {
			t.Errorf("row %+v, want agreement", r)
		}
	}
}

func TestParseNamesTheLine(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"1\t3\t3\t2\tfull", "expected 9 fields, got 5"},
		{"x\t3\t3\t2\tfull\t1(1)\t1(1)\tturn order\t", `field 1: expected a number, got "x"`},
		{"1\t3\t3\t9\tfull\t1(1)\t1(1)\tturn order\t", "ranks: expected 2 to 3"},
		{"1\t3\t3\t2\tbest\t1(1)\t1(1)\tturn order\t", `got "best"`},
		{"1\t3\t3\t2\tfull\t1\t1(1)\tturn order\t", `got "1"`},
		{"1\t3\t3\t2\tfull\t1(1)\t1(1)\tno order\t", `got "no order"`},
	} {
		_, err := parse("heading\n" + c.line + "\n")
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: error %v, want one with line 2 and %q", c.line, err, c.want)
		}
	}
}

func FuzzParseFigure(f *testing.F) {
	for _, s := range []string{"over", "6482(21)", "1()", "(1)", "01(1)", "9(9)x", "18446744073709551616(1)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, err := parseFigure(s); err == nil && got.String() != s {
			t.Errorf("%q reads back as %q", s, got)
		}
	})
}

// All cells of the paper together, by positions, on one core.
func BenchmarkPositionsOfThePaper(b *testing.B) {
	all, err := allCells()
	if err != nil {
		b.Fatal(err)
	}
	columns := 0
	for b.Loop() {
		columns = 0
		for i, c := range all {
			if i%5 == 0 {
				columns++
				if _, err := strategies.Solve(c.Rules, strategies.Serial); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	b.ReportMetric(float64(columns), "columns/op")
}

// misprint reports whether the printed figure is a misprint.
func misprint(c cell) bool { return strings.HasPrefix(c.Note, "misprint") }
