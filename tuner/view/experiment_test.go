package view

import (
	"math"
	"testing"

	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
)

// An undecided row says how many games it takes, from its own interval: half the error
// takes four times the games. A row that is decided asks for none.
func TestGamesThatRowsNeed(t *testing.T) {
	interval := func(middle, half float64) stats.Interval {
		return stats.Interval{Lo: stats.Known(middle - half), Hi: stats.Known(middle + half)}
	}
	yes := true
	rows := []experiment.Row{
		{Label: "wide", Printed: experiment.Number(stats.Known(52.3)), PrintedCI: interval(52.3, 0.2), Measured: experiment.Number(stats.Known(52.5)), CI: interval(52.5, 0.6)},
		{Label: "told", Printed: experiment.Number(stats.Known(52.3)), PrintedCI: interval(52.3, 0.2), Measured: experiment.Number(stats.Known(52.5)), CI: interval(52.5, 0.2), Agrees: &yes},
		{Label: "not printed", Measured: experiment.Number(stats.Known(52.5)), CI: interval(52.5, 0.2)},
	}
	var c Comparison
	for i := range rows {
		c.Rows = append(c.Rows, comparedRow(&rows[i]))
	}
	c.Ask(1000, 12000)
	if wide := c.Rows[0]; math.Abs(wide.Factor-4) > 1e-9 || wide.Games != 4000 && wide.Games != 4100 || wide.Verdict() != "undecided" {
		t.Errorf("%+v", wide)
	}
	if told := c.Rows[1]; told.Games != 0 || told.Factor != 0 {
		t.Errorf("%+v", told)
	}
	if none := c.Rows[2]; none.Games != 0 {
		t.Errorf("%+v", none)
	}
	if c.Most() != c.Rows[0].Games {
		t.Errorf("most %d", c.Most())
	}
}

// A line about a run does not pass over the rows that nothing can be told of.
func TestFound(t *testing.T) {
	for want, c := range map[string]experiment.Summary{
		"46 of 48 agree, 2 differ": {Agree: 46, Differ: 2},
		"48 of 48 undecided":       {TooFewGames: 48, NotPrinted: 3},
	} {
		if said := (&Comparison{Summary: c}).Found(); said != want {
			t.Errorf("%q, want %q", said, want)
		}
	}
}
