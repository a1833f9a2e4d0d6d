package tuner_test

import (
	"strings"
	"testing"
)

// Who proposes, whether candidates meet each other, and how much proves, where
// the file does not say.
func TestDefaultsByStudy(t *testing.T) {
	numbers := strings.Replace(least, "climber}", "climber, params: [{name: x}, {name: n}]}", 1)
	one := strings.Replace(least, "climber}", "climber, params: [{name: x}]}", 1)
	for _, c := range []struct {
		name, text, sampler string
		duels               bool
		blocks              int64
	}{
		{"numbers", numbers, "surface", true, 6000},
		{"a choice", least, "tpe", false, 6000},
		{"a choice that is fixed", strings.Replace(least, "climber}", "climber, fix: [{name: kind, value: fancy}]}", 1), "surface", true, 6000},
		{"a small space", strings.Replace(least, "climber}", "climber, params: [{name: n}]}", 1), "grid", false, 6000},
		{"few games", numbers + "budget: {games: 5000}\n", "surface", true, 1250},
		{"few games and a choice", least + "budget: {games: 5000}\n", "tpe", false, 1250},
		{"against the baseline", numbers + "evaluate: {mode: baseline}\n", "surface", false, 6000},
		{"a race", numbers + "race: {method: none}\n", "surface", false, 6000},
		{"a limit", numbers + "objective: {limits: [{metric: effort, max: 9}]}\n", "surface", false, 6000},
		{"the worst", numbers + "objective: {over: worst}\n", "surface", false, 6000},
		{"a pool", numbers + "pool: [climber(x=1)]\n", "surface", false, 6000},
		{"an odd batch", numbers + "sampler: {batch: 5}\n", "surface", false, 6000},
		{"a named sampler", numbers + "sampler: {name: surface}\n", "surface", false, 6000},
		{"a metric", numbers + "objective: {of: metric, metric: effort}\n", "cmaes", false, 3000},
		{"a relative metric", numbers + "objective: {of: metric, metric: effort, relative: true}\n", "cmaes", false, 4000},
		{"a metric of one number", one + "objective: {of: metric, metric: effort}\n", "cmaes", false, 3000},
		{"several", numbers + "objective: {of: pareto, objectives: [{of: score}, {of: metric, metric: effort}]}\n", "quasi", false, 6000},
	} {
		s := read(t, c.text)
		if s.Sampler.Name != c.sampler || s.Duels != c.duels || s.Validation.MaxBlocks != c.blocks {
			t.Errorf("%s: %s, duels %v, %d blocks; want %s, %v, %d", c.name, s.Sampler.Name, s.Duels, s.Validation.MaxBlocks, c.sampler, c.duels, c.blocks)
		}
	}
}

// The defaults come to a verdict, each within its budget.
func TestDefaultsRun(t *testing.T) {
	numbers := strings.Replace(least, "climber}", "climber, params: [{name: x}, {name: n}]}", 1)
	for _, text := range []string{numbers, least, numbers + "objective: {limits: [{metric: effort, max_ratio: 1.3}]}\n"} {
		text += "budget: {games: 6000}\n"
		m := newMemory()
		r, err := run(t, read(t, text), m, 2)
		if err != nil {
			t.Fatal(err)
		}
		if r.Validation == nil || r.Games > 6000 || r.Games < 3000 || r.Validation.Shrinkage == nil && r.Best.Claimed.Elo != nil {
			t.Errorf("%s: %d games, %+v", r.Sampler, r.Games, r.Validation)
		}
		resumes(t, text, m, r, len(m.entries)/4+1)
	}
}
