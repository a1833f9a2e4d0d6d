package service

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
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

// Found says in a line how many rows agree, and of how many nothing can be told yet.
func (c *Comparison) Found() string {
	said := fmt.Sprintf("%d of %d agree, %d differ", c.Agree, c.Compared(), c.Differ)
	if c.TooFewGames > 0 {
		said += fmt.Sprintf(", %d with too few games to tell", c.TooFewGames)
	}
	return said
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
	out.PrintedValue, out.MeasuredValue = numberOf(row.Printed), numberOf(row.Measured)
	out.PrintedCI, out.MeasuredCI = row.PrintedCI.Ends(), row.CI.Ends()
	out.Printed, out.Measured = row.Printed.String(), row.Measured.String()
	if half := halfOf(out.PrintedCI); half > 0 {
		out.Printed += " ± " + numeral.Short(half, half)
	}
	if half := halfOf(out.MeasuredCI); half > 0 && out.MeasuredValue != nil {
		out.Measured = measuredText(*out.MeasuredValue, *out.MeasuredCI)
	} else if out.MeasuredValue != nil {
		out.Measured = numeral.Page(out.Measured)
	}
	if p, err := experiment.ParsePrinted(row.Printed.String(), halfOf(out.PrintedCI)); err == nil && out.MeasuredValue != nil && out.MeasuredCI != nil {
		d := p.Deviation(*out.MeasuredValue, halfOf(out.MeasuredCI)/stats.Deviate95)
		out.Deviation = numeral.Finite(d)
		if row.Agrees == nil {
			out.Factor = max(0, math.Pow(halfOf(out.MeasuredCI)/p.Limit(), 2))
		}
	}
	return out
}

// measuredText is a value with its interval for pages: with a half-width, or with both
// ends where it does not lie evenly about the value.
func measuredText(x float64, ci [2]float64) string {
	half := halfOf(&ci)
	if math.Abs((ci[0]+ci[1])/2-x) > 0.01*half {
		return numeral.Short(x, half) + " (" + numeral.Short(ci[0], half) + " to " + numeral.Short(ci[1], half) + ")"
	}
	return numeral.Short(x, half) + " ± " + numeral.Short(half, half)
}

// Said is the row's note: for a row that cannot be told yet how many games it takes, where
// that is known.
func (r *ComparisonRow) Said() string {
	if r.Factor > 0 && r.Games > 0 && strings.HasPrefix(r.Note, "needs about ") {
		return "needs about " + numeral.Count(r.Games) + " games"
	}
	return r.Note
}

// Sign goes before a verdict, so that it is not told by colour alone.
func (r *ComparisonRow) Sign() string {
	return map[string]string{"yes": "✓", "no": "✗", "undecided": "?"}[r.Verdict]
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
