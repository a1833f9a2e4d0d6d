package study_test

import (
	"strings"
	"testing"

	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
)

// Mistakes in what a trial is worth and how it is raced, each with its place.
func TestReadObjectiveMistakes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"objective: {of: mean}\n", "6:17: objective.of: expected one of score, metric, pareto, got mean"},
		{"objective: {over: best}\n", "6:19: objective.over: expected one of mean, worst, got best"},
		{"objective: {of: metric, metric: ease, relative: true}\n", "6:49: objective.relative: expected false: ease is a ratio itself, got true"},
		{"objective: {relative: true}\n", "6:23: objective.relative: expected false: a score is against the baseline as it is, got true"},
		{"objective: {of: metric, metric: effort, relative: yes}\n", "6:51: objective.relative: expected one of false, true, got yes"},
		{"objective: {limits: [{metric: effort}]}\n", "6:22: objective.limits[0].max: expected at least one of max, min, max_ratio and min_ratio, got nothing"},
		{"objective: {limits: [{max: 3}]}\n", "6:22: objective.limits[0].metric: expected the name of a metric, got nothing"},
		{"objective: {limits: [{metric: ease, max_ratio: 1.5}]}\n",
			"6:31: objective.limits[0].metric: expected a metric that is a mean per game, for a ratio to the baseline's, got ease, which is a ratio itself"},
		{"objective: {limits: [{metric: effort, max_ratio: 0}]}\n", "6:50: objective.limits[0].max_ratio: expected a number above 0, up to 1.79769313486e+308, got 0"},
		{"objective: {limits: [{metric: effort, max: 1, min: 2}]}\n", "6:52: objective.limits[0].min: expected a number not above max, got 2"},
		{"objective: {limits: [{metric: effort, max_ratio: 1, min_ratio: 2}]}\n", "6:64: objective.limits[0].min_ratio: expected a number not above max_ratio, got 2"},
		{"objective: {limits: [{metric: effort, maximum: 1}]}\n",
			"6:22: objective.limits[0].max: expected at least one of max, min, max_ratio and min_ratio, got nothing\n" +
				"x.yaml:6:39: objective.limits[0].maximum: expected one of the keys metric, max, min, max_ratio, min_ratio, got maximum"},
		{"objective: {of: pareto}\n", "6:12: objective.objectives: expected a list of two to four objectives, got nothing"},
		{"objective: {of: pareto, objectives: [{of: score}]}\n", "6:37: objective.objectives: expected a list of 2 to 4 objectives, got 1"},
		{"objective: {of: pareto, objectives: 3}\n", "6:37: objective.objectives: expected a list, got 3"},
		{"objective: {of: pareto, objectives: [{of: score}, {of: score}]}\n", "6:51: objective.objectives[1]: expected each objective once, got score a second time"},
		{"objective: {of: pareto, objectives: [{of: score}, {of: metric}]}\n", "6:51: objective.objectives[1].metric: expected the name of a metric, got nothing"},
		{"objective: {of: pareto, objectives: [{of: score}, {of: pareto}]}\n", "6:56: objective.objectives[1].of: expected one of score, metric, got pareto"},
		{"objective: {of: pareto, over: worst, objectives: [{of: score}, {of: metric, metric: effort}]}\n",
			"6:31: objective.over: expected none beside of: pareto: each of the objectives has its own, got worst"},
		{"objective: {of: pareto, objectives: [{of: score}, {of: metric, metric: effort}], weights: [1]}\n",
			"6:91: objective.weights: expected 2 weights, one an objective, got 1 of them"},
		{"objective: {of: pareto, objectives: [{of: score}, {of: metric, metric: effort}], weights: [0, 0]}\n",
			"6:91: objective.weights: expected a weight above 0, got none"},
		{"objective: {of: pareto, objectives: [{of: score}, {of: metric, metric: effort}], weights: [-1, 2]}\n",
			"6:92: objective.weights[0]: expected a number in 0..1000000000, got -1"},
		{"objective: {weights: [1, 2]}\n", "6:22: objective.weights: expected none without of: pareto, got a list"},
		{"objective: {objectives: []}\n", "6:25: objective.objectives: expected a list of 2 to 4 objectives, got 0\n" +
			"x.yaml:6:25: objective.objectives: expected none without of: pareto, got a list"},
		{"race: {incumbent: maybe}\n", "6:19: race.incumbent: expected one of true, false, got maybe"},
		{"race: {incumbent: true, rungs: [8, 64]}\n", "6:19: race.incumbent: expected false, or a rung of at least 16 blocks before the last one, got true"},
		{"race: {incumbent: false, alpha: 0.1}\n", "6:33: race.alpha: expected none without race.incumbent, got 0.1"},
		{"race: {alpha: 0.7}\n", "6:15: race.alpha: expected a number in 1e-09..0.5, got 0.7"},
		{"objective: {over: worst}\nrace: {incumbent: true}\n", "7:19: race.incumbent: expected false: blocks are compared by one mean, got score over worst"},
		{"race: {method: friedman}\n", "6:16: race.method: expected one of halving, none, got friedman"},
	} {
		_, err := studyfile.Read("x.yaml", []byte(least+c.text), games(), sampler.Kinds{})
		if err == nil {
			t.Errorf("no mistake found in\n%s", c.text)
			continue
		}
		if got := err.Error(); got != "x.yaml:"+c.want {
			t.Errorf("in\n%s\n got %s\nwant x.yaml:%s", c.text, got, c.want)
		}
	}
}

// Defaults: the incumbent is re-played and tested against wherever that can stop
// somebody.
func TestIncumbentDefaults(t *testing.T) {
	for text, want := range map[string]bool{
		"":                                        true,
		"race: {method: none}\n":                  false,
		"race: {rungs: [8, 64]}\n":                false,
		"race: {rungs: [8, 16, 64]}\n":            true,
		"race: {incumbent: false}\n":              false,
		"objective: {over: worst}\n":              false,
		"objective: {of: metric, metric: ease}\n": true,
	} {
		if s := read(t, least+"sampler: {name: tpe}\n"+text); s.Race.Incumbent != want || (s.Race.Alpha == .05) != want {
			t.Errorf("%q: %+v", text, s.Race)
		}
	}
}

func FuzzReadObjective(f *testing.F) {
	f.Add("{of: pareto, objectives: [{of: score}, {of: metric, metric: effort, relative: true}], weights: [1, 2]}", "{incumbent: true, alpha: 0.01}")
	f.Add("{over: worst, limits: [{metric: effort, max: 1, min_ratio: .5}]}", "{method: halving, rungs: [16, 32]}")
	f.Add("{of: metric, metric: height, goal: minimize, relative: true}", "{blocks: fresh}")
	f.Fuzz(func(t *testing.T, objective, race string) {
		text := least + "objective: " + objective + "\nrace: " + race + "\n"
		s, err := studyfile.Read("x.yaml", []byte(text), games(), sampler.Kinds{})
		if err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if strings.HasPrefix(line, "x.yaml:0:") {
					t.Errorf("a mistake without a place: %s", line)
				}
			}
			return
		}
		if s.Hash() == "" || s.Race.String() == "" || s.Objective.Name() == "" {
			t.Error("a spec without a hash, a race or an objective")
		}
	})
}
