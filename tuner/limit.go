package tuner

import (
	"fmt"
	"math"
	"strconv"

	"go.yaml.in/yaml/v3"

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

// relative tells whether the limit asks what the baseline does.
func (l *Limit) relative() bool { return l.MaxRatio != nil || l.MinRatio != nil }

// broken says how a mean and its ratio to the baseline's break the limit, "" if
// they do not. An undefined value breaks it. write turns numbers into text:
// logged for a reason that the log keeps, numeral.Text for people.
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

// readLimit reads one of objective.limits.
func (s *draft) readLimit(r *reader, n *yaml.Node, field string) {
	m := r.mapping(n, field)
	l := Limit{Metric: m.text("metric", "")}
	bounds := []struct {
		key  string
		low  float64
		into **float64
	}{
		{"max", -math.MaxFloat64, &l.Max}, {"min", -math.MaxFloat64, &l.Min},
		{"max_ratio", math.SmallestNonzeroFloat64, &l.MaxRatio}, {"min_ratio", math.SmallestNonzeroFloat64, &l.MinRatio},
	}
	given := false
	for _, b := range bounds {
		x := m.float(b.key, 0, b.low, math.MaxFloat64)
		if m.has(b.key) {
			given, *b.into = true, &x
		}
	}
	if m.require("metric", "the name of a metric") && s.Ruleset != nil {
		found, err := s.Ruleset.Metric(l.Metric)
		switch {
		case err != nil:
			r.fail(m.take("metric"), field+".metric", "a metric", err.Error())
		case l.relative() && found.Per != "":
			r.fail(m.take("metric"), field+".metric", "a metric that is a mean per game, for a ratio to the baseline's", l.Metric+", which is a ratio itself")
		}
	}
	if !given {
		m.require("max", "at least one of max, min, max_ratio and min_ratio")
	}
	for _, pair := range [][2]string{{"min", "max"}, {"min_ratio", "max_ratio"}} {
		low, high := l.Min, l.Max
		if pair[0] == "min_ratio" {
			low, high = l.MinRatio, l.MaxRatio
		}
		if low != nil && high != nil && *low > *high {
			r.fail(m.take(pair[0]), field+"."+pair[0], "a number not above "+pair[1], numeral.Text(*low))
		}
	}
	m.done()
	s.Objective.Limits = append(s.Objective.Limits, l)
}
