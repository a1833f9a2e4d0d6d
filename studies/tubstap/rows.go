package tubstap

import (
	"sakusen/studies/tubstap/complexity"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
)

// fewPoints is the number of blocks' points, won or lost, below which the scatter of the
// blocks says too little of their error.
const fewPoints = 5

// scoreRow is a win rate. Its interval is that of the blocks; where nearly all of them were
// won, or lost, it is Wilson's with a block as one trial, which is on the safe side.
func scoreRow(label string, s complexity.Score) experiment.Row {
	e := s.Estimate()
	m := stats.MeanInterval{Mean: e.Score, CI95: e.CI95}
	if n := float64(s.Blocks.N()); e.Score.Defined && min(e.Score.Value, 1-e.Score.Value)*n < fewPoints {
		if wilson, err := stats.Wilson(e.Score.Value*n, n, 0.95); err == nil {
			m.CI95 = wilson
		}
	}
	return measuredRow(label, "win rate", m, s.String())
}

// measuredRow is a row for which the paper prints nothing.
func measuredRow(label, metric string, m stats.MeanInterval, note string) experiment.Row {
	return experiment.Row{Label: label, Metric: metric, Measured: experiment.Number(m.Mean), CI: m.CI95, Note: note}
}
