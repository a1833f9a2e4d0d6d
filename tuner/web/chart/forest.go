package chart

import (
	"fmt"
	"html/template"
	"math"

	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// estimateRow is a value with its interval, one line of a drawing.
type estimateRow struct {
	name           string
	value, lo, hi  float64 // lo and hi NaN where not known
	class, comment string
}

// forest draws estimates below one another, with lines at given values.
func forest(title, unit string, rows []estimateRow, lines []mark) template.HTML {
	lo, hi := math.NaN(), math.NaN()
	for _, r := range rows {
		for _, x := range []float64{r.value, r.lo, r.hi} {
			if !math.IsNaN(x) {
				lo, hi = least(lo, x), most(hi, x)
			}
		}
	}
	for _, l := range lines {
		lo, hi = least(lo, l.at), most(hi, l.at)
	}
	if math.IsNaN(lo) || len(rows) == 0 {
		return ""
	}
	const left, row = 118.0, 26.0
	p := &chart{width: chartWidth, height: chartTop + row*float64(len(rows)) + chartBottom}
	p.x = axis{name: unit, low: lo - 0.06*(hi-lo), top: hi + 0.06*(hi-lo)}
	if !(hi > lo) {
		p.x.low, p.x.top = lo-1, hi+1
	}
	at := func(v float64) float64 { return left + p.x.share(v)*(p.width-left-chartRight) }
	bottom := p.height - chartBottom
	p.add(`<svg class="chart" viewBox="0 0 %g %g" role="img" aria-label="%s">`, p.width, p.height, template.HTMLEscapeString(title))
	for _, m := range p.x.marks(5, p.width-left-chartRight) {
		p.add(`<line class="grid" x1="%.1f" x2="%.1f" y1="%g" y2="%g"/><text x="%.1f" y="%g" class="mid">%s</text>`, at(m.at), at(m.at), chartTop, bottom, at(m.at), bottom+16, m.text)
	}
	for _, l := range lines {
		p.add(`<line class="base" x1="%.1f" x2="%.1f" y1="%g" y2="%g"><title>%s</title></line><text x="%.1f" y="%g" class="mid lab">%s</text>`, at(l.at), at(l.at), chartTop, bottom, l.text, at(l.at), chartTop-1, l.text)
	}
	for i, r := range rows {
		y := chartTop + row*(float64(i)+0.5)
		p.add(`<text x="%g" y="%.1f" class="end">%s</text>`, left-8, y+4, template.HTMLEscapeString(r.name))
		if math.IsNaN(r.value) {
			continue
		}
		if !math.IsNaN(r.lo) && !math.IsNaN(r.hi) {
			p.add(`<line class="interval" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/>`, at(r.lo), at(r.hi), y, y)
		}
		p.add(`<circle class="%s" cx="%.1f" cy="%.1f" r="4.5"><title>%s</title></circle>`, r.class, at(r.value), y, template.HTMLEscapeString(r.comment))
	}
	p.add(`<text x="%g" y="%g" class="mid name">%s</text>`, (left+p.width-chartRight)/2, p.height-8, template.HTMLEscapeString(unit))
	return p.svg()
}

// finals draws the final: the best few, or the hall of fame, on new seeds; in Elo above
// the baseline where values are scores against it.
func finals(t *terrain) template.HTML {
	var rows []estimateRow
	for _, f := range t.log.Finals {
		v, lo, hi := t.shown(f.Value), t.shown(f.Value-stats.Deviate95*f.Error), t.shown(f.Value+stats.Deviate95*f.Error)
		rows = append(rows, estimateRow{fmt.Sprintf("trial %d", f.Trial), v, lo, hi, "dot", numeral.Short(v, (hi-lo)/2) + " (" + numeral.Short(lo, (hi-lo)/2) + " to " + numeral.Short(hi, (hi-lo)/2) + ")"})
	}
	var lines []mark
	if !math.IsNaN(t.base) {
		lines = []mark{{at: t.base, text: "baseline"}}
	}
	return forest("the final", t.unit, rows, lines)
}
