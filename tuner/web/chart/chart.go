package chart

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"strings"
	"unicode/utf8"
)

// chart draws in SVG, without scripts, at the width of a column of a page or of
// a phone; classes of study.css give the colours.
type chart struct {
	b             strings.Builder
	x, y          axis
	width, height float64
	left          float64 // room for the names of the y axis
	title         string
	class         string // of the drawing, beside "chart"
}

// The chart's size and margins, in units of its view box: about a pixel where it is
// shown, so that its text is of the page's size.
const (
	chartWidth, chartHeight = 400.0, 240.0
	chartLeft, chartBottom  = 66.0, 42.0
	chartTop, chartRight    = 10.0, 12.0
)

// newChart begins a chart with its axes. An empty range gets some width.
func newChart(title string, x, y axis) *chart {
	return sizedChart(title, x, y, chartWidth, chartHeight)
}

// sizedChart is a chart of another size.
func sizedChart(title string, x, y axis, width, height float64) *chart {
	p := &chart{x: x, y: y, width: width, height: height, left: chartLeft}
	for _, a := range []*axis{&p.x, &p.y} {
		if a.names != nil {
			a.low, a.top = -0.5, float64(len(a.names))-0.5
		}
		if !(a.top > a.low) {
			half := max(0.5, math.Abs(a.low)*0.05)
			if a.log {
				a.low, a.top = a.low/2, a.low*2
			} else {
				a.low, a.top = a.low-half, a.low+half
			}
		}
		if a.log {
			a.low, a.top = math.Log10(max(a.low, math.SmallestNonzeroFloat64)), math.Log10(max(a.top, math.SmallestNonzeroFloat64))
		}
		if a.wide {
			margin := 0.04 * (a.top - a.low)
			a.low, a.top = a.low-margin, a.top+margin
		}
	}
	p.title, p.y.upright = title, true
	for _, t := range p.y.marks(6, 0.3*width) {
		p.left = max(p.left, min(0.3*width, letter*float64(utf8.RuneCountInString(html.UnescapeString(t.text)))+24))
	}
	p.axes()
	return p
}

// axes draws the marks and names of both axes.
func (p *chart) axes() {
	bottom := p.height - chartBottom
	for _, t := range p.y.marks(6, p.left-24) {
		y := p.py(t.at)
		p.add(`<line class="grid" x1="%g" x2="%g" y1="%.1f" y2="%.1f"/><text x="%g" y="%.1f" class="end">%s</text>`,
			p.left, p.width-chartRight, y, y, p.left-6, y+4, t.text)
	}
	for _, t := range p.x.marks(6, p.width-p.left-chartRight) {
		x := p.px(t.at)
		p.add(`<line class="tick" x1="%.1f" x2="%.1f" y1="%g" y2="%g"/><text x="%.1f" y="%g" class="mid">%s</text>`,
			x, x, bottom, bottom+4, x, bottom+16, t.text)
	}
	p.add(`<line class="axis" x1="%g" x2="%g" y1="%g" y2="%g"/>`, p.left, p.width-chartRight, bottom, bottom)
	p.add(`<text x="%g" y="%g" class="mid name">%s</text>`, (p.left+p.width-chartRight)/2, p.height-8, template.HTMLEscapeString(p.x.name))
	p.add(`<text transform="translate(12 %g) rotate(-90)" class="mid name">%s</text>`, (chartTop+bottom)/2, template.HTMLEscapeString(p.y.name))
}

// add writes a piece of the drawing.
func (p *chart) add(format string, args ...any) { fmt.Fprintf(&p.b, format, args...) }

func (p *chart) px(v float64) float64 {
	return p.left + p.x.share(v)*(p.width-p.left-chartRight)
}

func (p *chart) py(v float64) float64 {
	return p.height - chartBottom - min(1, max(0, p.y.share(v)))*(p.height-chartBottom-chartTop)
}

// dot marks a point; hint is shown at the mark.
func (p *chart) dot(x, y float64, class, hint string) {
	p.add(`<circle class="%s" cx="%.1f" cy="%.1f" r="3"><title>%s</title></circle>`, class, p.px(x), p.py(y), template.HTMLEscapeString(hint))
}

// stroke draws a vertical line between two values.
func (p *chart) stroke(x, low, top float64, class string) {
	p.add(`<line class="%s" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/>`, class, p.px(x), p.px(x), p.py(low), p.py(top))
}

// level draws a horizontal line over the whole width.
func (p *chart) level(y float64, class string) {
	if s := p.y.share(y); s < 0 || s > 1 {
		return
	}
	p.add(`<line class="%s" x1="%g" x2="%g" y1="%.1f" y2="%.1f"/>`, class, p.left, p.width-chartRight, p.py(y), p.py(y))
}

// line joins points; NaN breaks it.
func (p *chart) line(class string, xs, ys []float64) {
	p.add(`<path class="%s" d="`, class)
	command := "M"
	for i := range xs {
		if math.IsNaN(xs[i]) || math.IsNaN(ys[i]) {
			command = "M"
			continue
		}
		p.add("%s%.1f %.1f", command, p.px(xs[i]), p.py(ys[i]))
		command = "L"
	}
	p.add(`"/>`)
}

// band fills what lies between two lines.
func (p *chart) band(class string, xs, low, top []float64) {
	var d strings.Builder
	for i := range xs {
		if math.IsNaN(low[i]) || math.IsNaN(top[i]) {
			continue
		}
		command := "L"
		if d.Len() == 0 {
			command = "M"
		}
		fmt.Fprintf(&d, "%s%.1f %.1f", command, p.px(xs[i]), p.py(top[i]))
	}
	for i := len(xs) - 1; i >= 0; i-- {
		if !math.IsNaN(low[i]) && !math.IsNaN(top[i]) {
			fmt.Fprintf(&d, "L%.1f %.1f", p.px(xs[i]), p.py(low[i]))
		}
	}
	if d.Len() > 0 {
		p.add(`<path class="%s" d="%sZ"/>`, class, d.String())
	}
}

// Figure is a plot with what its caption names.
type Figure struct {
	Name string
	Plot template.HTML
}

// svg ends the drawing.
func (p *chart) svg() template.HTML {
	if p.title == "" { // it has begun by itself
		return template.HTML(p.b.String() + "</svg>")
	}
	begin := fmt.Sprintf(`<svg class="%s" viewBox="0 0 %g %g" role="img" aria-label="%s">`, strings.TrimSpace("chart "+p.class), p.width, p.height, template.HTMLEscapeString(p.title))
	return template.HTML(begin + p.b.String() + "</svg>")
}

// area fills what lies between two levels.
func (p *chart) area(low, top float64, class string) {
	p.add(`<rect class="%s" x="%g" width="%g" y="%.1f" height="%.1f"/>`, class, p.left, p.width-p.left-chartRight, p.py(top), max(1, p.py(low)-p.py(top)))
}
