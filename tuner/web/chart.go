package web

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
)

// chart draws in SVG, without scripts, at the width of a column of a page or of
// a phone; classes of study.css give the colours.
type chart struct {
	b             strings.Builder
	x, y          axis
	width, height float64
}

// axis is one of a chart's: what is shown of it, and how.
type axis struct {
	name     string
	low, top float64
	log      bool      // the decadic logarithm is shown
	names    []string  // of 0, 1, ...; nil for numbers
	whole    bool      // only integers are marked
	wide     bool      // a margin is left at both ends
	at       []float64 // what is marked, where that is not left to the axis
}

// The chart's margins, in units of its view box, of which about 0.75 are a pixel
// at a phone's width.
const (
	chartWidth, chartHeight = 460.0, 260.0
	chartLeft, chartBottom  = 58.0, 42.0
	chartTop, chartRight    = 10.0, 12.0
)

// newChart begins a chart with its axes. An empty range gets some width.
func newChart(title string, x, y axis) *chart { return sizedChart(title, x, y, chartWidth) }

// sizedChart is a chart of another width.
func sizedChart(title string, x, y axis, width float64) *chart {
	p := &chart{x: x, y: y, width: width, height: chartHeight}
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
	fmt.Fprintf(&p.b, `<svg class="chart" viewBox="0 0 %g %g" role="img" aria-label="%s">`, p.width, p.height, template.HTMLEscapeString(title))
	p.axes()
	return p
}

// axes draws the marks and names of both axes.
func (p *chart) axes() {
	bottom := p.height - chartBottom
	for _, t := range p.y.marks(6) {
		y := p.py(t.at)
		p.add(`<line class="grid" x1="%g" x2="%g" y1="%.1f" y2="%.1f"/><text x="%g" y="%.1f" class="end">%s</text>`,
			chartLeft, p.width-chartRight, y, y, chartLeft-6, y+4, t.text)
	}
	for _, t := range p.x.marks(6) {
		x := p.px(t.at)
		p.add(`<line class="tick" x1="%.1f" x2="%.1f" y1="%g" y2="%g"/><text x="%.1f" y="%g" class="mid">%s</text>`,
			x, x, bottom, bottom+4, x, bottom+16, t.text)
	}
	p.add(`<line class="axis" x1="%g" x2="%g" y1="%g" y2="%g"/>`, chartLeft, p.width-chartRight, bottom, bottom)
	p.add(`<text x="%g" y="%g" class="mid name">%s</text>`, (chartLeft+p.width-chartRight)/2, p.height-8, template.HTMLEscapeString(p.x.name))
	p.add(`<text transform="translate(12 %g) rotate(-90)" class="mid name">%s</text>`, (chartTop+bottom)/2, template.HTMLEscapeString(p.y.name))
}

// add writes a piece of the drawing.
func (p *chart) add(format string, args ...any) { fmt.Fprintf(&p.b, format, args...) }

// mark is a number on an axis.
type mark struct {
	at   float64
	text string // escaped
}

// marks are about n round numbers along the axis, or its names, thinned out.
func (a *axis) marks(n int) []mark {
	var out []mark
	for _, x := range a.at {
		out = append(out, mark{x, show(x)})
	}
	if out != nil {
		return out
	}
	if a.names != nil {
		step := (len(a.names) + 7) / 8
		for i := 0; i < len(a.names); i += step {
			out = append(out, mark{float64(i), template.HTMLEscapeString(shorten(a.names[i], 12))})
		}
		return out
	}
	if a.log && a.top-a.low >= 1 {
		step := max(1, math.Ceil((a.top-a.low)/float64(n)))
		for e := math.Ceil(a.low - 1e-9); e <= a.top+1e-9; e += step {
			out = append(out, mark{math.Pow(10, e), show(math.Pow(10, e))})
		}
		if len(out) > 1 {
			return out
		}
		out = nil
	}
	low, top := a.low, a.top
	if a.log {
		low, top = math.Pow(10, low), math.Pow(10, top)
	}
	step := roundStep((top - low) / float64(n))
	if a.whole {
		step = max(1, step)
	}
	digits := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	for k := math.Ceil(low/step-1e-9) + 0; k*step <= top+1e-9*step; k++ {
		text := strconv.FormatFloat(k*step+0, 'f', min(digits, 12), 64) // + 0 makes -0 one
		if math.Abs(k*step) >= 1e6 || digits > 6 {
			if text = tick(k * step); step < 0.01*math.Abs(k*step) {
				text = strconv.FormatFloat(k*step, 'f', min(digits, 12), 64) // its neighbour would read the same
			}
		}
		out = append(out, mark{k * step, text})
	}
	return out
}

// roundStep is the first of 1, 2 and 5 times a power of ten that is not below x.
func roundStep(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 0) {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(x)))
	for _, k := range []float64{1, 2, 5} {
		if k*unit >= x*(1-1e-9) {
			return k * unit
		}
	}
	return 10 * unit
}

// shorten cuts a text to n characters.
func shorten(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return text
}

// share is where a number lies along the axis, 0 to 1 where it is shown.
func (a *axis) share(v float64) float64 {
	if a.log {
		v = math.Log10(max(v, math.SmallestNonzeroFloat64))
	}
	return (v - a.low) / (a.top - a.low)
}

func (p *chart) px(v float64) float64 {
	return chartLeft + p.x.share(v)*(p.width-chartLeft-chartRight)
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
	p.add(`<line class="%s" x1="%g" x2="%g" y1="%.1f" y2="%.1f"/>`, class, chartLeft, p.width-chartRight, p.py(y), p.py(y))
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

// svg ends the drawing.
func (p *chart) svg() template.HTML { return template.HTML(p.b.String() + "</svg>") }
