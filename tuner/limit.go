package tuner

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"sakusen/tuner/numeral"
)

// Limit makes a candidate infeasible whose mean of a metric, or its ratio to the
// baseline's mean on the same blocks, lies outside.
type Limit struct {
	Metric   string   `json:"metric"`
	Max      *float64 `json:"max,omitempty"`
	Min      *float64 `json:"min,omitempty"`
	MaxRatio *float64 `json:"max_ratio,omitempty"`
	MinRatio *float64 `json:"min_ratio,omitempty"`
}

// Relative tells whether the limit asks what the baseline does.
func (l *Limit) Relative() bool { return l.MaxRatio != nil || l.MinRatio != nil }

// String reads "work at most 1.5 times the baseline's".
func (l *Limit) String() string {
	var bounds []string
	add := func(bound *float64, what, of string) {
		if bound != nil {
			bounds = append(bounds, what+" "+numeral.Text(*bound)+of)
		}
	}
	add(l.Min, "at least", "")
	add(l.Max, "at most", "")
	add(l.MinRatio, "at least", " times the baseline's")
	add(l.MaxRatio, "at most", " times the baseline's")
	return l.Metric + " " + strings.Join(bounds, " and ")
}

// Exceeded says how a mean, or its ratio to the baseline's, breaks the limit; "" if neither
// does. An undefined value breaks it. write turns numbers into text: LogText for a reason
// that the log keeps, numeral.Text for people.
func (l *Limit) Exceeded(mean, ratio float64, write func(float64) string) string {
	switch {
	case l.Max != nil && !(mean <= *l.Max):
		return fmt.Sprintf("%s %s exceeds its limit %s", l.Metric, write(mean), write(*l.Max))
	case l.Min != nil && !(mean >= *l.Min):
		return fmt.Sprintf("%s %s is below its limit %s", l.Metric, write(mean), write(*l.Min))
	case l.MaxRatio != nil && !(ratio <= *l.MaxRatio):
		return fmt.Sprintf("%s at %s of the baseline's exceeds its limit %s", l.Metric, write(ratio), write(*l.MaxRatio))
	case l.MinRatio != nil && !(ratio >= *l.MinRatio):
		return fmt.Sprintf("%s at %s of the baseline's is below its limit %s", l.Metric, write(ratio), write(*l.MinRatio))
	}
	return ""
}

// Broken says for pages how a mean, or its ratio to the baseline's, breaks the limit; ""
// if neither does.
func (l *Limit) Broken(mean, ratio float64) string {
	return l.Exceeded(mean, ratio, func(x float64) string {
		if math.Abs(x) >= 1e4 {
			return numeral.Short(x, math.Abs(x)*4e-4)
		}
		return numeral.Page(LogText(x))
	})
}

// Excess is by how much a candidate exceeds a limit.
type Excess struct {
	Limit string  // in words, such as "shots at most 40"
	By    float64 // in the metric's unit, or of the ratio; at most 0 inside, 1 where undefined
}

// excess is by how much a mean, or its ratio to the baseline's, exceeds the bounds.
func (l *Limit) excess(mean, ratio float64) (out []Excess) {
	add := func(bound *float64, what string, sign, x float64) {
		if bound == nil {
			return
		}
		by := sign * (x - *bound)
		if math.IsNaN(by) || math.IsInf(by, 0) {
			by = 1
		}
		out = append(out, Excess{fmt.Sprintf("%s %s %s", l.Metric, what, numeral.Text(*bound)), by})
	}
	add(l.Max, "at most", 1, mean)
	add(l.Min, "at least", -1, mean)
	add(l.MaxRatio, "of the baseline's at most", 1, ratio)
	add(l.MinRatio, "of the baseline's at least", -1, ratio)
	return out
}

// LogText is a number in a text of the log, with four significant digits. The
// digest of a study covers such texts, so that this form must never change.
func LogText(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }
