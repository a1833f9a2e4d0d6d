package view

import (
	"fmt"
	"maps"
	"slices"

	"sakusen/tuner"
)

// overDefaults is how an answer stands against the defaults of its strategy, which are not the baseline.
type overDefaults tuner.AgainstDefaults

// defaultsOf returns that of a study, nil where it is not known.
func defaultsOf(r *tuner.Result) *overDefaults { return (*overDefaults)(r.Defaults) }

// interval returns the gain of the answer above the defaults, with its interval; nil where it is not known.
func (d *overDefaults) interval() (gain *float64, ci *[2]float64, unit string) {
	if m := d.Metric; m != nil {
		return m.Gain, m.GainCI, " " + m.Name
	}
	return d.Elo, d.CI95, " Elo"
}

// weaker reports whether the answer is shown to be weaker than the defaults.
func (d *overDefaults) weaker() bool {
	if d == nil || d.Won {
		return false
	}
	_, ci, _ := d.interval()
	return ci != nil && ci[1] < 0
}

// String reports how the answer stands against the defaults.
func (d *overDefaults) String() string {
	gain, ci, unit := d.interval()
	games := grouped(d.Games) + " games"
	of := "the defaults (" + pairs(d.Defaults) + ")"
	if gain == nil || ci == nil {
		return fmt.Sprintf("not known after %s against %s: %s.", games, of, d.Reason)
	}
	behind, ahead := Amount(-*gain, -ci[1], -ci[0], unit, ""), Amount(*gain, ci[0], ci[1], unit, "")
	switch {
	case d.Won:
		return fmt.Sprintf("in the final %s beat the search's answer (%s) by %s in %s, and took its place.", of, pairs(d.Search), behind, games)
	case ci[0] > 0:
		return fmt.Sprintf("the answer is better than %s too, by %s, 95 %%, in %s after the verdict.", of, ahead, games)
	case ci[1] < 0:
		return fmt.Sprintf("the answer is weaker than %s, by %s, %s: it beats the baseline because the baseline is still weaker.", of, behind, games)
	}
	where := ahead + " above"
	if *gain < 0 {
		where = behind + " below"
	}
	return fmt.Sprintf("the answer was compared with %s in %s, which do not decide: it is %s them. Only the gain above the baseline is proved.", of, games, where)
}

// aboveDefaults reports how the answer of a study stands against its strategy's defaults, which
// part of its gain a weaker baseline explains, and, for a pass, if this was not measured.
func aboveDefaults(spec *tuner.Spec, r *tuner.Result) string {
	d, v := defaultsOf(r), r.Validation
	if d == nil {
		if v.Verdict != "pass" || !otherThanDefaults(spec, r) {
			return ""
		}
		why := "too few games were left"
		if spec.Validation.SetBack == 0 {
			why = "validation.set_back is 0"
		}
		return fmt.Sprintf("the baseline is not the defaults of %s, and whether the answer is better than these was not measured, as %s.", spec.Tune.Strategy, why)
	}
	text := d.String()
	gain, ci, _ := d.interval()
	if _, elo, whole := v.Quoted(); v.Verdict == "pass" && !d.Won && v.Metric == nil && ci != nil && ci[0] > 0 && whole != nil && whole[0] > ci[1] {
		text += " The baseline is weaker than the defaults"
		if 2**gain < *elo {
			text += ", which have most of the gain above it"
		}
		text += "."
	}
	return text
}

// otherThanDefaults reports whether neither the baseline nor the answer has the defaults of the strategy.
func otherThanDefaults(spec *tuner.Spec, r *tuner.Result) bool {
	baseline, answer := false, false
	defaults := spec.Tune.Params.Defaults(spec.Tune.Fix)
	for i := range spec.Tune.Params {
		d := &spec.Tune.Params[i]
		if d.Default == "" {
			continue
		}
		then, counts := defaults.Get(d.Name)
		now, ok := r.Best.Params[d.Name]
		answer = answer || ok != counts || ok && d.Played(now) != d.Played(then)
		before, had := baselineValue(spec, d.Name)
		baseline = baseline || had != counts || had && d.Played(d.Searched(before)) != d.Played(then)
	}
	return spec.Baseline != "" && baseline && answer
}

// pairs returns values by name, in order of the names.
func pairs(values map[string]string) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		out = append(out, name+"="+short(values[name]))
	}
	return listed(out)
}
