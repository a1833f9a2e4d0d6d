package chart

import (
	"fmt"
	"html/template"
	"math"

	"sakusen/tuner/entry"
	"sakusen/tuner/insight/chronicle"
	"sakusen/tuner/numeral"
)

// slices draws the trials by each parameter.
func (t *terrain) slices() []Figure {
	var out []Figure
	for k := range t.space {
		if plot := t.slice(k); plot != "" {
			out = append(out, Figure{t.space[k].Name, plot})
		}
	}
	return out
}

// slice draws the trials by one parameter: marks, or, of many, the middle 80 % of
// the values of each column with their median and the best complete trial.
func (t *terrain) slice(k int) template.HTML {
	p := newChart(fmt.Sprintf("%s by %s", t.unit, t.space[k].Name), t.axis(k), t.values(t.lo, t.hi))
	t.baseline(p)
	if t.n <= dotsMost {
		n := 0
		for i := range t.log.Trials {
			line := &t.log.Trials[i]
			x := t.log.Place(i, k)
			if math.IsNaN(x) || math.IsNaN(line.Value) {
				continue
			}
			n++
			p.dot(x, t.shown(line.Value), markOf(line), fmt.Sprintf("trial %d, %s = %s: %s", i, t.space[k].Name, t.text(k, x), t.valueOf(line)))
		}
		if n == 0 {
			return ""
		}
		return p.svg()
	}
	columns := t.bins(k, min(sliceColumns, int(math.Sqrt(float64(t.n))/1.6)))
	h := newHistogram(columns, t.lo, t.hi)
	best := make([]int, columns)
	for i := range best {
		best[i] = -1
	}
	for i := range t.log.Trials {
		line := &t.log.Trials[i]
		x := t.log.Place(i, k)
		if math.IsNaN(x) || math.IsNaN(line.Value) {
			continue
		}
		at := bin(&p.x, x, columns)
		h.add(at, line.Value)
		if line.End == entry.Whole && (best[at] < 0 || t.better(line.Value, t.log.Trials[best[at]].Value)) {
			best[at] = i
		}
	}
	var xs, low, mid, top []float64
	for c := range columns {
		x := p.x.low + (float64(c)+0.5)/float64(columns)*(p.x.top-p.x.low)
		if p.x.log {
			x = math.Pow(10, x)
		}
		xs, low = append(xs, x), append(low, t.shown(h.quantile(c, 0.1)))
		mid, top = append(mid, t.shown(h.quantile(c, 0.5))), append(top, t.shown(h.quantile(c, 0.9)))
	}
	if p.x.names != nil {
		for c, x := range xs {
			if !math.IsNaN(low[c]) {
				p.stroke(x, low[c], top[c], "thick")
				p.dot(x, mid[c], "middle", fmt.Sprintf("%s = %s: median %s", t.space[k].Name, t.text(k, float64(c)), numeral.Page(numeral.Text(mid[c]))))
			}
		}
	} else {
		p.band("band", xs, low, top)
		p.line("median", xs, mid)
	}
	for _, i := range best {
		if i >= 0 {
			p.dot(t.log.Place(i, k), t.shown(t.log.Trials[i].Value), "dot", fmt.Sprintf("trial %d, %s = %s: %s", i, t.space[k].Name, t.text(k, t.log.Place(i, k)), t.valueOf(&t.log.Trials[i])))
		}
	}
	return p.svg()
}

// markOf is the class of a trial's mark.
func markOf(line *chronicle.Line) string {
	if line.End == entry.Whole && line.Feasible {
		return "dot"
	}
	return "hollow"
}
