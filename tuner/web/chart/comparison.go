package chart

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"regexp"
	"slices"
	"strconv"
)

// Row is a measured value beside a printed one. What is nil is no number, or not
// known.
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
	// fewPoints make no figure.
	fewPoints = 3
	// mostLabels fit below a figure.
	mostLabels = 80
	// printedBeside is how far a mark is moved sideways, so that the printed and the measured
	// one are both seen.
	printedBeside = 2.5
)

// labelNumber finds the numbers in a label: "turn 12", "10^16 moves".
var labelNumber = regexp.MustCompile(`[0-9]+(\.[0-9]+)?`)

// claim is a bound that is printed in words.
var claim = regexp.MustCompile(`^(above|below) (-?[0-9]+(?:\.[0-9]+)?)$`)

// Comparisons draws what can be drawn of rows: a figure for each metric over
// rows whose labels differ in one number, and one for other rows with printed
// values.
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
	out.Plot = draw(title, x, y, figure, func(p *plot) {
		stroke := func(class string, x, beside float64, ci *[2]float64) {
			if ci != nil {
				p.stroke(beside, x, ci[0], ci[1], class)
			}
		}
		for i, row := range rows {
			if v := row.PrintedValue; v != nil {
				stroke("printed", xs[i], -printedBeside, row.PrintedCI)
				p.add(`<path class="printed" d="M%.1f %.1fl4 4l-4 4l-4 -4z"><title>%s</title></path>`, p.px(xs[i])-printedBeside, p.py(*v)-4, escape(row.Label+", printed: "+row.Printed))
			}
			stroke("bar", xs[i], printedBeside, row.MeasuredCI)
			p.beside(printedBeside, xs[i], *row.MeasuredValue, "dot", row.Label+": "+row.Measured)
		}
	})
	return out
}

// stated returns the bound of a printed claim such as "above 0.5" and what lies beyond it,
// nil where a value is printed or nothing.
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

// Deviation is how far a measured value lies from the printed one, in standard errors of
// the difference.
type Deviation struct {
	Label, Verdict string   // yes, no or undecided
	At             *float64 // nil: not to be drawn
}

// mostDeviation bounds what is drawn, standard errors; what lies beyond stands at the edge.
const mostDeviation = 8

// Deviations draws all rows of an experiment on one scale, with the band within which a
// value agrees. What differs has its number beside it.
func Deviations(rows []Deviation, agreement float64) template.HTML {
	x, most, drawn := axis{name: "row of the table"}, agreement+0.5, 0
	for i, r := range rows {
		x.names = append(x.names, strconv.Itoa(i+1))
		if r.At != nil {
			drawn++
			most = max(most, math.Abs(*r.At))
		}
	}
	if drawn < fewPoints {
		return ""
	}
	most = min(most, mostDeviation)
	return draw("differences in standard errors", x, over("standard errors", -most, most), broad, func(p *plot) {
		p.area(-agreement, agreement, "band")
		p.level(0, "base")
		for i, r := range rows {
			if r.At == nil {
				continue
			}
			at := min(most, max(-most, *r.At))
			p.dot(float64(i), at, cmp.Or(map[string]string{"yes": "dot", "no": "apart"}[r.Verdict], "hollow"), fmt.Sprintf("%d, %s: %+.1f", i+1, r.Label, *r.At))
			if r.Verdict == "no" {
				p.add(`<text x="%.1f" y="%.1f" class="lab">%d</text>`, p.px(float64(i))+5, p.py(at)+4, i+1)
			}
		}
	})
}
