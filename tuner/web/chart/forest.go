package chart

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"strings"
	"unicode/utf8"

	"sakusen/tuner/insight"
	"sakusen/tuner/stats"
)

// Stage is a value with its interval, one line of a forest.
type Stage struct {
	Name, Blocks  string // such as "Validation", "6 000 blocks"
	Value, Lo, Hi float64
	Text          string // the value for people
	Class         string // thought, measured, good, bad, warn
}

// Forest is values with their intervals below one another on one axis.
type Forest struct {
	Unit   string
	Base   float64 // the baseline, or what Even names; NaN where it is not known
	Even   string
	Gains  bool // values are gains, with their signs
	Stages []Stage
	Zone   [2]float64 // gains between the bounds of the test; equal where there is none
}

// Add adds a stage whose text is its value, rounded by its interval.
func (f *Forest) Add(name, blocks string, value, lo, hi float64, class string) {
	f.Stages = append(f.Stages, Stage{name, blocks, value, lo, hi, amount(f.Gains, value, (hi-lo)/2), class})
}

// Draw draws the forest, once wide and once narrow, so that its text has the same size on a
// large screen and on a phone.
func (f *Forest) Draw() template.HTML {
	out, x := template.HTML(""), f.axis()
	if !(x.top > x.low) || len(f.Stages) == 0 {
		return ""
	}
	x.settle()
	for _, s := range []size{{class: "strip wide", width: 620}, {class: "strip narrow", width: 330}} {
		p := &plot{x: x, y: axis{name: f.Unit}, class: s.class, width: s.width, height: forestRow*float64(len(f.Stages)) + 46, left: 84, right: 52, bottom: 38}
		marks := 3
		if s.width > 400 {
			p.left, p.right, marks = 108, 64, 5
		}
		for _, g := range f.Stages { // no label is cut, also in the widest fonts
			p.left = max(p.left, float64(16+7*max(utf8.RuneCountInString(g.Blocks), utf8.RuneCountInString(g.Name))))
			if !math.IsNaN(g.Value) {
				p.right = max(p.right, float64(12+tipLength+7*utf8.RuneCountInString(g.Text)))
			}
		}
		out += f.draw(p, marks)
	}
	return out + saving
}

// forestRow is the height of a line.
const forestRow = 36.0

func (f *Forest) draw(p *plot, marks int) template.HTML {
	p.title, p.x.name = f.Unit, "of"
	rows := plot{y: p.y}
	for _, g := range f.Stages {
		p.title, rows.x.names = p.title+", "+g.Name+" "+g.Text, append(rows.x.names, g.Name)
	}
	floor := p.height - p.bottom
	if f.Zone[0] != f.Zone[1] {
		p.add(`<rect class="zone" x="%.1f" y="4" width="%.1f" height="%g"><title>too little to count: the test is between these bounds</title></rect>`, p.px(f.Zone[0]), p.px(f.Zone[1])-p.px(f.Zone[0]), floor-4)
	}
	line := func(class string, x float64, text string) {
		p.add(`<line class="%s" x1="%.1f" x2="%.1f" y1="4" y2="%g"/><text x="%.1f" y="%g" class="mid">%s</text>`, class, x, x, floor, x, floor+16, text)
	}
	for _, m := range p.x.marks(marks, 0) {
		if f.Gains && m.at > 0 {
			m.text = "+" + m.text
		}
		if x := p.px(m.at); !(math.Abs(x-p.px(f.Base)) <= 34) {
			line("grid", x, m.text)
		}
	}
	if !math.IsNaN(f.Base) {
		line("base", p.px(f.Base), cmp.Or(f.Even, "baseline"))
	}
	p.add(`<text x="%.1f" y="%g" class="mid lab">%s</text>`, (p.left+p.width-p.right)/2, floor+32, escape(f.Unit))
	for i, g := range f.Stages {
		y := 8 + forestRow*(float64(i)+0.5)
		p.add(`<text x="%g" y="%.1f" class="end name">%s</text><text x="%g" y="%.1f" class="end lab">%s</text>`, p.left-12, y-3, escape(g.Name), p.left-12, y+11, escape(g.Blocks))
		if math.IsNaN(g.Value) {
			at := p.left
			if zero := p.px(f.Base); zero > at { // no text is cut
				at = max(at, min(zero+8, p.width-6.2*float64(utf8.RuneCountInString(g.Text))))
			}
			p.add(`<text x="%.1f" y="%.1f" class="lab over">%s</text>`, at, y+4, escape(g.Text))
			continue
		}
		end := p.px(g.Value)
		if !math.IsNaN(g.Lo) && !math.IsNaN(g.Hi) {
			end = p.px(g.Hi)
			p.add(`<line class="iv %s" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/>`, g.Class, p.px(g.Lo), end, y, y)
		}
		shape, form := "circle", fmt.Sprintf(`class="%s" cx="%.1f" cy="%.1f" r="5"`, g.Class, p.px(g.Value), y)
		if f.open(p, g.Value) { // it may lie anywhere beyond
			shape, form = "path", f.tip(p, g.Value, y, g.Class)
		}
		for _, v := range []float64{g.Lo, g.Hi} {
			if f.open(p, v) && v != g.Value {
				p.add(`<path %s/>`, f.tip(p, v, y, g.Class))
			}
		}
		if most := max(g.Value, g.Hi); f.open(p, most) && p.x.share(most) > .5 || f.open(p, g.Value) && p.x.share(g.Value) > .5 {
			end += tipLength
		}
		told := rows.told(&point{x: float64(i), y: g.Value, low: g.Lo, high: g.Hi})
		p.add(`<`+shape+` %s%s><title>%s</title></`+shape+`><text x="%.1f" y="%.1f" class="value %s">%s</text>`, form, told,
			escape(strings.TrimSpace(g.Name+", "+g.Blocks)+": "+strings.TrimSuffix(g.Text+" "+f.Unit+" ("+g.Interval(f.Gains)+")", " ()")), end+8, y+4, g.Class, escape(g.Text))
	}
	return p.svg()
}

// open reports whether a value lies beyond the axis, or stands at an end of what is told of gains
// in Elo: it may be any beyond.
func (f *Forest) open(p *plot, v float64) bool {
	return p.x.outside(v) || f.Gains && strings.HasPrefix(f.Unit, "Elo") && (math.Abs(v) == insight.MostElo || stats.Beyond(v) != "")
}

// axis returns the axis of all stages. Estimates of a model widen it to at most three times the
// width of what was measured; what lies beyond is an arrow at its end.
func (f *Forest) axis() axis {
	x := over("", f.Base)
	if f.Zone[0] != f.Zone[1] {
		x.reach(f.Zone[:]...)
	}
	for _, g := range f.Stages {
		if g.Class != "thought" {
			x.reach(g.Value, g.Lo, g.Hi)
		}
	}
	low, top := math.Inf(-1), math.Inf(1)
	if width := x.top - x.low; width > 0 {
		low, top = x.low-width, x.top+width
	}
	for _, g := range f.Stages {
		for _, v := range []float64{g.Value, g.Lo, g.Hi} {
			x.reach(min(top, max(low, v)))
		}
	}
	return x
}

// tipLength is the length of the arrow that an open end has.
const tipLength = 10

// tip returns the attributes of an arrow at an open end.
func (f *Forest) tip(p *plot, v, y float64, class string) string {
	return fmt.Sprintf(`class="tip %s" d="M%.1f %.1fv12l%g -6z"`, class, p.px(v), y-6, math.Copysign(tipLength, p.x.share(v)-.5))
}

// Interval returns the interval as a text, or nothing if there is none.
func (s *Stage) Interval(gain bool) string {
	if math.IsNaN(s.Lo) || math.IsNaN(s.Hi) {
		return ""
	}
	return fromTo(gain, s.Lo, s.Hi)
}

// Mini draws an interval on an axis that other lines of a list share; a value beyond the
// axis is an arrow.
func Mini(value, lo, hi, from, to float64, class string) template.HTML {
	if math.IsNaN(value) || !(to > from) {
		return ""
	}
	const width = 150.0
	at := func(v float64) float64 { return 5 + (width-10)*min(1, max(0, (v-from)/(to-from))) }
	out := small("mini", width, 16, 2)
	if from < 0 && to > 0 {
		out += fmt.Sprintf(`<line class="base" x1="%.1f" x2="%.1f" y1="1" y2="15"/>`, at(0), at(0))
	}
	if !math.IsNaN(lo) && !math.IsNaN(hi) {
		out += fmt.Sprintf(`<line class="iv %s" x1="%.1f" x2="%.1f" y1="8" y2="8"/>`, class, at(lo), at(hi))
	}
	switch {
	case value > to:
		out += fmt.Sprintf(`<path class="tip %s" d="M%g 3 L%g 8 L%g 13 Z"/>`, class, width-11, width-1, width-11)
	case value < from:
		out += fmt.Sprintf(`<path class="tip %s" d="M11 3 L1 8 L11 13 Z"/>`, class)
	default:
		out += fmt.Sprintf(`<circle class="%s" cx="%.1f" cy="8" r="4"/>`, class, at(value))
	}
	return template.HTML(out + "</svg>")
}

// small begins a drawing within a line of text: an axis without marks.
func small(class string, width, height, edge float64) string {
	return fmt.Sprintf(`<svg class="%s" viewBox="0 0 %g %g" aria-hidden="true"><line class="rule" x1="%g" x2="%g" y1="%g" y2="%g"/>`, class, width, height, edge, width-edge, height/2, height/2)
}

// Place draws where two values of a parameter lie in its range, 0 to 1; NaN draws
// nothing.
func Place(before, after float64) template.HTML {
	if math.IsNaN(before) && math.IsNaN(after) {
		return ""
	}
	const width = 120.0
	out := small("mini rng", width, 14, 4)
	for _, m := range []struct {
		class string
		at, r float64
	}{{"old", before, 4}, {"new", after, 5}} {
		if !math.IsNaN(m.at) {
			out += fmt.Sprintf(`<circle class="%s" cx="%.1f" cy="7" r="%g"/>`, m.class, 6+(width-12)*min(1, max(0, m.at)), m.r)
		}
	}
	return template.HTML(out + "</svg>")
}

// Bar is a share of a whole in a table, drawn as a bar.
type Bar struct {
	Name, Text string
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
