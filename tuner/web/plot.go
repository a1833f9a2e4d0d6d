package web

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
)

// plot draws in SVG, without scripts: classes of style.css give the colours.
type plot struct {
	b              strings.Builder
	x0, x1, y0, y1 float64 // what is shown
}

// The drawing's size and margins, in its own units.
const (
	plotWidth, plotHeight = 640.0, 240.0
	plotLeft, plotBottom  = 56.0, 24.0
	plotEdge              = 8.0
)

// newPlot shows the given ranges, a little wider; an empty one gets some width.
func newPlot(title string, x0, x1, y0, y1 float64) *plot {
	if !(x1 > x0) {
		x0, x1 = x0-0.5, x0+0.5
	}
	if !(y1 > y0) {
		y0, y1 = y0-0.5, y0+0.5
	}
	margin := 0.05 * (y1 - y0)
	p := &plot{x0: x0, x1: x1, y0: y0 - margin, y1: y1 + margin}
	fmt.Fprintf(&p.b, `<svg viewBox="0 0 %g %g" role="img" aria-label="%s">`, plotWidth, plotHeight, template.HTMLEscapeString(title))
	for i := range 5 {
		y := p.y0 + float64(i)/4*(p.y1-p.y0)
		fmt.Fprintf(&p.b, `<line class="axis" x1="%g" x2="%g" y1="%.1f" y2="%.1f"/><text x="%g" y="%.1f" text-anchor="end">%s</text>`,
			plotLeft, plotWidth-plotEdge, p.y(y), p.y(y), plotLeft-4, p.y(y)+4, tick(y))
		x := p.x0 + float64(i)/4*(p.x1-p.x0)
		fmt.Fprintf(&p.b, `<text x="%.1f" y="%g" text-anchor="middle">%s</text>`, p.x(x), plotHeight-6, tick(x))
	}
	return p
}

// tick is an axis' number.
func tick(x float64) string {
	if size := math.Abs(x); size >= 999.5 && size < 1e6 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strings.Replace(strings.Replace(fmt.Sprintf("%.3g", x), "e+0", "e", 1), "e+", "e", 1)
}

func (p *plot) x(v float64) float64 {
	return plotLeft + (v-p.x0)/(p.x1-p.x0)*(plotWidth-plotLeft-2*plotEdge) + plotEdge
}

func (p *plot) y(v float64) float64 {
	return plotHeight - plotBottom - (v-p.y0)/(p.y1-p.y0)*(plotHeight-plotBottom-plotEdge)
}

// dot marks a point; stopped ones are hollow. hint is shown at the mark.
func (p *plot) dot(x, y float64, class, hint string) {
	fmt.Fprintf(&p.b, `<circle class="%s" cx="%.1f" cy="%.1f" r="3"><title>%s</title></circle>`, class, p.x(x), p.y(y), template.HTMLEscapeString(hint))
}

// line joins points; NaN breaks it.
func (p *plot) line(class string, opacity float64, xs, ys []float64) {
	fmt.Fprintf(&p.b, `<path class="%s" opacity="%.2f" d="`, class, opacity)
	command := "M"
	for i := range xs {
		if math.IsNaN(ys[i]) {
			command = "M"
			continue
		}
		fmt.Fprintf(&p.b, "%s%.1f %.1f", command, p.x(xs[i]), p.y(ys[i]))
		command = "L"
	}
	p.b.WriteString(`"/>`)
}

// svg ends the drawing.
func (p *plot) svg() template.HTML { return template.HTML(p.b.String() + "</svg>") }

// span is the least and the greatest of finite numbers, 0 and 1 where there are
// none.
func span(xs []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, x := range xs {
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	if lo > hi {
		return 0, 1
	}
	return lo, hi
}

// seriesPlot draws the medians of a benchmark.
func seriesPlot(h *SeriesHistory) template.HTML {
	var xs, ys []float64
	for i, r := range h.Points {
		xs, ys = append(xs, float64(i)), append(ys, r.Center)
	}
	lo, hi := span(ys)
	p := newPlot(h.Title, 0, float64(max(1, len(xs)-1)), lo, hi)
	p.line("path", 0.6, xs, ys)
	changed := map[int]bool{}
	for _, c := range h.Changes {
		changed[c.Index] = true
	}
	for i := range xs {
		class := "stopped"
		if changed[i] {
			class = "dot"
		}
		p.dot(xs[i], ys[i], class, fmt.Sprintf("run %d, %s: %s", h.Points[i].Run, h.Points[i].Commit, show(ys[i])))
	}
	return p.svg()
}
