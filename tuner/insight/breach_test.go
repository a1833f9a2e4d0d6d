package insight

import (
	"testing"

	"sakusen/tuner"
)

// A trial outside a limit is told with the metric, its value and the limit.
func TestBreach(t *testing.T) {
	most, ratio := 2e4, 1.5
	c := NewLog(&tuner.Spec{Objective: tuner.Objective{Of: "score", Limits: []tuner.Limit{{Metric: "work", Max: &most}, {Metric: "shots", MaxRatio: &ratio}}}}, nil)
	c.Breaches[3] = breach{Means: []float32{272040960, 40}, Ratios: []float32{0, 1}}
	c.Breaches[4] = breach{Means: []float32{100, 40}, Ratios: []float32{0, 1.75}}
	for trial, want := range map[int]string{
		2: "", 3: "work 272\u202f040\u202f000 exceeds its limit 20\u202f000", 4: "shots at 1.75 of the baseline's exceeds its limit 1.5",
	} {
		if got := c.Breach(trial); got != want {
			t.Errorf("trial %d: %q, want %q", trial, got, want)
		}
	}
}
