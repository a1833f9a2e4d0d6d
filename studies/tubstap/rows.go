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
