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
	if winner == nil {
		return append(out, x.noAnswer())
	}
	var tested []tuner.Advice
	if x.Setup.Pareto() {
		out = append(out, tuner.Advice{Level: tuner.Info, Text: "only the chosen point of the front is validated", Action: "objective.weights choose another"})
	} else {
		tested = x.rangeEnds(winner)
		out = append(out, tested...)
	}
	if a, ok := x.atEnds(winner, tested); ok {
		out = append(out, a)
	}
	if a, ok := x.binding(winner); ok && !x.Setup.Pareto() {
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
		end          float64
	}
	var ends []end
	space := x.Setup.Tune.Params
	numbers := 0
	for i := range space {
		d := &space[i]
		if !numeric(d) {
			continue
		}
		numbers++
		text, ok := winner.Params.Values().Get(d.Name)
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
			ends = append(ends, end{i, "upper", "up to " + p.Text(p.Domain.High), 1})
		case text == d.Text(d.Domain.Low) && p.Domain.Low < d.Domain.Low:
			ends = append(ends, end{i, "lower", "down to " + p.Text(p.Domain.Low), -1})
		}
	}
	if len(ends) == 0 {
		return nil
	}
	m := x.model()
	if m == nil {
		return nil
	}
	fit := m.last()
	var out []tuner.Advice
	// The level is shared by the two ends of each parameter, and halved: a search looks
	// more often where it saw good results, which makes the fit surer than it should be
	// (measured: .02 in place of .01).
	level := adviceLevel / float64(4*numbers)
	for _, e := range ends {
		better, inwards, ok := m.ends(e.at, e.end)
		if !ok || fit.Above(better) > level || fit.Above(inwards) < 0.5*level {
			continue
		}
		d := &space[e.at]
		text, _ := winner.Params.Values().Get(d.Name)
		out = append(out, tuner.Advice{Level: tuner.Info, Text: fmt.Sprintf("the optimum lies at the %s end of the range of %s (%s), which is better than the range on average (tested at level %g)", e.name, d.Name, text, adviceLevel),
			Action: fmt.Sprintf("the strategy allows %s %s, where a better one may be", d.Name, e.beyond)})
	}
	return out
}

// endShare is the share of a range, or of its logarithm, within which an answer lies at its end.
const endShare = 0.02

// atEnds tells which numbers of the answer lie at an end of their ranges, and what lies beyond
// it. It is a fact about the answer, in every kind of study, and no test: a parameter without any
// effect ends anywhere. What was tested is told already.
func (x *Search) atEnds(winner *tuner.Trial, tested []tuner.Advice) (tuner.Advice, bool) {
	declared, err := x.Setup.Ruleset.Space(x.Setup.Tune.Strategy)
	if err != nil {
		return tuner.Advice{}, false
	}
	values, wider := winner.Params.Values(), false
	var at []string
	for i := range x.Setup.Tune.Params {
		d := &x.Setup.Tune.Params[i]
		text, ok := values.Get(d.Name)
		place := d.Place(text)
		if !ok || math.IsNaN(place) || slices.ContainsFunc(tested, func(a tuner.Advice) bool { return strings.Contains(a.Text, " of the range of "+d.Name+" (") }) {
			continue
		}
		end := "lower"
		switch {
		case place >= 1-endShare:
			end = "upper"
		case place > endShare:
			continue
		}
		beyond := "it allows no more"
		if k := slices.IndexFunc(declared, func(p param.Param) bool { return p.Name == d.Name }); k >= 0 {
			p := tuner.Dimension{Param: declared[k], IntScale: d.IntScale}
			switch scale := max(d.IntScale, 1); {
			case d.IntScale != 0 && (end == "upper" && p.Domain.High > d.Domain.High*scale || end == "lower" && p.Domain.Low < d.Domain.Low*scale):
				beyond, wider = "it allows "+numeral.Text(p.Domain.Low)+" to "+numeral.Text(p.Domain.High), true
			case d.IntScale != 0:
			case end == "upper" && p.Domain.High > d.Domain.High:
				beyond, wider = "it allows up to "+p.Text(p.Domain.High), true
			case end == "lower" && p.Domain.Low < d.Domain.Low:
				beyond, wider = "it allows down to "+p.Text(p.Domain.Low), true
			}
		}
		if x, err := strconv.ParseFloat(text, 64); err == nil && d.Kind == param.Float {
			text = strconv.FormatFloat(x, 'g', 4, 64)
		}
		if len(at) < mostEnds {
			at = append(at, fmt.Sprintf("%s=%s (%s end of %s to %s; %s)", d.Name, text, end, numeral.Text(d.Domain.Low), numeral.Text(d.Domain.Top()), beyond))
		} else if len(at) == mostEnds {
			at = append(at, "and others")
		}
	}
	if len(at) == 0 {
		return tuner.Advice{}, false
	}
	a := tuner.Advice{Level: tuner.Info, Text: fmt.Sprintf("the answer lies at an end of its range, of what %s allows: %s", x.Setup.Tune.Strategy, strings.Join(at, ", "))}
	if wider {
		a.Action = "a better one may lie beyond: widen the range (tune.params)"
	}
	return a, true
}

// mostEnds is the most numbers at an end of their ranges that are named.
const mostEnds = 3

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
	return tuner.Advice{Level: tuner.Info, Text: fmt.Sprintf("a limit keeps out what scored better: %s scored %s at %d blocks, but its %s", best.Params.Values(), show(best), best.Blocks(), strings.Join(over, ", ")),
		Action: fmt.Sprintf("what is within the limit scores %s", show(winner))}, true
}

func show(t *tuner.Trial) string {
	return numeral.PlusMinus(t.Estimate.Value, 1.96*t.Estimate.Error)
}

// usualGain is the difference, in Elo, for which a resolution tells the games; it is proved
// at the share of usualAlpha that a first attempt has, with usualChance. They are the same
// for every study, whatever its file asks for, so that studies compare.
const (
	usualGain   = 10
	usualAlpha  = 0.025
	usualChance = 0.8
)

// Resolution returns how well games tell two players apart, nil where the blocks say nothing of it: none, or all alike.
func Resolution(b stats.Blocks) *tuner.Resolution {
	e, m := b.Estimate(), b.Moments()
	if !e.NElo.Defined || !e.NEloErr.Defined {
		return nil
	}
	r := resolutionOf(m.Mean, m.Variance, b.Games)
	if r == nil {
		return nil
	}
	r.NormalizedElo = numeral.Finite(e.NElo.Value)
	r.CI95 = &[2]float64{e.NElo.Value - e.NEloErr.Value, e.NElo.Value + e.NEloErr.Value}
	return r
}

// resolutionOf returns that of blocks of so many games with the given mean score and variance of
// a block, nil where these tell nothing.
func resolutionOf(mean, variance float64, games int) *tuner.Resolution {
	unit := 800 / math.Ln10
	slope := math.Ln10 / 400 * mean * (1 - mean) // of the score by Elo
	per := slope / math.Sqrt(float64(games)*variance) * unit
	if !(per > 0) || math.IsInf(per, 1) {
		return nil
	}
	twice := math.Pow(2*unit/(usualGain*per), 2)
	r := &tuner.Resolution{PerElo: numeral.Finite(per), Games: numeral.Finite(twice)}
	if first, err := stats.AttemptAlpha(usualAlpha, 1); err == nil {
		sigmas := stats.Group{Alpha: first}.Errors(usualChance)
		r.Proof = numeral.Finite(math.Pow(float64(sigmas*800/math.Ln10)/(usualGain*per), 2))
	}
	return r
}

// DuelResolution returns that of the duels of a study, between equals: their
// variance is that about the mean of each duel. It is nil where there are none.
func (x *Search) DuelResolution() *tuner.Resolution {
	squares, free := 0.0, 0.0
	for i := range x.Duels {
		d := &x.Duels[i]
		if d.Blocks < 2 || !(d.Noise >= 0) {
			continue
		}
		squares += d.Noise * d.Noise * float64(d.Blocks) * float64(d.Blocks-1)
		free += float64(d.Blocks - 1)
	}
	seats := x.Setup.Ruleset.Seats
	if free == 0 {
		return nil
	}
	return resolutionOf(1/float64(seats), squares/free, seats)
}

// Qualify says of what is known under which condition it counts, and whether it is anything.
func Qualify(k *tuner.Known, s *tuner.Setup, winner *tuner.Trial) {
	at := slices.IndexFunc(s.Tune.Params, func(d tuner.Dimension) bool { return d.Name == k.Name })
	if at < 0 {
		return
	}
	d := &s.Tune.Params[at]
	var conditions []string
	for _, c := range s.Tune.Params.Given(s.Tune.Fix)[at].When {
		conditions = append(conditions, c.String())
	}
	k.When = strings.Join(conditions, " and ")
	_, active := winner.Params.Values().Get(k.Name)
	k.Idle = !active
	k.Untold = k.Importance <= 2*k.Error && k.With == ""
	switch {
	case d.Kind == param.Bool || d.Kind == param.Choice:
		k.Untold = k.Untold && len(k.Same) == d.Points()
	default:
		low, high := d.Number(k.From), d.Number(k.To)
		k.Untold = k.Untold && low <= d.Domain.Low && high >= d.Domain.High
	}
}
