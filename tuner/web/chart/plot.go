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
)

// plot is a drawing in SVG over two axes; classes of style.css give the colours.
type plot struct {
	b                        strings.Builder
	x, y                     axis
	width, height            float64
	left, right, bottom, top float64 // margins
	title, class             string
	aside                    float64         // how far to the right of their place points are drawn
	step, last               int             // trials that a column sums up and the last one of all, 0 where a mark is of one
	above                    strings.Builder // what is drawn last
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
	page   = []size{{"wide", 820, 260}, {"narrow", 360, 260}}
	beside = []size{{"wide", 560, 240}, {"narrow", 360, 240}}
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
	return out + saving
}

// saving are the buttons with which scripts save a drawing; without them they are hidden.
const saving = `<span class="save"><button type="button" class="link" data-save="svg">SVG</button> <button type="button" class="link" data-save="csv">CSV</button></span>`

// saves is the room that these buttons take, below on the right.
const saves = 75

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
	named := p.left - 42
	for _, t := range p.y.marks(6, 0.3*s.width) {
		p.left = max(p.left, min(0.3*s.width, letter*float64(utf8.RuneCountInString(html.UnescapeString(t.text)))+named))
	}
	p.axes(named)
	return p
}

// axes draws the marks and names of both axes; named is the height for the y axis' name.
func (p *plot) axes(named float64) {
	floor := p.height - p.bottom
	for _, t := range p.y.marks(6, p.left-named) {
		y := p.py(t.at)
		p.add(`<line class="grid" x1="%g" x2="%g" y1="%.1f" y2="%.1f"/>`, p.left, p.width-p.right, y, y)
		p.text("end", p.left-6, y+4, t.text)
	}
	p.add(`<line class="axis" x1="%g" x2="%g" y1="%g" y2="%g"/>`, p.left, p.width-p.right, floor, floor)
	if p.x.slanted {
		for i := 0; i < len(p.x.names); i += (len(p.x.names) + labelMost - 1) / labelMost {
			x, y := p.px(float64(i))+4, floor+14
			p.add(`<text x="%.1f" y="%.1f" class="end" transform="rotate(-60 %.1f %.1f)">%s</text>`, x, y, x, y, escape(ends(p.x.names[i], labelLength)))
		}
		return
	}
	for _, t := range p.x.marks(6, p.width-p.left-p.right) {
		x := p.px(t.at)
		p.add(`<line class="tick" x1="%.1f" x2="%.1f" y1="%g" y2="%g"/>`, x, x, floor, floor+4)
		p.text("mid", x, floor+16, t.text)
	}
	if p.x.name != "" {
		p.text("mid name", (p.left+p.width-p.right)/2, p.height-8, escape(ends(p.x.name, int((p.width-p.left-p.right-2*saves)/letter))))
	}
	if p.y.name != "" {
		p.add(`<text transform="translate(12 %g) rotate(-90)" class="mid name">%s</text>`, (p.top+floor)/2, escape(ends(p.y.name, int((p.top+floor)/6))))
	}
}

// ends returns a label without its middle where it has more than most characters: labels of
// a kind differ at their ends.
func ends(label string, most int) string {
	r := []rune(label)
	if len(r) <= most {
		return label
	}
	return string(r[:most/2-1]) + "…" + string(r[len(r)-most/2:])
}

// svg ends the drawing.
func (p *plot) svg() template.HTML {
	names := ""
	if p.step > 1 {
		names = fmt.Sprintf(` data-step="%d" data-last="%d"`, p.step, p.last)
	}
	if p.x.name+p.y.name != "" {
		names += fmt.Sprintf(` data-names="%s"`, escape(cmp.Or(p.x.name, "x")+"\t"+cmp.Or(p.y.name, "value")))
	}
	return template.HTML(fmt.Sprintf(`<svg class="%s" viewBox="0 0 %g %g" role="img" aria-label="%s"%s>`,
		strings.TrimSpace("chart "+p.class), p.width, p.height, escape(p.title), names) + p.b.String() + p.above.String() + "</svg>")
}

// escape makes a text one of SVG.
func escape(text string) string { return template.HTMLEscapeString(text) }

// add writes a piece of the drawing.
func (p *plot) add(format string, args ...any) { fmt.Fprintf(&p.b, format, args...) }

// text writes a text, which is escaped, at a place.
func (p *plot) text(class string, x, y float64, text string) {
	p.add(`<text x="%.1f" y="%.1f" class="%s">%s</text>`, x, y, class, text)
}

// px returns where a value of the x axis lies, at the edge where it lies beyond.
func (p *plot) px(v float64) float64 {
	return p.aside + p.left + min(1, max(0, p.x.share(v)))*(p.width-p.left-p.right)
}

// py returns where a value of the y axis lies, at the edge where it lies beyond.
func (p *plot) py(v float64) float64 {
	return p.height - p.bottom - min(1, max(0, p.y.share(v)))*(p.height-p.bottom-p.top)
}

// point is a value at a place; what is NaN is not drawn.
type point struct {
	x, y, low, high float64 // the value and the ends of its interval
	class           string
	n               int    // the number of what it stands for
	of              string // the numbers of the trials that it stands for, empty where of none
}

// told returns the attributes of a point for scripts: its trials and its values.
func (p *plot) told(d *point) string {
	values := p.x.value(d.x) + "\t" + p.y.value(d.y)
	if !math.IsNaN(d.low) && !math.IsNaN(d.high) && d.low != d.high {
		values += "\t" + p.y.value(d.low) + "\t" + p.y.value(d.high)
	}
	return of(d) + fmt.Sprintf(` data-v="%s"`, escape(values))
}

// of returns the attribute with a point's trials, nothing where it has none.
func of(d *point) string {
	if d.of == "" {
		return ""
	}
	return fmt.Sprintf(` data-n="%s"`, d.of)
}

// dotRoom is the distance within which no two marks of a class lie.
const dotRoom = 3

// dots draws a mark for each point, with a hint that is shown at the mark.
func (p *plot) dots(all []point, hint func(*point) string) {
	taken := map[string]bool{}
	for i := range all {
		d := &all[i]
		if math.IsNaN(d.x) || math.IsNaN(d.y) {
			continue
		}
		if at := fmt.Sprint(d.class, int(p.px(d.x)/dotRoom), int(p.py(d.y)/dotRoom)); !taken[at] {
			taken[at] = true
			shape, form := "circle", `cx="%.1f" cy="%.1f" r="3"`
			if p.y.end(d.y) { // an arrow: it may lie anywhere beyond
				shape, form = "path", fmt.Sprintf(`d="M%%.1f %%.1fl-4 %gh8z"`, math.Copysign(8, d.y))
			}
			p.add(`<`+shape+` class="%s" `+form+`%s><title>%s</title></`+shape+`>`, d.class, p.px(d.x), p.py(d.y), p.told(d), escape(hint(d)))
		}
	}
}

// along puts invisible marks on a line, at which scripts show its values.
func (p *plot) along(all []point, hint func(*point) string) {
	places := slices.Clone(all)
	for i := range places {
		places[i].class = "at"
	}
	p.dots(places, hint)
}

// ring marks the answer among points.
func (p *plot) ring(d point) {
	if !math.IsNaN(d.x) && !math.IsNaN(d.y) {
		fmt.Fprintf(&p.above, `<circle class="ring" cx="%.1f" cy="%.1f" r="6"/>`, p.px(d.x), p.py(d.y))
	}
}

// landmark draws a line across the axis at a value of a parameter; NaN draws nothing.
func (p *plot) landmark(class string, v float64, vertical bool, hint string) {
	switch {
	case math.IsNaN(v):
	case vertical && p.x.share(v) >= 0 && p.x.share(v) <= 1:
		p.add(`<line class="%s" x1="%.1f" x2="%.1f" y1="%g" y2="%g"><title>%s</title></line>`, class, p.px(v), p.px(v), p.top, p.height-p.bottom, escape(hint))
	case !vertical && p.y.share(v) >= 0 && p.y.share(v) <= 1:
		p.add(`<line class="%s" x1="%g" x2="%g" y1="%.1f" y2="%.1f"><title>%s</title></line>`, class, p.left, p.width-p.right, p.py(v), p.py(v), escape(hint))
	}
}

// bars draws the intervals of points.
func (p *plot) bars(class string, all ...point) {
	for _, d := range all {
		if !math.IsNaN(d.low) && !math.IsNaN(d.high) {
			p.add(`<line class="%s" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"%s/>`, class, p.px(d.x), p.px(d.x), p.py(d.low), p.py(d.high), of(&d))
		}
	}
}

// line joins the values; NaN breaks it.
func (p *plot) line(class string, all []point) {
	p.add(`<path class="%s" d="`, class)
	command := "M"
	for _, d := range all {
		if math.IsNaN(d.x) || math.IsNaN(d.y) {
			command = "M"
			continue
		}
		p.add("%s%.1f %.1f", command, p.px(d.x), p.py(d.y))
		command = "L"
	}
	p.add(`"/>`)
}

// band fills the intervals of points.
func (p *plot) band(class string, all []point) {
	var d, back []string
	for _, s := range all {
		if !math.IsNaN(s.low) && !math.IsNaN(s.high) {
			d = append(d, fmt.Sprintf("%.1f %.1f", p.px(s.x), p.py(s.high)))
			back = append(back, fmt.Sprintf("%.1f %.1f", p.px(s.x), p.py(s.low)))
		}
	}
	if slices.Reverse(back); d != nil {
		p.add(`<path class="%s" d="M%sZ"/>`, class, strings.Join(append(d, back...), "L"))
	}
}

// summed draws the median and the middle 80 % of the points in each of some columns.
func (p *plot) summed(all []point, columns int) {
	values := make([][]float64, columns)
	for _, d := range all {
		if !math.IsNaN(d.x) && !math.IsNaN(d.y) {
			k := p.x.column(d.x, columns)
			values[k] = append(values[k], d.y)
		}
	}
	s := make([]point, columns)
	for k := range s {
		s[k] = middle(p.x.middle(k, columns), values[k])
	}
	hint := func(d *point) string {
		return fmt.Sprintf("%s = %s: median %s, middle 80 %% %s to %s", p.x.name, p.x.value(d.x), p.y.value(d.y), p.y.value(d.low), p.y.value(d.high))
	}
	if p.x.names == nil {
		p.band("band", s)
		p.line("median", s)
		p.along(s, hint)
		return
	}
	p.bars("thick", s...)
	p.dots(s, hint)
}

// middle returns the median of the values at a place and the ends of their middle 80 %; NaN
// where there are none.
func middle(x float64, all []float64) point {
	slices.Sort(all)
	at := func(q float64) float64 {
		if len(all) == 0 {
			return math.NaN()
		}
		return all[int(q*float64(len(all)))]
	}
	return point{x: x, y: at(0.5), low: at(0.1), high: at(0.9), class: "middle"}
}

// level draws a horizontal line at a value, if it is inside the axis.
func (p *plot) level(y float64, class string) {
	if s := p.y.share(y); s >= 0 && s <= 1 {
		p.add(`<line class="%s" x1="%g" x2="%g" y1="%.1f" y2="%.1f"/>`, class, p.left, p.width-p.right, p.py(y), p.py(y))
	}
}

// area fills what lies between two values.
func (p *plot) area(low, top float64, class string) {
	p.add(`<rect class="%s" x="%g" width="%g" y="%.1f" height="%.1f"/>`, class, p.left, p.width-p.left-p.right, p.py(top), max(1, p.py(low)-p.py(top)))
}

// validated draws the validated value and its interval.
func (p *plot) validated(found *[3]float64, tone string) {
	if found != nil {
		p.area(found[1], found[2], "val "+tone)
		p.level(found[0], "valline "+tone)
	}
}

// cells draws a grid of so many columns over both axes, row by row from the lowest, the
// cells of a level as one shape.
func (p *plot) cells(values []float64, columns int, of *levels) {
	rows := len(values) / columns
	width, height := p.width-p.left-p.right, p.height-p.bottom-p.top
	x := func(column int) float64 { return p.left + float64(column)/float64(columns)*width }
	y := func(row int) float64 { return p.height - p.bottom - float64(row)/float64(rows)*height }
	var shapes [contourLevels]strings.Builder
	for r := range rows {
		for c := 0; c < columns; {
			k, n := of.class(values[r*columns+c]), 1
			for c+n < columns && of.class(values[r*columns+c+n]) == k {
				n++
			}
			if k >= 0 {
				fmt.Fprintf(&shapes[k], "M%.1f %.1fH%.1fV%.1fH%.1fz", x(c), y(r+1), x(c+n), y(r), x(c))
			}
			c += n
		}
	}
	for k := range shapes {
		if shapes[k].Len() > 0 {
			p.add(`<path class="cell c%d" d="%s"><title>%s</title></path>`, k, shapes[k].String(), escape(of.text(k)))
		}
	}
}
