package tubstap

import (
	"sakusen/studies/tubstap/complexity"
	"sakusen/tuner/experiment"
	"sakusen/tuner/rating"
)

// scoreRow is a win rate.
func scoreRow(label string, s complexity.Score) experiment.Row {
	e := s.Estimate()
	return measuredRow(label, "win rate", rating.MeanInterval{Mean: e.Score, CI95: e.CI95}, s.String())
}

// measuredRow is a row for which the paper prints nothing.
func measuredRow(label, metric string, m rating.MeanInterval, note string) experiment.Row {
	return experiment.Row{Label: label, Metric: metric, Measured: experiment.Number(m.Mean), CI: m.CI95, Note: note}
}

// stated compares a row with a statement of the paper's text: that the value lies above
// (side 1) or below (side -1) a bound. The row agrees, or does not, if its interval is
// entirely on one side.
func stated(row experiment.Row, printed string, i rating.Interval, bound, side float64) experiment.Row {
	row.Printed = experiment.Text(printed)
	if !i.Lo.Defined || !i.Hi.Defined {
		return row
	}
	agrees := side*i.Lo.Value > side*bound && side*i.Hi.Value > side*bound
	differs := side*i.Lo.Value < side*bound && side*i.Hi.Value < side*bound
	if agrees || differs {
		row.Agrees = &agrees
	}
	return row
}
