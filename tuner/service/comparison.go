package service

import (
	"strconv"

	"sakusen/tuner/experiment"
)

// Comparison is what a run of an experiment measured beside what is printed.
type Comparison struct {
	Whole                                  bool // not only what is measured so far
	Rows                                   []ComparisonRow
	Agree, Differ, TooFewGames, NotPrinted int
}

// ComparisonRow is a printed value beside ours.
type ComparisonRow struct {
	Label, Metric, Printed, Measured, Verdict, Note string
	// The values to draw; nil if they are not numbers.
	PrintedValue, MeasuredValue *float64
	PrintedCI, MeasuredCI       *[2]float64 // 95 %
}

// comparisonRow is a row for people and for drawing.
func comparisonRow(row *experiment.Row) ComparisonRow {
	out := ComparisonRow{Label: row.Label, Metric: row.Metric, Verdict: row.Verdict(), Note: row.Note}
	out.Printed, out.Measured = row.Texts()
	out.PrintedValue, out.MeasuredValue = numberOf(row.Printed), numberOf(row.Measured)
	out.PrintedCI, out.MeasuredCI = row.PrintedCI.Ends(), row.CI.Ends()
	return out
}

// numberOf is a value that can be drawn, nil where it is none.
func numberOf(v experiment.Value) *float64 {
	x, err := strconv.ParseFloat(v.String(), 64)
	if err != nil {
		return nil
	}
	return &x
}

// Compared is the number of rows for which something is printed.
func (c *Comparison) Compared() int { return c.Agree + c.Differ + c.TooFewGames }
