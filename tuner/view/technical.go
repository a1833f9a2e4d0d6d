package view

import (
	"fmt"
	"io"
	"math"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// Technical writes the result of a finished study with the numbers of its statistics:
// what the search found and claims, what the validation measured, and the verdict.
// Study writes the same in sentences.
func Technical(w io.Writer, spec *tuner.Spec, r *tuner.Result) error {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-11s%s\n", name, fmt.Sprintf(format, args...))
	}
	line("study", "%s (%d trials, %d games, %s)", r.Study, r.Trials, r.Games, r.Sampler)
	if b := r.Begun; b != nil {
		line("begun", "with %d games of %s (%d points, %d outside the ranges)", b.Games, b.Study, b.Points, b.Dropped)
	}
	if r.Best != nil {
		line("best", "%s (trial %d)", Params(spec, r.Best.Params), r.Best.Trial)
		line("claimed", "%s by the search", claim(spec, r.Best))
	}
	if len(r.Hall) > 0 {
		var hall []string
		for _, f := range r.Hall {
			hall = append(hall, fmt.Sprintf("%d %s", f.Trial, Estimate(f.Score, f.Error)))
		}
		line("hall", "%s (trials in the final and their scores)", strings.Join(hall, ", "))
	}
	if v := r.Validation; v != nil {
		line("validated", "%s", validated(v))
		if v.Shrinkage != nil {
			line("shrinkage", "%s", shrinkage(v))
		}
		if v.Given != nil {
			line("expected", "%s Elo, corrected for the fact that only studies that pass are exported", signed(*v.Given, half(v.CI95)))
		}
		if v.Resolution != nil {
			line("resolution", "%s", v.Resolution)
		}
		if v.Pairs != nil {
			line("pairs", "every game is compared with every other, as both play alone")
		}
		for _, m := range v.Pool {
			line("pool", "%s", standing(&m))
		}
		line("verdict", "%s: %s", v.Verdict, v.Reason)
		if v.About != "" {
			line("about", "%s", v.About)
		}
		if v.Replayed != nil {
			line("replayed", "%s", v.Replayed)
		}
	} else {
		line("verdict", "inconclusive: nothing to validate")
	}
	if r.DuelResolution != nil {
		line("duels", "%s", r.DuelResolution)
	}
	if r.Common != nil {
		line("common", "%s", r.Common)
	}
	if r.Worth != nil {
		line("worth", "%s", r.Worth)
	}
	for _, p := range r.Front {
		text := fmt.Sprintf("%s (trial %d)", frontPoint(spec, &p), p.Trial)
		if p.Chosen {
			text += ", chosen"
		}
		line("front", "%s", text)
	}
	for _, k := range r.Parameters {
		line("parameter", "%s", k.String())
	}
	if r.Class != "" {
		line("class", "%s: games cannot be replayed (%s)", r.Class, r.Why)
	}
	for _, n := range r.Notes {
		line("note", "%s", n)
	}
	line("digest", "%s", r.Digest)
	_, err := io.WriteString(w, b.String())
	return err
}

// Params is a parameter set in the order of declaration, as in "a=1 b=0.5".
func Params(spec *tuner.Spec, values map[string]string) string {
	var out []string
	for _, d := range spec.Tune.Params {
		if text, ok := values[d.Name]; ok {
			out = append(out, d.Name+"="+text)
		}
	}
	return strings.Join(out, " ")
}

// goals are several objectives' values.
func goals(values []tuner.GoalValue) string {
	var out []string
	for _, v := range values {
		out = append(out, v.Name+" "+Estimate(v.Value, v.Error))
	}
	return strings.Join(out, ", ")
}

// frontPoint is a line of the Pareto front: each objective with the half-width of its 95 %
// interval.
func frontPoint(spec *tuner.Spec, p *tuner.FrontPoint) string {
	var values []string
	for _, v := range p.Measured() {
		text := "undefined"
		if v.Value != nil {
			text = numeral.PlusMinus(*v.Value, stats.Deviate95*numeral.OrNaN(v.Error))
		}
		values = append(values, v.Name+" "+text)
	}
	text := fmt.Sprintf("%s: %s", Params(spec, p.Params), strings.Join(values, ", "))
	if p.Final == nil {
		text += " (by the search)"
	}
	return text
}

// shrinkage is what the search claimed too much.
func shrinkage(v *tuner.ValidationReport) string {
	what, ci := "Elo", v.CI95
	if v.Metric != nil {
		what, ci = "in "+v.Metric.Name, v.Metric.GainCI
	}
	word := "less"
	if *v.Shrinkage < 0 {
		word = "more"
	}
	return fmt.Sprintf("the validation measured %s %s %s than the search claimed", numeral.Rounded(math.Abs(*v.Shrinkage), half(ci)), what, word)
}

func claim(spec *tuner.Spec, b *tuner.Best) string {
	if b.Objectives != nil {
		return goals(b.Objectives)
	}
	if b.Claimed.Score == nil {
		return spec.Objective.Name() + " " + Estimate(b.Value, b.Error)
	}
	return fmt.Sprintf("score %s, %s Elo", Estimate(b.Claimed.Score, b.Error), claimedElo(b))
}

func validated(v *tuner.ValidationReport) string {
	if m := v.Metric; m != nil {
		width := half(m.GainCI) // of the gain, which the two differ by
		s := fmt.Sprintf("%s %s against %s", m.Name, numeral.Rounded(numeral.OrNaN(m.Winner), width), numeral.Rounded(numeral.OrNaN(m.Baseline), width))
		if m.GainCI != nil {
			low, high := numeral.Interval(m.GainCI[0], m.GainCI[1])
			s += fmt.Sprintf(", gain %s [%s, %s]", numeral.Rounded(numeral.OrNaN(m.Gain), width), low, high)
		}
		return s
	}
	if v.Elo == nil || v.CI95 == nil {
		return "no estimate from " + differing(v.Blocks, v.Distinct)
	}
	score, _ := interval(v.ScoreCI).Round(defined(v.Score), 4)
	elo, ends := interval(v.CI95).RoundElo(defined(v.Elo))
	return fmt.Sprintf("score %s, %s Elo %s at 95 %%, %s on new seeds, attempt %d at this question in this database", score, elo, ends, differing(v.Blocks, v.Distinct), v.Attempt)
}

// standing is how the winner stands against a member of the pool.
func standing(m *tuner.Standing) string {
	said := map[entry.Standing]string{
		entry.Better: "the winner is worse", entry.NotWorse: "the winner is no worse", entry.Untold: "which is better cannot be told",
	}[m.Standing]
	if m.Elo == nil || m.CI95 == nil {
		return fmt.Sprintf("against %s: %s, %s", m.Entrant, said, m.Reason)
	}
	elo, ends := interval(m.CI95).RoundElo(defined(m.Elo))
	return fmt.Sprintf("against %s: %s Elo %s at 95 %%, %s: %s", m.Entrant, elo, ends, differing(m.Blocks, m.Distinct), said)
}

// differing returns a number of blocks and how many of them are different, where that was
// counted.
func differing(blocks, distinct int64) string {
	if distinct <= 0 {
		return fmt.Sprintf("%d blocks", blocks)
	}
	return fmt.Sprintf("%d blocks (%d distinct)", blocks, distinct)
}

// signed is a difference in Elo, rounded to the half-width of its interval.
func signed(x, half float64) string {
	text := numeral.Rounded(x, half)
	if x >= 0 {
		text = "+" + text
	}
	return text
}

// claimedElo is the claimed difference, rounded to the error of its score.
func claimedElo(b *tuner.Best) string {
	e := b.Claimed
	if e.Elo == nil {
		return Estimate(nil, nil)
	}
	return signed(*e.Elo, stats.Deviate95*stats.EloError(numeral.OrNaN(e.Score), numeral.OrNaN(b.Error)))
}

// Estimate is a value that may be undefined, rounded to the half-width of its
// 95 % interval where its standard error is known.
func Estimate(x, standardError *float64) string {
	if x == nil {
		return "undefined"
	}
	return numeral.Rounded(*x, stats.Deviate95*numeral.OrNaN(standardError))
}

// half is the half-width of an interval, NaN where there is none.
func half(ci *[2]float64) float64 {
	if ci == nil {
		return math.NaN()
	}
	return (ci[1] - ci[0]) / 2
}

func defined(x *float64) stats.Number { return stats.Known(numeral.OrNaN(x)) }

func interval(ci *[2]float64) stats.Interval {
	if ci == nil {
		return stats.Interval{}
	}
	return stats.Interval{Lo: stats.Known(ci[0]), Hi: stats.Known(ci[1])}
}
