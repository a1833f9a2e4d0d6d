package view

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
)

// worth says what parameters of an answer are worth, as they were measured.
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
	lost, ci, unit := b.Lost, b.CI95, " Elo"
	if m := b.Metric; m != nil {
		lost, ci, unit = m.Gain, m.GainCI, " "+m.Name
	}
	if lost == nil || ci == nil {
		return fmt.Sprintf("%s: not told by %s (%s).", what, games, b.Reason)
	}
	half := numeral.Half(ci)
	if b.Told && *lost < 0 {
		return fmt.Sprintf("%s: %s%s gained (%s), %s.", what, numeral.Rounded(-*lost, half), unit, between(-ci[1], -ci[0]).Ends(), games)
	}
	text := fmt.Sprintf("%s%s lost (%s)", numeral.Rounded(*lost, half), unit, between(ci[0], ci[1]).Ends())
	if b.Told {
		return fmt.Sprintf("%s: %s, %s.", what, text, games)
	}
	text = fmt.Sprintf("%s: not told by %s, %s", what, games, text)
	if b.Enough != nil {
		text += fmt.Sprintf("; 10 Elo would take about %s games to show", grouped(int64(hundreds(*b.Enough))))
	}
	return text + "."
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
		return names[0] + " is all that the answer changed: it is worth the gain."
	}
	return fmt.Sprintf("what %s is worth was not measured, as too few games were left.", listed(names))
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

// mostParameters is the most parameters of which a report says what is known.
const mostParameters = 12

// mostImportant are the parameters that matter most, or all of them, in the order of the
// space, if they are few.
func mostImportant(all []tuner.Known) []tuner.Known {
	all = slices.DeleteFunc(slices.Clone(all), func(k tuner.Known) bool { return k.Untold && !k.Idle })
	if len(all) <= mostParameters {
		return all
	}
	order := slices.Clone(all)
	slices.SortStableFunc(order, func(a, b tuner.Known) int { return cmp.Compare(b.Importance, a.Importance) })
	return order[:mostParameters]
}

// untold names the parameters of which the games tell nothing.
func untold(all []tuner.Known) string {
	var names []string
	for i := range all {
		if all[i].Untold && !all[i].Idle {
			names = append(names, all[i].Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "the model of the search's games cannot separate the values of " + listed(names) + " (too few games, or no smooth hill); that says nothing of what they are worth."
}

// mostEquals is the most candidates that a report names as possibly the best.
const mostEquals = 5

// equals names the candidates that may be as good as the winner.
func equals(spec *tuner.Spec, r *tuner.Result) string {
	if r.Rivals == nil {
		if r.Best != nil && (spec.Duels || spec.Race.Fresh()) {
			if len(r.Parameters) > 0 {
				return "each parameter says below which of its values. This search learns from all games together and does not compare single candidates."
			}
			return "not known: this search learns from all games together and does not compare single candidates."
		}
		return ""
	}
	if len(r.Rivals.Alike) == 0 {
		others := fmt.Sprintf("none of the %d others", r.Rivals.Compared-1)
		if r.Rivals.Compared == 2 {
			others = "not the other one"
		}
		return fmt.Sprintf("%s on the same %d blocks (95 %% confidence).", others, r.Rivals.Blocks)
	}
	var names []string
	for _, a := range r.Rivals.Alike[:min(mostEquals, len(r.Rivals.Alike))] {
		name := setting(spec, a.Params)
		if a.Elo != nil {
			name += " (" + behind(*a.Elo) + ")"
		}
		names = append(names, name)
	}
	if more := len(r.Rivals.Alike) - mostEquals; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("perhaps %s. The %d blocks that all of them played do not tell them from the winner.", strings.Join(names, "; "), r.Rivals.Blocks)
}

// behind is a distance in Elo in words.
func behind(elo float64) string {
	switch by := numeral.Rounded(math.Abs(elo), 1); {
	case by == numeral.Rounded(0, 1):
		return "level"
	case elo > 0:
		return by + " Elo behind"
	default:
		return by + " Elo ahead"
	}
}
