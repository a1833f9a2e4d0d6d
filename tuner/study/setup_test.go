package study_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"sakusen/tuner"
)

// A spec is the same after a database kept it: its hash, its opponents, and what
// a study of it writes into its log.
func TestPrepareStored(t *testing.T) {
	for name, text := range map[string]string{
		"race": fmt.Sprintf(hillStudy, "uniform"), "duels": duelStudy, "surface": surfaceStudy,
		"pareto": strings.Replace(paretoStudy, "%s", "", 1),
		"no baseline": `version: 1
name: relative
game: hill
tune: {strategy: climber, fix: [{name: kind, value: plain}]}
objective: {of: metric, metric: effort, relative: true}
sampler: {name: uniform}
budget: {trials: 8, games: 4000}
`,
	} {
		t.Run(name, func(t *testing.T) {
			setup := read(t, text)
			stored, err := json.Marshal(setup.Spec)
			if err != nil {
				t.Fatal(err)
			}
			if also, err := json.Marshal(setup); err != nil || string(also) != string(stored) {
				t.Errorf("a setup is written as %s, its spec as %s (%v)", also, stored, err)
			}
			again, err := reopen(stored, games())
			if err != nil {
				t.Fatal(err)
			}
			if again.Hash() != setup.Hash() {
				t.Errorf("hash %s, stored and prepared again %s", setup.Hash(), again.Hash())
			}
			if got, want := again.Reference.Canonical(), setup.Reference.Canonical(); got != want {
				t.Errorf("relative to %q, stored and prepared again to %q", want, got)
			}
			want, err := run(t, setup, newMemory(), 2)
			if err != nil {
				t.Fatal(err)
			}
			got, err := run(t, again, newMemory(), 2)
			if err != nil || got.Digest != want.Digest {
				t.Errorf("digest %s, stored and prepared again %v (%v)", want.Digest, got, err)
			}
		})
	}
}

// A spec that this program's games do not know is refused with the part that is
// unknown.
func TestPrepareMistakes(t *testing.T) {
	for want, change := range map[string]func(*tuner.Spec){
		"spec: race.rungs:": func(s *tuner.Spec) { s.Race.Rungs = nil },
		"mountain":          func(s *tuner.Spec) { s.Game = "mountain" },
		"spec: rules:":      func(s *tuner.Spec) { s.Rules = s.Rules.With("height", "10") },
		"spec: baseline:":   func(s *tuner.Spec) { s.Baseline = "walker" },
		"spec: pool[1]:":    func(s *tuner.Spec) { s.Pool = []string{"climber", "walker"} },
		"evaluate.filler":   func(s *tuner.Spec) { s.Evaluate = &tuner.PoolSpec{Filler: "walker"} },
	} {
		s := *read(t, fmt.Sprintf(hillStudy, "quasi")).Spec
		change(&s)
		if _, err := tuner.Prepare(&s, games()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("expected an error with %q, got %v", want, err)
		}
	}
}
