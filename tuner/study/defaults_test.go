package study_test

import (
	"strings"
	"testing"

	"sakusen/engines/suite"
	"sakusen/tuner"
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
		{"numbers", numbers, "surface", true, 6600},
		{"a choice", least, "surface", true, 6600},
		{"a choice that is fixed", strings.Replace(least, "climber}", "climber, fix: [{name: kind, value: fancy}]}", 1), "surface", true, 6600},
		{"a small space", strings.Replace(least, "climber}", "climber, params: [{name: n}]}", 1), "surface", true, 6600},
		{"a small space with a final", strings.Replace(least, "climber}", "climber, params: [{name: n}]}", 1) + "final: {top: 2}\n", "grid", false, 6600},
		{"a small space of choices", strings.Replace(least, "climber}", "climber, params: [{name: n}, {name: kind}]}", 1), "surface", false, 6600},
		{"few games", numbers + "budget: {games: 5000}\n", "surface", true, 825},
		{"few games and a choice", least + "budget: {games: 5000}\n", "surface", true, 825},
		{"against the baseline", numbers + "evaluate: {mode: baseline}\n", "surface", false, 6600},
		{"a race", numbers + "race: {method: none}\n", "surface", false, 6600},
		{"a choice and a limit", least + "objective: {limits: [{metric: effort, max: 9}]}\n", "tpe", false, 6600},
		{"a limit", numbers + "objective: {limits: [{metric: effort, max: 9}]}\n", "surface", false, 6600},
		{"the worst", numbers + "objective: {over: worst}\n", "surface", false, 6600},
		{"a pool", numbers + "pool: [climber(x=1)]\n", "surface", false, 6600},
		{"an odd batch", numbers + "sampler: {batch: 5}\n", "surface", false, 6600},
		{"a named sampler", numbers + "sampler: {name: surface}\n", "surface", false, 6600},
		{"a metric", numbers + "objective: {of: metric, metric: effort}\n", "surface", false, 3000},
		{"a relative metric", numbers + "objective: {of: metric, metric: effort, relative: true}\n", "surface", false, 4000},
		{"a metric of one number", one + "objective: {of: metric, metric: effort}\n", "surface", false, 3000},
		{"several", numbers + "objective: {of: pareto, objectives: [{of: score}, {of: metric, metric: effort}]}\n", "quasi", false, 6600},
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
	few := strings.Replace(least, "climber}", "climber, params: [{name: n}, {name: kind}]}", 1)
	texts := []string{numbers, few, least, numbers + "objective: {limits: [{metric: effort, max_ratio: 1.3}]}\n"}
	if suite.Few() {
		texts = texts[1:2]
	}
	for _, text := range texts {
		text += "budget: {games: 6000}\n"
		m := newMemory()
		spec := read(t, text)
		r, err := run(t, spec, m, 2)
		if err != nil {
			t.Fatal(err)
		}
		if r.Validation == nil || r.Games > 6000 || allotted(r, spec) < 3000 || r.Validation.Shrinkage == nil && r.Best.Claimed.Elo != nil {
			t.Errorf("%s: %d games, %+v", r.Sampler, r.Games, r.Validation)
		}
		resumes(t, text, m, r, len(m.entries)/2+1)
	}
}

// Games that a file names are not ended by a number of trials that it does not.
func TestGamesBoundTrials(t *testing.T) {
	text := "version: 1\nname: hill\ngame: hill\ntune: {strategy: climber}\nbaseline: climber\nsampler: {name: tpe}\n"
	if s := read(t, text); s.Budget.Trials != 64 {
		t.Errorf("%d trials without a budget", s.Budget.Trials)
	}
	named := read(t, text+"budget: {games: 40000}\n")
	if named.Budget.Trials < 1000 {
		t.Errorf("%d trials of 40 000 games", named.Budget.Trials)
	}
	if s := read(t, text+"budget: {games: 40000, trials: 20}\n"); s.Budget.Trials != 20 {
		t.Errorf("%d trials, 20 are named", s.Budget.Trials)
	}
}

// allotted returns the number of games of a study up to its verdict, its validation counted at its
// full length, which it need not have.
func allotted(r *tuner.Result, s *tuner.Setup) int64 {
	games := r.Games + (s.Validation.MaxBlocks-r.Validation.Blocks)*s.ValidationBlockGames()
	if e := r.Validation.Estimate; e != nil {
		games -= e.Games
	}
	for i := range r.SetBack {
		games -= r.SetBack[i].Games
	}
	if d := r.Defaults; d != nil { // met after the verdict
		games -= d.Games
	}
	return games
}
