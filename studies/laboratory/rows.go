package laboratory

import (
	"fmt"
	"math"
	"strconv"

	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
)

// sample is the mean of studies with its standard error.
type sample struct{ n, mean, se float64 }

// sampleOf is the mean over the studies for which the value is defined.
func sampleOf(outcomes []Outcome, value func(Outcome) *float64) sample {
	var s sample
	sum, squares := 0.0, 0.0
	for _, o := range outcomes {
		if x := value(o); x != nil {
			s.n++
			sum += *x
			squares += *x * *x
		}
	}
	s.mean, s.se = math.NaN(), math.NaN()
	if s.n > 0 {
		s.mean = sum / s.n
	}
	if s.n > 1 {
		s.se = math.Sqrt(math.Max(squares-sum*s.mean, 0) / (s.n - 1) / s.n)
	}
	return s
}

func truth(o Outcome) *float64     { return &o.Truth }
func claimed(o Outcome) *float64   { return o.Claimed }
func validated(o Outcome) *float64 { return o.Validated }

// row is a sample as a row; a sample of no studies is an empty row.
func (s sample) row(label, metric string) experiment.Row {
	r := experiment.Row{Label: label, Metric: metric}
	if !math.IsNaN(s.mean) {
		r.Measured = experiment.Number(stats.Known(math.Round(s.mean*1e4) / 1e4)) // the rest is below any error
	}
	r.CI = stats.Around(s.mean, stats.Deviate95*s.se)
	return r
}

// rows are what is said of a method in a cell: the true Elo of what it exports
// (whatever the verdict), what it claims of it, what the validation says, the
// share of studies whose validation passes, and the share whose interval holds
// the truth. The true Elo agrees with the reference simulation where it is not
// significantly below.
func rows(r Result) []experiment.Row {
	label := r.Method + " " + r.Cell.Label()
	t := sampleOf(r.Outcomes, truth)
	first := t.row(label, "true Elo")
	if printed, ok := reference(r.Method, r.Cell); ok {
		agrees := !(t.mean+stats.Deviate95*t.se < printed-0.5)
		first.Printed, first.Agrees = experiment.Number(stats.Known(printed)), &agrees
	}
	passed, covered, intervals := 0, 0, 0
	for _, o := range r.Outcomes {
		if o.Verdict == "pass" {
			passed++
		}
		if o.CI != nil {
			intervals++
			if o.CI[0] <= o.Truth && o.Truth <= o.CI[1] {
				covered++
			}
		}
	}
	return []experiment.Row{
		first,
		sampleOf(r.Outcomes, claimed).row(label, "claimed Elo"),
		sampleOf(r.Outcomes, validated).row(label, "validated Elo"),
		share(passed, len(r.Outcomes), label, "share of studies that pass"),
		share(covered, intervals, label, "share of intervals that hold the truth"),
	}
}

// share is a row of k of n, with Wilson's interval.
func share(k, n int, label, metric string) experiment.Row {
	r := experiment.Row{Label: label, Metric: metric}
	if n == 0 {
		return r
	}
	r.Measured = experiment.Number(stats.Known(float64(k) / float64(n)))
	if i, err := stats.Wilson(float64(k), float64(n), 0.95); err == nil {
		r.CI = i
	}
	return r
}

// atMost marks a row as a goal of so many digits that may not be exceeded.
func atMost(r experiment.Row, goal, measured float64, digits int) experiment.Row {
	agrees := measured <= goal+math.Pow10(-digits)/2
	r.Printed, r.Agrees = experiment.JSON(strconv.FormatFloat(goal, 'f', digits, 64)), &agrees
	if !agrees {
		r.Note = fmt.Sprintf("missed by %.*f", digits+1, measured-goal)
	}
	return r
}

// atLeast marks a row as a goal of so many digits: it agrees where the measured
// mean, rounded to them, reaches it.
func atLeast(r experiment.Row, goal, measured float64, digits int) experiment.Row {
	agrees := measured >= goal-math.Pow10(-digits)/2
	r.Printed, r.Agrees = experiment.JSON(strconv.FormatFloat(goal, 'f', digits, 64)), &agrees
	if !agrees {
		r.Note = fmt.Sprintf("missed by %.*f", digits+1, goal-measured)
	}
	return r
}
