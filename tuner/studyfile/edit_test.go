package studyfile

import (
	"maps"
	"testing"
)

// What a file says is told by its keys, in few lines.
func TestWritten(t *testing.T) {
	got := Written("name: a\ntune: {strategy: s, params: [{name: x, low: 1, high: 2e3}, {name: k, choices: [a, b]}, {name: z}], fix: [{name: y, value: 7}]}\nrace: {rungs: [8, 16]}\npool: [{strategy: p}]\n")
	want := map[string]string{"name": "a", "tune.strategy": "s", "tune.params[x]": "from 1 to 2e3", "tune.params[k]": "a, b", "tune.params[z]": "as declared",
		"tune.fix[y]": "7", "race.rungs": "8, 16", "pool[0].strategy": "p"}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := Written("["); len(got) != 0 {
		t.Errorf("no file: %v", got)
	}
}
