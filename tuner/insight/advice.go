package insight

import (
	"cmp"
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
		out = append(out, tuner.Advice{Level: tuner.Warning, Text: fmt.Sprintf("the budget ended after %d of the grid's %d parameter sets, which lie close together", len(x.Trials), n),
			Action: "a larger budget tries the rest"})
	}
	if n := x.Members; x.Setup.Sampler.Name != "grid" && !x.Answers && n > 0 && x.Tried >= n {
		out = append(out, tuner.Advice{Level: tuner.Info, Text: fmt.Sprintf("all %d parameter sets of the space have been tried", n)})
	}
	if winner == nil {
		return append(out, x.noAnswer())
	}
	if text := x.Setup.Ruleset.Game.Unclocked(x.Setup.Tune.Strategy, x.Setup.ProofRule("limit")); text != "" {
		out = append(out, tuner.Advice{Level: tuner.Info, Text: text})
	}
	ends := x.endsOf(winner)
	if x.Setup.Pareto() {
		out = append(out, tuner.Advice{Level: tuner.Info, Text: "only the chosen point of the front is validated", Action: "objective.weights choose another"})
	} else {
		out = append(out, x.rangeEnds(ends)...)
	}
	if a, ok := x.atEnds(ends); ok {
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

// endShare is the share of a range, or of its logarithm, within which an answer lies at its end.
const endShare = 0.02

// rangeEnd is a number of an answer that lies at an end of its range.
type rangeEnd struct {
	*tuner.Dimension
	k      int     // the parameter's number
	text   string  // the answer's value
	name   string  // upper or lower
	sign   float64 // 1 at the upper end, -1 at the lower one
	itself bool    // it is the end, and not only close to it
	beyond string  // what the strategy allows beyond it, empty where nothing
	tested bool
}

// endsOf returns the numbers of an answer that lie at an end of their ranges.
func (x *Search) endsOf(winner *tuner.Trial) (all []rangeEnd) {
	declared, err := x.Setup.Ruleset.Space(x.Setup.Tune.Strategy)
	if err != nil {
		return nil
	}
	for k := range x.Setup.Tune.Params {
		d := &x.Setup.Tune.Params[k]
		text, ok := winner.Params.Values().Get(d.Name)
		place := d.Place(text)
		if !ok || math.IsNaN(place) || place > endShare && place < 1-endShare {
			continue
		}
		e := rangeEnd{Dimension: d, k: k, text: text, name: "lower", sign: -1, itself: text == d.Text(d.Domain.Low)}
		if place >= 1-endShare {
			e.name, e.sign, e.itself = "upper", 1, text == d.Text(d.Domain.Top())
		}
		if i := slices.IndexFunc(declared, func(p param.Param) bool { return p.Name == d.Name }); i >= 0 {
			scale := cmp.Or(d.IntScale, 1)
			switch low, high := declared[i].Domain.Low/scale, declared[i].Domain.High/scale; {
			case e.sign > 0 && high > d.Domain.High:
				e.beyond = "up to " + numeral.Text(high)
			case e.sign < 0 && low < d.Domain.Low:
				e.beyond = "down to " + numeral.Text(low)
			}
		}
		all = append(all, e)
	}
	return all
}

// rangeEnds reports numeric parameters whose answer is an end of the tuned range, if
// the strategy allows a wider range and a test over all trials says that this end is better
// than the range is on average. The test fits what was seen by a quadratic in every numeric
// parameter and an effect of every choice. Nothing is reported if the fit says that the
// best value lies inside. A parameter without any effect ends at an end of its range by
// chance, and must not be reported.
func (x *Search) rangeEnds(ends []rangeEnd) (out []tuner.Advice) {
	candidate := func(e *rangeEnd) bool { return e.itself && e.beyond != "" }
	if x.Setup.Evaluate != nil || !slices.ContainsFunc(ends, func(e rangeEnd) bool { return candidate(&e) }) {
		return nil
	}
	m := x.model()
	if m == nil {
		return nil
	}
	numbers := 0
	for k := range x.Setup.Tune.Params {
		if numeric(&x.Setup.Tune.Params[k]) {
			numbers++
		}
	}
	fit := m.last()
	// The level is shared by the two ends of each parameter, and halved: a search looks
	// more often where it saw good results, which makes the fit surer than it should be
	// (measured: .02 in place of .01).
	level := adviceLevel / float64(4*numbers)
	for i := range ends {
		e := &ends[i]
		if !candidate(e) {
			continue
		}
		better, inwards, ok := m.ends(e.k, e.sign)
		if !ok || fit.Above(better) > level || fit.Above(inwards) < 0.5*level {
			continue
		}
		e.tested = true
		out = append(out, tuner.Advice{Level: tuner.Info, Text: fmt.Sprintf("the optimum lies at the %s end of the range of %s (%s), where it is higher than on average over the range (tested at level %g)", e.name, e.Name, e.text, adviceLevel),
			Action: fmt.Sprintf("the strategy allows %s %s, where a better one may be", e.Name, e.beyond)})
	}
	return out
}

// atEnds reports which numbers of the answer lie at an end of their ranges, and what lies
// beyond it. It is a fact about the answer, in every kind of study, and no test: a
// parameter without any effect ends anywhere. Ends that were tested are reported elsewhere.
func (x *Search) atEnds(ends []rangeEnd) (a tuner.Advice, ok bool) {
	var at []string
	for i := range ends {
		e := &ends[i]
		if e.tested {
			continue
		}
		beyond := map[float64]string{1: "no more", -1: "no less"}[e.sign]
		if e.beyond != "" {
			beyond, a.Action = e.beyond, "a better one may lie beyond: widen the range (tune.params)"
		}
		text := e.text
		if e.Kind == param.Float {
			text = strconv.FormatFloat(e.Number(text), 'g', 4, 64)
		}
		near := ""
		if !e.itself {
			near = "near the "
		}
		if len(at) < mostEnds {
			at = append(at, fmt.Sprintf("%s=%s (%s%s end of %s to %s; %s allows %s)", e.Name, text, near, e.name, numeral.Text(e.Domain.Low), numeral.Text(e.Domain.Top()), x.Setup.Tune.Strategy, beyond))
		} else if len(at) == mostEnds {
			at = append(at, "and others")
		}
	}
	a.Level, a.Text = tuner.Info, fmt.Sprintf("the answer lies at an end of its range: %s", strings.Join(at, ", "))
	return a, len(at) > 0
}

// mostEnds is the most numbers at an end of their ranges that are named.
const mostEnds = 3

// binding reports a limit that excludes a candidate which is better than the answer. The
// test allows for having picked the best of many, and takes a block of a candidate for no surer than
// one of the answer: few blocks may be all alike.
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
		alike := winner.Estimate.Error * math.Sqrt(float64(winner.Blocks())/float64(max(t.Blocks(), 1)))
		if se := math.Hypot(max(t.Estimate.Error, alike), winner.Estimate.Error); se == 0 && gain > 0 {
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
	var values []string
	for _, v := range best.Params.Values() {
		if x, err := strconv.ParseFloat(v.Text, 64); err == nil && len(v.Text) > 7 {
			v.Text = strconv.FormatFloat(x, 'g', 4, 64)
		}
		values = append(values, v.Name+"="+v.Text)
	}
	return tuner.Advice{Level: tuner.Info, Text: fmt.Sprintf("a limit excludes a set that scored better: %s scored %s at %d blocks, but its %s", strings.Join(values, ", "), show(best), best.Blocks(), strings.Join(over, ", ")),
		Action: fmt.Sprintf("the best set within the limits scores %s", show(winner))}, true
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

// misfit returns by how many Elo the claim of a search's model lies off the gain that its answer
// was measured to have, beyond what chance explains; 0 where that is not known.
func misfit(r *tuner.Result) float64 {
	if r == nil || r.Best == nil || r.Best.Claimed.Elo == nil || r.Validation == nil || r.Validation.Shrinkage == nil {
		return 0
	}
	_, _, ci := r.Validation.Quoted()
	claim := stats.Deviate95 * stats.EloError(numeral.OrNaN(r.Best.Claimed.Score), numeral.OrNaN(r.Best.Error))
	chance := math.Hypot(numeral.Half(ci), claim)
	return math.Sqrt(max(0, *r.Validation.Shrinkage**r.Validation.Shrinkage-chance*chance))
}

// nearlyAll is the share of the points above which games against a baseline tell good values from
// better ones no more.
const nearlyAll = 0.95

// Saturated reports whether an answer gets nearly all points against the baseline, by the search's
// model or by the games to quote, in a study whose search plays against the baseline: where nearly
// every game is won its model goes on rising, and its top lies where few games were played.
func Saturated(s *tuner.Spec, r *tuner.Result) bool {
	if s.Duels || r == nil || r.Best == nil {
		return false
	}
	scores := []*float64{r.Best.Claimed.Score}
	if r.Validation != nil {
		quoted, _, _ := r.Validation.Quoted()
		scores = append(scores, quoted)
	}
	return slices.ContainsFunc(scores, func(score *float64) bool { return score != nil && *score >= nearlyAll })
}

// Refuted returns a note if what a search's model claims of its answer is not what games of the proof
// showed, or if its games could not show it; empty where they do not tell.
func Refuted(s *tuner.Spec, r *tuner.Result) string {
	if Saturated(s, r) {
		return "The model's heights are not right where nearly all games are won."
	}
	if misfit(r) == 0 {
		return ""
	}
	_, elo, _ := r.Validation.Quoted()
	return fmt.Sprintf("The model's heights are not right: it claims %+.0f Elo for the answer, and games of the proof showed %+.0f.", *r.Best.Claimed.Elo, *elo)
}

// Qualify adds to what a search's model knows of each parameter the condition under which it counts,
// and whether it is anything. Where games after the search showed another gain than the model claims,
// or that setting a parameter back costs more than its average, the error of the average is at least as
// large as that. Of an answer that is [Saturated] nothing is told.
func Qualify(r *tuner.Result, s *tuner.Setup, winner *tuner.Trial) {
	off := misfit(r)
	for i := range r.Parameters {
		k, more := &r.Parameters[i], 0.0
		for _, b := range r.SetBack {
			if b.Lost != nil && b.CI95 != nil && slices.Contains(b.Parameters, k.Name) {
				more = max(more, *b.Lost-numeral.Half(b.CI95)-k.Importance)
			}
		}
		k.Error = math.Hypot(k.Error, max(off, more))
		if k.Interaction != nil && math.Abs(*k.Interaction) <= 2*off {
			k.With, k.Interaction = "", nil
		}
		qualify(k, s, winner)
		k.Untold = k.Untold || Saturated(s.Spec, r)
	}
}

// qualify adds to what is known the condition under which it counts, and whether it is anything.
func qualify(k *tuner.Known, s *tuner.Setup, winner *tuner.Trial) {
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
