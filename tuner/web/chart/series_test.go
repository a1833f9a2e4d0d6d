package chart

import (
	"strings"
	"testing"
)

// A benchmark's history is drawn by its runs' numbers, in units that people read,
// with a line for each level.
func TestSeriesPlot(t *testing.T) {
	h := &BenchmarkSeries{Title: "Shoot sec/op", Unit: "sec/op", Changes: []Change{
		{Index: 2, Before: 1e-6, After: 1.3e-6, Text: "worse, 1.000µ to 1.300µ, p = 1e-09"},
	}}
	for i, center := range []float64{1e-6, 1.01e-6, 1.3e-6, 1.31e-6} {
		h.Points = append(h.Points, BenchmarkRun{Run: int64(12 + i), Commit: strings.Repeat("c", 40), Center: center, Text: "1µ"})
	}
	got := string(Benchmark(h))
	for _, want := range []string{">12</text>", ">15</text>", ">run</text>", ">µs/op</text>", ">1.1</text>", "run 14 (ccccccccccc…): 1µ: worse"} {
		if !strings.Contains(got, want) {
			t.Errorf("the drawing lacks %q:\n%s", want, got)
		}
	}
	if n := strings.Count(got, `class="best"`); n != 2 {
		t.Errorf("%d levels are drawn, want 2", n)
	}
	if Benchmark(&BenchmarkSeries{}) != "" {
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
