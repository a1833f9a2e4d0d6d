package chart

import (
	"fmt"
	"html/template"
	"math"

	"sakusen/tuner/numeral"
)

// Stage is what one stage of a study says of its answer.
type Stage struct {
	Name, Blocks  string // such as "Validation", "6 000 blocks"
	Value, Lo, Hi float64
	Text          string // the value for people
	Class         string // thought, measured, good, bad, warn
}

// Strip is the stages of a study on one axis.
type Strip struct {
	Unit   string
	Base   float64 // the baseline
	Gains  bool    // values are gains, with their signs
	Stages []Stage
	Zone   [2]float64 // gains between the bounds of the test; equal where there is none
}

// sizes of a drawing that is made for a desk and for a phone, so that its text is
// of one size in both.
const (
	wideDrawing, narrowDrawing = 620.0, 330.0
)

// Draw draws the strip, once wide and once narrow.
func (s *Strip) Draw() template.HTML {
	return s.draw(wideDrawing, "wide") + s.draw(narrowDrawing, "narrow")
}

func (s *Strip) draw(width float64, class string) template.HTML {
	lo, hi := s.Base, s.Base
	for _, g := range s.Stages {
		for _, x := range []float64{g.Value, g.Lo, g.Hi} {
			if !math.IsNaN(x) {
				lo, hi = least(lo, x), most(hi, x)
			}
		}
	}
	if s.Zone[0] != s.Zone[1] {
		lo, hi = least(lo, s.Zone[0]), most(hi, s.Zone[1])
	}
	if !(hi > lo) || len(s.Stages) == 0 {
		return ""
	}
	left, right, row := 108.0, 64.0, 36.0
	if class == "narrow" {
		left, right = 84, 52
	}
	p := &chart{width: width, height: row*float64(len(s.Stages)) + 46}
	p.x = axis{low: lo - 0.04*(hi-lo), top: hi + 0.04*(hi-lo)}
	at := func(v float64) float64 { return left + p.x.share(v)*(width-left-right) }
	bottom := row*float64(len(s.Stages)) + 8
	text := s.Unit
	for _, g := range s.Stages {
		text += ", " + g.Name + " " + g.Text
	}
	p.add(`<svg class="chart strip %s" viewBox="0 0 %g %g" role="img" aria-label="%s">`, class, p.width, p.height, template.HTMLEscapeString(text))
	if s.Zone[0] != s.Zone[1] {
		a, b := at(s.Zone[0]), at(s.Zone[1])
		p.add(`<rect class="zone" x="%.1f" y="4" width="%.1f" height="%g"><title>too little to count: the test is between these bounds</title></rect>`, a, b-a, bottom-4)
	}
	taken := at(s.Base)
	marks := 5
	if class == "narrow" {
		marks = 3
	}
	for _, m := range p.x.marks(marks, 0) {
		if x := at(m.at); math.Abs(x-taken) > 34 {
			p.add(`<line class="grid" x1="%.1f" x2="%.1f" y1="4" y2="%g"/><text x="%.1f" y="%g" class="mid">%s</text>`, x, x, bottom, x, bottom+16, s.mark(m))
		}
	}
	p.add(`<line class="base" x1="%.1f" x2="%.1f" y1="4" y2="%g"/><text x="%.1f" y="%g" class="mid">baseline</text>`, taken, taken, bottom, taken, bottom+16)
	p.add(`<text x="%.1f" y="%g" class="mid lab">%s</text>`, (left+width-right)/2, bottom+32, template.HTMLEscapeString(s.Unit))
	for i, g := range s.Stages {
		y := 8 + row*(float64(i)+0.5)
		p.add(`<text x="%g" y="%.1f" class="end name">%s</text><text x="%g" y="%.1f" class="end lab">%s</text>`,
			left-12, y-3, template.HTMLEscapeString(g.Name), left-12, y+11, template.HTMLEscapeString(g.Blocks))
		if math.IsNaN(g.Value) {
			continue
		}
		end := at(g.Value)
		if !math.IsNaN(g.Lo) && !math.IsNaN(g.Hi) {
			end = at(g.Hi)
			p.add(`<line class="iv %s" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/>`, g.Class, at(g.Lo), end, y, y)
		}
		p.add(`<circle class="%s" cx="%.1f" cy="%.1f" r="5"/><text x="%.1f" y="%.1f" class="%s">%s</text>`,
			g.Class, at(g.Value), y, end+8, y+4, "value "+g.Class, template.HTMLEscapeString(g.Text))
	}
	return p.svg()
}

// mark is the text of a mark on the axis.
func (s *Strip) mark(m mark) string {
	text := numeral.Page(m.text)
	if s.Gains && m.at > 0 {
		return "+" + text
	}
	return text
}

// Mini is an interval on an axis that other lines of a list share.
func Mini(value, lo, hi, from, to float64, class string) template.HTML {
	if math.IsNaN(value) || !(to > from) {
		return ""
	}
	const width, height = 150.0, 16.0
	at := func(v float64) float64 { return 5 + (width-10)*min(1, max(0, (v-from)/(to-from))) }
	out := fmt.Sprintf(`<svg class="mini" viewBox="0 0 %g %g" aria-hidden="true"><line class="rule" x1="2" x2="%g" y1="8" y2="8"/>`, width, height, width-2)
	if from < 0 && to > 0 {
		out += fmt.Sprintf(`<line class="base" x1="%.1f" x2="%.1f" y1="1" y2="15"/>`, at(0), at(0))
	}
	if !math.IsNaN(lo) && !math.IsNaN(hi) {
		out += fmt.Sprintf(`<line class="iv %s" x1="%.1f" x2="%.1f" y1="8" y2="8"/>`, class, at(lo), at(hi))
	}
	switch { // what lies beyond the axis is an arrow
	case value > to:
		return template.HTML(out + fmt.Sprintf(`<path class="tip %s" d="M%g 3 L%g 8 L%g 13 Z"/></svg>`, class, width-11, width-1, width-11))
	case value < from:
		return template.HTML(out + fmt.Sprintf(`<path class="tip %s" d="M11 3 L1 8 L11 13 Z"/></svg>`, class))
	}
	return template.HTML(out + fmt.Sprintf(`<circle class="%s" cx="%.1f" cy="8" r="4"/></svg>`, class, at(value)))
}

// Place is where two values of a parameter lie in its range, 0 to 1; NaN draws
// nothing.
func Place(before, after float64) template.HTML {
	const width = 120.0
	at := func(v float64) float64 { return 6 + (width-12)*min(1, max(0, v)) }
	out := fmt.Sprintf(`<svg class="mini rng" viewBox="0 0 %g 14" aria-hidden="true"><line class="rule" x1="4" x2="%g" y1="7" y2="7"/>`, width, width-4)
	if !math.IsNaN(before) {
		out += fmt.Sprintf(`<circle class="old" cx="%.1f" cy="7" r="4"/>`, at(before))
	}
	if !math.IsNaN(after) {
		out += fmt.Sprintf(`<circle class="new" cx="%.1f" cy="7" r="5"/>`, at(after))
	}
	return template.HTML(out + "</svg>")
}
