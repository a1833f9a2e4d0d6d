package study_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
	"sakusen/tuner/studyfile/yamlfile"
)

// every study here leads the reader to other keys; together to all of them.
var everyKey = []string{
	`version: 1
name: a
doc: b
game: hill
rules: [{name: slope, value: 0.1}]
tune: {strategy: climber, fix: [{name: n, value: 1}], params: [{name: x, low: 0, high: 1, step: 0.1, int_scale: 10}]}
baseline: {strategy: climber, params: [{name: n, value: 1}]}
pool: [{strategy: climber, params: [{name: n, value: 3}]}]
objective: {of: pareto, objectives: [{of: score}, {of: metric, metric: effort}], weights: [1, 1], limits: [{metric: height, max: 3}]}
sampler: {name: jgg, options: [{name: population, value: 9}]}
`,
	"version: 1\nname: a\ngame: external\ntune: {strategy: bot, declare: [{name: x, low: 0, high: 1, default: 0}], others: [b], metrics: [c]}\nbaseline: bot\n",
	"version: 1\nname: a\ngame: hill\ntune: {strategy: climber}\nevaluate: {mode: pool, filler: climber}\n",
	"version: 1\nname: a\ngame: hill\ntune: {strategy: climber}\nbaseline: climber\nevaluate: {mode: duels}\nvalidation: {replay: 0.02}\n",
}

// docs/studies.md names every key that the reader accepts, and none that it does
// not.
func TestEveryKeyIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/studies.md")
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	for _, s := range everyKey {
		d := yamlfile.Read("keys.yaml", []byte(s))
		d.Keys = keys
		// What is wrong with the file does not matter here.
		_, _ = studyfile.ReadDocument(d, games(), sampler.Kinds{}, nil)
	}
	if len(keys) < 60 {
		t.Errorf("only %d keys were asked for", len(keys))
	}
	named := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		cells := strings.Split(line, "|")
		for i, part := range strings.Split(cells[1]+" "+strings.Join(cells[3:], "|"), "`") {
			if i%2 == 1 {
				named[part] = true
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if !named[key] {
			t.Errorf("docs/studies.md does not name %s", key)
		}
	}
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		for i, part := range strings.Split(strings.Split(line, "|")[1], "`") {
			if i%2 == 1 && part != "evaluate: {mode: pool}" && part != "evaluate: {mode: duels}" && !keys[part] {
				t.Errorf("docs/studies.md names %s, which the reader does not ask for", part)
			}
		}
	}
}
