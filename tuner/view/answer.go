package view

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/insight"
	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
	"sakusen/tuner/stats"
)

// Answer is what a study has found: what a reader wants to know first.
type Answer struct {
	// Tone is the class of the colour, which only a test decides: good, bad, warn;
	// plain for what is only thought, or not known yet.
	Tone       string
	Sign, Word string // such as "✓" and "Passed"
	Gain       Cell   // the gain, its interval, and what it is above
	Text       string // a sentence
	Next       string // what can be done now, a sentence
	Fine       string // how it was tested
	Details    string // the message of a failure, whole, where the text is shorter
	Repeats    bool   // resumed as it is, it would fail in the same way
}

// Proves reports whether more blocks are what helps next, and Again whether another run is.
func (a *Answer) Proves() bool { return strings.HasPrefix(a.Next, "Prove further") }
func (a *Answer) Again() bool {
	return a.Repeats || !a.Proves() && a.Tone != "good" && strings.Contains(strings.ToLower(a.Next), "run it again")
}

// section returns the answer as lines ("head").
func (a *Answer) section() Section {
	s := Section{Key: "head", silent: true}
	s.add("Verdict", a.Word)
	s.put(Line{Label: "Gain", Cell: a.Gain})
	s.add("Told", a.Text)
	s.add("Next", a.Next)
	s.add("Tested", a.Fine)
	s.add("Details", a.Details)
	return s
}

// Big returns the gain for the headline of a page.
func (a *Answer) Big() string { return Typeset(a.Gain.Value) }

// Small returns for a page the interval of the gain, with what it is above.
func (a *Answer) Small() string {
	text := a.Gain.Note
	if i := a.Gain.Interval; i != nil && i.Unit != "" {
		text += fmt.Sprintf("; %s (%s %%)", i.Ends(), i.Level)
	} else if i != nil {
		text = fmt.Sprintf("%s (%s %%) %s", i.Ends(), i.Level, text)
	}
	return Typeset(text)
}

// AnswerOf reports what a study has found.
func AnswerOf(s service.Study) *Answer {
	r := s.About.Result
	switch {
	case s.State == "failed":
		f := failureOf(s.Message)
		a := &Answer{Tone: "bad", Sign: "!", Word: "Failed with an error", Text: f.what, Next: f.cure, Repeats: f.repeat}
		if !f.repeat {
			a.Next += fmt.Sprintf(" Resume goes on from trial %d; nothing that was played is lost.", s.Trials)
		}
		if sentence(s.Message, f.what) != f.what {
			a.Details = s.Message
		}
		return a
	case s.State != "done" || r == nil:
		return underWay(s)
	case r.Best == nil:
		return &Answer{Tone: "warn", Sign: "?", Word: "No answer", Text: sentence(strings.Join(r.Notes, ". "), "No candidate can be the answer."),
			Next: "Widen the ranges or the limits, and run it again."}
	case r.Validation == nil:
		return &Answer{Tone: "warn", Sign: "?", Word: "Not tested", Gain: Cell{Value: claimed(r), Note: "claimed by the search, which is too high: it is the best of many"},
			Text: "Nothing was validated: the games ended before.", Next: "Run it again with more games."}
	}
	return proof(s, r)
}

// proof returns the answer of a study that came to a verdict.
func proof(s service.Study, r *tuner.Result) *Answer {
	v := r.Validation
	worst := worstOf(&s.About.Objective, v)
	a := &Answer{}
	switch v.Verdict {
	case "pass":
		a = &Answer{Tone: "good", Sign: "✓", Word: "Passed", Next: "Export it, or put it into your program."}
		if s.About.Validation.Kind == "regression" {
			a.Word = "Passed, no worse"
		}
	case "fail":
		a = &Answer{Tone: "bad", Sign: "✗", Word: "Failed, not better", Next: "Keep the baseline, or run it again with wider ranges or a larger budget."}
		switch high := s.About.Validation.Elo[1]; {
		case s.About.Validation.Kind == "regression":
			a.Word = "Failed, weaker"
		case gains(v) && worst.shown(): // the test was for a larger gain
			a.Word, a.Next = "Failed, gains less than asked", "It gains, but not what was to be proved. Ask for a smaller gain, and run it again."
		case v.CI95 != nil && v.CI95[1] > 0 && high > 0: // only that much is ruled out
			a.Word = "Failed, not better by " + numeral.Text(high) + " Elo"
		}
	default:
		a = &Answer{Tone: "warn", Sign: "?", Word: "Undecided", Next: "Prove further, with more blocks on new seeds; before it starts, you see how many games and which share of alpha that takes."}
	}
	a.Gain = Asked(&s.About.Objective, v)
	a.Text = heldOut(s, r) + pooled(s, r)
	doubt := v.Doubt(s.About.Validation.Elo[0])
	if doubt == unclear {
		a.Word += ", " + doubt
		a.Text += " They are too few to show by themselves what the test has proved with others; the gain is " + atMost(v) + "."
		if worst == nil {
			a.Gain.Note += ", by games after the proof alone"
		}
	}
	if worst != nil && !worst.Baseline {
		for _, o := range Opponents(v) {
			if o.Baseline {
				a.Text = strings.TrimSpace(a.Text + " Against " + o.String() + ".")
			}
		}
	}
	switch {
	case v.Verdict != "pass":
	case doubt != "" && doubt != unclear:
		a.Tone, a.Sign, a.Word, a.Next = "warn", "?", "Passed, "+doubt, "Before you use it, let more games decide: run it again with a larger budget. The games after the verdict do not confirm it: its gain is small, or it is one of the few false passes."
	case worst.weaker():
		a.Tone, a.Sign, a.Word, a.Next = "bad", "✗", "Passed, weaker than one", "Keep the baseline where that opponent counts, or run it again with wider ranges or a larger budget."
	case !worst.shown():
		a.Tone, a.Sign, a.Word, a.Next = "warn", "?", "Passed, worst undecided", "Look at its opponents: it is stronger than the baseline, and the one it does worst against, which the study asks about, may still be stronger than the answer."
	}
	if d := defaultsOf(r); v.Verdict == "pass" && d != nil && (d.Won || d.weaker()) {
		a.Text += " " + sentence(d.String(), "")
		if a.Next = "The search found nothing better than the defaults: keep them."; d.weaker() {
			if a.Tone == "good" {
				a.Tone, a.Word = "warn", "Passed, below defaults"
			}
			a.Next = "Keep the defaults, which are stronger, or run it again with them as the baseline."
		}
	}
	if told := v.Verdict == "pass" || v.Verdict == "fail"; !told && !service.Provable(r) {
		a.Next = varied
	} else if !told && strings.HasSuffix(v.Reason, stats.NoGainSeen) {
		a.Text, a.Next = a.Text+" "+undecided(s.About.Validation.Elo[0], v), "Keep the baseline, or run it again with wider ranges or a larger budget."
	} else if !told {
		a.Text += " " + undecided(s.About.Validation.Elo[0], v)
	}
	if v.Verdict != "pass" && late(r) {
		a.Next = inTime
	}
	a.Fine = tested(s, v)
	return a
}

// gains reports whether an answer that failed its test is still better than the baseline.
func gains(v *tuner.ValidationReport) bool { return v.CI95 != nil && v.CI95[0] > 0 }

// Blocks returns the number of blocks of the gain to quote.
func Blocks(v *tuner.ValidationReport) int64 {
	switch e := v.Estimate; {
	case e == nil || e.Reason != "":
		return v.Blocks
	case e.Whole:
		return v.Blocks + e.Blocks
	default:
		return e.Blocks
	}
}

// heldOut reports what the games that no search has seen showed, beside what the
// search had promised.
func heldOut(s service.Study, r *tuner.Result) string {
	v := r.Validation
	if v.Elo == nil && v.Metric == nil {
		return sentence(v.Reason, "")
	}
	which := "no search has seen"
	if e := v.Estimate; e != nil && !e.Whole && e.Reason == "" {
		which = "had no part in the verdict"
	}
	text := fmt.Sprintf("On %d blocks that %s the answer ", Blocks(v), which)
	score, elo, _ := v.Quoted()
	switch m := v.QuotedMetric(); {
	case m != nil:
		if m.Gain == nil {
			return sentence(v.Reason, "")
		}
		text += fmt.Sprintf("had %s %s a game.", numeral.Rounded(*m.Winner, numeral.Half(m.GainCI)), m.Name)
	case score != nil:
		text += "scored " + points(*score) + evenShare(v, " (", ")")
		if len(v.Pool) > 0 {
			text += " against the baseline"
		}
		text += "."
	}
	for i, base := range r.FrontBaseline {
		if own := v.Objectives; i < len(own) && !strings.HasPrefix(base.Name, "score") {
			text += fmt.Sprintf(" In the validation it had %s, the baseline %s.", goals(own[i:i+1]), goals([]tuner.GoalValue{base})[len(base.Name)+1:])
		}
	}
	if claim := r.Best.Claimed.Elo; claim != nil && elo != nil {
		text += " The search had claimed " + strings.Replace(Claimed(r.Best).Value, " Elo", "", 1)
		if less := *claim - *elo; less > 0 {
			switch chance, told := byChance(r.Best, v); {
			case chance:
				text += "; the difference may be chance"
			case told && *elo > 0 && beyond(*claim) == "":
				text += fmt.Sprintf(": %.0f %% of the claim came from choosing the best of many", 100*less / *claim)
			}
		}
		text += "."
	}
	if strings.Contains(v.Reason, "on the validation blocks") {
		text += " " + sentence(v.Reason, "")
	}
	return text
}

// undecided reports why a validation could not tell: floor is the gain above which the
// test wants the answer to be, Elo.
func undecided(floor float64, v *tuner.ValidationReport) string {
	text := "Undecided does not mean no: these blocks are too few to tell a gain from none."
	if strings.HasSuffix(v.Reason, stats.NoGainSeen) {
		text = "These blocks do not rule a gain out, and show none."
	}
	if v.CI95 != nil && v.CI95[0] > floor {
		text = "The interval alone would say yes, but the test asks for more: it looks several times, and every attempt at the question takes a share of the chance of a false pass, which is " + numeral.Text(v.Alpha) + " in this one."
	}
	if t := v.Test; t != nil && t.Needs > 0 {
		digits := 1
		if math.Abs(t.Needs-t.Above) < 0.1 {
			digits = 3
		}
		text += fmt.Sprintf(" The answer is %.*f standard errors above %s Elo; a pass needs %.*f.", digits, t.Above, signed(floor, math.NaN()), digits, t.Needs)
	}
	_, more, _ := strings.Cut(v.Reason, "; ")
	var seen, blocks float64
	if n, _ := fmt.Sscanf(more, "to prove the %f Elo that were seen, if they are true, takes about %f different blocks", &seen, &blocks); n == 2 {
		text += fmt.Sprintf(" If the gain that was seen is the true one, its proof takes about %s different blocks.", about(blocks))
	} else if _, more, _ := strings.Cut(reasonOf(v), "; "); more != "" {
		text += " " + sentence(more, "")
	}
	return text
}

// tested reports how it was tested.
func tested(s service.Study, v *tuner.ValidationReport) string {
	var parts []string
	if v.Metric == nil {
		low, high := signed(s.About.Validation.Elo[0], math.NaN()), signed(s.About.Validation.Elo[1], math.NaN())
		parts = append(parts, fmt.Sprintf("Tested: a gain of %s Elo rather than of %s", high, low))
	} else {
		parts = append(parts, "Tested: any gain in "+v.Metric.Name+" rather than none")
	}
	parts = append(parts, Ordinal(v.Attempt)+" attempt at this question")
	parts = append(parts, fmt.Sprintf("decided after %d of at most %d blocks", v.Blocks, max(v.Blocks, s.About.Validation.MaxBlocks)))
	reason, _, _ := strings.Cut(v.Reason, "; ")
	reason = strings.TrimSuffix(reason, fmt.Sprintf(", after %d of %d blocks", v.Blocks, s.About.Validation.MaxBlocks))
	return strings.Join(parts, ", ") + ". " + sentence(reason, "")
}

// phases say what a study does in each phase, the search's is "".
var phases = map[string]string{
	"":           "The search continues. Its present estimate is that of the best of many, and too high.",
	"final":      "The final plays the best few on new seeds.",
	"validation": "The answer meets the baseline on games that no search has seen. The verdict is next.",
	"replay":     "The answer has met the baseline. Some of the blocks are played a second time before the verdict is told.",
	"estimate":   "The verdict is a pass, and only good results pass: on average the gain of its games is too high. Games that had no part in it tell how large it is.",
	"set back":   "The verdict is a pass. The answer plays against itself without each of its changes, to measure what they are worth.",
}

// underWay returns the answer of a study that has not ended.
func underWay(s service.Study) *Answer {
	a := &Answer{Tone: "plain", Sign: "…", Word: "Running"}
	best := service.Best(s)
	if s.Foreign {
		return &Answer{Tone: "plain", Sign: "↗", Word: "Foreign", Text: "A program keeps it with Goptuna's API. Nothing is proved.", Gain: Cell{Value: best.String(), Note: "the best trial's value, not proved"}}
	}
	if best != nil && best.Value != nil {
		a.Gain = soFar(&s, best)
	}
	const resume = "Resume goes on where it was."
	switch {
	case interrupted(&s):
		a.Sign, a.Word, a.Text, a.Next = "Ⅱ", "Interrupted", "No program runs it. What was played is kept.", "Resume, or sakusen tune "+s.Study+", goes on where it was."
	case s.State == "running":
		if a.Text = phases[""]; a.Gain.Value == "" {
			a.Text = "The search continues."
		}
		if p := s.Progress; p != nil {
			if n := len(p.Looks); n > 0 && p.Looks[n-1].EloCI != nil {
				a.Gain = gained(p.Looks[n-1].Elo, p.Looks[n-1].EloCI)
				a.Gain.Note += " in the games of the test so far"
			}
			a.Text = cmp.Or(phases[p.Phase], a.Text)
			if p.Passed() {
				a.Word = "Passed"
			}
		}
	case s.State == "queued":
		a.Word, a.Text = "Waiting", "It begins when its turn comes."
	case s.State == "paused":
		a.Sign, a.Word, a.Text, a.Next = "Ⅱ", "Paused", "Nothing is played. What was played is kept.", resume
	case s.State == "stopped":
		a.Sign, a.Word, a.Text, a.Next = "■", "Stopped", "It was ended before its verdict. What was played is kept.", resume
	}
	if word := fallen(&s); word != "" {
		if a.Word = strings.ToUpper(word[:1]) + word[1:]; s.State != "running" || interrupted(&s) {
			a.Word += ", " + stateOf(&s)
			a.Text += " The verdict has fallen; games that follow it are left."
		}
	}
	if s.About.Elsewhere && (s.State == "queued" || s.Message == tuner.AwaitedMessage) {
		a.Word, a.Text = "Waiting", "Its games are played outside of this program: it waits until some are asked for and their results are told."
		a.Next = "sakusen study ask " + s.Study + " tells what to play, sakusen study tell takes the results."
	} else if s.Message == service.WaitsForDisk {
		a.Tone, a.Sign, a.Word, a.Text, a.Next = "warn", "Ⅱ", "Waiting", "The disk is full or cannot be written. What was played is kept.", "Make room on the disk: it goes on by itself."
	} else if s.Message != "" && s.Message != s.State && !interrupted(&s) {
		a.Text = sentence(s.Message, "") + " " + a.Text
	}
	return a
}

// soFar returns the value, or the gain in Elo, of what the search thinks best.
func soFar(s *service.Study, best *service.StudyBest) Cell {
	half := numeral.Half(best.Interval)
	if o := &s.About.Objective; o.Of != "score" && o.Of != "" {
		return Cell{Value: numeral.Rounded(*best.Value, half) + " " + o.Goals()[0].Name(), Note: "best so far and not proved"}
	}
	elo, ci, n := math.NaN(), (*[2]float64)(nil), s.About.Seats
	if p := s.Progress; p != nil && p.Elo != nil {
		elo, ci = *p.Elo, p.EloCI
	} else if n > 1 {
		if elo = stats.Elo(*best.Value, n); best.Interval != nil {
			ci = &[2]float64{stats.Elo(best.Interval[0], n), stats.Elo(best.Interval[1], n)}
		}
	}
	c := Cell{Value: numeral.Rounded(100**best.Value, 100*half) + " %", Note: "of the points, best so far and not proved"}
	if !math.IsNaN(elo) {
		c = gained(elo, ci)
		c.Note += ", best so far and not proved"
	}
	if s.About.Pooled {
		c.Interval, c.Note = nil, "of the points among its own generation, the last champion"
	}
	return c
}

// claimed returns what the search claims of its winner.
func claimed(r *tuner.Result) string {
	if r.Best.Claimed.Elo != nil {
		return Claimed(r.Best).Value
	}
	if r.Best.Value != nil {
		return estimate(r.Best.Value, r.Best.Error)
	}
	return ""
}

// sentence returns a text that begins with a capital letter and ends with a stop, another one
// where it is empty.
func sentence(text, otherwise string) string {
	if text = strings.TrimSpace(text); text == "" {
		return otherwise
	}
	text = strings.ToUpper(text[:1]) + text[1:]
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}

// believed returns what the search thought of its winner, and how far the validation is
// from that. A winner that the search took for weaker than the baseline is called so.
func believed(spec *tuner.Spec, r *tuner.Result) string {
	if r.Best == nil || r.Defaults != nil && r.Defaults.Won { // of defaults that won it claims nothing
		return ""
	}
	text := claim(spec, r.Best)
	if ofPoints(r.Best) {
		text = fmt.Sprintf("%s (%s of the points)", Claimed(r.Best).Value, points(*r.Best.Claimed.Score))
	}
	text = "estimated " + text + weaker(r.Best)
	v := r.Validation
	if v == nil || v.Shrinkage == nil {
		return text + "."
	}
	text += fmt.Sprintf("; %s measured %s", measuredBy(v), quotedAs(r.Best, v))
	chance, told := byChance(r.Best, v)
	switch {
	case chance && ofPoints(r.Best):
		text += ", and the difference may be chance, as the estimate is uncertain too"
	case chance:
		text += ", and the difference may be chance"
	case told && *v.Shrinkage > 0 && insight.Saturated(spec, r):
		text += ": where nearly all games are won, its model rises too far"
	case told && *v.Shrinkage > 0:
		text += ": the best of many looks better than it is"
	case told:
		text += ", a larger difference than chance explains"
	}
	return text + "."
}

// quotedAs returns what a validation measured, in the unit in which a claim is told.
func quotedAs(b *tuner.Best, v *tuner.ValidationReport) string {
	_, elo, _ := v.Quoted()
	switch m := v.QuotedMetric(); {
	case b.Objectives != nil && v.Objectives != nil:
		return goals(v.Objectives)
	case m != nil && m.Winner != nil:
		return numeral.Rounded(*m.Winner, quotedHalf(v))
	case elo != nil:
		return numeral.Elo(*elo) + beyond(*elo)
	}
	return "nothing"
}

// quotedHalf returns the half-width of the interval of the gain to quote.
func quotedHalf(v *tuner.ValidationReport) float64 {
	if m := v.QuotedMetric(); m != nil {
		return numeral.Half(m.GainCI)
	}
	_, _, ci := v.Quoted()
	return numeral.Half(ci)
}

// ofPoints reports whether a claim is one of points won against the baseline.
func ofPoints(b *tuner.Best) bool {
	return b.Objectives == nil && b.Claimed.Score != nil && b.Claimed.Elo != nil
}

// weaker returns the note that a claim is below the baseline, and whether its error allows
// the contrary.
func weaker(b *tuner.Best) string {
	if !ofPoints(b) || *b.Claimed.Elo >= 0 {
		return ""
	}
	text := ", weaker than the baseline"
	width := beliefWidth(b)
	if width == 0 {
		return text
	}
	// Elo of another score lies as far from that of two seats as the claim does.
	seats := *b.Claimed.Elo - stats.Elo(*b.Claimed.Score, 2)
	low, high := numeral.EloEnds(stats.Elo(*b.Claimed.Score-width, 2)+seats, stats.Elo(*b.Claimed.Score+width, 2)+seats)
	if *b.Claimed.Score-width <= 0 {
		return text + " (with 95 % confidence below " + high + ")"
	}
	return text + " (with 95 % confidence between " + low + " and " + high + ")"
}

// byChance reports whether the validation lies within the errors of both from the claim,
// and whether that can be told: too few blocks may not say how far off a claim is. Points
// are compared as such: far from one half an error in Elo is no longer even.
func byChance(b *tuner.Best, v *tuner.ValidationReport) (chance, told bool) {
	width, apart := quotedHalf(v), math.Abs(numeral.OrNaN(v.Shrinkage))
	if ofPoints(b) && beliefWidth(b) == 0 {
		return false, false
	}
	score, _, _ := v.Quoted()
	within := v.ScoreCI
	if e := v.Estimate; e != nil && e.ScoreCI != nil {
		within = e.ScoreCI
	}
	if v.Metric == nil && ofPoints(b) && score != nil && within != nil {
		apart, width = math.Abs(*b.Claimed.Score-*score), numeral.Half(within)
		return apart <= math.Hypot(width, beliefWidth(b)), true
	}
	return apart <= math.Hypot(width, beliefError(b)), true
}

// points returns a score in per cent of the points.
func points(score float64) string { return fmt.Sprintf("%.1f %%", 100*score) }

// beliefWidth returns the half-width of the 95 % interval of a claim's value, 0 where its
// error is not known.
func beliefWidth(b *tuner.Best) float64 {
	if e := numeral.OrNaN(b.Error); !math.IsNaN(e) && !(b.Claimed.Score != nil && b.Value != nil && *b.Value != *b.Claimed.Score) { // else it is that of a pool's value
		return stats.Deviate95 * e
	}
	return 0
}

// beliefError returns the half-width of a claim's 95 % interval, in the unit in which it is
// told.
func beliefError(b *tuner.Best) float64 {
	width := beliefWidth(b)
	if b.Claimed.Score != nil {
		return stats.EloError(*b.Claimed.Score, width)
	}
	return width
}
