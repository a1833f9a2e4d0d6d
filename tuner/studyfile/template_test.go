package studyfile_test

import (
	"strings"
	"testing"

	"sakusen/strategies"
	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
)

// Every strategy with something to tune has a template that is a study file as it
// stands, and tunes what a file without params does.
func TestTemplates(t *testing.T) {
	games := strategies.Catalogue()
	seen := 0
	for _, g := range games {
		for _, s := range g.Strategies {
			text, err := studyfile.Template(g.Name, s.Name, games, sampler.Kinds{})
			if err != nil {
				if !strings.Contains(err.Error(), "nothing that a plain study could tune") {
					t.Errorf("%s %s: %v", g.Name, s.Name, err)
				}
				continue
			}
			seen++
			got, err := studyfile.Read("x.yaml", []byte(text), games, sampler.Kinds{})
			if err != nil {
				t.Errorf("%s %s: %v\n%s", g.Name, s.Name, err, text)
				continue
			}
			if len(got.Tune.Params) == 0 || strings.Count(text, "- {name: ") != len(got.Tune.Params) {
				t.Errorf("%s %s: %d parameters of\n%s", g.Name, s.Name, len(got.Tune.Params), text)
			}
		}
	}
	if seen < 8 {
		t.Errorf("only %d templates", seen)
	}
	if _, err := studyfile.Template("battleship", "pm", games, sampler.Kinds{}); err == nil || !strings.Contains(err.Error(), "unknown strategy of battleship") {
		t.Error(err)
	}
}
