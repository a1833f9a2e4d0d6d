package view

import (
	"fmt"
	"math"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
)

// gain returns by how much the winner was better on games that the search has not seen, of a test for
// a gain above a floor in Elo; an empty line where that is not known.
func gain(o *tuner.Objective, floor float64, v *tuner.ValidationReport) Line {
	l := Line{Label: "How much"}
	if m := v.QuotedMetric(); m != nil {
		if m.Winner == nil || m.GainCI == nil {
			return l
		}
		width := numeral.Half(m.GainCI)
		l.Value = fmt.Sprintf("%s %s in place of %s: a gain of %s",
			m.Name, numeral.Rounded(*m.Winner, width), numeral.Rounded(numeral.OrNaN(m.Baseline), width), numeral.Rounded(numeral.OrNaN(m.Gain), width))
		l.Interval, l.Note = between(m.GainCI[0], m.GainCI[1]).at(level(v)), measuredOn(o, floor, v)
		return l
	}
	if v.Elo == nil || v.CI95 == nil || v.Score == nil {
		return l
	}
	l.Cell = Gain(v)
	score, _, _ := v.Quoted()
	l.Value += fmt.Sprintf(" against the baseline (%s of the points%s)", points(*score), evenShare(v, "; ", ""))
	l.Note = measuredOn(o, floor, v)
	return l
}

// evenShare returns which share of the points is even between two texts, empty with two seats. The
// seats k follow from score s and gain, which is 400 log10(s(k-1)/(1-s)) Elo.
func evenShare(v *tuner.ValidationReport, before, after string) string {
	score, elo, _ := v.Quoted()
	if score == nil || elo == nil || *score <= 0 || *score >= 1 {
		return ""
	}
	seats := 1 + math.Round((1-*score) / *score * math.Pow(10, *elo/400))
	if seats <= 2 {
		return ""
	}
	return fmt.Sprintf("%s%.3g %% is even%s", before, 100/seats, after)
}

// unclear is the doubt of a gain that is proved and whose size is not known.
const unclear = "size unclear"

// atMost returns the upper end of the gain to quote.
func atMost(v *tuner.ValidationReport) string {
	if m := v.QuotedMetric(); m != nil {
		return "at most " + between(m.GainCI[0], m.GainCI[1]).High + " " + m.Name
	}
	_, _, ci := v.Quoted()
	return "at most " + strings.TrimPrefix(betweenElo(ci[0], ci[1]).High, "+") + " Elo"
}

// measuredOn reports which games the gain is of and, where it is not that of the verdict's
// own, which gain is to be quoted; floor is the gain in Elo above which a test proved it to be. Where
// the worst opponent counts, the gain against it is to be quoted.
func measuredOn(o *tuner.Objective, floor float64, v *tuner.ValidationReport) string {
	e := v.Estimate
	if e == nil || e.Elo == nil && (e.Metric == nil || e.Metric.GainCI == nil) {
		text := "Measured on " + unseen(v) + "."
		if v.Verdict == "pass" {
			text += " They decided the verdict, and only good results pass: on average the value is too high."
			if v.Exhausted {
				text += " The game has no starts left for others."
			}
		}
		return text
	}
	text := fmt.Sprintf("Quote this: it was measured in %d blocks that had no part in the verdict", e.Blocks)
	if w := worstOf(o, v); w != nil && !w.Baseline {
		text = fmt.Sprintf("The gain to quote is that against %s, the opponent it does worst against; this one was measured in %d blocks that had no part in the verdict", w.Name, e.Blocks)
	}
	if v.Exhausted {
		text += ", all that the game has starts left for"
	}
	if e.Whole {
		text += ", and in those that had, corrected because only good results pass"
	}
	if v.Pairs != nil {
		text += ", every game compared with every other, as neither player affects the other"
	}
	decided := Cell{}
	if v.Metric == nil && v.Elo != nil {
		decided = gained(*v.Elo, v.CI95)
	} else if m := v.Metric; m != nil && m.Gain != nil {
		decided.Value = "a gain of " + numeral.Rounded(*m.Gain, numeral.Half(m.GainCI))
		if m.GainCI != nil {
			decided.Interval = between(m.GainCI[0], m.GainCI[1])
		}
	}
	if v.Doubt(floor) == unclear {
		text += fmt.Sprintf(", too few to show alone what the test of the other %d has proved", v.Blocks)
	}
	if decided.Value == "" || decided.Value == Gain(v).Value {
		return text + "."
	}
	if decided.Interval != nil {
		decided.Value += " (" + decided.Interval.Ends() + ")"
	}
	return text + fmt.Sprintf(". The verdict's %d blocks showed %s; on average they show too much.", v.Blocks, decided.Value)
}

// Gain returns the gain to quote with its interval and what it is above: in Elo, or of a
// metric in per cent of what it is with the baseline. It is an empty cell where there is none.
func Gain(v *tuner.ValidationReport) Cell {
	m := v.QuotedMetric()
	_, elo, ci := v.Quoted()
	switch {
	case m == nil && elo == nil, m != nil && (m.Gain == nil || m.Winner == nil || m.Baseline == nil):
		return Cell{}
	case m == nil:
		return gained(*elo, ci)
	}
	width, change := numeral.Half(m.GainCI), *m.Winner-*m.Baseline
	c := Cell{Value: signed(change, width) + " " + m.Name, Note: fmt.Sprintf("%s %s, the baseline %s", numeral.Rounded(*m.Winner, width), m.Name, numeral.Rounded(*m.Baseline, width))}
	if m.GainCI != nil {
		unit, low, high := 1., m.GainCI[0], m.GainCI[1]
		if *m.Baseline != 0 {
			unit = 100 / math.Abs(*m.Baseline)
			c.Value = signed(change*unit, width*unit) + " % " + m.Name
		}
		if (*m.Gain < 0) != (change < 0) { // less is better
			low, high = -high, -low
		}
		if c.Interval = between(low*unit, high*unit).at(level(v)); c.Interval != nil && unit != 1 {
			c.Interval.Unit = "%"
		}
	}
	return c
}

// level returns the confidence of the interval of a metric's gain, per cent.
func level(v *tuner.ValidationReport) float64 {
	if v.QuotedMetric() != v.Metric {
		return 95
	}
	return 100 * (1 - 2*v.Alpha)
}

// gained returns a gain in Elo with its interval.
func gained(elo float64, ci *[2]float64) Cell {
	c := Cell{Value: numeral.Elo(elo) + " Elo" + beyond(elo), Note: "above the baseline"}
	if ci != nil {
		c.Interval = betweenElo(ci[0], ci[1])
	}
	return c
}

// unseen returns what the validation played.
func unseen(v *tuner.ValidationReport) string {
	if v.Pairs != nil {
		return fmt.Sprintf("%d blocks that the search has not seen, every game compared with every other, as neither player affects the other", v.Blocks)
	}
	if v.Distinct > 0 && v.Distinct < v.Blocks {
		return fmt.Sprintf("%d blocks that the search has not seen, of which %d are different", v.Blocks, v.Distinct)
	}
	return fmt.Sprintf("%d blocks that the search has not seen", v.Blocks)
}
