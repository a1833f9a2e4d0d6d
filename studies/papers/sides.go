package papers

import (
	"slices"
	"strconv"

	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
)

// bySides are runs whose win rates are those that follow from the sides of the games taken
// singly, with the verdicts of these.
func bySides(runs []run) []run {
	out := slices.Clone(runs)
	for i := range out {
		rows := slices.Clone(out[i].report.Rows)
		for k := range rows {
			row := &rows[k]
			if row.SingleSided == nil {
				continue
			}
			x, err := strconv.ParseFloat(row.SingleSided.String(), 64)
			if err != nil {
				continue
			}
			*row = held(*row, x, row.SingleSidedCI)
		}
		out[i].report.Rows = rows
	}
	return out
}

// held is a row with another measured value, held against what is printed.
func held(row experiment.Row, mean float64, ci stats.Interval) experiment.Row {
	m := stats.MeanInterval{Mean: stats.Known(mean), SE: stats.Known(ci.Half() / stats.Deviate95), CI95: ci}
	bare := experiment.Row{Label: row.Label, Metric: row.Metric, Measured: experiment.Number(m.Mean), CI: ci, Note: row.Note}
	p, ok := printedOf(&row)
	if !ok {
		return bare
	}
	out := experiment.Compare(row.Label, row.Metric, p, m, row.Note)
	out.Note = row.Note
	return out
}

// printedOf is what is printed of a row; ok is false where that is no number.
func printedOf(row *experiment.Row) (p experiment.Printed, ok bool) {
	if row.Printed.Nothing() {
		return p, false
	}
	half := 0.0
	if row.PrintedCI.Defined() {
		half = row.PrintedCI.Half()
	}
	p, err := experiment.ParsePrinted(row.Printed.String(), half)
	return p, err == nil
}

// near tells whether a row agrees by the rule of agreement, however few its games are.
func near(row *experiment.Row) bool {
	p, ok := printedOf(row)
	x, err := strconv.ParseFloat(row.Measured.String(), 64)
	if !ok || err != nil || !row.CI.Defined() {
		return row.Verdict() == "yes"
	}
	d := p.Deviation(x, row.CI.Half()/stats.Deviate95)
	return -experiment.Agreement <= d && d <= experiment.Agreement
}
