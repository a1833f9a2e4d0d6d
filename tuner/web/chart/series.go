package chart

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
)

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
	x, y := axis{name: "run"}, over("")
	for _, r := range h.Points {
		x.names = append(x.names, strconv.FormatInt(r.Run, 10))
		y.reach(r.Center)
	}
	unit, factor := scaled(h.Unit, max(math.Abs(y.low), math.Abs(y.top)))
	y.name, y.low, y.top = unit, y.low*factor, y.top*factor
	return draw(h.Title, x, y, broad, func(p *plot) {
		from := 0
		changed := map[int]string{}
		stretch := func(to int, level float64) {
			p.line("best", []float64{float64(from) - 0.4, float64(to) - 0.6}, []float64{level * factor, level * factor})
			from = to
		}
		for _, c := range h.Changes {
			changed[c.Index] = ": " + c.Text
			stretch(c.Index, c.Before)
		}
		if n := len(h.Changes); n > 0 {
			stretch(len(h.Points), h.Changes[n-1].After)
		}
		var s series
		for i, r := range h.Points {
			s.add(float64(i), r.Center*factor, math.NaN(), math.NaN())
		}
		p.line("path", s.xs, s.ys)
		for i, r := range h.Points {
			class, hint := "hollow", "run "+x.names[i]+" ("+shorten(r.Commit, 12)+"): "+r.Text
			if text, ok := changed[i]; ok {
				class, hint = "dot", hint+text
			}
			p.dot(s.xs[i], s.ys[i], class, hint)
		}
	})
}

// scaled returns the name of a unit, of seconds and bytes with the SI prefix that fits
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

// CourseStep is a step of a game: how each seat stands, from 0 to 1, and what stands out.
type CourseStep struct {
	Standing []float64 // by seat; nil: as before
	Mark     string
	Text     string // of the step
}

// Course draws how the seats of a game stand over its steps, as lines that are told
// apart by their dashes too, with a mark where something stands out. What comes
// after the step seen is behind a clip, which scripts move; at is where the reader is.
func Course(measure string, steps []CourseStep, at, seen int) template.HTML {
	const width, height = 1000.0, 60.0
	seats := 0
	for _, s := range steps {
		seats = max(seats, len(s.Standing))
	}
	if seats == 0 || len(steps) < 2 {
		return ""
	}
	x := func(step int) float64 { return width * float64(step) / float64(len(steps)-1) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="strip" id="strip-svg" viewBox="0 -4 %g %g" preserveAspectRatio="none" role="img" aria-label="%s, step by step" data-steps="%d"><defs><clipPath id="seen"><rect id="seen-to" x="-5" y="-4" width="%.1f" height="%g"/></clipPath></defs><g clip-path="url(#seen)">`,
		width, height+8, escape(measure), len(steps)-1, x(seen)+5, height+8)
	fmt.Fprintf(&b, `<line class="even" x1="0" x2="%[1]g" y1="%[2]s" y2="%[2]s"><title>%.0[3]f %%: equal chances</title></line>`, width, tenth(height*(1-1/float64(seats))), 100/float64(seats))
	for step, s := range steps {
		if s.Mark != "" {
			fmt.Fprintf(&b, `<line class="mark" x1="%[1]s" x2="%[1]s" y1="0" y2="%[2]g"><title>%[3]s</title></line>`, tenth(x(step)), height, escape(s.Text))
		}
	}
	for seat := range seats {
		fmt.Fprintf(&b, `<path class="s%d" d="`, seat%6)
		was := -1.0
		for step, s := range steps {
			if seat >= len(s.Standing) {
				continue
			}
			y := height * (1 - min(1, max(0, s.Standing[seat])))
			if was < 0 {
				b.WriteString("M" + tenth(x(step)) + "," + tenth(y))
			} else if y != was {
				b.WriteString("H" + tenth(x(step)) + "V" + tenth(y))
			}
			was = y
		}
		if was >= 0 {
			b.WriteString("H" + tenth(width))
		}
		b.WriteString(`"/>`)
	}
	fmt.Fprintf(&b, `</g><line class="cursor" id="cursor" x1="%[1]s" x2="%[1]s" y1="-4" y2="%[2]g"/></svg>`, tenth(x(at)), height+4)
	return template.HTML(b.String()) // numbers, and texts escaped above
}

// tenth is a length with at most one decimal.
func tenth(v float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
}
