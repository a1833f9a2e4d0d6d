package tuner

import (
	"fmt"
	"strconv"
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

// broken says how a mean, or its ratio to the baseline's, breaks the limit; "" if neither
// does. An undefined value breaks it. write turns numbers into text: logged for a reason
// that the log keeps, numeral.Text for people.
func (l *Limit) broken(mean, ratio float64, write func(float64) string) string {
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

// logged is a number in a text of the log, with four significant digits. The
// digest of a study covers such texts, so that this form must never change.
func logged(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }
