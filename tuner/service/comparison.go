package service

import (
	"math"
	"slices"
	"strconv"

	"sakusen/tuner/experiment"
	"sakusen/tuner/numeral"
	"sakusen/tuner/rating"
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
	// Deviation is measured less printed, beyond the rounding of what is printed, in
	// standard errors of the difference; nil where there is none.
	Deviation *float64
	// Factor is how many times the games the row needs until it can be told whether it
	// agrees; 0 where it can be.
	Factor float64
	// Games is the same in games for each row; set where the run's games are known.
	Games int64
}

// Most is the most games that an undecided row needs, 0 where none does.
func (c *Comparison) Most() int64 {
	most := int64(0)
	for _, r := range c.Rows {
		most = max(most, r.Games)
	}
	return most
}

// Metrics are those of the rows.
func (c *Comparison) Metrics() []string {
	var out []string
	for _, r := range c.Rows {
		if !slices.Contains(out, r.Metric) {
			out = append(out, r.Metric)
		}
	}
	return out
}

// Ask works out how many games rows need from how many each of them had.
func (c *Comparison) Ask(games int64) {
	for i := range c.Rows {
		if r := &c.Rows[i]; r.Factor > 0 && games > 0 {
			r.Games = roundUp(math.Ceil(r.Factor * float64(games)))
		}
	}
}

// roundUp is a number with two digits that is not smaller.
func roundUp(x float64) int64 {
	unit := math.Pow(10, max(0, math.Floor(math.Log10(x))-1))
	return int64(math.Ceil(x/unit) * unit)
}

// comparisonRow is a row for people and for drawing.
func comparisonRow(row *experiment.Row) ComparisonRow {
	out := ComparisonRow{Label: row.Label, Metric: row.Metric, Verdict: row.Verdict(), Note: row.Note}
	out.Printed, out.Measured = row.Texts()
	out.PrintedValue, out.MeasuredValue = numberOf(row.Printed), numberOf(row.Measured)
	out.PrintedCI, out.MeasuredCI = row.PrintedCI.Ends(), row.CI.Ends()
	if p, err := experiment.ParsePrinted(row.Printed.String(), halfOf(out.PrintedCI)); err == nil && out.MeasuredValue != nil && out.MeasuredCI != nil {
		d := p.Deviation(*out.MeasuredValue, halfOf(out.MeasuredCI)/rating.Deviate95)
		out.Deviation = numeral.Finite(d)
		if row.Agrees == nil {
			out.Factor = max(0, math.Pow(halfOf(out.MeasuredCI)/p.Limit(), 2))
		}
	}
	return out
}

// halfOf is the half-width of an interval, 0 where there is none.
func halfOf(ci *[2]float64) float64 {
	if ci == nil {
		return 0
	}
	return (ci[1] - ci[0]) / 2
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
