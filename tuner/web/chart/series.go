package chart

import (
	"html/template"
	"math"
	"strconv"
	"strings"
)

// seriesWidth is the width of a benchmark's history, in units of its view box.
const seriesWidth = 800.0

// BenchmarkSeries is a benchmark's history on one branch.
type BenchmarkSeries struct {
	Title   string
	Unit    string // as Go's benchmarks name it: sec/op, B/op
	Points  []BenchmarkRun
	Changes []Change
}

// BenchmarkRun is one run of a series.
type BenchmarkRun struct {
	Run    int64
	Commit string
	Center float64 // median, in the series' unit
	Text   string  // the median for people
}

// Change is where the level of a series changed.
type Change struct {
	Index         int // of the first point of the new level
	Before, After float64
	Text          string // the same for people
}

// Benchmark draws the medians of a benchmark run by run, the mean level of each
// stretch between two changes, and the runs at which it changed.
func Benchmark(h *BenchmarkSeries) template.HTML {
	if len(h.Points) == 0 {
		return ""
	}
	var xs, ys []float64
	var runs []string
	for i, r := range h.Points {
		xs, ys, runs = append(xs, float64(i)), append(ys, r.Center), append(runs, strconv.FormatInt(r.Run, 10))
	}
	lo, hi := span(ys)
	unit, factor := scaled(h.Unit, max(math.Abs(lo), math.Abs(hi)))
	for i := range ys {
		ys[i] *= factor
	}
	p := sizedChart(h.Title, axis{name: "run", names: runs}, axis{name: unit, low: lo * factor, top: hi * factor, wide: true}, seriesWidth, chartHeight)
	from := 0
	changed := map[int]string{}
	stretch := func(to int, level float64) {
		p.line("best", []float64{float64(from) - 0.4, float64(to) - 0.6}, []float64{level, level})
		from = to
	}
	for _, c := range h.Changes {
		changed[c.Index] = ": " + c.Text
		stretch(c.Index, c.Before*factor)
	}
	if n := len(h.Changes); n > 0 {
		stretch(len(xs), h.Changes[n-1].After*factor)
	}
	p.line("path", xs, ys)
	for i, r := range h.Points {
		class, hint := "hollow", "run "+runs[i]+" ("+shorten(r.Commit, 12)+"): "+r.Text
		if text, ok := changed[i]; ok {
			class, hint = "dot", hint+text
		}
		p.dot(xs[i], ys[i], class, hint)
	}
	return p.svg()
}

// scaled is the name of a unit, of seconds and bytes with the SI prefix that fits
// a value, and what values are to be multiplied by.
func scaled(unit string, value float64) (name string, factor float64) {
	seconds := strings.HasPrefix(unit, "sec/")
	name = strings.Replace(unit, "sec/", "s/", 1)
	if !seconds && !strings.HasPrefix(unit, "B/") {
		return name, 1
	}
	for _, s := range []struct {
		prefix string
		size   float64
	}{{"G", 1e9}, {"M", 1e6}, {"k", 1e3}, {"", 1}, {"m", 1e-3}, {"µ", 1e-6}, {"n", 1e-9}} {
		if value >= s.size && (s.size < 1) == (seconds && value < 1) {
			return s.prefix + name, 1 / s.size
		}
	}
	return name, 1
}
