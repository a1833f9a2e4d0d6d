package chart

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sakusen/bench"
	"sakusen/bench/ledger"
)

// Row is a measured value beside a printed one. A nil value is no number, or not known.
type Row struct {
	Label, Metric, Printed, Measured string // for people
	PrintedValue, MeasuredValue      *float64
	PrintedCI, MeasuredCI            *[2]float64 // 95 %
}

// Comparison is a figure: one metric over rows whose labels differ in one
// number, or over any few rows of which values are printed.
type Comparison struct {
	Title     string
	Plot      template.HTML
	Printed   bool // values are printed, too
	Intervals bool // measured values have some
}

const (
	// fewPoints is the least number of points for a figure.
	fewPoints = 3
	// mostLabels is the number of labels that fit below a figure.
	mostLabels = 80
	// printedBeside is how far the printed mark is moved sideways, so that it does not hide
	// the measured one.
	printedBeside = 2.5
)

// labelNumber finds the numbers in a label: "turn 12", "10^16 moves".
var labelNumber = regexp.MustCompile(`[0-9]+(\.[0-9]+)?`)

// claim is a bound that is printed in words.
var claim = regexp.MustCompile(`^(above|below) (-?[0-9]+(?:\.[0-9]+)?)$`)

// Comparisons draws rows: a figure for each metric over rows whose labels differ in one
// number, and one for other rows with printed values.
func Comparisons(rows []Row) (out []Comparison) {
	alike := func(row *Row) string { return row.Metric + ": " + labelNumber.ReplaceAllString(row.Label, "#") }
	loose := map[string]bool{} // of rows that are drawn over no number
	keys, groups := grouped(rows, alike)
	for _, key := range keys {
		group := groups[key]
		if xs, shape := numbered(group); xs != nil {
			out = append(out, compared(group[0].Metric+": "+shape, xs, group))
		} else {
			loose[key] = true
		}
	}
	rest := slices.DeleteFunc(slices.Clone(rows), func(row Row) bool { return !loose[alike(&row)] })
	metrics, groups := grouped(rest, func(row *Row) string { return row.Metric })
	for _, metric := range metrics {
		printed := 0
		for _, row := range groups[metric] {
			if row.PrintedValue != nil {
				printed++
			}
		}
		if printed >= fewPoints && len(groups[metric]) <= mostLabels {
			out = append(out, compared(metric, nil, groups[metric]))
		}
	}
	return out
}

// grouped puts rows with a measured value together by a key; the keys are in the order of
// the rows.
func grouped(rows []Row, by func(*Row) string) (keys []string, groups map[string][]Row) {
	groups = map[string][]Row{}
	for i := range rows {
		if rows[i].MeasuredValue == nil {
			continue
		}
		key := by(&rows[i])
		if groups[key] == nil {
			keys = append(keys, key)
		}
		groups[key] = append(groups[key], rows[i])
	}
	return keys, groups
}

// numbered returns the numbers in which the rows' labels differ, and the label with x in their
// place; nil if they do not differ in exactly one number.
func numbered(rows []Row) (xs []float64, shape string) {
	if len(rows) < fewPoints {
		return nil, ""
	}
	at := -1
	places := labelNumber.FindAllStringIndex(rows[0].Label, -1)
	numbers := make([][]string, len(rows))
	for i, row := range rows {
		numbers[i] = labelNumber.FindAllString(row.Label, -1)
		for k, n := range numbers[i] {
			if n != numbers[0][k] && at != k {
				if at >= 0 {
					return nil, ""
				}
				at = k
			}
		}
	}
	if at < 0 {
		return nil, ""
	}
	for _, n := range numbers {
		x, err := strconv.ParseFloat(n[at], 64)
		if err != nil || slices.Contains(xs, x) {
			return nil, ""
		}
		xs = append(xs, x)
	}
	return xs, rows[0].Label[:places[at][0]] + "x" + rows[0].Label[places[at][1]:]
}

// compared draws measured values with their intervals beside printed ones
// with theirs, over numbers or, without any, over the rows' labels.
func compared(title string, xs []float64, rows []Row) Comparison {
	out := Comparison{Title: title}
	x, y := over("", xs...), over("")
	x.at = slices.Sorted(slices.Values(xs))
	if xs == nil {
		x = axis{slanted: true}
		for i, row := range rows {
			xs, x.names = append(xs, float64(i)), append(x.names, row.Label)
		}
	}
	reach := func(value *float64, ci *[2]float64) {
		if value != nil {
			y.reach(*value)
		}
		if ci != nil {
			y.reach(ci[:]...)
		}
	}
	for i := range rows {
		row := &rows[i]
		if bound := row.stated(); bound != nil {
			row.PrintedValue, row.PrintedCI = &bound[0], bound // to the edge of the drawing
			y.reach(bound[0])
		} else {
			reach(row.PrintedValue, row.PrintedCI)
		}
		reach(row.MeasuredValue, row.MeasuredCI)
		out.Printed = out.Printed || row.PrintedValue != nil
		out.Intervals = out.Intervals || row.MeasuredCI != nil
	}
	out.Plot = draw(title, x, y, paper, func(p *plot) {
		all := make([]point, len(rows))
		for i, row := range rows {
			if v := row.PrintedValue; v != nil {
				p.aside = -printedBeside
				p.bars("printed", spanned(xs[i], v, row.PrintedCI))
				p.add(`<path class="printed" d="M%.1f %.1fl4 4l-4 4l-4 -4z"><title>%s</title></path>`, p.px(xs[i]), p.py(*v)-4, escape(row.Label+", printed: "+row.Printed))
			}
			all[i] = spanned(xs[i], row.MeasuredValue, row.MeasuredCI)
			all[i].n = i
		}
		p.aside = printedBeside
		p.bars("bar", all...)
		p.dots(all, func(d *point) string { return rows[d.n].Label + ": " + rows[d.n].Measured })
	})
	return out
}

// spanned returns a value with its interval, if it has one.
func spanned(x float64, value *float64, ci *[2]float64) point {
	if ci == nil {
		ci = &[2]float64{math.NaN(), math.NaN()}
	}
	return point{x: x, y: *value, low: ci[0], high: ci[1], class: "dot"}
}

// stated returns the bound of a printed claim such as "above 0.5" and the side that it
// allows; nil if a value or nothing is printed.
func (r *Row) stated() *[2]float64 {
	m := claim.FindStringSubmatch(r.Printed)
	if m == nil || r.PrintedValue != nil {
		return nil
	}
	bound, err := strconv.ParseFloat(m[2], 64)
	if err != nil {
		return nil
	}
	return &[2]float64{bound, map[string]float64{"above": math.Inf(1), "below": math.Inf(-1)}[m[1]]}
}

// closest is how near the marks of two runs may stand, in units of the drawing: nearer ones would
// hide each other, and some are left out.
const closest = 3.5

// Benchmark draws the medians of a benchmark run by run, the mean level of each
// stretch between two changes, and the runs at which it changed.
func Benchmark(h *ledger.History) template.HTML {
	if len(h.Runs) == 0 {
		return ""
	}
	x, y := axis{name: "run, or day of its commit"}, over("")
	for i := range h.Runs {
		r := &h.Runs[i]
		x.names = append(x.names, cmp.Or(when(r), strconv.FormatInt(r.Run, 10)))
		y.reach(r.Center)
		if r.Low < r.High {
			y.reach(r.Low, r.High)
		}
	}
	unit, factor := scaled(h.Unit, max(math.Abs(y.low), math.Abs(y.top)))
	y.name, y.low, y.top = unit, y.low*factor, y.top*factor
	return draw(h.Title, x, y, page, func(p *plot) {
		from, changed := 0, map[int]string{}
		stretch := func(to int, level float64) {
			p.line("best", []point{{x: float64(from) - 0.4, y: level * factor}, {x: float64(to) - 0.6, y: level * factor}})
			from = to
		}
		for _, c := range h.Changes {
			changed[c.Index] = ": " + c.Text
			stretch(c.Index, c.Before)
		}
		if n := len(h.Changes); n > 0 {
			stretch(len(h.Runs), h.Changes[n-1].After)
		}
		all := make([]point, len(h.Runs))
		for i, r := range h.Runs {
			if all[i] = (point{x: float64(i), y: r.Center * factor, low: r.Low * factor, high: r.High * factor, class: "hollow", n: i, of: strconv.FormatInt(r.Run, 10)}); changed[i] != "" {
				all[i].class = "dot"
			}
			if r.Low == r.High { // of one sample, or not known
				all[i].low = math.NaN()
			}
		}
		p.band("band", all)
		p.line("path", all)
		each := max(1, int(math.Ceil(closest/(p.px(1)-p.px(0)))))
		marked := slices.DeleteFunc(all, func(d point) bool { return d.class == "hollow" && d.n%each != 0 })
		p.dots(marked, func(d *point) string {
			r := &h.Runs[d.n]
			by := ""
			if r.Subject != "" {
				by = fmt.Sprintf(", %q by %s", shorten(r.Subject, 60), cmp.Or(r.Author, "somebody"))
			}
			return fmt.Sprintf("run %d, %s (%s%s): %s of %d samples%s", r.Run, when(r), shorten(r.Commit, 12), by, bench.Amount(r.Center, h.Unit), r.N, changed[d.n])
		})
	})
}

// when returns the day on which a run's commit was made or, where that is not known, on which it
// was recorded; empty where neither is.
func when(s *ledger.Sample) string {
	at := s.Committed
	if at.IsZero() {
		at = s.Recorded
	}
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format("2 Jan")
}

// scaled returns the name of a unit (for seconds and bytes with the SI prefix that fits a
// value) and the factor by which values are multiplied.
func scaled(unit string, value float64) (name string, factor float64) {
	seconds := strings.Contains(unit, "sec/")
	name = strings.Replace(unit, "sec/", "s/", 1)
	if !seconds && !strings.HasPrefix(unit, "B/") {
		return name, 1
	}
	for _, s := range []struct {
		prefix string
		size   float64
	}{{"G", 1e9}, {"M", 1e6}, {"k", 1e3}, {"", 1}, {"m", 1e-3}, {"µ", 1e-6}, {"n", 1e-9}} {
		if value >= s.size && (s.size < 1) == (seconds && value < 1) {
			if seconds { // mean-ns/op
				return strings.Replace(unit, "sec/", s.prefix+"s/", 1), 1 / s.size
			}
			return s.prefix + name, 1 / s.size
		}
	}
	return name, 1
}

// CourseStep is a step of a game: each seat's standing, from 0 to 1, and an event worth a mark.
type CourseStep struct {
	Standing []float64 // by seat; nil: as before
	Mark     string
	Text     string // of the step
}

// Course draws the standings of the seats of a game over its steps, as lines that differ in
// their dashes too, with a mark at each event. The part after step at is hidden by a clip,
// which scripts move.
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

// tenth returns a length with at most one decimal.
func tenth(v float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
}

// LLR draws the log-likelihood ratio of a sequential test over its games, each look a number of
// games and the ratio, with the bounds at which it ends.
func LLR(looks [][2]float64, lower, upper float64) template.HTML {
	if len(looks) == 0 {
		return ""
	}
	last := looks[len(looks)-1]
	y := over("LLR", lower, upper)
	all := []point{{}}
	for _, l := range looks {
		y.reach(l[1])
		all = append(all, point{x: l[0], y: l[1]})
	}
	x := axis{name: "games", low: 0, top: max(1, last[0]), whole: true}
	return draw(fmt.Sprintf("LLR %.2f after %.0f games, between %.2f and %.2f", last[1], last[0], lower, upper), x, y, page, func(p *plot) {
		p.level(upper, "valline good")
		p.level(lower, "valline bad")
		p.level(0, "base")
		p.line("median", all)
		p.along(all, func(d *point) string { return fmt.Sprintf("LLR %.2f after %.0f games", d.y, d.x) })
	})
}
