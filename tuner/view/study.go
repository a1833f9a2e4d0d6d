package view

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
)

// labelled is the width of the column of labels.
const labelled = 14

// Study writes the result of a finished study in sentences: what was found, how much
// better it is and how sure that is, what the search believed, which candidates cannot
// be told apart, what it cost and what to do next.
func Study(w io.Writer, spec *tuner.Spec, r *tuner.Result) error {
	return write(w, append(Sentences(spec, r), Sentence{"Digest", r.Digest}))
}

// Shown is Study with what the games of the study tell.
func Shown(w io.Writer, spec *tuner.Spec, r *tuner.Result) error {
	all := append(Sentences(spec, r), Telling(spec, r)...)
	return write(w, append(all, Sentence{"Digest", r.Digest}))
}

// write writes sentences, each with its label.
func write(w io.Writer, all []Sentence) error {
	var b strings.Builder
	for _, s := range all {
		fmt.Fprintf(&b, "%-*s%s\n", labelled, s.Label, Wrap(s.Text, strings.Repeat(" ", labelled), Width))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Sentence is a part of a report: what it is about, and what it says.
type Sentence struct{ Label, Text string }

// Alone is the text where its label does not stand beside it: one that goes on from it
// begins with it.
func (s Sentence) Alone() string {
	if r, _ := utf8.DecodeRuneInString(s.Text); unicode.IsLower(r) {
		return s.Label + ": " + s.Text
	}
	return s.Text
}

// Sentences are the report of a finished study, for whoever shows it.
func Sentences(spec *tuner.Spec, r *tuner.Result) []Sentence {
	var out []Sentence
	say := func(label, text string) {
		if text != "" {
			out = append(out, Sentence{label, text})
		}
	}
	say("Result", outcome(spec, r))
	if r.Best != nil {
		say("Found", found(spec, r))
	}
	if v := r.Validation; v != nil {
		say("How much", gain(v))
		say("How sure", certainty(v))
		for i := range v.Pool {
			say("Pool", standing(&v.Pool[i]))
		}
		say("Checked", checked(v))
	}
	if r.Class != "" {
		say("Games", fmt.Sprintf("%s: games cannot be replayed (%s). What was played is kept.", r.Class, r.Why))
	}
	say("Begun", begun(r))
	say("Search", believed(spec, r))
	say("As good", equals(spec, r))
	for _, k := range mostImportant(r.Parameters) {
		say("Parameter", k.String()+".")
	}
	say("Parameter", untold(r.Parameters))
	for i := range r.Front {
		label := "Front"
		if r.Front[i].Chosen {
			label = "Chosen"
		}
		say(label, frontPoint(spec, &r.Front[i]))
	}
	for _, n := range r.Notes {
		say("Note", n)
	}
	say("Cost", fmt.Sprintf("%s games in all, for %d parameter sets (sampler %s).", grouped(r.Games), r.Trials, r.Sampler))
	say("Next", next(spec, r))
	return out
}

// begun says with whose games the search began.
func begun(r *tuner.Result) string {
	b := r.Begun
	if b == nil {
		return ""
	}
	text := fmt.Sprintf("begun with %s games of study %s, at %d points", grouped(b.Games), b.Study, b.Points)
	if b.Dropped > 0 {
		text += fmt.Sprintf("; %d points lie outside the ranges of this study and were left out", b.Dropped)
	}
	if r.Validation != nil {
		return fmt.Sprintf("Attempt %d at the same question, %s. The proof has none of these games.", r.Validation.Attempt, text)
	}
	return "The search was " + text + "."
}

// outcome is the verdict.
func outcome(spec *tuner.Spec, r *tuner.Result) string {
	v := r.Validation
	if v == nil {
		return fmt.Sprintf("%s is undecided: the search found nothing to validate.", r.Study)
	}
	switch v.Verdict {
	case "pass":
		return fmt.Sprintf("%s passed: what it found is %s.", r.Study, proved(spec, v))
	case "fail":
		if t := v.Test; t != nil && t.Below >= t.Fails {
			return fmt.Sprintf("%s failed: what it found is not %s.", r.Study, promised(spec))
		}
		return fmt.Sprintf("%s failed: %s.", r.Study, v.Reason)
	}
	switch {
	case v.Reason == tuner.ItIsTheBaseline:
		return fmt.Sprintf("%s is undecided: the search found nothing better than the baseline, which is its answer.", r.Study)
	case v.Metric == nil && v.Score == nil && v.Blocks > 0:
		return fmt.Sprintf("%s is undecided: all %d blocks came out even, as if what it found played like the baseline.", r.Study, v.Blocks)
	}
	if t := v.Test; t != nil && t.Below < t.Fails && t.Above < t.Needs {
		return fmt.Sprintf("%s is undecided: its games can neither show nor rule out that what it found is %s.", r.Study, promised(spec))
	}
	return fmt.Sprintf("%s is undecided: %s.", r.Study, v.Reason)
}

// proved is what a pass says of the winner.
func proved(spec *tuner.Spec, v *tuner.ValidationReport) string {
	low := spec.Validation.Elo[0]
	switch {
	case v.Metric != nil:
		return fmt.Sprintf("better than %s in %s", reference(spec), v.Metric.Name)
	case low < 0:
		return fmt.Sprintf("no more than %s Elo weaker than the baseline", numeral.Text(-low))
	case low > 0:
		return fmt.Sprintf("more than %s Elo better than the baseline", numeral.Text(low))
	}
	return "better than the baseline"
}

// promised is what a pass would have had to be, and a fail rules out.
func promised(spec *tuner.Spec) string {
	if high := spec.Validation.Elo[1]; high > 0 {
		return fmt.Sprintf("better than the baseline by %s Elo", numeral.Text(high))
	}
	return "as strong as the baseline"
}

// reference is what a metric is compared with.
func reference(spec *tuner.Spec) string {
	if spec.Baseline == "" {
		return "the strategy's defaults"
	}
	return "the baseline"
}

// found is the winner and what it was compared with.
func found(spec *tuner.Spec, r *tuner.Result) string {
	var changes []string
	for _, d := range spec.Tune.Params {
		value, ok := r.Best.Params[d.Name]
		if !ok {
			continue
		}
		change := d.Name + "=" + short(value)
		before, ok := baselineValue(spec, d.Name)
		if before = d.Searched(before); ok && (d.Played(before) == d.Played(value) || alike(before, value)) {
			change += " (as before)"
		} else if ok {
			change += " instead of " + short(before)
		}
		changes = append(changes, change)
	}
	text := strings.Join(changes, ", ") + "."
	if name, _, _ := strings.Cut(spec.Baseline, "("); name != "" && name != spec.Tune.Strategy {
		text += " The baseline is " + strings.ReplaceAll(spec.Baseline, ",", ", ") + "."
	}
	return text
}

// baselineValue is a parameter's value in a baseline of the tuned strategy.
func baselineValue(spec *tuner.Spec, name string) (string, bool) {
	strategy, values, _ := strings.Cut(strings.TrimSuffix(spec.Baseline, ")"), "(")
	if strategy != spec.Tune.Strategy {
		return "", false
	}
	for _, pair := range strings.Split(values, ",") {
		if value, ok := strings.CutPrefix(pair, name+"="); ok {
			return value, true
		}
	}
	return "", false
}

// short is a value with at most four significant digits where it is a long number.
func short(value string) string {
	if x, err := strconv.ParseFloat(value, 64); err == nil && len(value) > 7 && strings.Contains(value, ".") {
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	return value
}

// alike tells whether two values are the same number but for its last digits: a search
// moves in shares of a range.
func alike(a, b string) bool {
	x, err := strconv.ParseFloat(a, 64)
	y, other := strconv.ParseFloat(b, 64)
	return err == nil && other == nil && math.Abs(x-y) <= 1e-9*math.Max(math.Abs(x), math.Abs(y))
}

// gain is by how much the winner was better on games that the search has not seen.
func gain(v *tuner.ValidationReport) string {
	if m := v.Metric; m != nil {
		if m.Winner == nil || m.GainCI == nil {
			return ""
		}
		width := half(m.GainCI)
		low, high := numeral.Interval(m.GainCI[0], m.GainCI[1])
		return fmt.Sprintf("%s %s in place of %s: a gain of %s, and with %s %% confidence between %s and %s. Measured on %s.",
			m.Name, numeral.Rounded(*m.Winner, width), numeral.Rounded(numeral.OrNaN(m.Baseline), width), numeral.Rounded(numeral.OrNaN(m.Gain), width),
			numeral.Text(100*(1-2*v.Alpha)), low, high, unseen(v))
	}
	if v.Elo == nil || v.CI95 == nil || v.Score == nil {
		return ""
	}
	low, high := numeral.Interval(v.CI95[0], v.CI95[1])
	text := fmt.Sprintf("%s Elo against the baseline (%.1f %% of the points), and with 95 %% confidence between %s and %s. Measured on %s.",
		signed(*v.Elo, half(v.CI95)), 100**v.Score, low, high, unseen(v))
	if v.Given != nil && signed(*v.Given, half(v.CI95)) != signed(*v.Elo, half(v.CI95)) {
		text += fmt.Sprintf(" As only studies that pass are reported, expect %s.", signed(*v.Given, half(v.CI95)))
	}
	return text
}

// unseen is what the validation played.
func unseen(v *tuner.ValidationReport) string {
	if v.Pairs != nil {
		return fmt.Sprintf("%d blocks that the search has not seen, every game compared with every other, as both play alone", v.Blocks)
	}
	if v.Distinct > 0 && v.Distinct < v.Blocks {
		return fmt.Sprintf("%d blocks that the search has not seen, of which %d are different", v.Blocks, v.Distinct)
	}
	return fmt.Sprintf("%d blocks that the search has not seen", v.Blocks)
}

// certainty is the chance of error of a pass.
func certainty(v *tuner.ValidationReport) string {
	if v.Verdict != "pass" || v.Alpha <= 0 {
		return ""
	}
	text := fmt.Sprintf("If it were not so, a pass would have had a chance of at most %s %%.", numeral.Text(math.Ceil(1e4*v.Alpha)/100))
	if v.Attempt > 1 {
		text += fmt.Sprintf(" This is attempt %d at this question in this database, and was tested the more strictly for it.", v.Attempt)
	}
	return text
}

// checked is what was played a second time before the verdict.
func checked(v *tuner.ValidationReport) string {
	r := v.Replayed
	if r == nil || r.Blocks == 0 {
		return ""
	}
	text := fmt.Sprintf("%d of the %d blocks were played a second time, and were the same games.", r.Blocks, r.Of)
	if r.OneIn > 1 {
		text += fmt.Sprintf(" A player that plays 1 block in %d differently would have been found with a chance of 95 %%.", r.OneIn)
	}
	return text
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
	return "of " + strings.Join(names, ", ") + " these games do not tell whether any value is better than another."
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

// setting is a parameter set with short numbers.
func setting(spec *tuner.Spec, values map[string]string) string {
	rounded := map[string]string{}
	for name, value := range values {
		rounded[name] = short(value)
	}
	return Params(spec, rounded)
}

// next is what the owner may do now.
func next(spec *tuner.Spec, r *tuner.Result) string {
	v := r.Validation
	if v == nil {
		if len(spec.Objective.Limits) > 0 {
			return fmt.Sprintf("sakusen study show %s tells what each parameter set measured; looser limits (objective.limits) or a wider space may hold one.", r.Study)
		}
		return ""
	}
	if v.Reason == tuner.ItIsTheBaseline {
		return "Keep what you had, or let the study search more widely (tune.params, budget.games)."
	}
	if v.Verdict == "pass" {
		return fmt.Sprintf("sakusen export %s writes the parameters.", r.Study)
	}
	again := fmt.Sprintf("A study under a new name that asks the same question counts as attempt %d", v.Attempt+1)
	if spec.Validation.Attempts == "" {
		again += ", and is tested more strictly"
	}
	if v.Verdict == "fail" {
		return "Keep what you had. " + again + "."
	}
	if _, takes, ok := strings.Cut(v.Reason, "; to prove "); ok && v.Test != nil {
		return "To prove " + takes + " (validation.max_blocks, budget.games). " + again + "."
	}
	return again + "."
}

// grouped is a whole number with spaces between groups of three digits.
func grouped(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + " " + text[i:]
	}
	return text
}
