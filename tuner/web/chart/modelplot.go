package chart

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"sort"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// elo is a score above the baseline's as Elo.
func (m *landscape) elo(above float64) float64 {
	if m.t.log.Spec.Ruleset == nil || math.IsNaN(above) {
		return stats.EloError(0.5, 1) * above
	}
	return EloOf(m.t.log, min(1, max(0, 0.5+above)))
}

// band is the Elo of a point with the ends of its 95 % interval.
func (m *landscape) band(at []float64, fit *stats.Fit) (value, low, high float64) {
	v, e := m.height(at, fit)
	return m.elo(v), m.elo(v - stats.Deviate95*e), m.elo(v + stats.Deviate95*e)
}

// above says what the model's heights are above.
func (m *landscape) above() string {
	if m.against || m.known {
		return "Elo above the baseline"
	}
	return "Elo above the middle of the space"
}

// answer is the point that the study answers with, or the model's peak by now.
func (m *landscape) answer(r *tuner.Result) []float64 {
	if r == nil || r.Best == nil {
		return m.peak(&m.fit)
	}
	at := make([]float64, len(m.t.space))
	for k := range at {
		at[k] = math.NaN()
		if text, ok := r.Best.Params[m.t.space[k].Name]; ok {
			at[k] = m.t.space[k].Number(text)
		}
	}
	return at
}

// saysNothing is the width of an interval, in Elo, from which on what a model took for
// the best is left out.
const saysNothing = 300

// best draws what the search thought best on the way: the gain of the model's peak, by
// trial, with the baseline and what the validation found.
func (m *landscape) best(r *tuner.Result) template.HTML {
	var xs, ys, low, top []float64
	lo, hi := 0.0, 0.0
	for i := range m.course {
		c := &m.course[i]
		v, a, b := m.band(m.peak(&c.fit), &c.fit)
		if b-a > saysNothing && i+1 < len(m.course) {
			continue
		}
		xs, ys, low, top = append(xs, float64(c.trials)), append(ys, v), append(low, a), append(top, b)
		lo, hi = least(lo, a), most(hi, b)
	}
	tone := ""
	var found *[3]float64
	if r != nil && r.Validation != nil && r.Validation.Elo != nil && r.Validation.CI95 != nil {
		v := r.Validation
		found, tone = &[3]float64{*v.Elo, v.CI95[0], v.CI95[1]}, Tone(v.Verdict)
		lo, hi = least(lo, found[1]), most(hi, found[2])
	}
	draw := func(width float64, class string) template.HTML {
		p := sizedChart("What the search thought best, "+m.above(), axis{name: "trial", low: 0, top: float64(len(m.t.log.Trials)), whole: true}, axis{name: m.above(), low: lo, top: hi, wide: true}, width, historyHeight)
		p.class = class
		if found != nil {
			p.area(found[1], found[2], "val "+tone)
			p.level(found[0], "valline "+tone)
		}
		p.level(0, "base")
		if len(xs) == 1 {
			p.stroke(xs[0], low[0], top[0], "pale")
		}
		p.band("thoughtband", xs, low, top)
		p.line("thoughtline", xs, ys)
		for i := range xs {
			p.dot(xs[i], ys[i], "st", fmt.Sprintf("after %s trials: %s Elo (%s to %s)", numeral.Count(int64(xs[i])), numeral.Signed(ys[i], (top[i]-low[i])/2), numeral.Short(low[i], (top[i]-low[i])/2), numeral.Short(top[i], (top[i]-low[i])/2)))
		}
		return p.svg()
	}
	return draw(820, "wide") + draw(360, "narrow")
}

// slices draws what each parameter does where the others are as in the answer, in Elo,
// the parameters that do most first.
func (m *landscape) slices(r *tuner.Result) []Figure {
	answer := m.answer(r)
	tone := "thought"
	if r != nil && r.Validation != nil {
		tone = Tone(r.Validation.Verdict)
	}
	var out []Figure
	for _, share := range m.shares() {
		k := slices.IndexFunc(m.t.space, func(d tuner.Dimension) bool { return d.Name == share.Name })
		d := &m.t.space[k]
		a := m.t.axis(k)
		xs := m.ladder(k)
		if a.names == nil {
			a.low, a.top, a.wide = d.Domain.Low, d.Domain.Top(), false
			a.log = d.Domain.Log && a.low > 0
		}
		ys, low, top := make([]float64, len(xs)), make([]float64, len(xs)), make([]float64, len(xs))
		lo, hi := 0.0, 0.0
		at := slices.Clone(answer)
		for i, x := range xs {
			at[k] = x
			ys[i], low[i], top[i] = m.band(at, &m.fit)
			lo, hi = least(lo, low[i]), most(hi, top[i])
		}
		p := newChart("Elo by "+d.Name, a, axis{name: "Elo", low: lo, top: hi, wide: true})
		p.level(0, "base")
		if a.names != nil {
			for i, x := range xs {
				p.stroke(x, low[i], top[i], "bar")
				p.dot(x, ys[i], "dot", fmt.Sprintf("%s = %s: %s Elo", d.Name, m.t.text(k, x), numeral.Signed(ys[i], (top[i]-low[i])/2)))
			}
		} else {
			p.band("band", xs, low, top)
			p.line("median", xs, ys)
		}
		if x := answer[k]; !math.IsNaN(x) {
			p.add(`<line class="answer %s" x1="%.1f" x2="%.1f" y1="%g" y2="%g"><title>the answer: %s</title></line>`, tone, p.px(x), p.px(x), chartTop, p.height-chartBottom, template.HTMLEscapeString(m.t.text(k, x)))
		}
		out = append(out, Figure{d.Name, p.svg()})
	}
	return out
}

// cells are the heights over two parameters, in Elo, the others as in the answer.
func (m *landscape) cells(kx, ky int, ax, ay *axis, columns, rows int, r *tuner.Result) []float64 {
	at := m.answer(r)
	place := func(a *axis, i, n int) float64 {
		if a.names != nil {
			return float64(i)
		}
		x := a.low + (float64(i)+0.5)/float64(n)*(a.top-a.low)
		if a.log {
			return math.Pow(10, x)
		}
		return x
	}
	var out []float64
	for row := range rows {
		for c := range columns {
			at[kx], at[ky] = place(ax, c, columns), place(ay, row, rows)
			v, _ := m.height(at, &m.fit)
			out = append(out, m.elo(v))
		}
	}
	return out
}

// shares is how much of what the model says each parameter does by itself: the variance
// of its effect over the trials.
func (m *landscape) shares() []Importance {
	total := 0.0
	all := make([]Importance, len(m.t.space))
	for k := range m.t.space {
		n, mean, squares := 0.0, 0.0, 0.0
		terms := make([]float64, m.terms[k])
		for i := range m.t.log.Trials {
			x := m.t.log.Place(i, k)
			if math.IsNaN(x) {
				continue
			}
			clear(terms)
			m.basis(k, x, terms)
			v := 0.0
			for j, b := range terms {
				v += b * m.fit.Coefficients[m.at[k]+j]
			}
			n, mean, squares = n+1, mean+v, squares+v*v
		}
		all[k] = Importance{Name: m.t.space[k].Name}
		if n > 1 {
			all[k].Share = max(0, squares/n-mean*mean/n/n)
		}
		total += all[k].Share
	}
	for k := range all {
		if total > 0 {
			all[k].Share /= total
		}
		all[k].Percent, all[k].Bar = fmt.Sprintf("%.0f %%", 100*all[k].Share), Bar(all[k].Share)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Share > all[j].Share })
	return all
}
