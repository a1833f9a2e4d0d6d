package chart

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sakusen/bench"
	"sakusen/bench/changepoint"
	"sakusen/bench/ledger"
)

// comparisonOf returns rows of a metric with measured values.
func comparisonOf(metric string, printed bool, labels ...string) []Row {
	var rows []Row
	for i, l := range labels {
		row := Row{Label: l, Metric: metric, MeasuredValue: new(float64(i)), MeasuredCI: &[2]float64{float64(i) - 1, float64(i) + 1}}
		if printed {
			row.PrintedValue, row.PrintedCI = new(float64(i)+0.5), &[2]float64{float64(i), float64(i) + 1}
		}
		rows = append(rows, row)
	}
	return rows
}

// Rows whose labels differ in one number are a figure over it; others are drawn
// over their labels where values are printed.
func TestComparisonPlots(t *testing.T) {
	for _, c := range []struct {
		rows   []Row
		titles string
	}{
		{comparisonOf("log10", false, "turn 0", "turn 5", "turn 12"), "log10: turn x"},
		{comparisonOf("win rate", false, "10^12 moves", "10^13 moves", "10^9.5 moves"), "win rate: 10^x moves"},
		{comparisonOf("winrf", true, "MP10 - CB", "MP20 - CB", "MP100 - CB", "EX - CB"), "winrf: MPx - CB"},
		{comparisonOf("winrf", false, "R - CB", "CB - R", "R - R"), ""},
		{comparisonOf("winrf", true, "R - CB", "CB - R", "R - R"), "winrf"},
		{comparisonOf("two", false, "turn 0", "turn 1"), ""},
		{comparisonOf("two numbers", false, "1 of 2", "2 of 3", "3 of 4"), ""},
		{comparisonOf("twice", false, "turn 1", "turn 1", "turn 2"), ""},
		{append(comparisonOf("a", false, "x 1", "x 2", "x 3"), comparisonOf("b", false, "x 1", "x 2", "x 3")...), "a: x x|b: x x"},
		{[]Row{{Label: "solution", Metric: "solution", Measured: "[[1]]"}}, ""},
		{nil, ""},
	} {
		var titles []string
		for _, p := range Comparisons(c.rows) {
			titles = append(titles, p.Title)
			if n := strings.Count(string(p.Plot), `class="dot"`); n < fewPoints || strings.Contains(string(p.Plot), "NaN") {
				t.Errorf("%s: %d points in %s", p.Title, n, p.Plot)
			}
			if strings.Contains(string(p.Plot), "<path class=\"printed\"") != p.Printed {
				t.Errorf("%s: printed %v: %s", p.Title, p.Printed, p.Plot)
			}
		}
		if got := strings.Join(titles, "|"); got != c.titles {
			t.Errorf("%v: figures %q, want %q", c.rows, got, c.titles)
		}
	}
	evil := comparisonOf("<script>", false, "<b> 1", "<b> 2", "<b> 3")
	if text := fmt.Sprint(Comparisons(evil)[0].Plot); strings.Contains(text, "<script>") || strings.Contains(text, "<b>") {
		t.Errorf("a label becomes markup: %s", text)
	}
}

// A benchmark's history is drawn by the days of its commits, or where those are not known by its
// runs' numbers, in units that people read, with a line for each level at each of two sizes.
func TestSeriesPlot(t *testing.T) {
	h := &ledger.History{Title: "Shoot sec/op", Unit: "sec/op", Changes: []ledger.LevelChange{
		{Change: bench.Change{Point: changepoint.Point{Index: 2, Before: 1e-6, After: 1.3e-6}}, Text: "worse, 1.000µ to 1.300µ, p = 1e-09"},
	}}
	for i, center := range []float64{1e-6, 1.01e-6, 1.3e-6, 1.31e-6} {
		h.Runs = append(h.Runs, ledger.Sample{Run: int64(12 + i), Commit: strings.Repeat("c", 40), Center: center})
	}
	one := &h.Runs[2]
	one.Subject, one.Author, one.N, one.Committed = "parser: faster", "Ada", 6, time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	got := string(Benchmark(h))
	for _, want := range []string{">12</text>", ">15</text>", ">run, or day of its commit</text>", ">µs/op</text>", ">1.1</text>", ">3 Feb</text>", "run 14, 3 Feb (ccccccccccc…, &#34;parser: faster&#34; by Ada): 1.300 µs of 6 samples: worse"} {
		if !strings.Contains(got, want) {
			t.Errorf("the drawing lacks %q:\n%s", want, got)
		}
	}
	if n := strings.Count(got, `class="best"`); n != 4 {
		t.Errorf("%d levels are drawn at two sizes, want 4", n)
	}
	if Benchmark(&ledger.History{}) != "" {
		t.Error("a series without runs is drawn")
	}
}

// Units get the prefix that fits, those of counts none.
func TestScaledUnits(t *testing.T) {
	for _, c := range []struct {
		unit   string
		value  float64
		name   string
		factor float64
	}{
		{"sec/op", 2.5, "s/op", 1}, {"sec/op", 0.0025, "ms/op", 1e3}, {"sec/op", 3e-7, "ns/op", 1e9}, {"sec/op", 300, "s/op", 1},
		{"B/op", 128, "B/op", 1}, {"B/s", 2e9, "GB/s", 1e-9}, {"nodes/op", 1.5e6, "nodes/op", 1}, {"sec/op", 0, "s/op", 1},
	} {
		name, factor := scaled(c.unit, c.value)
		if name != c.name || factor < c.factor*0.999 || factor > c.factor*1.001 {
			t.Errorf("%s at %g: %s times %g, want %s times %g", c.unit, c.value, name, factor, c.name, c.factor)
		}
	}
}

// Marks that lie close together on a long number can be told apart.
func TestMarksOfCloseNumbers(t *testing.T) {
	seen := map[string]bool{}
	a := axis{low: 1500001, top: 1500009}
	for _, m := range a.marks(5, 400) {
		if seen[m.text] {
			t.Errorf("two marks read %s", m.text)
		}
		seen[m.text] = true
	}
}

// The course of a game is drawn to its end behind a clip that ends where the reader is;
// steps that do not say how the seats stand keep what was.
func TestCourse(t *testing.T) {
	steps := []CourseStep{{Standing: []float64{1, 1}}, {}, {Standing: []float64{1, 0.5}, Mark: "sunk", Text: "a <hit>"}, {Standing: []float64{1, 0}}, {}}
	svg := string(Course("fleet <afloat>", steps, 2, 2))
	for _, want := range []string{`aria-label="fleet &lt;afloat&gt;, step by step"`, `data-steps="4"`, `id="seen-to" x="-5" y="-4" width="505.0"`,
		`<path class="s0" d="M0,0H1000"/>`, `<path class="s1" d="M0,0H500V30H750V60H1000"/>`, `<title>a &lt;hit&gt;</title>`, `id="cursor" x1="500"`,
		`y1="30" y2="30"><title>50 %: equal chances</title>`} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q in %s", want, svg)
		}
	}
	if Course("x", steps[:1], 0, 0) != "" || Course("x", []CourseStep{{}, {}}, 0, 0) != "" {
		t.Error("a game of one step, or whose steps say nothing, is drawn")
	}
}
