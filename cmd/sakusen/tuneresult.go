package main

import (
	"fmt"
	"io"
	"strings"

	"sakusen/tuner"
)

// printResult prints a finished study and turns its verdict into the exit code.
func (a *app) printResult(spec *tuner.Spec, r *tuner.Result) error {
	if a.flags.asJSON {
		if err := a.printJSON(r); err != nil {
			return err
		}
		return verdict(r.Exit())
	}
	if err := writeResult(a.out, spec, r); err != nil {
		return err
	}
	return verdict(r.Exit())
}

// writeResult is a finished study for people.
func writeResult(w io.Writer, spec *tuner.Spec, r *tuner.Result) error {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-11s%s\n", name, fmt.Sprintf(format, args...))
	}
	line("study", "%s (%d trials, %d games, %s)", r.Study, r.Trials, r.Games, r.Sampler)
	if r.Best != nil {
		line("best", "%s (trial %d)", params(spec, r.Best.Params), r.Best.Trial)
		line("claimed", "%s by the search", claim(spec, r.Best))
	}
	if len(r.Hall) > 0 {
		var hall []string
		for _, f := range r.Hall {
			hall = append(hall, fmt.Sprintf("%d %s", f.Trial, optional(f.Score, "%.4f")))
		}
		line("hall", "%s (trials in the final and their scores)", strings.Join(hall, ", "))
	}
	if v := r.Validation; v != nil {
		line("validated", "%s", validated(v))
		if v.Shrinkage != nil {
			line("shrinkage", "%s", shrinkage(v))
		}
		line("verdict", "%s: %s", v.Verdict, v.Reason)
	} else {
		line("verdict", "inconclusive: nothing to validate")
	}
	if r.Common != nil {
		line("common", "%s", r.Common)
	}
	for _, p := range r.Front {
		line("front", "%s", frontPoint(spec, &p))
	}
	for _, n := range r.Notes {
		line("note", "%s", n)
	}
	line("digest", "%s", r.Digest)
	_, err := io.WriteString(w, b.String())
	return err
}

// params is a parameter set in the order of declaration.
func params(spec *tuner.Spec, values map[string]string) string {
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
		out = append(out, v.Name+" "+optional(v.Value, "%.4g"))
	}
	return strings.Join(out, ", ")
}

// frontPoint is a line of the Pareto front.
func frontPoint(spec *tuner.Spec, p *tuner.FrontPoint) string {
	text := fmt.Sprintf("%s: %s (trial %d)", goals(p.Values), params(spec, p.Params), p.Trial)
	if p.Final != nil {
		text += ", in the final " + goals(p.Final)
	}
	if p.Chosen {
		text += ", chosen"
	}
	return text
}

// shrinkage is what the search claimed too much.
func shrinkage(v *tuner.ValidationReport) string {
	if v.Metric != nil {
		return fmt.Sprintf("%.4g in %s from claimed to validated", *v.Shrinkage, v.Metric.Name)
	}
	return fmt.Sprintf("%.1f Elo from claimed to validated", *v.Shrinkage)
}

func claim(spec *tuner.Spec, b *tuner.Best) string {
	if b.Objectives != nil {
		return goals(b.Objectives)
	}
	if b.Claimed.Score == nil {
		return fmt.Sprintf("%s %s", spec.Objective.Name(), optional(b.Value, "%.4g"))
	}
	return fmt.Sprintf("score %s, %s Elo", optional(b.Claimed.Score, "%.4f"), optional(b.Claimed.Elo, "%+.1f"))
}

func validated(v *tuner.ValidationReport) string {
	if m := v.Metric; m != nil {
		s := fmt.Sprintf("%s %s against %s", m.Name, optional(m.Winner, "%.4g"), optional(m.Baseline, "%.4g"))
		if m.GainCI != nil {
			s += fmt.Sprintf(", gain %s [%.4g, %.4g]", optional(m.Gain, "%.4g"), m.GainCI[0], m.GainCI[1])
		}
		return s
	}
	if v.Elo == nil || v.CI95 == nil {
		return fmt.Sprintf("no estimate from %d blocks", v.Blocks)
	}
	return fmt.Sprintf("score %s, %+.1f Elo [%+.1f, %+.1f] at 95 %%, %d blocks on new seeds, attempt %d",
		optional(v.Score, "%.4f"), *v.Elo, v.CI95[0], v.CI95[1], v.Blocks, v.Attempt)
}

// optional prints a number that may be undefined.
func optional(x *float64, format string) string {
	if x == nil {
		return "undefined"
	}
	return fmt.Sprintf(format, *x)
}
