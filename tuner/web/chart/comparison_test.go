package chart

import (
	"fmt"
	"strings"
	"testing"
)

func point(x float64) *float64 { return &x }

// comparisonOf is rows of a metric with measured values.
func comparisonOf(metric string, printed bool, labels ...string) []Row {
	var rows []Row
	for i, l := range labels {
		row := Row{Label: l, Metric: metric, MeasuredValue: point(float64(i)), MeasuredCI: &[2]float64{float64(i) - 1, float64(i) + 1}}
		if printed {
			row.PrintedValue, row.PrintedCI = point(float64(i)+0.5), &[2]float64{float64(i), float64(i) + 1}
		}
		rows = append(rows, row)
	}
	return rows
}

// Rows whose labels differ in one number are a figure over it; others are drawn
// over their labels where values are printed.
func TestComparisonPlots(t *testing.T) {
	for _, c := range []struct {
		rows   []Row
		titles string
	}{
		{comparisonOf("log10", false, "turn 0", "turn 5", "turn 12"), "log10: turn x"},
		{comparisonOf("win rate", false, "10^12 moves", "10^13 moves", "10^9.5 moves"), "win rate: 10^x moves"},
		{comparisonOf("winrf", true, "MP10 - CB", "MP20 - CB", "MP100 - CB", "EX - CB"), "winrf: MPx - CB"},
		{comparisonOf("winrf", false, "R - CB", "CB - R", "R - R"), ""},
		{comparisonOf("winrf", true, "R - CB", "CB - R", "R - R"), "winrf"},
		{comparisonOf("two", false, "turn 0", "turn 1"), ""},
		{comparisonOf("two numbers", false, "1 of 2", "2 of 3", "3 of 4"), ""},
		{comparisonOf("twice", false, "turn 1", "turn 1", "turn 2"), ""},
		{append(comparisonOf("a", false, "x 1", "x 2", "x 3"), comparisonOf("b", false, "x 1", "x 2", "x 3")...), "a: x x|b: x x"},
		{[]Row{{Label: "solution", Metric: "solution", Measured: "[[1]]"}}, ""},
		{nil, ""},
	} {
		var titles []string
		for _, p := range Comparisons(c.rows) {
			titles = append(titles, p.Title)
			if n := strings.Count(string(p.Plot), `class="dot"`); n < fewPoints || strings.Contains(string(p.Plot), "NaN") {
				t.Errorf("%s: %d points in %s", p.Title, n, p.Plot)
			}
			if strings.Contains(string(p.Plot), "<path class=\"printed\"") != p.Printed {
				t.Errorf("%s: printed %v: %s", p.Title, p.Printed, p.Plot)
			}
		}
		if got := strings.Join(titles, "|"); got != c.titles {
			t.Errorf("%v: figures %q, want %q", c.rows, got, c.titles)
		}
	}
	evil := comparisonOf("<script>", false, "<b> 1", "<b> 2", "<b> 3")
	if text := fmt.Sprint(Comparisons(evil)[0].Plot); strings.Contains(text, "<script>") || strings.Contains(text, "<b>") {
		t.Errorf("a label becomes markup: %s", text)
	}
}
