package chart

import (
	"math"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/insight/chronicle"
	"sakusen/tuner/numeral"
)

const (
	// dotsMost is the number of trials up to which each gets a mark; more are
	// summed up by columns.
	dotsMost = 400
	// sliceColumns is the number of columns of a slice.
	sliceColumns = 40
	// importanceTrials is the number of trials below which nothing is said about
	// what parameters do.
	importanceTrials = 20
)

// terrain is a study's trials as plots of parameters need them. It is read under
// the chronicle's lock.
type terrain struct {
	log    *chronicle.Chronicle
	space  tuner.Space
	name   string // of the objective
	up     bool   // more is better
	n      int    // trials with a value
	lo, hi float64

	unit string  // of what is drawn: Elo above the baseline, else the objective
	elo  bool    // scores are drawn as that
	base float64 // the baseline in that unit, NaN where it is not known
}

func newTerrain(log *chronicle.Chronicle, result *tuner.Result) *terrain {
	names, up := log.Goals()
	t := &terrain{log: log, space: log.Spec.Tune.Params, name: names[0], up: up[0], lo: math.NaN(), hi: math.NaN(), unit: names[0], base: math.NaN()}
	switch {
	case Elo(log):
		t.elo, t.unit, t.base = true, "Elo above the baseline", 0
	case result != nil && result.Validation != nil && result.Validation.Metric != nil && result.Validation.Metric.Name == t.name:
		t.base = numeral.OrNaN(result.Validation.Metric.Baseline)
	}
	for i := range log.Trials {
		if v := log.Trials[i].Value; !math.IsNaN(v) {
			t.n++
			t.lo, t.hi = least(t.lo, v), most(t.hi, v)
		}
	}
	return t
}

// shown is a value as it is drawn.
func (t *terrain) shown(v float64) float64 {
	if t.elo {
		return EloOf(t.log, v)
	}
	return v
}

// values is the axis of values from lo to hi, with room for the baseline.
func (t *terrain) values(lo, hi float64) axis {
	a := axis{name: t.unit, low: t.shown(lo), top: t.shown(hi), wide: true}
	if !math.IsNaN(t.base) {
		a.low, a.top = least(a.low, t.base), most(a.top, t.base)
	}
	return a
}

// baseline draws the baseline's value, where it is known.
func (t *terrain) baseline(p *chart) {
	if math.IsNaN(t.base) {
		return
	}
	p.level(t.base, "base")
	p.add(`<text x="%g" y="%.1f" class="end lab">baseline</text>`, p.width-chartRight, p.py(t.base)-4)
}

// axis is a dimension's, over what the trials have tried.
func (t *terrain) axis(k int) axis {
	d := &t.space[k]
	a := axis{name: d.Name, low: math.NaN(), top: math.NaN()}
	switch d.Kind {
	case param.Bool:
		a.names = []string{"false", "true"}
		return a
	case param.Choice:
		a.names = d.Choices
		return a
	}
	if n := d.Points(); n > 1 && n <= sliceColumns && !d.Domain.Log {
		half := (d.Domain.Top() - d.Domain.Low) / float64(n-1) / 2 // each value has a column of its own
		a.low, a.top, a.whole = d.Domain.Low-half, d.Domain.Top()+half, d.Kind == param.Int
		return a
	}
	for i := range t.log.Trials {
		if x := t.log.Place(i, k); !math.IsNaN(x) {
			a.low, a.top = least(a.low, x), most(a.top, x)
		}
	}
	if math.IsNaN(a.low) {
		a.low, a.top = d.Domain.Low, d.Domain.Top()
	}
	a.log, a.whole = d.Domain.Log && a.low > 0, d.Kind == param.Int
	a.wide = true
	return a
}

// text is a place along a dimension for people.
func (t *terrain) text(k int, x float64) string {
	d := &t.space[k]
	switch d.Kind {
	case param.Bool:
		if x > 0.5 {
			return "true"
		}
		return "false"
	case param.Choice:
		if i := int(x); i >= 0 && i < len(d.Choices) {
			return d.Choices[i]
		}
	}
	return numeral.Page(numeral.Text(x))
}

// valueOf is a trial's value for people as it is drawn, with its 95 % interval.
func (t *terrain) valueOf(line *chronicle.Line) string {
	lo, hi := t.log.Interval(line.Value, line.Error, int64(line.Blocks))
	v, lo, hi := t.shown(line.Value), t.shown(lo), t.shown(hi)
	unit, half := " "+t.unit, (hi-lo)/2
	text, end := numeral.Short(v, half), numeral.Short
	if t.elo {
		unit, text, end = " Elo", Bounded(numeral.Signed)(v, half), Bounded(numeral.Short)
	}
	if math.IsNaN(half) {
		return text + unit
	}
	return text + unit + " (" + end(lo, half) + " to " + end(hi, half) + ")"
}

// better tells whether a value is better than another; any is better than NaN.
func (t *terrain) better(a, b float64) bool { return Better(a, b, t.up) }

// merit is where a value lies between the worst and the best, 0 to 1.
func (t *terrain) merit(v float64) float64 {
	if !(t.hi > t.lo) {
		return 0.5
	}
	m := (v - t.lo) / (t.hi - t.lo)
	if !t.up {
		m = 1 - m
	}
	return m
}

// bins is the number of columns into which a dimension is divided, at most so
// many: as many as a list has values.
func (t *terrain) bins(k, most int) int {
	if n := t.space[k].Points(); n > 0 && n <= most {
		return n
	}
	return most
}

// bin is the column of a place of an axis that was made by axis and drawn.
func bin(a *axis, x float64, columns int) int {
	return min(columns-1, max(0, int(a.share(x)*float64(columns))))
}
