package studyfile

import (
	"math"

	"go.yaml.in/yaml/v3"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/studyfile/yamlfile"
)

// readLimit reads one of objective.limits.
func (s *draft) readLimit(r *yamlfile.Document, n *yaml.Node, field string) {
	m := r.Mapping(n, field)
	l := tuner.Limit{Metric: m.Text("metric", "")}
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
		x := m.Float(b.key, 0, b.low, math.MaxFloat64)
		if m.Has(b.key) {
			given, *b.into = true, &x
		}
	}
	if m.Require("metric", "the name of a metric") && s.Ruleset != nil {
		found, err := s.Ruleset.Metric(l.Metric)
		switch {
		case err != nil:
			r.Fail(m.Take("metric"), field+".metric", "a metric", err.Error())
		case l.Relative() && found.Per != "":
			r.Fail(m.Take("metric"), field+".metric", "a metric that is a mean per game, for a ratio to the baseline's", l.Metric+", which is a ratio itself")
		}
	}
	if !given {
		m.Require("max", "at least one of max, min, max_ratio and min_ratio")
	}
	for _, pair := range [][2]string{{"min", "max"}, {"min_ratio", "max_ratio"}} {
		low, high := l.Min, l.Max
		if pair[0] == "min_ratio" {
			low, high = l.MinRatio, l.MaxRatio
		}
		if low != nil && high != nil && *low > *high {
			r.Fail(m.Take(pair[0]), field+"."+pair[0], "a number not above "+pair[1], numeral.Text(*low))
		}
	}
	m.Done()
	s.Objective.Limits = append(s.Objective.Limits, l)
}
