package view

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
	"sakusen/tuner/numeral"
)

// worth reports what parameters of an answer are worth, as they were measured.
func worth(b *tuner.SetBack) string {
	var to []string
	for _, name := range b.Parameters {
		if text, ok := b.To[name]; ok {
			to = append(to, name+"="+short(text))
		} else {
			to = append(to, "no "+name)
		}
	}
	what, games := "back to "+listed(to), grouped(b.Games)+" games"
	lost, ci, unit, loss, gain := b.Lost, b.CI95, " Elo", " lost", " gained"
	if m := b.Metric; m != nil {
		if lost, ci, unit = m.Gain, m.GainCI, " "+m.Name; lost != nil && m.Winner != nil && m.Baseline != nil && (*lost < 0) != (*m.Winner < *m.Baseline) { // less is better
			loss, gain = " more", " less"
		}
	}
	if b.Reason == entry.Even {
		return fmt.Sprintf("%s: no effect seen, each of %d blocks was even, %s.", what, b.Blocks, games)
	}
	if lost == nil || ci == nil {
		return fmt.Sprintf("%s: not known after %s (%s).", what, games, b.Reason)
	}
	text := Amount(*lost, ci[0], ci[1], unit, loss)
	if *lost < 0 {
		text = Amount(-*lost, -ci[1], -ci[0], unit, gain)
	}
	if b.Told {
		return fmt.Sprintf("%s: %s, %s.", what, text, games)
	}
	text = fmt.Sprintf("%s: undecided after %s, %s", what, games, text)
	if b.Enough != nil {
		text += fmt.Sprintf("; 10 Elo would take about %s games to show", about(*b.Enough))
	}
	return text + "."
}

// Amount returns a number with its unit, what became of it and its interval, as in "20 Elo
// lost (5 to 35)".
func Amount(x, low, high float64, unit, what string) string {
	i, amount := between(low, high), numeral.Rounded(x, (high-low)/2)+unit
	if unit == " Elo" {
		i, amount = betweenElo(low, high), strings.TrimPrefix(numeral.Elo(x), "+")+unit+beyond(x)
	}
	text := amount + what
	if i != nil {
		text += " (" + i.Ends() + ")"
	}
	return text
}

// unmeasured names what the answer of a pass changed and no games were left to measure.
func unmeasured(spec *tuner.Spec, r *tuner.Result) string {
	if r.Validation == nil || r.Validation.Verdict != "pass" || spec.Validation.SetBack == 0 {
		return ""
	}
	var names []string
	changed := 0
	for _, d := range spec.Tune.Params {
		value, ok := r.Best.Params[d.Name]
		before, had := baselineValue(spec, d.Name)
		if before = d.Searched(before); !ok || !had || d.Played(before) == d.Played(value) {
			continue
		}
		changed++
		if !slices.ContainsFunc(r.SetBack, func(b tuner.SetBack) bool { return slices.Contains(b.Parameters, d.Name) }) {
			names = append(names, d.Name)
		}
	}
	switch {
	case len(names) == 0:
		return ""
	case changed == 1:
		return names[0] + allChanged
	}
	verb := "is"
	if len(names) > 1 {
		verb = "are"
	}
	return fmt.Sprintf("what %s %s worth was not measured, as too few games were left.", listed(names), verb)
}

// mostListed is the most parameters that are named where several are set back together.
const mostListed = 8

// listed returns texts as a list of bounded length.
func listed(all []string) string {
	if more := len(all) - mostListed; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(all[:mostListed], ", "), more)
	}
	return strings.Join(all, ", ")
}

// atMostOf returns the first n of texts, and how many there are beside them.
func atMostOf(all []string, n int) []string {
	if more := len(all) - n; more > 0 {
		return append(all[:n:n], fmt.Sprintf("and %d more", more))
	}
	return all
}

// mostParameters is the most parameters of which a report says what is known.
const mostParameters = 12

// borneOut reports whether games have borne out that a parameter matters, of which the
// search's model says something: setting it back alone has cost the answer of a pass
// something, or it is the only change of the answer.
func borneOut(spec *tuner.Spec, r *tuner.Result, name string) bool {
	if v := r.Validation; v == nil || v.Verdict != "pass" {
		return false
	}
	return unmeasured(spec, r) == name+allChanged || slices.ContainsFunc(r.SetBack, func(b tuner.SetBack) bool {
		return len(b.Parameters) == 1 && b.Parameters[0] == name && b.Told && (b.Lost != nil && *b.Lost > 0 || b.Metric != nil && *b.Metric.Gain > 0)
	})
}

// models reports the estimates of the search's model for the parameters that games have borne out to
// matter, of many of those that matter most, and names those whose values its games do not tell apart.
func models(spec *tuner.Spec, r *tuner.Result) (lines []string) {
	var shown []tuner.Known
	var names []string
	for _, k := range r.Parameters {
		switch {
		case k.Idle || k.Tells() && borneOut(spec, r, k.Name):
			shown = append(shown, k)
		default:
			names = append(names, k.Name)
		}
	}
	least := math.Inf(-1)
	if len(shown) > mostParameters {
		order := slices.Clone(shown)
		slices.SortStableFunc(order, func(a, b tuner.Known) int { return cmp.Compare(b.Importance, a.Importance) })
		least = order[mostParameters-1].Importance
	}
	for _, k := range shown {
		if k.Importance >= least && len(lines) < mostParameters {
			lines = append(lines, alikeBut(spec, &k)+".")
		}
	}
	if len(names) > 0 {
		why := "too few games, no clear optimum, or several are as good"
		if insight.Saturated(spec, r) {
			why = "nearly all of them were won, so that better values look no better"
		}
		lines = append(lines, "the search's games do not tell which values of "+listed(names)+" are best ("+why+"); "+map[bool]string{true: names[0], false: "these parameters"}[len(names) == 1]+" may still matter.")
	}
	return lines
}

// alikeBut reports, of a parameter that games have borne out to matter, which values the model cannot
// tell from the answer's, without the baseline's, which games have shown to be weaker.
func alikeBut(spec *tuner.Spec, k *tuner.Known) string {
	at := slices.IndexFunc(spec.Tune.Params, func(d tuner.Dimension) bool { return d.Name == k.Name })
	before, ok := baselineValue(spec, k.Name)
	if at < 0 || !ok || k.Idle {
		return k.String()
	}
	d, but := &spec.Tune.Params[at], *k
	before = d.Searched(before)
	low, x, high := d.Number(k.From), d.Number(before), d.Number(k.To)
	if before == k.Best || !(low <= x && x <= high) && !slices.Contains(k.Same, before) {
		return k.String()
	}
	but.Same = slices.DeleteFunc(slices.Clone(k.Same), func(text string) bool { return text == before })
	return but.String() + fmt.Sprintf(", but not %s, as before: games have shown that it is weaker", short(before))
}

// allChanged is said of the only parameter that an answer changed.
const allChanged = " is the only change of the answer, so it is worth the whole gain."

// mostEquals is the most candidates that a report names as possibly the best.
const mostEquals = 5

// equals reports what may be as good as the answer, a sentence for each way to know: the baseline
// by the proof, other candidates on blocks that all of them played, values of the baseline by games
// of their own, rounder ones by the search's model. It is empty without an answer.
func equals(spec *tuner.Spec, r *tuner.Result) string {
	if r.Best == nil {
		return ""
	}
	var all []string
	for _, text := range []string{theBaseline(spec, r), others(spec, r), nearer(spec, r), modelled(spec, r)} {
		switch {
		case text != "" && len(all) > 0:
			all = append(all, sentence(text, ""))
		case text != "":
			all = append(all, text)
		}
	}
	if len(all) == 0 {
		return "nothing that was measured: no other candidate played the same games as the answer."
	}
	return strings.Join(all, " ")
}

// theBaseline reports whether the baseline may be as good as an answer that did not pass.
func theBaseline(spec *tuner.Spec, r *tuner.Result) string {
	v := r.Validation
	if v == nil || v.Verdict == "pass" || v.Reason == tuner.ItIsTheBaseline || spec.Validation.Elo[0] < 0 {
		return ""
	}
	ci, ref := v.CI95, reference(spec)
	if m := v.Metric; m != nil {
		ci = m.GainCI
	}
	switch {
	case ci == nil || ci[0] > 0:
		return ""
	case ci[1] < 0:
		return "better with " + ref + ", by the games of the proof."
	}
	return "perhaps " + ref + ": the games of the proof do not tell them apart."
}

// mostLost bounds the cost of a value at 95 %, Elo, that is called as good, mostShare that of a metric,
// a share of the gain.
const mostLost, mostShare = 20, 0.05

// others reports which other candidates may be the best.
func others(spec *tuner.Spec, r *tuner.Result) string {
	rivals := r.Rivals
	switch {
	case len(r.Front) > 1:
		return "each point of the front is better than every other in some objective; only the chosen one was validated. +- is half of a 95 % interval."
	case rivals == nil:
		return ""
	case len(rivals.Alike) == 0 && rivals.Compared == 2:
		return fmt.Sprintf("not the other candidate: it did worse on the %d blocks that both played (95 %% confidence).", rivals.Blocks)
	case len(rivals.Alike) == 0:
		return fmt.Sprintf("none of the %d other candidates: each did worse on the %d blocks that all of them played (95 %% confidence).", rivals.Compared-1, rivals.Blocks)
	}
	alike := rivals.Alike
	if r.Validation != nil && r.Validation.Verdict == "pass" { // the proof has told the baseline apart
		alike = slices.DeleteFunc(slices.Clone(alike), func(a tuner.Rival) bool { return isBaseline(spec, a.Params) })
	}
	if len(alike) == 0 {
		return fmt.Sprintf("none: on the %d blocks that all candidates played only the baseline did as well, and it did worse in the proof.", rivals.Blocks)
	}
	var names []string
	for _, a := range alike {
		name := setting(spec, a.Params)
		if a.Elo != nil {
			name += " (" + behind(*a.Elo) + ")"
		}
		names = append(names, name)
	}
	return fmt.Sprintf("perhaps %s: the %d blocks that all of them played do not decide between them and the answer.", strings.Join(atMostOf(names, mostEquals), "; "), rivals.Blocks)
}

// isBaseline reports whether a parameter set is the baseline's.
func isBaseline(spec *tuner.Spec, values map[string]string) bool {
	return !slices.ContainsFunc(spec.Tune.Params, func(d tuner.Dimension) bool {
		value, ok := values[d.Name]
		before, had := baselineValue(spec, d.Name)
		return ok != had || ok && d.Played(value) != d.Played(d.Searched(before))
	})
}

// nearer reports which values of the baseline, or defaults where that is another strategy, may be as good
// as the answer's, are better, or are not decided by games of their own.
func nearer(spec *tuner.Spec, r *tuner.Result) string {
	its := "baseline's"
	if _, same := insight.Baseline(spec); !same {
		its = "default"
	}
	var better, same, open, worse []string
	for i := range r.SetBack {
		b := &r.SetBack[i]
		lost, ci, how, unit, most := b.Lost, b.CI95, "costs at most ", " Elo", float64(mostLost)
		if m := b.Metric; m != nil {
			lost, ci, how, unit = m.Gain, m.GainCI, "worse by at most ", " "+m.Name
			if gain := r.Validation.QuotedMetric(); gain != nil {
				most = mostShare * numeral.OrNaN(gain.Gain)
			}
		}
		text := pairs(b.To)
		if len(b.To) > 1 {
			text += " together"
		}
		switch {
		case len(b.To) == 0:
		case b.Reason == entry.Even:
			same = append(same, text+" (each block was even)")
		case lost == nil || ci == nil:
		case b.Told && *lost < 0:
			better = append(better, text)
		case b.Told:
			worse = append(worse, text)
		case ci[1] <= most:
			ends := between(ci[0], ci[1])
			if unit == " Elo" {
				ends = betweenElo(ci[0], ci[1])
			}
			same = append(same, text+" ("+how+strings.TrimPrefix(ends.High, "+")+unit+")")
		default:
			open = append(open, text)
		}
	}
	var said []string
	one := func(how string, all []string) {
		switch text := strings.Join(atMostOf(all, mostListed), "; "); {
		case len(all) == 1:
			said = append(said, how+" with the "+its+" "+text+", by games against the answer.")
		case len(all) > 1:
			said = append(said, how+" with one of the "+its+" values, by games against the answer: "+text+". Two of them at a time were not tried.")
		}
	}
	one("better", better)
	one("perhaps", same)
	if len(open) > 0 {
		said = append(said, "too few games were played against the answer to tell whether the "+its+" "+strings.Join(atMostOf(open, mostListed), " or ")+" is as good.")
	} else if len(said) == 0 && len(worse) > 0 {
		said = append(said, "none of the "+its+" values, by games against the answer.")
	}
	for i := 1; i < len(said); i++ {
		said[i] = sentence(said[i], "")
	}
	return strings.Join(said, " ")
}

// modelled reports which values the search's model takes for as good as the answer's of a pass: rounder
// numbers, and other values of choices. It names none that the answer was proved to be better than.
func modelled(spec *tuner.Spec, r *tuner.Result) string {
	if v := r.Validation; v == nil || v.Verdict != "pass" || insight.Refuted(spec, r) != "" {
		return ""
	}
	var all, choices []string
	sharp, most := len(r.Parameters) > 0, 0.5
	for i := range r.Parameters {
		k := &r.Parameters[i]
		matters := !k.Untold && !k.Idle && k.Importance > 2*k.Error && borneOut(spec, r, k.Name)
		sharp = sharp && matters && k.From == k.To && len(k.Same) < 2
		before, _ := baselineValue(spec, k.Name)
		if k.Rounder != "" && k.Rounder != before && k.Most <= mostLost && !k.Idle {
			all, most = append(all, k.Name+"="+k.Rounder), max(most, k.Most)
		}
		for _, text := range k.Same {
			if matters && text != k.Best && text != before {
				choices = append(choices, k.Name+"="+text)
			}
		}
	}
	if len(all) > 0 {
		all = atMostOf(all, mostListed)
		all[len(all)-1] += fmt.Sprintf(" (%scosts at most %.0f Elo)", map[bool]string{true: "each "}[len(all) > 1], math.Ceil(most))
	}
	switch all = append(atMostOf(choices, mostListed), all...); {
	case len(all) > 0:
		return "by the search's model and not measured, perhaps with " + strings.Join(all, ", ") + "."
	case sharp:
		return "no other value, by the search's model; none was measured."
	}
	return ""
}

// behind returns a distance in Elo in words.
func behind(elo float64) string {
	by := strings.TrimPrefix(numeral.Elo(math.Abs(elo)), "+")
	if by == "0" {
		return "level"
	}
	return by + map[bool]string{true: " Elo behind", false: " Elo ahead"}[elo > 0]
}
