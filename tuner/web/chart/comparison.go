package chart

import (
	"fmt"
	"html/template"
	"math"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"
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
)

// labelNumber finds the numbers in a label: "turn 12", "10^16 moves".
var labelNumber = regexp.MustCompile(`[0-9]+(\.[0-9]+)?`)

// shapeOf is a label without its numbers.
func shapeOf(label string) string { return labelNumber.ReplaceAllString(label, "#") }

// Comparisons draws what can be drawn of rows: a figure for each metric over
// rows whose labels differ in one number, and one for other rows with printed
// values.
func Comparisons(rows []Row) []Comparison {
	type group struct {
		metric, shape string
		rows          []Row
	}
	var groups []*group
	for _, row := range rows {
		if row.MeasuredValue == nil {
			continue
		}
		shape := shapeOf(row.Label)
		i := slices.IndexFunc(groups, func(g *group) bool { return g.metric == row.Metric && g.shape == shape })
		if i < 0 {
			groups = append(groups, &group{metric: row.Metric, shape: shape})
			i = len(groups) - 1
		}
		groups[i].rows = append(groups[i].rows, row)
	}
	var out []Comparison
	drawn := map[[2]string]bool{} // by metric and shape
	for _, g := range groups {
		if xs, shape := axisOf(g.rows); xs != nil {
			out = append(out, drawComparison(g.metric+": "+shape, xs, g.rows))
			drawn[[2]string{g.metric, g.shape}] = true
		}
	}
	loose := map[string][]Row{}
	var metrics []string // of loose rows, in order
	for _, row := range rows {
		if row.MeasuredValue == nil || drawn[[2]string{row.Metric, shapeOf(row.Label)}] {
			continue
		}
		if loose[row.Metric] == nil {
			metrics = append(metrics, row.Metric)
		}
		loose[row.Metric] = append(loose[row.Metric], row)
	}
	for _, metric := range metrics {
		rows := loose[metric]
		printed := 0
		for _, row := range rows {
			if row.PrintedValue != nil {
				printed++
			}
		}
		if printed >= fewPoints && len(rows) <= mostLabels {
			out = append(out, drawComparison(metric, nil, rows))
		}
	}
	return out
}

// axisOf are the numbers in which the rows' labels differ, and the label with x in their
// place; nil if they do not differ in exactly one number.
func axisOf(rows []Row) (xs []float64, shape string) {
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

// drawComparison draws measured values with their intervals beside printed ones
// with theirs, over numbers or, without any, over the rows' labels.
func drawComparison(title string, xs []float64, rows []Row) Comparison {
	var ys []float64
	for _, row := range rows {
		ys = append(ys, *row.MeasuredValue)
		for _, ci := range []*[2]float64{row.MeasuredCI, row.PrintedCI} {
			if ci != nil {
				ys = append(ys, ci[0], ci[1])
			}
		}
		if row.PrintedValue != nil {
			ys = append(ys, *row.PrintedValue)
		}
		if bound, _, ok := stated(row.Printed); ok {
			ys = append(ys, bound)
		}
	}
	y0, y1 := span(ys)
	p := newComparison(title, y0, y1, xs, rows)
	if xs == nil {
		for i := range rows {
			xs = append(xs, float64(i))
		}
	}
	out := Comparison{Title: title}
	for i, row := range rows {
		if row.PrintedValue != nil {
			out.Printed = true
			p.interval("printed", xs[i], -printedBeside, row.PrintedCI)
			p.diamond(xs[i], *row.PrintedValue, -printedBeside, row.Label+", printed: "+row.Printed)
		}
		if bound, above, ok := stated(row.Printed); ok && row.PrintedValue == nil {
			out.Printed = true
			p.interval("printed", xs[i], -printedBeside, p.beyond(bound, above))
			p.diamond(xs[i], bound, -printedBeside, row.Label+", printed: "+row.Printed)
		}
		out.Intervals = out.Intervals || row.MeasuredCI != nil
		p.interval("bar", xs[i], printedBeside, row.MeasuredCI)
		fmt.Fprintf(&p.b, `<circle class="dot" cx="%.1f" cy="%.1f" r="3"><title>%s</title></circle>`,
			p.x(xs[i])+printedBeside, p.y(*row.MeasuredValue), template.HTMLEscapeString(row.Label+": "+row.Measured))
	}
	out.Plot = p.svg()
	return out
}

// printedBeside is how far a mark is moved sideways, so that the printed and the measured
// one are both seen.
const printedBeside = 2.5

// claim is a bound that is printed in words.
var claim = regexp.MustCompile(`^(above|below) (-?[0-9]+(?:\.[0-9]+)?)$`)

// stated is the bound of a printed claim such as "above 0.5".
func stated(printed string) (bound float64, above, ok bool) {
	m := claim.FindStringSubmatch(printed)
	if m == nil {
		return 0, false, false
	}
	bound, err := strconv.ParseFloat(m[2], 64)
	return bound, m[1] == "above", err == nil
}

// beyond is what is shown on one side of a bound.
func (p *figure) beyond(bound float64, above bool) *[2]float64 {
	if above {
		return &[2]float64{bound, p.y1}
	}
	return &[2]float64{p.y0, bound}
}

// interval draws an interval beside its place.
func (p *figure) interval(class string, x, beside float64, ci *[2]float64) {
	if ci == nil || math.IsNaN(ci[0]) || math.IsNaN(ci[1]) {
		return
	}
	at := p.x(x) + beside
	fmt.Fprintf(&p.b, `<line class="%s" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/>`, class, at, at, p.y(ci[0]), p.y(ci[1]))
}

// diamond marks a printed value.
func (p *figure) diamond(x, y, beside float64, hint string) {
	at := p.x(x) + beside
	fmt.Fprintf(&p.b, `<path class="printed" d="M%.1f %.1fl4 4l-4 4l-4 -4z"><title>%s</title></path>`, at, p.y(y)-4, template.HTMLEscapeString(hint))
}

// labelRoom is the height that a character of a label takes below a labelled plot,
// labelLength the most characters of one, and tickRoom the least distance between two numbers
// below another.
const (
	labelRoom   = 7.2
	labelLength = 18
	tickRoom    = 30.0
)

// newComparison is an empty plot over the numbers xs, each of which stands below
// it, or, without any, over the rows' labels.
func newComparison(title string, y0, y1 float64, xs []float64, rows []Row) *figure {
	if !(y1 > y0) {
		y0, y1 = y0-0.5, y0+0.5
	}
	margin := 0.05 * (y1 - y0)
	p := &figure{x0: -0.5, x1: float64(len(rows)) - 0.5, y0: y0 - margin, y1: y1 + margin}
	longest := 0
	for i := range rows {
		longest = max(longest, min(labelLength, utf8.RuneCountInString(rows[i].Label)))
	}
	height := plotHeight + labelRoom*float64(longest)
	if xs != nil {
		height = plotHeight
		p.x0, p.x1 = span(xs)
		p.x0, p.x1 = p.x0-(p.x1-p.x0)/50, p.x1+(p.x1-p.x0)/50
	}
	fmt.Fprintf(&p.b, `<svg viewBox="0 0 %g %g" role="img" aria-label="%s">`, plotWidth, height, template.HTMLEscapeString(title))
	for _, m := range (&axis{low: p.y0, top: p.y1}).marks(6, 0) {
		fmt.Fprintf(&p.b, `<line class="axis" x1="%g" x2="%g" y1="%.1f" y2="%.1f"/><text x="%g" y="%.1f" text-anchor="end">%s</text>`,
			plotLeft, plotWidth-plotEdge, p.y(m.at), p.y(m.at), plotLeft-4, p.y(m.at)+4, m.text)
	}
	if xs == nil {
		p.labels(rows)
		return p
	}
	sorted := slices.Clone(xs)
	slices.Sort(sorted)
	last := math.Inf(-1)
	for _, x := range sorted {
		if p.x(x)-last >= tickRoom {
			last = p.x(x)
			fmt.Fprintf(&p.b, `<text x="%.1f" y="%g" text-anchor="middle">%s</text>`, last, plotHeight-6, tick(x))
		}
	}
	return p
}

// labels writes the rows' labels below the plot, as many as there is room for.
func (p *figure) labels(rows []Row) {
	every := (len(rows) + 39) / 40
	for i := 0; i < len(rows); i += every {
		label := []rune(rows[i].Label)
		if len(label) > labelLength {
			end := label[len(label)-labelLength/2:] // where labels of a kind differ
			label = append(append(slices.Clone(label[:labelLength-len(end)-1]), '…'), end...)
		}
		x, y := p.x(float64(i))+4, plotHeight-plotBottom+14
		fmt.Fprintf(&p.b, `<text x="%.1f" y="%.1f" text-anchor="end" transform="rotate(-60 %.1f %.1f)">%s</text>`, x, y, x, y, template.HTMLEscapeString(string(label)))
	}
}
