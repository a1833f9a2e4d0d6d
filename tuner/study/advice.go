package study

import (
	"fmt"
	"math"
	"slices"
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

// advise returns notes on the answer for the study's owner.
func (st *Study) advise(winner *tuner.Trial) []tuner.Advice {
	var out []tuner.Advice
	if n := st.Setup.Tune.Params.Count(st.Setup.Tune.Fix); st.Setup.Sampler.Name == "grid" && len(st.trials) < n {
		out = append(out, tuner.Advice{Level: tuner.Warning, Text: fmt.Sprintf("the budget ended the grid after %d of %d parameter sets, which lie together", len(st.trials), n),
			Action: "a larger budget goes on with the rest"})
	}
	if n := st.members(); st.Setup.Sampler.Name != "grid" && !st.answers && n > 0 && len(st.byValues) >= n {
		out = append(out, tuner.Advice{Level: tuner.Info, Text: fmt.Sprintf("all %d parameter sets of the space have been tried", n)})
	}
	if n := st.members(); st.answers && n > 0 && n <= tuner.FewMembers && !st.Setup.Duels && st.room() > 0 {
		out = append(out, tuner.Advice{Level: tuner.Info, Text: fmt.Sprintf("the search ended before its games did, as none of the %d parameter sets may still be better than its answer", n)})
	}
	if winner == nil {
		return append(out, st.nobody())
	}
	if st.Setup.Pareto() {
		return append(out, tuner.Advice{Level: tuner.Info, Text: "only the chosen point of the front is validated", Action: "objective.weights choose another"})
	}
	out = append(out, st.rangeEnds(winner)...)
	if a, ok := st.binding(winner); ok {
		out = append(out, a)
	}
	return out
}

// nobody says why there is no answer.
func (st *Study) nobody() tuner.Advice {
	for _, t := range st.trials {
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
func (st *Study) rangeEnds(winner *tuner.Trial) []tuner.Advice {
	declared, err := st.Setup.Ruleset.Space(st.Setup.Tune.Strategy)
	if err != nil || st.Setup.Evaluate != nil {
		return nil
	}
	type end struct {
		at           int
		name, beyond string
		upper        bool
	}
	var ends []end
	space := st.Setup.Tune.Params
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
	terms := st.terms()
	fit, ok := stats.NewFit(st.seen(terms))
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
func (st *Study) binding(winner *tuner.Trial) (tuner.Advice, bool) {
	var best *tuner.Trial
	least, tried := math.Inf(-1), 0
	for _, t := range st.trials {
		if t.Estimate.Feasible || math.IsNaN(t.Estimate.Value) {
			continue
		}
		tried++
		gain := t.Estimate.Value - winner.Estimate.Value
		if !st.Setup.Maximize() {
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
	for i := range st.Setup.Objective.Limits {
		l := &st.Setup.Objective.Limits[i]
		if broken := l.Exceeded(best.Estimate.Limits[i].Value, best.Estimate.Ratios[i].Value, numeral.Text); broken != "" {
			over = append(over, broken)
		}
	}
	return tuner.Advice{Level: tuner.Info, Text: fmt.Sprintf("a limit keeps out what scored better: %s scored %s at %d blocks, but its %s", best.Params, st.show(best), best.Blocks(), strings.Join(over, ", ")),
		Action: fmt.Sprintf("what is within the limit scores %s", st.show(winner))}, true
}

func (st *Study) show(t *tuner.Trial) string {
	return numeral.PlusMinus(t.Estimate.Value, boundErrors*t.Estimate.Error)
}

// notes are the advice as texts.
func notes(advice []tuner.Advice) []string {
	out := []string{}
	for _, a := range advice {
		out = append(out, a.String())
	}
	return out
}

// seen is what the study knows of its candidates, as terms and values of the fit: values of
// trials or, in a study of duels, differences.
func (st *Study) seen(terms *terms) []stats.Row {
	sign := 1.0
	if !st.Setup.Maximize() {
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
	if st.Setup.Duels {
		for _, d := range st.duels {
			add(d.Score-0.5, d.Noise, d.Blocks, terms.difference(st.trials[d.A], st.trials[d.B]))
		}
	} else {
		for _, t := range st.trials {
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
