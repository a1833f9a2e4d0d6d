package chart

import (
	"fmt"
	"html/template"
	"math"
	"slices"

	"sakusen/tuner"
	"sakusen/tuner/insight"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// sliceColumns is the number of columns into which many trials are summed up at most.
const sliceColumns = 40

// figures draws something of each parameter, but for those of which there is nothing.
func (t *trials) figures(of func(k int) template.HTML) (out []figure) {
	for k := range t.space.params {
		if plot := of(k); plot != "" {
			out = append(out, figure{t.space.params[k].Name, plot})
		}
	}
	return out
}

// slices draws the trials by each parameter: marks, or, of many, the middle 80 % of
// the values of each column with their median and the best complete trial.
func (t *trials) slices() []figure {
	return t.figures(func(k int) template.HTML {
		c := &cloud{n: len(t.log.Trials), class: t.class}
		c.at = func(i int) (x, y float64) { return t.log.Place(i, k), t.value(i) }
		c.hint = func(i int) string {
			return fmt.Sprintf("trial %d, %s = %s: %s", i, t.space.params[k].Name, t.space.place(k, t.log.Place(i, k)), t.text(i))
		}
		drawn := 0
		out := draw(fmt.Sprintf("%s by %s", t.scale.Unit, t.space.params[k].Name), t.space.axis(k, false), t.values, column, func(p *plot) {
			p.baseline(t.base)
			if t.n <= dotsMost {
				drawn = p.dots(c)
				return
			}
			n := t.space.columns(k, min(sliceColumns, int(math.Sqrt(float64(t.n))/1.6)))
			p.summed(c, n)
			best := make([]int, n)
			for i := range t.log.Trials {
				x, y := c.at(i)
				if math.IsNaN(x) || math.IsNaN(y) {
					continue
				}
				drawn++
				// The number of a column's best trial is kept from 1 on.
				if at := p.x.column(x, n); t.class(i) == "dot" && (best[at] == 0 || t.order(i, best[at]-1) < 0) {
					best[at] = i + 1
				}
			}
			for _, i := range best {
				if i > 0 {
					x, y := c.at(i - 1)
					p.dot(x, y, "dot", c.hint(i-1))
				}
			}
		})
		if drawn == 0 {
			return ""
		}
		return out
	})
}

// drift draws, for each parameter, where the search has looked: the trials, or of many the
// middle 80 % and the median of each of up to 60 stretches of them.
func (t *trials) drift() []figure {
	const stretches = 60
	n := len(t.log.Trials)
	return t.figures(func(k int) template.HTML {
		x := axis{name: "trial", low: 0, top: float64(max(1, n-1)), whole: true}
		return draw(t.space.params[k].Name+" by trial", x, t.space.axis(k, false), column, func(p *plot) {
			p.summed(&cloud{n: n, at: func(i int) (x, y float64) { return float64(i), t.log.Place(i, k) }}, max(1, min(stretches, n/4)))
		})
	})
}

// fronts draws the trials by the first and each further objective, and which of them are on
// the front.
func (t *trials) fronts() (out []figure) {
	names, _ := t.log.Goals()
	for g := 1; g < t.log.Several(); g++ {
		out = append(out, figure{names[g] + " against " + names[0], t.front(names[0], names[g], g)})
	}
	return out
}

func (t *trials) front(across, up string, goal int) template.HTML {
	var points []tuner.FrontPoint
	if t.result != nil {
		points = t.result.Front
	}
	at := func(f *tuner.FrontPoint) (x, y float64) {
		if values := f.Measured(); goal < len(values) {
			return numeral.OrNaN(values[0].Value), numeral.OrNaN(values[goal].Value)
		}
		return math.NaN(), math.NaN()
	}
	c := &cloud{n: len(t.log.Trials), class: func(int) string { return "hollow" }}
	c.at = func(i int) (x, y float64) { return t.log.Goal(i, 0), t.log.Goal(i, goal) }
	c.hint = func(i int) string {
		x, y := c.at(i)
		hint := fmt.Sprintf("trial %d: %s %s, %s %s", i, across, numeral.Page(numeral.Text(x)), up, numeral.Page(numeral.Text(y)))
		if !t.log.Trials[i].Feasible {
			hint += ", outside the limits"
		}
		return hint
	}
	ax, ay := over(across), over(up)
	for i := range c.n {
		x, y := c.at(i)
		ax.reach(x)
		ay.reach(y)
	}
	for i := range points {
		x, y := at(&points[i])
		ax.reach(x)
		ay.reach(y)
	}
	return draw(fmt.Sprintf("%s against %s", up, across), ax.spread(), ay.spread(), column, func(p *plot) {
		p.dots(c)
		for i := range points {
			class, what := "dot", "on the front"
			if points[i].Chosen {
				class, what = "mark first", "chosen"
			}
			if x, y := at(&points[i]); !math.IsNaN(x) && !math.IsNaN(y) {
				p.dot(x, y, class, fmt.Sprintf("trial %d, %s", points[i].Trial, what))
			}
		}
	})
}

// spread returns an axis that shows the logarithm of values that lie decades apart.
func (a axis) spread() axis {
	const decades = 1000
	a.log = a.low > 0 && a.top >= decades*a.low
	return a
}

// duels draws each number's difference.
func (t *trials) duels() []figure {
	return t.figures(func(k int) template.HTML { return (&difference{t.log, &t.space.params[k], k}).draw() })
}

// difference is how the difference in a parameter between two trials in a duel changed the
// score of the first: this is all that a study of duels knows.
type difference struct {
	log *insight.Chronicle
	of  *tuner.Dimension
	k   int // its number
}

// draw draws the difference, empty where it is no number's or the same in all duels.
func (d *difference) draw() template.HTML {
	if d.of.Choices != nil {
		return ""
	}
	c := d.cloud()
	x := over("")
	for i := range c.n {
		apart, _ := c.at(i)
		x.reach(apart)
	}
	if x.empty() || x.top == 0 {
		return ""
	}
	x.name = "difference in " + d.of.Name
	means, spread := d.means(c, x.top)
	few := len(d.log.Duels) <= dotsMost/2
	if few {
		spread = 0.5
	}
	y := over("Elo", duelElo(0.5-spread), duelElo(0.5+spread))
	return draw("Elo by difference in "+d.of.Name, x, y, column, func(p *plot) {
		p.level(0, "base")
		if few { // else means alone are drawn
			p.dots(c)
		}
		for i, x := range means.xs {
			lo, v, hi := means.low[i], means.ys[i], means.top[i]
			p.stroke(0, x, lo, hi, "bar")
			p.dot(x, v, "dot", interval(numeral.Signed, v, lo, hi)+" Elo")
		}
	})
}

// cloud returns each duel twice, as either side may be the first: the difference in a
// parameter and the Elo.
func (d *difference) cloud() *cloud {
	all := d.log.Duels
	c := &cloud{n: 2 * len(all), class: func(int) string { return "hollow small" }}
	c.at = func(i int) (x, y float64) {
		duel, side := &all[i/2], float64(1-2*(i%2))
		return side * (d.log.Place(duel.A, d.k) - d.log.Place(duel.B, d.k)), side * duelElo(duel.Score)
	}
	c.hint = func(i int) string {
		duel := &all[i/2]
		return fmt.Sprintf("trials %d and %d: %s of the points", duel.A, duel.B, numeral.Page(numeral.Text(duel.Score)))
	}
	return c
}

// duelMarks is the number of classes by which duels are summed up.
const duelMarks = 24

// means sums duels up by the difference of their sides, up to the greatest: the mean of
// each class in Elo with its 95 % interval, and how far from one half the mean scores lie,
// with room for the intervals of most of them.
func (d *difference) means(c *cloud, wide float64) (means series, spread float64) {
	var n, sums, squares [duelMarks]float64
	for i := range c.n {
		x, _ := c.at(i)
		score := d.log.Duels[i/2].Score
		if math.IsNaN(x) || math.IsNaN(score) {
			continue
		}
		if i%2 == 1 {
			score = 1 - score
		}
		b := min(duelMarks-1, int(duelMarks*(x+wide)/(2*wide)))
		n[b], sums[b], squares[b] = n[b]+1, sums[b]+score, squares[b]+score*score
	}
	spread = 0.05
	most := slices.Max(n[:])
	for b := range n {
		if n[b] < 2 {
			continue
		}
		mean := sums[b] / n[b]
		half := stats.Deviate95 * math.Sqrt(max(0, squares[b]/n[b]-mean*mean)/(n[b]-1))
		means.add(-wide+(float64(b)+0.5)*2*wide/duelMarks, duelElo(mean), duelElo(mean-half), duelElo(mean+half))
		if spread = max(spread, math.Abs(mean-0.5)); n[b] > most/20 {
			spread = max(spread, math.Abs(mean-0.5)+half)
		}
	}
	return means, min(0.5, spread)
}

// duelElo returns a score between two as Elo that is drawn.
func duelElo(score float64) float64 {
	if math.IsNaN(score) {
		return score
	}
	return min(mostElo, max(-mostElo, stats.Elo(min(1, max(0, score)), 2)))
}

// saysNothing is the width of an interval, in Elo, from which on what a model took for the
// best is left out.
const saysNothing = 300

// best draws what the search thought best on the way: the gain of the model's peak, by
// trial, with the baseline and what the validation found.
func (m *surface) best() template.HTML {
	var s series
	for i := range m.course {
		c := &m.course[i]
		if v, a, b := m.band(m.peak(&c.fit), &c.fit); b-a <= saysNothing || i+1 == len(m.course) {
			s.add(float64(c.trials), v, a, b)
		}
	}
	y := over(m.above(), append(append(s.low, s.top...), 0)...)
	tone := ""
	var found *[3]float64
	if r := m.t.result; r != nil && r.Validation != nil {
		if found, tone = validated(r.Validation), Tone(r.Validation.Verdict); found != nil {
			y.reach(found[1:]...)
		}
	}
	x := axis{name: "trial", low: 0, top: float64(len(m.t.log.Trials)), whole: true}
	return draw("What the search thought best, "+m.above(), x, y, page, func(p *plot) {
		p.validated(found, tone)
		p.level(0, "base")
		if len(s.xs) == 1 {
			p.stroke(0, s.xs[0], s.low[0], s.top[0], "pale")
		}
		p.band("thoughtband", &s)
		p.line("thoughtline", s.xs, s.ys)
		for i, x := range s.xs {
			lo, v, hi := s.low[i], s.ys[i], s.top[i]
			p.dot(x, v, "st", fmt.Sprintf("after %s trials: %s Elo", numeral.Count(int64(x)), interval(numeral.Signed, v, lo, hi)))
		}
	})
}

// slices draws what each parameter does where the others are as in the answer, in Elo,
// the parameters that do most first.
func (m *surface) slices() (out []figure) {
	answer := m.answer()
	tone := "thought"
	if r := m.t.result; r != nil && r.Validation != nil {
		tone = Tone(r.Validation.Verdict)
	}
	for _, share := range m.shares() {
		k := m.space.index(share.Name)
		at := slices.Clone(answer)
		var s series
		for _, x := range m.ladder(k) {
			at[k] = x
			v, low, top := m.band(at, &m.fit)
			s.add(x, v, low, top)
		}
		x := m.space.axis(k, true)
		out = append(out, figure{share.Name, draw("Elo by "+share.Name, x, over("Elo", append(append(s.low, s.top...), 0)...), column, func(p *plot) {
			p.level(0, "base")
			if x.names == nil {
				p.band("band", &s)
				p.line("median", s.xs, s.ys)
			}
			for i := range x.names {
				p.stroke(0, s.xs[i], s.low[i], s.top[i], "bar")
				p.dot(s.xs[i], s.ys[i], "dot", fmt.Sprintf("%s = %s: %s Elo", share.Name, x.names[i], numeral.Signed(s.ys[i], (s.top[i]-s.low[i])/2)))
			}
			if here := answer[k]; !math.IsNaN(here) {
				p.add(`<line class="answer %s" x1="%.1f" x2="%.1f" y1="%g" y2="%g"><title>the answer: %s</title></line>`, tone, p.px(here), p.px(here), p.top, p.height-p.bottom, escape(m.space.place(k, here)))
			}
		})})
	}
	return out
}

// parallelMost is the number of lines of parallel coordinates: half of them the
// best trials, the others spread evenly over all.
const parallelMost = 240

// parallel draws a line a trial over all parameters and the value, the better the darker.
func (t *trials) parallel() template.HTML {
	if len(t.space.params) < 2 || t.n == 0 {
		return ""
	}
	var axes []axis
	for k := range t.space.params {
		axes = append(axes, t.space.axis(k, true))
	}
	axes = append(axes, t.values)
	for i := range axes {
		axes[i].wide = false
		if a := &axes[i]; a.names != nil { // the first and the last name are its ends
			*a = axis{name: a.name, low: 0, top: max(1, float64(len(a.names)-1))}
		}
		axes[i].settle()
	}
	last := len(axes) - 1
	p := &plot{title: fmt.Sprintf("parallel coordinates of %d parameters and %s", last, t.scale.Unit), class: "parallel",
		width: 1240, height: 248, left: 66, right: 12, top: 18, bottom: 42, x: axis{low: 0, top: float64(last)}, y: axis{low: 0, top: 1}}
	for _, i := range t.chosen(parallelMost) {
		xs, ys := make([]float64, len(axes)), make([]float64, len(axes))
		for k := range axes {
			if xs[k], ys[k] = float64(k), axes[last].share(t.value(i)); k < last {
				ys[k] = axes[k].share(t.log.Place(i, k))
			}
		}
		merit := (t.value(i) - t.lo) / max(t.hi-t.lo, 1e-9)
		if !t.up {
			merit = 1 - merit
		}
		p.line(fmt.Sprintf("path m%d", min(4, int(5*merit))), xs, ys)
	}
	for k := range axes {
		a := &axes[k]
		low, top := a.low, a.top
		if a.log {
			low, top = math.Pow(10, low), math.Pow(10, top)
		}
		class, from, to := "mid", "", ""
		if k < last {
			from, to = t.space.place(k, low), t.space.place(k, top)
		} else {
			half := (top - low) / 50
			class, from, to = "end", numeral.Short(low, half), numeral.Short(top, half)
			if !math.IsNaN(t.base) {
				x, y := p.px(float64(k)), p.py(a.share(t.base))
				p.add(`<line class="base" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/><text x="%.1f" y="%.1f" class="end lab">baseline</text>`, x-6, x+6, y, y, x-8, y+4)
			}
		}
		x := p.px(float64(k))
		p.stroke(0, float64(k), 0, 1, "axis")
		p.add(`<text x="%.1f" y="%g" class="%s name">%s</text><text x="%.1f" y="%g" class="%s">%s</text><text x="%.1f" y="12" class="%s">%s</text>`,
			x, p.height-8, class, escape(shorten(a.name, 22)), x, p.height-24, class, escape(shorten(from, 12)), x, class, escape(shorten(to, 12)))
	}
	return p.svg()
}
