package insight

import (
	"slices"
	"testing"

	"sakusen/engines/arena"
	"sakusen/tuner"
)

// Values of a metric stand on an axis with its unit, which ends what is said of the metric.
func TestUnitsOfMetrics(t *testing.T) {
	game := &arena.Game{Metrics: []arena.Metric{
		{Name: "time", Doc: "thinking, with the book, milliseconds a game"}, {Name: "turns", Doc: "turns as told, a mean over games, turns"}, {Name: "bare", Doc: "no unit"}}}
	for name, axis := range map[string]string{"time": "time, milliseconds", "turns": "turns", "bare": "bare", "time ratio": "time ratio"} {
		spec := &tuner.Spec{Objective: tuner.Objective{Of: "metric", Metric: name, Goal: "minimize", Limits: []tuner.Limit{{Metric: "turns"}}}}
		log := NewLog(spec, &arena.Ruleset{Seats: 2, Game: game})
		if got := log.Scale(); got.Axis != axis || got.Unit != name {
			t.Errorf("%s: %q, %q, want %q", name, got.Axis, got.Unit, axis)
		}
		if told := log.Scale().Measured(); name == "time" && !slices.Equal(told, []string{"time: thinking, with the book, milliseconds a game.", "turns: turns as told, a mean over games, turns."}) {
			t.Errorf("%q", told)
		}
	}
}
