package view_test

import (
	"strings"
	"testing"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/view"
)

// A metric of which less is better has the ends of its quoted gain in every output, the interval of
// the verdict's own gain, what the search believed beside what was measured, and its limits.
func TestMetricIsToldOnce(t *testing.T) {
	spec, r := study()
	number := func(x float64) *float64 { return &x }
	spec.Objective = tuner.Objective{Of: "metric", Metric: "shots", Goal: "minimize"}
	verdict := func(winner, gain, low, high float64) *entry.MetricVerdict {
		return &entry.MetricVerdict{Name: "shots", Winner: &winner, Baseline: number(50), Gain: &gain, GainCI: &[2]float64{low, high}}
	}
	r.Best.Claimed, r.Best.Value, r.Best.Error = tuner.Claim{}, number(44.9), number(1)
	v := r.Validation
	v.Score, v.Elo, v.CI95, v.Shrinkage = nil, nil, nil, number(-.2)
	v.Metric = verdict(47, 3, 1, 5)
	v.Estimate = &tuner.AfterPass{Metric: verdict(47.5, 2.5, .5, 3.5), Blocks: 19, Whole: true}
	v.Limits = []tuner.LimitValue{{Limit: "work at most 1.5 times the baseline's", Value: number(1.25), Error: number(.01)}}
	got := strings.Join(strings.Fields(told(t, spec, r)), " ")
	for _, want := range []string{
		"a gain of 2.5, and with 95 % confidence between 0.5 and 3.5.", "The verdict's 2000 blocks showed a gain of 3.0 (1.0 to 5.0); on average they show too much.",
		"estimated shots 44.9; the games after the verdict measured 47.5", "work 1.250 +- 0.020 times the baseline's in the validation (95 %); the limit is at most 1.5 times the baseline's.",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
	if c := view.Gain(v); c.Interval == nil || strings.TrimLeft(c.Interval.Low, "-−") != "7.0" || strings.TrimLeft(c.Interval.High, "-−") != "1.0" {
		t.Errorf("%+v, %+v", c, c.Interval)
	}
}

// A baseline that leaves a conditional parameter off as the defaults do is the defaults.
func TestDefaultsWithConditions(t *testing.T) {
	spec, r := study()
	spec.Tune.Params[0].Default, spec.Tune.Params[1].Default = "1", "0.5"
	var d tuner.Dimension
	d.Name, d.Default, d.When = "bend", "0.5", []param.Condition{{Name: "x", Value: "2"}}
	spec.Tune.Params = append(spec.Tune.Params, d)
	r.Best.Params["x"], r.Best.Params["bend"] = "2", "0.3"
	if got := told(t, spec, r); strings.Contains(got, "Defaults") {
		t.Error(got)
	}
	spec.Baseline = "climber(x=1,y=0.75)"
	if got := told(t, spec, r); !strings.Contains(got, "the baseline is not the defaults") {
		t.Error(got)
	}
}
