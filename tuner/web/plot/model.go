package plot

import (
	"fmt"
	"math"
	"sort"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/rating"
)

// modelDuels is the number of duels for each term of the model below which nothing
// is said.
const modelDuels = 3

// landscape is a quadratic in every number and an effect of every choice, fitted to
// the scores of duels: what each parameter alone does to the score. Interactions
// are left out, which a picture of one parameter cannot show.
type landscape struct {
	t     *terrain
	at    []int // of each parameter's first term
	terms []int // of each parameter
	n     int   // terms
	fit   rating.Fit
}

// blockNoise is the standard deviation of a block's score between equals, by which
// duels are weighted where their own error is not known.
const blockNoise = 0.35

// fit fits the landscape by least squares, each duel weighted by its blocks; nil
// where there are too few, or where they do not tell all parameters apart.
func (t *terrain) fit() *landscape {
	m := &landscape{t: t}
	for k := range t.space {
		m.at = append(m.at, m.n)
		terms := 2
		switch d := &t.space[k]; d.Kind {
		case param.Bool:
			terms = 1
		case param.Choice:
			terms = len(d.Choices) - 1
		}
		m.terms = append(m.terms, terms)
		m.n += terms
	}
	duels := t.log.Duels
	if m.n == 0 || len(duels) < modelDuels*m.n {
		return nil
	}
	var rows []rating.Row
	for i := range duels {
		if math.IsNaN(duels[i].Score) {
			continue
		}
		x, y := m.of(duels[i].A), m.of(duels[i].B)
		for j := range x {
			x[j] -= y[j]
		}
		rows = append(rows, rating.Row{Value: duels[i].Score - 0.5, Error: blockNoise / math.Sqrt(float64(max(1, duels[i].Blocks))), Terms: x})
	}
	var ok bool
	if m.fit, ok = rating.NewFit(rows); !ok {
		return nil
	}
	return m
}

// of are the terms of a trial.
func (m *landscape) of(trial int) []float64 {
	out := make([]float64, 0, 2*len(m.terms))
	for k := range m.t.space {
		out = append(out, m.basis(k, m.t.log.Place(trial, k))...)
	}
	return out
}

// basis are the terms of one parameter at a place, 0 where it is not active.
func (m *landscape) basis(k int, x float64) []float64 {
	out := make([]float64, m.terms[k])
	if math.IsNaN(x) {
		return out
	}
	d := &m.t.space[k]
	switch d.Kind {
	case param.Bool:
		out[0] = x
	case param.Choice:
		if i := int(x); i > 0 && i <= len(out) {
			out[i-1] = 1
		}
	default:
		u := scaledTo(d, x)
		out[0], out[1] = u, u*u
	}
	return out
}

// scaledTo is a number as -1 to 1 over its range.
func scaledTo(d *tuner.Dimension, x float64) float64 {
	low, high := d.Domain.Low, d.Domain.Top()
	if d.Domain.Log && low > 0 {
		x, low, high = math.Log(x), math.Log(low), math.Log(high)
	}
	if !(high > low) {
		return 0
	}
	return 2*(x-low)/(high-low) - 1
}

// effect is what a parameter does at a place, less what it does at another, with
// the standard error.
func (m *landscape) effect(k int, x, other float64) (value, e float64) {
	row := make([]float64, m.n)
	a, b := m.basis(k, x), m.basis(k, other)
	for i := range a {
		row[m.at[k]+i] = a[i] - b[i]
	}
	return m.fit.Contrast(row)
}

// modelPoints is the number of points of a curve.
const modelPoints = 41

// model draws what each parameter does by all duels, in Elo.
func (t *terrain) model(r *tuner.Result) []Figure {
	m := t.fit()
	if m == nil {
		return nil
	}
	perScore := rating.EloError(0.5, 1)
	var out []Figure
	for k := range t.space {
		d := &t.space[k]
		a := t.axis(k)
		var xs []float64
		if a.names != nil {
			for i := range a.names {
				xs = append(xs, float64(i))
			}
		} else {
			a.low, a.top, a.wide = d.Domain.Low, d.Domain.Top(), false
			for i := range modelPoints {
				u := float64(i) / (modelPoints - 1)
				x := a.low + u*(a.top-a.low)
				if a.log = d.Domain.Log && a.low > 0; a.log {
					x = a.low * math.Pow(a.top/a.low, u)
				}
				xs = append(xs, x)
			}
		}
		other := xs[len(xs)/2]
		if a.names != nil {
			other = xs[0]
		}
		ys, low, top := make([]float64, len(xs)), make([]float64, len(xs)), make([]float64, len(xs))
		lo, hi := 0.0, 0.0
		for i, x := range xs {
			v, e := m.effect(k, x, other)
			ys[i], low[i], top[i] = perScore*v, perScore*(v-rating.Deviate95*e), perScore*(v+rating.Deviate95*e)
			lo, hi = least(lo, low[i]), most(hi, top[i])
		}
		p := newChart("Elo by "+d.Name, a, axis{name: "Elo", low: lo, top: hi, wide: true})
		p.level(0, "base")
		if a.names != nil {
			for i, x := range xs {
				p.stroke(x, low[i], top[i], "bar")
				p.dot(x, ys[i], "dot", fmt.Sprintf("%s = %s: %.0f Elo", d.Name, t.text(k, x), ys[i]))
			}
		} else {
			p.band("band", xs, low, top)
			p.line("median", xs, ys)
		}
		if r != nil && r.Best != nil {
			if text, ok := r.Best.Params[d.Name]; ok {
				if x := d.Number(text); !math.IsNaN(x) {
					p.add(`<line class="answer" x1="%.1f" x2="%.1f" y1="%g" y2="%g"><title>the answer: %s</title></line>`, p.px(x), p.px(x), chartTop, p.height-chartBottom, t.text(k, x))
				}
			}
		}
		out = append(out, Figure{d.Name, p.svg()})
	}
	return out
}

// modelShares is how much of what the model says each parameter does: the variance
// of its effect over the trials.
func (t *terrain) modelShares() []Importance {
	m := t.fit()
	if m == nil {
		return nil
	}
	total := 0.0
	all := make([]Importance, len(t.space))
	for k := range t.space {
		n, mean, squares := 0.0, 0.0, 0.0
		for i := range t.log.Trials {
			if x := t.log.Place(i, k); !math.IsNaN(x) {
				v, _ := m.effect(k, x, math.NaN())
				n, mean, squares = n+1, mean+v, squares+v*v
			}
		}
		all[k] = Importance{Name: t.space[k].Name}
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
