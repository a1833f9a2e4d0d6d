package bench

import (
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"

	"sakusen/bench/changepoint"
)

// alarmAfter is the number of runs on the new level before a change is reported as an
// alarm: a few bad runs may be one bad day of the machine.
const alarmAfter = 4

// Change is a change of level in a series' history.
type Change struct {
	changepoint.Point
	// Alarm says that enough runs followed to believe the change.
	Alarm bool
	// Worse and Better tell its direction, where the unit has one.
	Worse, Better bool
}

// Changes finds changes of level in the medians of a series, run by run, from
// index start on: what was before is another story. Indexes count from 0 of the
// whole list. The metadata of units tells which direction is the better one.
func Changes(unit string, units benchfmt.UnitMetadataMap, medians []float64, start int, o changepoint.Options) ([]Change, error) {
	points, err := changepoint.Detect(medians[start:], o)
	if err != nil {
		return nil, err
	}
	better := direction(unit, units)
	var changes []Change
	for _, p := range points {
		p.Index += start
		diff := (p.After - p.Before) * float64(better)
		changes = append(changes, Change{p, len(medians)-p.Index >= alarmAfter, diff < 0, diff > 0})
	}
	return changes, nil
}

// Median is the middle of the values, or the mean of the two in the middle.
func Median(values []float64) float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// Sparkline draws values as one line of at most width signs; where there are
// more values than that, the last ones.
func Sparkline(values []float64, width int) string {
	values = values[max(0, len(values)-width):]
	if len(values) == 0 {
		return ""
	}
	signs := []rune("▁▂▃▄▅▆▇█")
	lo, hi := slices.Min(values), slices.Max(values)
	var b strings.Builder
	for _, v := range values {
		at := 0
		if hi > lo {
			at = int((v - lo) / (hi - lo) * float64(len(signs)-1))
		}
		b.WriteRune(signs[at])
	}
	return b.String()
}

// Bar draws a value as a bar between 0 and the largest of its series.
func Bar(value, largest float64, width int) string {
	if largest <= 0 || value <= 0 {
		return ""
	}
	return strings.Repeat("█", max(1, int(value/largest*float64(width)+0.5)))
}
