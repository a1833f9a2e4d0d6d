package view

import (
	"fmt"
	"math"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
)

// gain returns by how much the winner was better on games that the search has not seen; an
// empty line where that is not known.
func gain(v *tuner.ValidationReport) Line {
	l := Line{Label: "How much"}
	if m := v.QuotedMetric(); m != nil {
		if m.Winner == nil || m.GainCI == nil {
			return l
		}
		width := numeral.Half(m.GainCI)
		l.Value = fmt.Sprintf("%s %s in place of %s: a gain of %s",
			m.Name, numeral.Rounded(*m.Winner, width), numeral.Rounded(numeral.OrNaN(m.Baseline), width), numeral.Rounded(numeral.OrNaN(m.Gain), width))
		l.Interval, l.Note = between(m.GainCI[0], m.GainCI[1]).at(level(v)), measuredOn(v)
		return l
	}
	if v.Elo == nil || v.CI95 == nil || v.Score == nil {
		return l
	}
	l.Cell = Gain(v)
	score, _, _ := v.Quoted()
	l.Value += fmt.Sprintf(" against the baseline (%s of the points)", points(*score))
	l.Note = measuredOn(v)
	return l
}

// measuredOn reports which games the gain is of and, where it is not that of the verdict's
// own, which gain is to be quoted.
func measuredOn(v *tuner.ValidationReport) string {
	e := v.Estimate
	if e == nil || e.Elo == nil && (e.Metric == nil || e.Metric.GainCI == nil) {
		text := "Measured on " + unseen(v) + "."
		if v.Verdict == "pass" {
			text += " They decided the verdict, and only good results pass: on average the value is too high."
		}
		return text
	}
	text := fmt.Sprintf("Quote this: it is of %d blocks that had no part in the verdict", e.Blocks)
	if e.Whole {
		text += ", and of those that had, less what made them pass"
	}
	if v.Pairs != nil {
		text += ", every game compared with every other, as both play alone"
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
	if _, _, ci := v.Quoted(); ci != nil && ci[0] <= 0 && ci[1] >= 0 {
		text += "; by themselves these do not tell it from none"
	}
	if decided.Value == "" || decided.Value == Gain(v).Value {
		return text + "."
	}
	if decided.Interval != nil {
		decided.Value += " (" + decided.Interval.Ends() + ")"
	}
	return text + fmt.Sprintf(". The verdict's %d showed %s, on average too much.", v.Blocks, decided.Value)
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
	if unit := 100 / math.Abs(*m.Baseline); *m.Baseline != 0 && m.GainCI != nil {
		c.Value = signed(change*unit, width*unit) + " % " + m.Name
		low, high := m.GainCI[0], m.GainCI[1]
		if (*m.Gain < 0) != (change < 0) { // less is better
			low, high = -high, -low
		}
		if c.Interval = between(low*unit, high*unit).at(level(v)); c.Interval != nil {
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
		return fmt.Sprintf("%d blocks that the search has not seen, every game compared with every other, as both play alone", v.Blocks)
	}
	if v.Distinct > 0 && v.Distinct < v.Blocks {
		return fmt.Sprintf("%d blocks that the search has not seen, of which %d are different", v.Blocks, v.Distinct)
	}
	return fmt.Sprintf("%d blocks that the search has not seen", v.Blocks)
}
