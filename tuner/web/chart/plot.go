package chart

import (
	"cmp"
	"fmt"
	"html"
	"html/template"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"sakusen/tuner/numeral"
)

// plot is a drawing in SVG over two axes; classes of style.css give the colours.
type plot struct {
	b                        strings.Builder
	x, y                     axis
	width, height            float64
	left, right, bottom, top float64 // margins
	title, class             string
}

// size is a drawing's, in units of its view box: about a pixel where it is shown, so that
// its text is of the page's size. A drawing that fills a page is made at two sizes, of
// which the style sheet shows one.
type size struct {
	class         string
	width, height float64
}

var (
	column = []size{{"", 400, 240}}
	broad  = []size{{"", 800, 240}}
	page   = []size{{"wide", 820, 260}, {"narrow", 360, 260}}
	square = []size{{"wide", 720, 440}, {"narrow", 360, 300}}
	paper  = []size{{"", 640, 240}}
)

// draw draws at each of some sizes what marks draws over two axes.
func draw(title string, x, y axis, sizes []size, marks func(*plot)) template.HTML {
	out := template.HTML("")
	for _, s := range sizes {
		p := newPlot(title, x, y, s)
		marks(p)
		out += p.svg()
	}
	return out
}

// Slanted names are cut to labelLength characters, each of which takes labelRoom of a
// drawing's height, and at most labelMost of them are shown.
const (
	labelRoom   = 7.2
	labelLength = 18
	labelMost   = 40
)

// newPlot begins a drawing with its axes.
func newPlot(title string, x, y axis, s size) *plot {
	p := &plot{title: title, class: s.class, x: x, y: y, width: s.width, height: s.height, left: 42, right: 12, top: 10, bottom: 26}
	p.x.settle()
	p.y.settle()
	p.y.upright = true
	if y.name != "" {
		p.left += 24
	}
	if x.name != "" {
		p.bottom += 16
	}
	if x.slanted {
		longest := 0
		for _, name := range x.names {
			longest = max(longest, min(labelLength, utf8.RuneCountInString(name)))
		}
		p.bottom, p.height = p.bottom+labelRoom*float64(longest), p.height+labelRoom*float64(longest)
	}
	aside := p.left - 42
	for _, t := range p.y.marks(6, 0.3*s.width) {
		p.left = max(p.left, min(0.3*s.width, letter*float64(utf8.RuneCountInString(html.UnescapeString(t.text)))+aside))
	}
	p.axes(aside)
	return p
}

// axes draws the marks and names of both axes; aside is the room of the y axis' name.
func (p *plot) axes(aside float64) {
	floor := p.height - p.bottom
	for _, t := range p.y.marks(6, p.left-aside) {
		y := p.py(t.at)
		p.add(`<line class="grid" x1="%g" x2="%g" y1="%.1f" y2="%.1f"/><text x="%g" y="%.1f" class="end">%s</text>`,
			p.left, p.width-p.right, y, y, p.left-6, y+4, t.text)
	}
	p.add(`<line class="axis" x1="%g" x2="%g" y1="%g" y2="%g"/>`, p.left, p.width-p.right, floor, floor)
	if p.x.slanted {
		for i := 0; i < len(p.x.names); i += (len(p.x.names) + labelMost - 1) / labelMost {
			x, y := p.px(float64(i))+4, floor+14
			p.add(`<text x="%.1f" y="%.1f" class="end" transform="rotate(-60 %.1f %.1f)">%s</text>`, x, y, x, y, escape(ends(p.x.names[i])))
		}
		return
	}
	for _, t := range p.x.marks(6, p.width-p.left-p.right) {
		x := p.px(t.at)
		p.add(`<line class="tick" x1="%.1f" x2="%.1f" y1="%g" y2="%g"/><text x="%.1f" y="%g" class="mid">%s</text>`,
			x, x, floor, floor+4, x, floor+16, t.text)
	}
	if p.x.name != "" {
		p.add(`<text x="%g" y="%g" class="mid name">%s</text>`, (p.left+p.width-p.right)/2, p.height-8, escape(p.x.name))
	}
	if p.y.name != "" {
		p.add(`<text transform="translate(12 %g) rotate(-90)" class="mid name">%s</text>`, (p.top+floor)/2, escape(p.y.name))
	}
}

// ends returns a label without its middle where it is long: labels of a kind differ at
// their ends.
func ends(label string) string {
	r := []rune(label)
	if len(r) <= labelLength {
		return label
	}
	return string(r[:labelLength/2-1]) + "…" + string(r[len(r)-labelLength/2:])
}

// svg ends the drawing.
func (p *plot) svg() template.HTML {
	return template.HTML(fmt.Sprintf(`<svg class="%s" viewBox="0 0 %g %g" role="img" aria-label="%s">`,
		strings.TrimSpace("chart "+p.class), p.width, p.height, escape(p.title)) + p.b.String() + "</svg>")
}

// escape makes a text one of SVG.
func escape(text string) string { return template.HTMLEscapeString(text) }

// add writes a piece of the drawing.
func (p *plot) add(format string, args ...any) { fmt.Fprintf(&p.b, format, args...) }

// px returns where a value of the x axis lies.
func (p *plot) px(v float64) float64 { return p.left + p.x.share(v)*(p.width-p.left-p.right) }

// py returns where a value of the y axis lies, at the edge where it lies beyond.
func (p *plot) py(v float64) float64 {
	return p.height - p.bottom - min(1, max(0, p.y.share(v)))*(p.height-p.bottom-p.top)
}

// dot marks a point; hint is shown at the mark.
func (p *plot) dot(x, y float64, class, hint string) { p.beside(0, x, y, class, hint) }

// beside marks a point so far to the right of its place.
func (p *plot) beside(by, x, y float64, class, hint string) {
	p.add(`<circle class="%s" cx="%.1f" cy="%.1f" r="3"><title>%s</title></circle>`, class, p.px(x)+by, p.py(y), escape(hint))
}

// stroke draws an interval of values so far to the right of its place; NaN draws nothing.
func (p *plot) stroke(by, x, low, top float64, class string) {
	if !math.IsNaN(low) && !math.IsNaN(top) {
		p.add(`<line class="%s" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/>`, class, p.px(x)+by, p.px(x)+by, p.py(low), p.py(top))
	}
}

// level draws a value over the whole width, where it is shown at all.
func (p *plot) level(y float64, class string) {
	if s := p.y.share(y); s >= 0 && s <= 1 {
		p.add(`<line class="%s" x1="%g" x2="%g" y1="%.1f" y2="%.1f"/>`, class, p.left, p.width-p.right, p.py(y), p.py(y))
	}
}

// baseline draws the baseline's value, where it is known.
func (p *plot) baseline(y float64) {
	if !math.IsNaN(y) {
		p.level(y, "base")
		p.add(`<text x="%g" y="%.1f" class="end lab">baseline</text>`, p.width-p.right, p.py(y)-4)
	}
}

// area fills what lies between two values.
func (p *plot) area(low, top float64, class string) {
	p.add(`<rect class="%s" x="%g" width="%g" y="%.1f" height="%.1f"/>`, class, p.left, p.width-p.left-p.right, p.py(top), max(1, p.py(low)-p.py(top)))
}

// validated draws what a validation found: a value and the ends of its interval.
func (p *plot) validated(found *[3]float64, tone string) {
	if found != nil {
		p.area(found[1], found[2], "val "+tone)
		p.level(found[0], "valline "+tone)
	}
}

// series are values along the x axis, with the ends of an interval each.
type series struct{ xs, ys, low, top []float64 }

// add adds a value.
func (s *series) add(x, y, low, top float64) {
	s.xs, s.ys, s.low, s.top = append(s.xs, x), append(s.ys, y), append(s.low, low), append(s.top, top)
}

// line joins the values; NaN breaks it.
func (p *plot) line(class string, xs, ys []float64) {
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

// band fills the intervals of a series.
func (p *plot) band(class string, s *series) {
	var d []string
	for i := range s.xs {
		if !math.IsNaN(s.low[i]) && !math.IsNaN(s.top[i]) {
			d = append(d, fmt.Sprintf("%.1f %.1f", p.px(s.xs[i]), p.py(s.top[i])))
		}
	}
	for i := len(s.xs) - 1; i >= 0; i-- {
		if !math.IsNaN(s.low[i]) && !math.IsNaN(s.top[i]) {
			d = append(d, fmt.Sprintf("%.1f %.1f", p.px(s.xs[i]), p.py(s.low[i])))
		}
	}
	if d != nil {
		p.add(`<path class="%s" d="M%sZ"/>`, class, strings.Join(d, "L"))
	}
}

// dotsMost is the number of points up to which each has a mark; more are summed up. No
// two marks of a class lie within the same few units, dotRoom.
const dotsMost, dotRoom = 400, 3

// cloud is points of trials.
type cloud struct {
	n     int
	at    func(i int) (x, y float64) // NaN is not drawn
	class func(i int) string         // of a mark
	hint  func(i int) string
}

// dots draws the points, and returns how many there are.
func (p *plot) dots(c *cloud) (n int) {
	taken := map[string]bool{}
	for i := range c.n {
		x, y := c.at(i)
		if math.IsNaN(x) || math.IsNaN(y) {
			continue
		}
		n++
		class := c.class(i)
		if at := fmt.Sprint(class, int(p.px(x)/dotRoom), int(p.py(y)/dotRoom)); !taken[at] {
			taken[at] = true
			p.dot(x, y, class, c.hint(i))
		}
	}
	return n
}

// summed draws the median and the middle 80 % of the points in each of some columns.
func (p *plot) summed(c *cloud, columns int) {
	xs, values := make([]float64, columns), make([][]float64, columns)
	for k := range xs {
		xs[k] = p.x.middle(k, columns)
	}
	for i := range c.n {
		if x, y := c.at(i); !math.IsNaN(x) && !math.IsNaN(y) {
			k := p.x.column(x, columns)
			values[k] = append(values[k], y)
		}
	}
	s := middles(xs, values)
	if p.x.names == nil {
		p.band("band", s)
		p.line("median", s.xs, s.ys)
		return
	}
	for k, name := range p.x.names[:columns] {
		if !math.IsNaN(s.ys[k]) {
			p.stroke(0, s.xs[k], s.low[k], s.top[k], "thick")
			p.dot(s.xs[k], s.ys[k], "middle", fmt.Sprintf("%s = %s: median %s", p.x.name, name, numeral.Page(numeral.Text(s.ys[k]))))
		}
	}
}

// middles returns the median of the values at each of some places and the ends of their
// middle 80 %; NaN where there are none.
func middles(xs []float64, values [][]float64) *series {
	var s series
	for i, all := range values {
		slices.Sort(all)
		at := func(q float64) float64 {
			if len(all) == 0 {
				return math.NaN()
			}
			return all[int(q*float64(len(all)))]
		}
		s.add(xs[i], at(0.5), at(0.1), at(0.9))
	}
	return &s
}

// Bar is a share of a whole in a table, drawn as a bar.
type Bar struct {
	Name, Text string
	Note       string  // below the bar
	Share      float64 // 0 to 1
}

// Drawn draws the bar.
func (b Bar) Drawn() template.HTML { return bar("bar", part{"all", min(1, max(0.004, b.Share))}) }

// part is a share of a bar, from 0 to 1.
type part struct {
	class string
	share float64
}

// bar draws parts of a whole beside one another.
func bar(class string, parts ...part) template.HTML {
	out, x := fmt.Sprintf(`<svg class="%s" viewBox="0 0 200 12" preserveAspectRatio="none" aria-hidden="true">`, class), 0.0
	for _, p := range parts {
		if p.share > 0 {
			out += fmt.Sprintf(`<rect class="%s" x="%.2f" width="%.2f" height="12"/>`, p.class, x, 200*p.share)
		}
		x += 200 * p.share
	}
	return template.HTML(out + "</svg>")
}

// ranked returns shares as bars, the largest first.
func ranked(rows []Bar) []Bar {
	for i := range rows {
		rows[i].Text = fmt.Sprintf("%.0f %%", 100*rows[i].Share)
	}
	slices.SortStableFunc(rows, func(a, b Bar) int { return cmp.Compare(b.Share, a.Share) })
	return rows
}
