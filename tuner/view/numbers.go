package view

import (
	"fmt"
	"math"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// Numbers returns a finished study with the numbers of its statistics, one line each: what
// the search found and claims, what the validation measured, and the verdict. Study says the
// same in sentences.
func Numbers(spec *tuner.Spec, r *tuner.Result) []Section {
	s := Section{Key: "numbers", brackets: true}
	line := func(name, format string, args ...any) { s.add(name, fmt.Sprintf(format, args...)) }
	said := func(name string, about fmt.Stringer, known bool) {
		if known {
			s.add(name, about.String())
		}
	}
	line("study", "%s (%d trials, %d games, %s)", r.Study, r.Trials, r.Games, r.Sampler)
	if b := r.Begun; b != nil {
		line("begun", "with %d games of %s (%d points, %d outside the ranges)", b.Games, b.Study, b.Points, b.Dropped)
	}
	if r.Best != nil {
		line("best", "%s (trial %d)", params(spec, r.Best.Params), r.Best.Trial)
		line("claimed", "%s by the search", claim(spec, r.Best))
	}
	if len(r.Hall) > 0 {
		var hall []string
		for _, f := range r.Hall {
			hall = append(hall, fmt.Sprintf("%d %s", f.Trial, estimate(f.Score, f.Error)))
		}
		line("hall", "%s (trials in the final and their scores)", strings.Join(hall, ", "))
	}
	s.verdict(r.Validation)
	said("duels", r.DuelResolution, r.DuelResolution != nil)
	said("common", r.Common, r.Common != nil)
	said("worth", r.Worth, r.Worth != nil)
	for _, p := range r.Front {
		text := fmt.Sprintf("%s: %s, trial %d", params(spec, p.Params), frontPoint(&p), p.Trial)
		if p.Chosen {
			text += ", chosen"
		}
		s.add("front", text)
	}
	if r.Validation != nil {
		s.add("defaults", aboveDefaults(spec, r))
	}
	for i := range r.SetBack {
		s.add("parameter", worth(&r.SetBack[i]))
	}
	for _, text := range models(spec, r) {
		s.add("model", text)
	}
	s.add("faults", faults(spec, r))
	if r.Class != "" {
		line("class", "%s: games cannot be replayed (%s)", r.Class, r.Why)
	}
	for _, n := range r.Notes {
		s.add("note", n)
	}
	s.put(Line{Label: "digest", Cell: Cell{Value: r.Digest}})
	return []Section{s}
}

// verdict adds what the validation measured and decided.
func (s *Section) verdict(v *tuner.ValidationReport) {
	if v == nil {
		s.add("verdict", "undecided: nothing to validate")
		return
	}
	s.put(validated(v))
	s.add("shrinkage", shrinkage(v))
	if v.Estimate != nil {
		s.put(estimated(v))
	}
	if v.Resolution != nil {
		s.add("resolution", v.Resolution.String())
	}
	if v.Pairs != nil {
		s.add("pairs", "every game is compared with every other, as neither player affects the other")
	}
	for _, text := range poolLines(v) {
		s.add("pool", text)
	}
	s.add("verdict", said(v.Verdict)+": "+reasonOf(v))
	s.add("about", v.About)
	if v.Replayed != nil {
		s.add("replayed", v.Replayed.String())
	}
}

// said returns a verdict as people read it: what is inconclusive in JSON is undecided.
func said(verdict string) string { return strings.Replace(verdict, "inconclusive", "undecided", 1) }

// params returns a parameter set in the order of declaration, as in "a=1 b=0.5".
func params(spec *tuner.Spec, values map[string]string) string {
	var out []string
	for _, d := range spec.Tune.Params {
		if text, ok := values[d.Name]; ok {
			out = append(out, d.Name+"="+text)
		}
	}
	return strings.Join(out, " ")
}

// goals returns the values of several objectives as a text, each with the half-width of its 95 % interval.
func goals(values []tuner.GoalValue) string {
	var out []string
	for _, v := range values {
		text := "undefined"
		if v.Value != nil {
			text = numeral.PlusMinus(*v.Value, stats.Deviate95*numeral.OrNaN(v.Error))
		}
		out = append(out, v.Name+" "+text)
	}
	return strings.Join(out, ", ")
}

// frontPoint returns what was measured of a point of the Pareto front, and where.
func frontPoint(p *tuner.FrontPoint) string {
	by := "in the final"
	if p.Final == nil {
		by = "by the search"
	}
	return fmt.Sprintf("%s (%s)", goals(p.Measured()), by)
}

// shrinkage returns what the search claimed too much.
func shrinkage(v *tuner.ValidationReport) string {
	if v.Shrinkage == nil {
		return ""
	}
	what := "Elo"
	if v.Metric != nil {
		what = "in " + v.Metric.Name
	}
	word, by := "less", strings.TrimPrefix(numeral.Elo(math.Abs(*v.Shrinkage)), "+")
	if *v.Shrinkage < 0 {
		word = "more"
	}
	if v.Metric != nil { // of which less may be better
		by = numeral.Rounded(math.Abs(*v.Shrinkage), quotedHalf(v))
		word = map[string]string{"less": "worse", "more": "better"}[word]
	}
	return fmt.Sprintf("%s measured %s %s %s than the search claimed", measuredBy(v), by, what, word)
}

// measuredBy names the games that the quoted gain is of.
func measuredBy(v *tuner.ValidationReport) string {
	if v.Estimate != nil && v.Estimate.Reason == "" && v.Objectives == nil {
		return "the games after the verdict"
	}
	return "the validation"
}

func claim(spec *tuner.Spec, b *tuner.Best) string {
	if b.Objectives != nil {
		return goals(b.Objectives)
	}
	if b.Claimed.Score == nil {
		return spec.Objective.Name() + " " + estimate(b.Value, b.Error)
	}
	return fmt.Sprintf("score %s, %s", estimate(b.Claimed.Score, b.Error), Claimed(b).Value)
}

// validated returns what the validation measured.
func validated(v *tuner.ValidationReport) Line {
	l := Line{Label: "validated"}
	if m := v.Metric; m != nil {
		width := numeral.Half(m.GainCI) // of the gain, which the two differ by
		l.Value = fmt.Sprintf("%s %s against %s", m.Name, numeral.Rounded(numeral.OrNaN(m.Winner), width), numeral.Rounded(numeral.OrNaN(m.Baseline), width))
		if m.GainCI != nil {
			l.Value += ", gain " + numeral.Rounded(numeral.OrNaN(m.Gain), width)
			l.Interval = between(m.GainCI[0], m.GainCI[1]).at(100 * (1 - 2*v.Alpha))
		}
		return l
	}
	if v.Elo == nil || v.CI95 == nil {
		l.Value = "no estimate from " + differing(v.Blocks, v.Distinct)
		return l
	}
	l.Cell = scored(v.Score, v.ScoreCI, *v.Elo, v.CI95)
	l.Note = fmt.Sprintf("%s on new seeds, attempt %d at this question in this database", differing(v.Blocks, v.Distinct), v.Attempt)
	return l
}

// estimated returns what was measured after the verdict.
func estimated(v *tuner.ValidationReport) Line {
	e, l := v.Estimate, Line{Label: "quote"}
	games := fmt.Sprintf("%d blocks that had no part in the verdict", e.Blocks)
	if e.Whole {
		games += fmt.Sprintf(", and the %d of the verdict, corrected because only good results pass", v.Blocks)
	}
	switch m := e.Metric; {
	case m != nil && m.GainCI != nil:
		l.Value = fmt.Sprintf("gain %s in %s", numeral.Rounded(numeral.OrNaN(m.Gain), numeral.Half(m.GainCI)), m.Name)
		l.Interval = between(m.GainCI[0], m.GainCI[1])
	case e.Elo != nil:
		l.Cell = scored(e.Score, e.ScoreCI, *e.Elo, e.CI95)
	default:
		l.Value, games = "nothing from "+games, e.Reason
	}
	l.Note = games
	return l
}

// differing returns a number of blocks and how many of them are different, where that was
// counted.
func differing(blocks, distinct int64) string {
	if distinct <= 0 {
		return fmt.Sprintf("%d blocks", blocks)
	}
	return fmt.Sprintf("%d blocks (%d distinct)", blocks, distinct)
}

// signed returns a difference in Elo, rounded to the half-width of its interval.
func signed(x, half float64) string {
	text := numeral.Rounded(x, half)
	if x > 0 && strings.Trim(text, "0.") != "" {
		text = "+" + text
	}
	return text
}

// Claimed returns the difference in Elo that the search claims.
func Claimed(b *tuner.Best) Cell {
	if b.Claimed.Elo == nil {
		return Cell{Value: estimate(nil, nil)}
	}
	return gained(*b.Claimed.Elo, nil)
}

// estimate returns a value that may be undefined, rounded to the half-width of its
// 95 % interval where its standard error is known.
func estimate(x, standardError *float64) string {
	if x == nil {
		return "undefined"
	}
	return numeral.Rounded(*x, stats.Deviate95*numeral.OrNaN(standardError))
}

// scored returns a score with the Elo of it.
func scored(score *float64, within *[2]float64, elo float64, ci *[2]float64) Cell {
	half := stats.Interval{}
	if within != nil {
		half = stats.Interval{Lo: stats.Known(within[0]), Hi: stats.Known(within[1])}
	}
	c := gained(elo, ci)
	c.Value = fmt.Sprintf("score %s, %s", measured(stats.Known(numeral.OrNaN(score)), half, 4).Value, c.Value)
	return c
}

// Ordinal returns a number as a place: first, second, third, 4th.
func Ordinal(n int) string {
	if n >= 1 && n <= 3 {
		return []string{"first", "second", "third"}[n-1]
	}
	if tens := n / 10 % 10; tens != 1 && n%10 > 0 && n%10 < 4 {
		return fmt.Sprintf("%d%s", n, []string{"st", "nd", "rd"}[n%10-1])
	}
	return fmt.Sprintf("%dth", n)
}
