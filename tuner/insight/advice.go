package insight

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// adviceLevel is the chance that a note about a range or a limit is caused by luck alone.
const adviceLevel = 0.01

// Advise returns notes on the answer for the study's owner.
func (x *Search) Advise(winner *tuner.Trial) []tuner.Advice {
	var out []tuner.Advice
	if n := x.Setup.Tune.Params.Count(x.Setup.Tune.Fix); x.Setup.Sampler.Name == "grid" && len(x.Trials) < n {
		out = append(out, tuner.Advice{Level: tuner.Warning, Text: fmt.Sprintf("the budget ended the grid after %d of %d parameter sets, which lie together", len(x.Trials), n),
			Action: "a larger budget goes on with the rest"})
	}
	if n := x.Members; x.Setup.Sampler.Name != "grid" && !x.Answers && n > 0 && x.Tried >= n {
		out = append(out, tuner.Advice{Level: tuner.Info, Text: fmt.Sprintf("all %d parameter sets of the space have been tried", n)})
	}
	if n := x.Members; x.Answers && n > 0 && n <= tuner.FewMembers && !x.Setup.Duels && x.Room > 0 {
		out = append(out, tuner.Advice{Level: tuner.Info, Text: fmt.Sprintf("the search ended before its games did, as none of the %d parameter sets may still be better than its answer", n)})
	}
	if winner == nil {
		return append(out, x.noAnswer())
	}
	if x.Setup.Pareto() {
		return append(out, tuner.Advice{Level: tuner.Info, Text: "only the chosen point of the front is validated", Action: "objective.weights choose another"})
	}
	out = append(out, x.rangeEnds(winner)...)
	if a, ok := x.binding(winner); ok {
		out = append(out, a)
	}
	return out
}

// noAnswer explains why the study has no winner.
func (x *Search) noAnswer() tuner.Advice {
	for _, t := range x.Trials {
		if t.Estimate.Feasible {
			return tuner.Advice{Level: tuner.Warning, Text: "no candidate has a value in every objective: a ratio to a baseline that has nothing of a metric is undefined",
				Action: "choose a metric that the baseline has, or one that is not relative"}
		}
	}
	return tuner.Advice{Level: tuner.Warning, Text: "no candidate is within the limits"}
}

// rangeEnds reports numeric parameters whose answer lies at an end of the tuned range, if
// the strategy allows a wider range and a test over all trials says that this end is better
// than the range is on average. The test fits what was seen by a quadratic in every numeric
// parameter and an effect of every choice. Nothing is reported if the fit says that the
// best value lies inside. A parameter without any effect ends at an end of its range by
// chance, and must not be reported.
func (x *Search) rangeEnds(winner *tuner.Trial) []tuner.Advice {
	declared, err := x.Setup.Ruleset.Space(x.Setup.Tune.Strategy)
	if err != nil || x.Setup.Evaluate != nil {
		return nil
	}
	type end struct {
		at           int
		name, beyond string
		upper        bool
	}
	var ends []end
	space := x.Setup.Tune.Params
	numeric := 0
	for i := range space {
		d := &space[i]
		if d.Kind != param.Int && d.Kind != param.Float {
			continue
		}
		numeric++
		text, ok := winner.Params.Get(d.Name)
		if !ok {
			continue
		}
		k := slices.IndexFunc(declared, func(p param.Param) bool { return p.Name == d.Name })
		if k < 0 {
			continue
		}
		p := tuner.Dimension{Param: declared[k]}
		switch {
		case text == d.Text(d.Domain.Top()) && p.Domain.High > d.Domain.High:
			ends = append(ends, end{i, "upper", "up to " + p.Text(p.Domain.High), true})
		case text == d.Text(d.Domain.Low) && p.Domain.Low < d.Domain.Low:
			ends = append(ends, end{i, "lower", "down to " + p.Text(p.Domain.Low), false})
		}
	}
	if len(ends) == 0 {
		return nil
	}
	terms := x.terms()
	fit, ok := stats.NewFit(x.seen(terms))
	if !ok {
		return nil
	}
	var out []tuner.Advice
	// The level is shared by the two ends of each parameter, and halved: a search looks
	// more often where it saw good results, which makes the fit surer than it should be
	// (measured: .02 in place of .01).
	level := adviceLevel / float64(4*numeric)
	for _, e := range ends {
		better, inwards, ok := terms.contrasts(e.at, e.upper)
		if !ok || fit.Above(better) > level || fit.Above(inwards) < 0.5*level {
			continue
		}
		d := &space[e.at]
		text, _ := winner.Params.Get(d.Name)
		out = append(out, tuner.Advice{Level: tuner.Info, Text: fmt.Sprintf("the optimum lies at the %s end of the range of %s (%s), which is better than the range on average (tested at level %g)", e.name, d.Name, text, adviceLevel),
			Action: fmt.Sprintf("the strategy allows %s %s, where a better one may be", d.Name, e.beyond)})
	}
	return out
}

// binding reports a limit that excludes a candidate which is better than the answer. The
// test allows for having picked the best of many.
func (x *Search) binding(winner *tuner.Trial) (tuner.Advice, bool) {
	var best *tuner.Trial
	least, tried := math.Inf(-1), 0
	for _, t := range x.Trials {
		if t.Estimate.Feasible || math.IsNaN(t.Estimate.Value) {
			continue
		}
		tried++
		gain := t.Estimate.Value - winner.Estimate.Value
		if !x.Setup.Maximize() {
			gain = -gain
		}
		if se := math.Hypot(t.Estimate.Error, winner.Estimate.Error); se == 0 && gain > 0 {
			gain = math.Inf(1)
		} else {
			gain /= se
		}
		if gain > least {
			best, least = t, gain
		}
	}
	if best == nil || !(least > distuv.UnitNormal.Quantile(1-adviceLevel/float64(tried))) {
		return tuner.Advice{}, false
	}
	var over []string
	for i := range x.Setup.Objective.Limits {
		l := &x.Setup.Objective.Limits[i]
		if broken := l.Exceeded(best.Estimate.Limits[i].Value, best.Estimate.Ratios[i].Value, numeral.Text); broken != "" {
			over = append(over, broken)
		}
	}
	return tuner.Advice{Level: tuner.Info, Text: fmt.Sprintf("a limit keeps out what scored better: %s scored %s at %d blocks, but its %s", best.Params, show(best), best.Blocks(), strings.Join(over, ", ")),
		Action: fmt.Sprintf("what is within the limit scores %s", show(winner))}, true
}

func show(t *tuner.Trial) string {
	return numeral.PlusMinus(t.Estimate.Value, 1.96*t.Estimate.Error)
}

// seen is what the study knows of its candidates, as terms and values of the fit: values of
// trials or, in a study of duels, differences.
func (x *Search) seen(terms *terms) []stats.Row {
	sign := 1.0
	if !x.Setup.Maximize() {
		sign = -1
	}
	var rows []stats.Row
	var blocks []float64
	spread := 0.0 // variance of a block, on average
	add := func(value, se float64, n int64, row []float64) {
		if n == 0 || math.IsNaN(value) || math.IsInf(value, 0) {
			return
		}
		if !(se >= 0) {
			se = 0
		}
		spread += se * se * float64(n)
		rows, blocks = append(rows, stats.Row{Value: sign * value, Error: se, Terms: row}), append(blocks, float64(n))
	}
	if x.Setup.Duels {
		for _, d := range x.Duels {
			add(d.Score-0.5, d.Noise, d.Blocks, terms.difference(x.Trials[d.A], x.Trials[d.B]))
		}
	} else {
		for _, t := range x.Trials {
			if t.State != entry.TrialFailed && len(t.Evidence) > 0 {
				add(t.Estimate.Value, t.Estimate.Error, t.Blocks(), terms.of(t))
			}
		}
	}
	spread /= math.Max(1, float64(len(rows)))
	for i := range rows {
		// A few blocks that happen to be alike say little about their error.
		n := blocks[i]
		rows[i].Error = math.Sqrt((rows[i].Error*rows[i].Error*n*n + spread) / (n + 1) / n)
	}
	return rows
}

// terms turns parameter sets into the terms of a linear model: 1; place and squared place
// of every numeric parameter on a scale from 0 to 1; an indicator of every value of a
// choice but the first. All terms of an inactive parameter are 0.
type terms struct {
	space  tuner.Space
	duels  bool  // no constant term: it cancels in differences
	from   []int // first term of each dimension
	square []bool
	values [][]string // of choices and switches: the values seen, without the first
	n      int
}

// terms are those of this study's space, as far as its trials tell them apart.
func (x *Search) terms() *terms {
	m := &terms{space: x.Setup.Tune.Params, duels: x.Setup.Duels}
	if !m.duels {
		m.n = 1
	}
	for i := range m.space {
		d := &m.space[i]
		var met []string
		for _, t := range x.Trials {
			if text, ok := t.Params.Get(d.Name); ok && !slices.Contains(met, text) && len(met) < 64 {
				met = append(met, text)
			}
		}
		m.from = append(m.from, m.n)
		m.square = append(m.square, false)
		m.values = append(m.values, nil)
		switch {
		case len(met) < 2:
		case d.Kind == param.Bool || d.Kind == param.Choice:
			m.values[i] = met[1:]
			m.n += len(met) - 1
		default:
			m.square[i] = len(met) > 2
			m.n++
			if m.square[i] {
				m.n++
			}
		}
	}
	return m
}

// of is the terms of a trial.
func (x *terms) of(t *tuner.Trial) []float64 {
	row := make([]float64, x.n)
	if !x.duels {
		row[0] = 1
	}
	for i := range x.space {
		d := &x.space[i]
		text, ok := t.Params.Get(d.Name)
		if !ok || x.width(i) == 0 {
			continue
		}
		if x.values[i] != nil {
			if k := slices.Index(x.values[i], text); k >= 0 {
				row[x.from[i]+k] = 1
			}
			continue
		}
		u := place(d, text)
		row[x.from[i]] = u
		if x.square[i] {
			row[x.from[i]+1] = u * u
		}
	}
	return row
}

// difference is the terms of one trial less those of another.
func (x *terms) difference(a, b *tuner.Trial) []float64 {
	row, other := x.of(a), x.of(b)
	for i := range row {
		row[i] -= other[i]
	}
	return row
}

// width is the number of terms of a dimension.
func (x *terms) width(i int) int {
	if i+1 < len(x.from) {
		return x.from[i+1] - x.from[i]
	}
	return x.n - x.from[i]
}

// contrasts are the combinations of coefficients that say how much better an end
// of a numeric parameter's range is than the range on average, and how steeply
// the values fall towards that end. It is false where the trials do not vary it.
func (x *terms) contrasts(i int, upper bool) (better, falls []float64, ok bool) {
	if x.width(i) == 0 || x.values[i] != nil {
		return nil, nil, false
	}
	better, falls = make([]float64, x.n), make([]float64, x.n)
	end, outwards := 0.0, -1.0
	if upper {
		end, outwards = 1, 1
	}
	better[x.from[i]], falls[x.from[i]] = end-0.5, -outwards
	if x.square[i] {
		better[x.from[i]+1], falls[x.from[i]+1] = end*end-1./3, -outwards*2*end
	}
	return better, falls, true
}

// place is where a value lies in its range, from 0 to 1.
func place(d *tuner.Dimension, text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	low, high := d.Domain.Low, d.Domain.Top()
	if d.Domain.Log {
		v, low, high = math.Log(v), math.Log(low), math.Log(high)
	}
	if err != nil || !(high > low) {
		return 0
	}
	return (v - low) / (high - low)
}
