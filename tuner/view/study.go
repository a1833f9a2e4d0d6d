package view

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/insight"
	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
)

// Study returns a finished study in sentences: what was found ("answer"), how much better it is
// and how sure that is ("proof"), what the search believed and which candidates cannot be
// distinguished ("search"), "parameters", "front" and "notes". Then come what it cost and what
// to do next ("end"), what its games tell ("games"), its "digest", and its answer as pages have
// it ("head").
func Study(spec *tuner.Spec, r *tuner.Result) []Section {
	answer, proof, search := Section{Key: "answer"}, Section{Key: "proof"}, Section{Key: "search"}
	answer.add("Result", outcome(spec, r))
	if r.Best != nil {
		answer.add("Found", found(spec, r))
	}
	if v := r.Validation; v != nil {
		proof.add("Worst", worstLine(&spec.Objective, v))
		proof.put(gain(&spec.Objective, spec.Validation.Elo[0], v))
		proof.add("Defaults", aboveDefaults(spec, r))
		proof.add("How sure", certainty(spec, v))
		for _, text := range poolLines(v) {
			proof.add("Pool", text)
		}
		for i := range v.Limits {
			proof.add("Limit", limited(&v.Limits[i]))
		}
		proof.add("Checked", checked(v))
	}
	if r.Class != "" {
		search.add("Games", fmt.Sprintf("%s: games cannot be replayed (%s). What was played is kept.", r.Class, r.Why))
	}
	search.add("Faults", faults(spec, r))
	search.add("Begun", begun(r))
	search.add("Search", believed(spec, r))
	search.add("As good", equals(spec, r))
	parameters, front, notes := Section{Key: "parameters"}, Section{Key: "front"}, Section{Key: "notes"}
	for i := range r.SetBack {
		parameters.add("Parameter", worth(&r.SetBack[i]))
	}
	parameters.add("Parameter", unmeasured(spec, r))
	for _, text := range models(spec, r) {
		parameters.add("Model", text)
	}
	for i := range r.Front {
		label := "Front"
		if r.Front[i].Chosen {
			label = "Chosen"
		}
		front.add(label, setting(spec, r.Front[i].Params)+": "+frontPoint(&r.Front[i]))
	}
	if r.FrontBaseline != nil {
		front.add("Baseline", goals(r.FrontBaseline)+" (in its games against the chosen point)")
	}
	for _, n := range r.Notes {
		notes.add("Note", Noted(n))
	}
	end, digest := Section{Key: "end"}, Section{Key: "digest"}
	end.add("Cost", cost(r))
	end.add("Next", next(spec, r))
	digest.put(Line{Label: "Digest", Cell: Cell{Value: r.Digest}})
	about := service.About{Objective: spec.Objective, Validation: spec.Validation, Pooled: spec.Evaluate != nil, Result: r}
	head := AnswerOf(service.Study{State: string(tuner.Done), About: about}).section()
	return []Section{answer, proof, search, parameters, front, notes, end, informative(r), digest, head}
}

// cost returns what a study took, and why not all of its budget.
func cost(r *tuner.Result) string {
	games, rest := grouped(r.Games)+" games in all", ""
	if u := r.Unplayed; u != nil {
		games = fmt.Sprintf("%s of %s games", grouped(r.Games), grouped(r.Games+u.Games))
		rest = fmt.Sprintf(" %s were not played: %s.", grouped(u.Games), strings.Join(u.Why, "; "))
	}
	return fmt.Sprintf("%s, for %s (sampler %s).%s", games, numeral.Counted(int64(r.Trials), "trial"), r.Sampler, rest)
}

// longNumber finds numbers with more digits than people read.
var longNumber = regexp.MustCompile(`-?\b[0-9]+\.[0-9]{5,}\b`)

// Noted returns a note with long numbers rounded.
func Noted(note string) string { return longNumber.ReplaceAllStringFunc(note, short) }

// PageNote returns a note for the page of a study, empty of one that says what the page tells with the
// excluded trials.
func PageNote(note string) string {
	if strings.HasPrefix(note, "a limit excludes") {
		return ""
	}
	return Typeset(sentence(Noted(note), ""))
}

// begun names the study with whose games the search began.
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

// outcome returns the verdict.
func outcome(spec *tuner.Spec, r *tuner.Result) string {
	v := r.Validation
	if v == nil {
		return fmt.Sprintf("%s is undecided: the search found nothing to validate.", r.Study)
	}
	it, is := "its answer", "is"
	if d := defaultsOf(r); d != nil && d.Won {
		it, is = "the defaults of "+spec.Tune.Strategy+", which won the final,", "are"
	}
	switch v.Verdict {
	case "pass":
		doubt := v.Doubt(spec.Validation.Elo[0])
		if doubt != "" && doubt != unclear {
			return fmt.Sprintf("%s passed, but the games after the verdict do not confirm that %s %s %s: its gain is small, or it is one of the few false passes.", r.Study, it, is, proved(spec, v))
		}
		if defaultsOf(r).weaker() {
			return fmt.Sprintf("%s passed: its answer is %s, but weaker than the defaults of %s.", r.Study, proved(spec, v), spec.Tune.Strategy)
		}
		if w := worstOf(&spec.Objective, v); w.weaker() {
			return fmt.Sprintf("%s passed: its answer is %s, but weaker than the worst of its opponents.", r.Study, proved(spec, v))
		} else if !w.shown() {
			return fmt.Sprintf("%s passed: its answer is %s, but not shown to be stronger than the worst of its opponents.", r.Study, proved(spec, v))
		}
		text := fmt.Sprintf("%s passed: %s %s %s", r.Study, it, is, proved(spec, v))
		if doubt == unclear {
			text += "; the size of the gain is unclear, " + atMost(v)
		}
		return text + "."
	case "fail":
		if t := v.Test; t != nil && t.Below >= t.Fails {
			return fmt.Sprintf("%s failed: %s %s not %s.", r.Study, it, is, promised(spec))
		}
		return fmt.Sprintf("%s failed: %s.", r.Study, reasonOf(v))
	}
	switch {
	case v.Reason == tuner.ItIsTheBaseline:
		return fmt.Sprintf("%s is undecided: the search found nothing better than the baseline, which is its answer.", r.Study)
	case even(v):
		return fmt.Sprintf("%s is undecided: all %d blocks came out even, as if %s played like the baseline.", r.Study, v.Blocks, it)
	}
	if t := v.Test; t != nil && t.Below < t.Fails && t.Above < t.Needs {
		still := "that " + map[string]string{"is": "it is ", "are": "they are "}[is] + promised(spec)
		if high := spec.Validation.Elo[1]; high > 0 {
			still = "a gain of " + numeral.Text(high) + " Elo"
		}
		return fmt.Sprintf("%s is undecided: its games neither show that %s %s %s nor rule out %s.", r.Study, it, is, proved(spec, v), still)
	}
	return fmt.Sprintf("%s is undecided: %s.", r.Study, reasonOf(v))
}

// reasonOf returns the reason of a verdict with a number of blocks of which no more than two digits are known.
func reasonOf(v *tuner.ValidationReport) string {
	reason := v.Reason
	if before, rest, ok := strings.Cut(reason, "to prove the "); ok { // a gain as everywhere
		seen, after, _ := strings.Cut(rest, " Elo")
		x, err := strconv.ParseFloat(seen, 64)
		if _, elo, _ := v.Quoted(); err == nil && elo != nil && numeral.Elo(*elo) != numeral.Elo(x) { // one number is told
			reason = before + "to prove the gain that was seen" + strings.Replace(strings.TrimPrefix(after, " that were seen"), "they are", "it is", 1)
		} else if err == nil && math.Abs(x) >= 0.5 {
			reason = before + "to prove the " + numeral.Elo(x) + " Elo" + after
		}
	}
	before, after, ok := strings.Cut(reason, "takes about ")
	number, rest, _ := strings.Cut(after, " ")
	blocks, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || blocks < 100 {
		return reason
	}
	return before + "takes about " + about(blocks) + " " + rest
}

// even reports whether no block of a validation was better for one of the two.
func even(v *tuner.ValidationReport) bool { return v.Metric == nil && v.Score == nil && v.Blocks > 0 }

// proved returns what a pass says of the winner.
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

// promised returns the gain that a pass proves and a fail rules out.
func promised(spec *tuner.Spec) string {
	if high := spec.Validation.Elo[1]; high > 0 {
		return fmt.Sprintf("better than the baseline by %s Elo", numeral.Text(high))
	}
	return "as strong as the baseline"
}

// reference returns what a metric is compared with.
func reference(spec *tuner.Spec) string {
	if spec.Baseline == "" {
		return "the strategy's defaults"
	}
	return "the baseline"
}

// found returns the winner and what it was compared with.
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
		text += " The baseline is another strategy, " + cmp.Or(r.Baseline, name) + "."
	}
	return text
}

// baselineValue returns a parameter's value in a baseline of the tuned strategy.
func baselineValue(spec *tuner.Spec, name string) (string, bool) {
	values, _ := insight.Baseline(spec)
	value, ok := values[name]
	return value, ok
}

// baseline returns the baseline with its values of what is tuned, or of another strategy
// its first ones, and how many it has beside them: an engine has dozens.
func baseline(spec *tuner.Spec) string {
	strategy, values, ok := strings.Cut(strings.TrimSuffix(spec.Baseline, ")"), "(")
	if !ok {
		return spec.Baseline
	}
	var shown []string
	all := strings.Split(values, ",")
	for _, pair := range all {
		name, _, _ := strings.Cut(pair, "=")
		if strategy != spec.Tune.Strategy || slices.ContainsFunc(spec.Tune.Params, func(d tuner.Dimension) bool { return d.Name == name }) {
			shown = append(shown, pair)
		}
	}
	more := len(all) - min(len(shown), mostListed)
	if text := strings.Join(shown[:min(len(shown), mostListed)], ", "); more == 0 {
		return strategy + "(" + text + ")"
	} else if text != "" {
		return fmt.Sprintf("%s(%s, and %d more)", strategy, text, more)
	}
	return fmt.Sprintf("%s(%d values)", strategy, more)
}

// short returns a value with at most four significant digits where it is a long number.
func short(value string) string {
	if x, err := strconv.ParseFloat(value, 64); err == nil && len(value) > 7 && strings.Contains(value, ".") {
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	return value
}

// alike reports whether two values are the same number but for its last digits: a search
// moves in shares of a range.
func alike(a, b string) bool {
	x, err := strconv.ParseFloat(a, 64)
	y, other := strconv.ParseFloat(b, 64)
	return err == nil && other == nil && math.Abs(x-y) <= 1e-9*math.Max(math.Abs(x), math.Abs(y))
}

// certainty returns the chance of error of a pass, or of a test that failed.
func certainty(spec *tuner.Spec, v *tuner.ValidationReport) string {
	if t := v.Test; v.Verdict == "fail" && t != nil && t.Below >= t.Fails && spec.Validation.Beta > 0 {
		return fmt.Sprintf("If the answer were %s, the chance of a fail would be at most %s %%.", promised(spec), numeral.Text(100*spec.Validation.Beta))
	}
	if v.Verdict != "pass" || v.Alpha <= 0 {
		return ""
	}
	low, so := spec.Validation.Elo[0], "no better than the baseline"
	switch {
	case v.Metric != nil:
		so = fmt.Sprintf("no better than %s in %s", reference(spec), v.Metric.Name)
	case low > 0:
		so = fmt.Sprintf("no more than %s Elo better than the baseline", numeral.Text(low))
	case low < 0:
		so = fmt.Sprintf("%s Elo weaker than the baseline", numeral.Text(-low))
	}
	text := fmt.Sprintf("If the answer were %s, the chance of a pass would be at most %s %%.", so, numeral.Text(math.Ceil(1e4*v.Alpha)/100))
	if v.Attempt > 1 {
		text += fmt.Sprintf(" This is attempt %d at this question in this database; each further attempt has a stricter test.", v.Attempt)
		if v.Attempt > 2 {
			text += " " + uncounted
		}
	}
	return text
}

// limited reports what the winner measured of a limited metric.
func limited(l *tuner.LimitValue) string {
	name, bound, _ := strings.Cut(l.Limit, " at ")
	of := map[bool]string{true: " times the baseline's"}[strings.HasSuffix(bound, " times the baseline's")]
	measured := goals([]tuner.GoalValue{{Name: name, Value: l.Value, Error: l.Error}})
	return fmt.Sprintf("%s%s in the validation (95 %%); the limit is at %s.", measured, of, bound)
}

// varied says what helps where games do not vary, so that no test can tell.
const varied = "Run it again with wider ranges, or with rules under which chance makes the games different."

// uncounted says at the third attempt and later how to try without counting.
const uncounted = "Only tries whose answer is not used belong in a database of their own (--db FILE)."

// checked returns what was played a second time before the verdict.
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

// setting returns a parameter set with short numbers.
func setting(spec *tuner.Spec, values map[string]string) string {
	rounded := map[string]string{}
	for name, value := range values {
		rounded[name] = short(value)
	}
	return params(spec, rounded)
}

// next returns what the owner may do now.
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
		if doubt := v.Doubt(spec.Validation.Elo[0]); doubt != "" && doubt != unclear {
			return fmt.Sprintf("Let more games decide (budget.games) before you use it. sakusen export %s writes the parameters.", r.Study)
		}
		if d := defaultsOf(r); d.weaker() {
			return fmt.Sprintf("Keep the defaults, or run it again above them (baseline: %s). sakusen export %s still writes the weaker answer.", spec.Tune.Strategy, r.Study)
		}
		if !worstOf(&spec.Objective, v).shown() {
			return fmt.Sprintf("Look at its opponents. sakusen export %s writes the parameters, which are proved against the baseline alone.", r.Study)
		}
		return fmt.Sprintf("sakusen export %s writes the parameters.", r.Study)
	}
	again := fmt.Sprintf("A study under a new name that asks the same question counts as attempt %d, and is tested more strictly", v.Attempt+1)
	if v.Attempt > 1 {
		again += ". " + strings.TrimSuffix(uncounted, ".")
	}
	if late(r) {
		return inTime + " " + again + "."
	}
	if v.Verdict == "fail" && spec.Validation.Kind != "regression" && gains(v) && worstOf(&spec.Objective, v).shown() {
		return "It gains, but less than was asked: ask for a smaller gain (validation.gain_elo), and run it again. " + again + "."
	}
	if v.Verdict == "fail" {
		return "Keep what you had. " + again + "."
	}
	if even(v) {
		return fmt.Sprintf("Keep what you had, and check whether these parameters change any game of %s. %s.", spec.Tune.Strategy, again)
	}
	if !service.Provable(r) {
		return varied + " " + again + "."
	}
	if _, takes, ok := strings.Cut(reasonOf(v), "; to prove "); ok && v.Test != nil {
		return "To prove " + takes + " (validation.max_blocks, budget.games). " + again + "."
	}
	return again + "."
}

// informative returns what the games of a finished study tell of openings, deals and
// maps, and of ways to compare.
func informative(r *tuner.Result) Section {
	out := Section{Key: "games"}
	if v := r.Validation; v != nil && known(v.Resolution) {
		what := "of this study's validation"
		if v.Pairs != nil {
			what += ", compared with every other,"
		}
		out.add("A game", tells(what, v.Resolution))
	}
	if d := r.DuelResolution; known(d) {
		out.add("A game", tells("of this study's duels", d))
	}
	if r.Worth != nil {
		out.add("Worth", sentence(r.Worth.String(), ""))
	}
	return out
}

// known reports whether a game tells anything.
func known(r *tuner.Resolution) bool { return r != nil && r.Proof != nil }

// tells reports what a game tells.
func tells(which string, r *tuner.Resolution) string {
	n, _ := strconv.ParseFloat(strconv.FormatFloat(*r.Proof, 'g', 3, 64), 64) // more digits are not known
	return fmt.Sprintf("One game %s tells %.2f normalised Elo for each Elo between the players: to prove 10 Elo takes about %s games. Openings, deals or maps that need fewer games tell more.",
		which, *r.PerElo, grouped(int64(math.Round(n))))
}
