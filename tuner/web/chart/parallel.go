package chart

import (
	"fmt"
	"html/template"
	"math"
	"slices"

	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
)

// parallelWidth is the width of parallel coordinates.
const parallelWidth = 1240.0

// parallelMost is the number of lines of parallel coordinates: half of them the
// best trials, the others spread evenly over all.
const parallelMost = 240

// chosen are about so many trials to stand for all: the best complete ones and others at
// equal distances, in ascending order.
func (t *terrain) chosen(most int) []int {
	var with []int
	for i := range t.log.Trials {
		if !math.IsNaN(t.log.Trials[i].Value) {
			with = append(with, i)
		}
	}
	if len(with) <= most {
		return with
	}
	out := t.top(most / 2)
	for k := range most - most/2 {
		out = append(out, with[k*len(with)/(most-most/2)])
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// top are the best complete trials, the best first, of equals the earlier.
func (t *terrain) top(most int) []int {
	return Pick(len(t.log.Trials), most, func(i int) bool {
		line := &t.log.Trials[i]
		return line.End == entry.Whole && line.Feasible && !math.IsNaN(line.Value)
	}, func(i, j int) int {
		a, b := t.log.Trials[i].Value, t.log.Trials[j].Value
		switch {
		case t.better(a, b):
			return -1
		case t.better(b, a):
			return 1
		}
		return i - j
	})
}

// parallel draws a line a trial over all parameters, the better the darker.
func (t *terrain) parallel() template.HTML {
	if len(t.space) < 2 || t.n == 0 {
		return ""
	}
	var names []string
	for k := range t.space {
		names = append(names, t.space[k].Name)
	}
	p := &chart{width: parallelWidth, height: chartHeight, left: chartLeft}
	p.x, p.y = axis{low: 0, top: float64(len(names))}, axis{low: 0, top: 1}
	p.add(`<svg class="chart parallel" viewBox="0 -8 %g %g" role="img" aria-label="parallel coordinates of %d parameters and %s">`,
		p.width, p.height+8, len(names), template.HTMLEscapeString(t.name))
	axes := make([]axis, len(names))
	for k := range names {
		axes[k] = t.axis(k)
		d := &t.space[k]
		if a := &axes[k]; a.names != nil {
			a.low, a.top = 0, max(1, float64(len(a.names)-1))
		} else {
			a.low, a.top = d.Domain.Low, d.Domain.Top() // as it is declared
			if a.log = d.Domain.Log && a.low > 0; a.log {
				a.low, a.top = math.Log10(a.low), math.Log10(a.top)
			}
			if !(a.top > a.low) {
				a.low, a.top = a.low-0.5, a.top+0.5
			}
		}
	}
	values := t.values(t.lo, t.hi)
	if !(values.top > values.low) {
		values.low, values.top = values.low-0.5, values.top+0.5
	}
	for _, i := range t.chosen(parallelMost) {
		xs, ys := make([]float64, 0, len(names)+1), make([]float64, 0, len(names)+1)
		for k := range names {
			xs, ys = append(xs, float64(k)), append(ys, axes[k].share(t.log.Place(i, k)))
		}
		merit := t.merit(t.log.Trials[i].Value)
		xs, ys = append(xs, float64(len(names))), append(ys, values.share(t.shown(t.log.Trials[i].Value)))
		p.line(fmt.Sprintf("path m%d", min(4, int(5*merit))), xs, ys)
	}
	for k := range len(names) + 1 {
		name, low, top := t.unit, numeral.Page(numeral.Text(math.Round(values.low))), numeral.Page(numeral.Text(math.Round(values.top)))
		if !t.elo {
			low, top = numeral.Page(numeral.Text(values.low)), numeral.Page(numeral.Text(values.top))
		}
		if k < len(names) {
			a := &axes[k]
			name, low, top = names[k], t.text(k, a.low), t.text(k, a.top)
			if a.log {
				low, top = numeral.Page(numeral.Text(math.Pow(10, a.low))), numeral.Page(numeral.Text(math.Pow(10, a.top)))
			}
		}
		class := "mid"
		if k == len(names) {
			class = "end"
		}
		x := p.px(float64(k))
		p.stroke(float64(k), 0, 1, "axis")
		if at := values.share(t.base); k == len(names) && !math.IsNaN(t.base) {
			p.add(`<line class="base" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/><text x="%.1f" y="%.1f" class="end lab">baseline</text>`, x-6, x+6, p.py(at), p.py(at), x-8, p.py(at)+4)
		}
		p.add(`<text x="%.1f" y="%g" class="%s name">%s</text><text x="%.1f" y="%g" class="%s">%s</text><text x="%.1f" y="4" class="%s">%s</text>`,
			x, p.height-8, class, template.HTMLEscapeString(shorten(name, 22)), x, p.height-24, class, template.HTMLEscapeString(shorten(low, 12)),
			x, class, template.HTMLEscapeString(shorten(top, 12)))
	}
	return p.svg()
}
