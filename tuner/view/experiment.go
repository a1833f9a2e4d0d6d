package view

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/numeral"
)

// Experiment returns the printed and the measured values, row by row ("rows"), and how many
// rows agree ("agreement").
func Experiment(r *experiment.Report) []Section {
	rows := Section{Key: "rows", Columns: columns("row", "metric", "printed", "measured", "agrees", "note")}
	for i := range r.Rows {
		row := &r.Rows[i]
		printed, measured := row.Texts()
		rows.Lines = append(rows.Lines, Line{Label: row.Label, Cells: cells(row.Metric, printed, measured, row.Verdict(), row.Note)})
	}
	said := fmt.Sprintf("%d rows, %d agree", r.Summary.Rows, r.Summary.Agree)
	if n := r.Summary.Differ; n > 0 {
		said += fmt.Sprintf(", %d differ", n)
	}
	if n := r.Summary.TooFewGames; n > 0 {
		if said += fmt.Sprintf(", %d undecided", n); r.Summary.Agree+r.Summary.Differ == 0 {
			said = fmt.Sprintf("%d rows, %d undecided", r.Summary.Rows, n)
		}
	}
	return []Section{rows, {Key: "agreement", tight: true, Title: said}}
}

// Comparison is a run of an experiment for drawing, and with what its undecided rows need.
type Comparison struct {
	experiment.Summary
	Whole bool  // not only what is measured so far
	Total int64 // games of a run that decides all rows, 0 where that is not known
	Rows  []ComparedRow
}

// ComparedRow is a printed value beside ours.
type ComparedRow struct {
	*experiment.Row
	PrintedText, MeasuredText string // as the terminal has them
	// The values to draw; nil if they are not numbers.
	PrintedValue, MeasuredValue *float64
	// Factor is how many times the games the row needs until it can be told whether it
	// agrees; 0 where it can be.
	Factor float64
	// Games is the same in games for each row; set where the run's games are known.
	Games int64
}

// Compare returns the rows of an experiment that has ended, or of what is measured so far.
func Compare(r *experiment.Report, whole bool) *Comparison {
	c := &Comparison{Summary: r.Summary, Whole: whole}
	for i := range r.Rows {
		c.Rows = append(c.Rows, comparedRow(&r.Rows[i]))
	}
	return c
}

func comparedRow(row *experiment.Row) ComparedRow {
	out := ComparedRow{Row: row, PrintedValue: numberOf(row.Printed), MeasuredValue: numberOf(row.Measured)}
	out.PrintedText, out.MeasuredText = row.Texts()
	printed, measured := 0.0, row.CI.Half()
	if row.PrintedCI.Defined() {
		printed = row.PrintedCI.Half()
	}
	if p, err := experiment.ParsePrinted(row.Printed.String(), printed); err == nil && out.MeasuredValue != nil && row.CI.Defined() && row.Agrees == nil {
		out.Factor = max(0, math.Pow(measured/p.Limit(), 2))
	}
	return out
}

// numberOf returns a value that can be drawn, nil where it is none.
func numberOf(v experiment.Value) *float64 {
	x, err := strconv.ParseFloat(v.String(), 64)
	if err != nil {
		return nil
	}
	return &x
}

// Compared returns the number of rows for which something is printed.
func (c *Comparison) Compared() int { return c.Agree + c.Differ + c.TooFewGames }

// Found reports in a line how many rows agree, and how many have too few games.
func (c *Comparison) Found() string {
	if c.TooFewGames > 0 && c.TooFewGames == c.Compared() {
		return fmt.Sprintf("%d of %d undecided", c.TooFewGames, c.Compared())
	}
	said := fmt.Sprintf("%d of %d agree, %d differ", c.Agree, c.Compared(), c.Differ)
	if c.TooFewGames > 0 {
		said += fmt.Sprintf(", %d with too few games to tell", c.TooFewGames)
	}
	return said
}

// Headline returns how many rows agree, or that games are too few to tell of any.
func (c *Comparison) Headline() string {
	if c.Agree+c.Differ == 0 && c.TooFewGames > 0 {
		return c.Found()
	}
	return fmt.Sprintf("%d of %d agree", c.Agree, c.Compared())
}

// Metrics returns the metrics of the rows.
func (c *Comparison) Metrics() []string {
	var out []string
	for _, r := range c.Rows {
		if !slices.Contains(out, r.Metric) {
			out = append(out, r.Metric)
		}
	}
	return out
}

// Ask works out how many games rows need from how many each of them, and the whole run, had.
func (c *Comparison) Ask(games, all int64) {
	for i := range c.Rows {
		if r := &c.Rows[i]; r.Factor > 0 && games > 0 {
			r.Games = int64(numeral.Rough(r.Factor * float64(games)))
		}
	}
	if games > 0 {
		c.Total = int64(numeral.Rough(float64(c.Most()) / float64(games) * float64(all)))
	}
}

// Most returns the most games that an undecided row needs, 0 where none does.
func (c *Comparison) Most() int64 {
	most := int64(0)
	for _, r := range c.Rows {
		most = max(most, r.Games)
	}
	return most
}

// Said returns the row's note: for a row that cannot be told yet how many games it takes,
// where that is known.
func (r *ComparedRow) Said() string {
	if r.Factor > 0 && r.Games > 0 && strings.HasPrefix(r.Note, "needs about ") {
		return "needs about " + numeral.Count(r.Games) + " games"
	}
	return r.Note
}

// Sign returns the sign before a verdict, so that colour is not the only mark.
func (r *ComparedRow) Sign() string {
	return map[string]string{"yes": "✓", "no": "✗", "undecided": "?"}[r.Verdict()]
}
