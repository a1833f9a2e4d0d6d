package web

import (
	"fmt"
	"math"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
	"sakusen/tuner/stats"
	"sakusen/tuner/view"
)

// answer is what a study has found, in words: what a reader wants to know first.
type answer struct {
	// Tone is the class of the colour, which only a test decides: good, bad, warn;
	// plain for what is only thought, or not known yet.
	Tone       string
	Sign, Word string // such as "✓" and "Proved"
	Big, Small string // the gain, and its interval with what it is above
	Text       string // a sentence
	Next       string // what can be done now, a sentence
	Fine       string // how it was tested
}

// answerOf says what a study has found.
func answerOf(s service.Study) answer {
	r := s.About.Result
	switch {
	case s.State == "failed":
		return answer{Tone: "bad", Sign: "!", Word: "Failed", Text: sentence(s.Message, "The study ended with an error."),
			Next: fmt.Sprintf("Resume goes on from trial %d; nothing that was played is lost.", s.Trials)}
	case s.State != "done" || r == nil:
		return underWay(s)
	case r.Best == nil:
		return answer{Tone: "warn", Sign: "?", Word: "No answer", Text: sentence(strings.Join(r.Notes, ". "), "No candidate can be the answer."),
			Next: "Widen the ranges or the limits, and run it again."}
	case r.Validation == nil:
		return answer{Tone: "warn", Sign: "?", Word: "Not tested", Big: claimed(r), Small: "claimed by the search, which is too high: it is the best of many",
			Text: "Nothing was validated: the games ended before.", Next: "Run it again with more games."}
	}
	return validated(s, r)
}

// validated returns the answer of a study that came to a verdict.
func validated(s service.Study, r *tuner.Result) answer {
	v := r.Validation
	a := answer{}
	switch v.Verdict {
	case "pass":
		a = answer{Tone: "good", Sign: "✓", Word: "Proved", Next: "Export it, or put it into your program."}
		if s.About.Validation.Kind == "regression" {
			a.Word = "Proved no worse"
		}
	case "fail":
		a = answer{Tone: "bad", Sign: "✗", Word: "Not better", Next: "Keep the baseline, or run it again with wider ranges or a larger budget."}
		if v.CI95 != nil && v.CI95[0] > 0 { // the test was for a larger gain
			a.Word, a.Next = "Less than asked", "It gains, but not what was to be proved. Ask for a smaller gain, and run it again."
		}
	default:
		a = answer{Tone: "warn", Sign: "?", Word: "Undecided", Next: "Prove further, with more blocks on new seeds; what that takes and costs is said first."}
	}
	a.Big, a.Small = gain(v, "above the baseline")
	a.Text = heldOut(s, r)
	if a.Tone == "warn" && !service.Provable(r) {
		a.Next = "Run it again: with wider ranges, or with games that chance makes different."
	} else if a.Tone == "warn" {
		a.Text += " " + undecided(s.About.Validation.Elo[0], v)
	}
	a.Fine = tested(s, v)
	return a
}

// gain returns the validated gain with its interval and what it is above.
func gain(v *tuner.ValidationReport, above string) (big, small string) {
	if m := v.Metric; m != nil {
		if m.Gain == nil || m.Winner == nil || m.Baseline == nil {
			return "", ""
		}
		half := halfOf(m.GainCI)
		small = fmt.Sprintf("%s %s, the baseline %s", numeral.Short(*m.Winner, half), m.Name, numeral.Short(*m.Baseline, half))
		change := *m.Winner - *m.Baseline
		if *m.Baseline == 0 || m.GainCI == nil {
			return numeral.Signed(change, half) + " " + m.Name, small
		}
		unit := 100 / math.Abs(*m.Baseline)
		small += "; " + metricInterval(v)
		return numeral.Signed(change*unit, half*unit) + " % " + m.Name, small
	}
	c := view.Gain(v)
	if i := c.Interval; i != nil {
		above = view.Typeset(fmt.Sprintf("%s to %s (%s %%) %s", i.Low, i.High, i.Level, above))
	} else if c.Value == "" {
		above = ""
	}
	return view.Typeset(c.Value), above
}

// metricInterval returns the interval of a metric's change in per cent of the baseline's value,
// with its level; empty where there is none.
func metricInterval(v *tuner.ValidationReport) string {
	m := v.Metric
	if m.Winner == nil || m.Baseline == nil || *m.Baseline == 0 || m.GainCI == nil {
		return ""
	}
	unit := 100 / math.Abs(*m.Baseline)
	change, half := *m.Winner-*m.Baseline, halfOf(m.GainCI)
	return fmt.Sprintf("%s to %s %% (%s %%)", numeral.Signed((change-half)*unit, half*unit), numeral.Signed((change+half)*unit, half*unit), level(v.Alpha))
}

// heldOut says what the games that no search has seen showed, beside what the
// search had promised.
func heldOut(s service.Study, r *tuner.Result) string {
	v := r.Validation
	if v.Elo == nil && v.Metric == nil {
		return sentence(v.Reason, "")
	}
	text := fmt.Sprintf("On %s blocks that no search has seen the answer ", numeral.Count(v.Blocks))
	switch {
	case v.Metric != nil:
		if v.Metric.Gain == nil {
			return sentence(v.Reason, "")
		}
		text += fmt.Sprintf("took %s %s a game.", numeral.Short(*v.Metric.Winner, halfOf(v.Metric.GainCI)), v.Metric.Name)
	case v.Score != nil:
		text += fmt.Sprintf("scored %s %%.", numeral.Short(100**v.Score, 100*halfOf(v.ScoreCI)))
	}
	if claim := r.Best.Claimed.Elo; claim != nil && v.Elo != nil {
		half := stats.Deviate95 * stats.EloError(numeral.OrNaN(r.Best.Claimed.Score), numeral.OrNaN(r.Best.Error))
		text += " The search had promised " + view.Typeset(view.Claimed(r.Best))
		switch less := *claim - *v.Elo; {
		case less <= 0:
		case less <= math.Hypot(half, halfOf(v.CI95)):
			text += "; that it is less may be chance"
		case *v.Elo > 0:
			text += fmt.Sprintf(": %.0f %% of the promise was luck of the choice", 100*less / *claim)
		}
		text += "."
	}
	if strings.Contains(v.Reason, "on the validation blocks") {
		text += " " + sentence(v.Reason, "")
	}
	return text
}

// undecided says why a validation could not tell: floor is the gain above which the
// test wants the answer to be, Elo.
func undecided(floor float64, v *tuner.ValidationReport) string {
	text := "Undecided does not mean no: these blocks are too few to tell a gain from none."
	if v.CI95 != nil && v.CI95[0] > floor {
		text = "The interval alone would say yes, but the test asks for more: it looks several times, and every attempt at the question takes a share of the chance of a false pass, which is " + numeral.Text(v.Alpha) + " in this one."
	}
	if t := v.Test; t != nil && t.Needs > 0 {
		text += fmt.Sprintf(" The answer is %.1f standard errors above %s Elo; a pass needs %.1f.", t.Above, numeral.Signed(floor, math.NaN()), t.Needs)
	}
	_, more, _ := strings.Cut(v.Reason, "; ")
	var seen, blocks float64
	if n, _ := fmt.Sscanf(more, "to prove the %f Elo that were seen, if they are true, takes about %f different blocks", &seen, &blocks); n == 2 {
		text += fmt.Sprintf(" If the gain that was seen is the true one, its proof takes about %s different blocks.", numeral.Count(int64(hundreds(blocks))))
	} else if more != "" {
		text += " " + sentence(more, "")
	}
	return text
}

// hundreds returns a number of blocks with two digits that count.
func hundreds(x float64) float64 {
	unit := math.Pow(10, max(0, math.Floor(math.Log10(max(1, x)))-1))
	return math.Ceil(x/unit) * unit
}

// tested says how it was tested.
func tested(s service.Study, v *tuner.ValidationReport) string {
	var parts []string
	if v.Metric == nil {
		low, high := numeral.Signed(s.About.Validation.Elo[0], math.NaN()), numeral.Signed(s.About.Validation.Elo[1], math.NaN())
		parts = append(parts, fmt.Sprintf("Tested: a gain of %s Elo rather than %s", high, low))
	} else {
		parts = append(parts, "Tested: any gain in "+v.Metric.Name+" rather than none")
	}
	parts = append(parts, ordinal(v.Attempt)+" attempt at this question")
	parts = append(parts, fmt.Sprintf("decided after %s of at most %s blocks", numeral.Count(v.Blocks), numeral.Count(max(v.Blocks, s.About.Validation.MaxBlocks))))
	reason, _, _ := strings.Cut(v.Reason, "; ")
	return strings.Join(parts, ", ") + ". " + sentence(reason, "")
}

// underWay returns the answer of a study that has not ended.
func underWay(s service.Study) answer {
	a := answer{Tone: "plain", Sign: "…", Word: "Running"}
	best := service.Best(s)
	if s.Foreign {
		a = answer{Tone: "plain", Sign: "↗", Word: "Foreign", Text: "A program keeps it with Goptuna's API. Nothing is proved.", Big: best.String(), Small: "the best trial's value, not proved"}
		return a
	}
	if best != nil && best.Value != nil {
		half := halfOf(best.Interval)
		a.Big = numeral.Short(*best.Value, half)
		if s.About.Objective.Of == "score" || s.About.Objective.Of == "" {
			a.Big = numeral.Short(100**best.Value, 100*half) + " %"
			a.Small = "of the points, best so far and not proved"
		} else {
			a.Big += " " + s.About.Objective.Name()
			a.Small = "best so far and not proved"
		}
		if p := s.Progress; p != nil && p.Elo != nil {
			a.soFar(*p.Elo, p.EloCI)
		} else if n := s.About.Seats; n > 1 && best.Interval != nil {
			a.soFar(stats.Elo(*best.Value, n), &[2]float64{stats.Elo(best.Interval[0], n), stats.Elo(best.Interval[1], n)})
		} else if n > 1 {
			a.soFar(stats.Elo(*best.Value, n), nil)
		}
		if s.About.Pooled {
			a.Small = "of the points among its own generation, the last champion"
		}
	}
	switch s.State {
	case "running":
		a.Text = "The search goes on: what it thinks now is the best of many, which is too high."
		if p := s.Progress; p != nil {
			switch p.Phase {
			case "final":
				a.Text = "The final plays the best few on new seeds."
			case "validation":
				a.Text = "The answer meets the baseline on games that no search has seen. The verdict is next."
			}
		}
		if s.Interrupted {
			a.Sign, a.Word, a.Text = "Ⅱ", "Interrupted", "No program runs it."
			a.Next = "Resume goes on where it was."
		}
	case "queued":
		a.Sign, a.Word, a.Text = "…", "Waiting", "It begins when its turn comes."
	case "paused":
		a.Sign, a.Word, a.Text = "Ⅱ", "Paused", "Nothing is played. What was played is kept."
		a.Next = "Resume goes on where it was."
	case "stopped":
		a.Sign, a.Word, a.Text = "■", "Stopped", "It was ended before its verdict. What was played is kept."
		a.Next = "Resume goes on where it was."
	}
	if s.Message != "" && s.Message != s.State {
		a.Text = sentence(s.Message, "") + " " + a.Text
	}
	return a
}

// soFar says the gain of what the search thinks best.
func (a *answer) soFar(elo float64, ci *[2]float64) {
	half := halfOf(ci)
	a.Big, a.Small = numeral.Signed(elo, half)+" Elo", "above the baseline, best so far and not proved"
	if ci != nil {
		a.Small = fmt.Sprintf("%s to %s (95 %%) %s", numeral.Short(ci[0], half), numeral.Short(ci[1], half), a.Small)
	}
}

// waits says what a study waits for that is queued.
func waits(turns service.Turns, s service.Study) string {
	place := turns.Places[s.Study]
	if place == 0 {
		return "It begins when its turn comes."
	}
	text := "It is next in line"
	if place > 1 {
		text = fmt.Sprintf("%s in line", ordinal(place))
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	text += fmt.Sprintf(": %d run, at most %d at once.", turns.Running, turns.AtOnce)
	if s.Priority != 0 {
		text += fmt.Sprintf(" Its priority is %d.", s.Priority)
	}
	return text
}

// claimed returns what the search claims of its winner.
func claimed(r *tuner.Result) string {
	if r.Best.Claimed.Elo != nil {
		return view.Typeset(view.Claimed(r.Best)) + " Elo"
	}
	if r.Best.Value != nil {
		return numeral.Short(*r.Best.Value, stats.Deviate95*numeral.OrNaN(r.Best.Error))
	}
	return ""
}

// sentence returns a text that begins with a capital letter and ends with a stop.
func sentence(text, otherwise string) string {
	if text = strings.TrimSpace(text); text == "" {
		return otherwise
	}
	text = strings.ToUpper(text[:1]) + text[1:]
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return strings.ReplaceAll(text, " +- ", " ± ")
}

func ordinal(n int) string {
	switch {
	case n == 1:
		return "first"
	case n == 2:
		return "second"
	case n == 3:
		return "third"
	}
	if tens := n / 10 % 10; tens != 1 && n%10 > 0 && n%10 < 4 {
		return fmt.Sprintf("%d%s", n, []string{"st", "nd", "rd"}[n%10-1])
	}
	return fmt.Sprintf("%dth", n)
}

// halfOf returns the half-width of an interval, NaN where there is none.
func halfOf(ci *[2]float64) float64 {
	if ci == nil {
		return math.NaN()
	}
	return (ci[1] - ci[0]) / 2
}

// level returns the confidence in per cent of a two-sided interval that an attempt's
// alpha gives.
func level(alpha float64) string { return numeral.Text(math.Round(1000*(1-2*alpha)) / 10) }
