package study_test

import (
	"errors"
	"slices"
	"testing"

	"sakusen/engines/suite"
	"sakusen/tuner/entry"
)

// answeringStudies are studies whose answer is no trial's, by sampler.
var answeringStudies = map[string]string{
	"spsa": `version: 1
name: answering
game: hill
tune: {strategy: climber, fix: [{name: kind, value: fancy}]}
baseline: climber
evaluate: {mode: duels}
sampler: {name: spsa, seed: 5}
race: {rungs: [8]}
budget: {games: 6000}
validation: {gain_elo: [0, 20], max_blocks: 600}
`,
	"spsa against the baseline": `version: 1
name: answering
game: hill
tune: {strategy: climber, fix: [{name: kind, value: fancy}]}
baseline: climber
sampler: {name: spsa, seed: 5}
race: {rungs: [8]}
budget: {games: 6000}
validation: {gain_elo: [0, 20], max_blocks: 600}
`,
}

// A study that answers with a mean or an iterate comes to a verdict, is the
// same with any number of workers, and goes on to the same end when it dies
// after any number of entries.
func TestAnsweringStudiesEndTheSame(t *testing.T) {
	for name, text := range answeringStudies {
		t.Run(name, func(t *testing.T) {
			spec := read(t, text)
			whole := newMemory()
			want, err := run(t, spec, whole, 1)
			if err != nil {
				t.Fatal(err)
			}
			if want.Validation == nil || want.Games > spec.Budget.Games || want.Trials < 40 {
				t.Fatalf("%+v", want)
			}
			if !slices.ContainsFunc(whole.entries, func(e entry.Entry) bool { return e.Kind == entry.KindAnswer }) {
				t.Error("no answer in the log")
			}
			many, err := run(t, spec, newMemory(), 8)
			if err != nil || many.Digest != want.Digest {
				t.Errorf("eight workers: digest %s, want %s (%v)", many.Digest, want.Digest, err)
			}
			step := 1 + len(whole.entries)/6
			if suite.Few() {
				step = 1 + len(whole.entries)/2
			}
			for at := 1; at < len(whole.entries); at += step {
				m := newMemory()
				m.die = at
				if _, err := run(t, spec, m, 2); !errors.Is(err, errDied) {
					t.Fatalf("entry %d: %v", at, err)
				}
				m.die = 0
				got, err := run(t, spec, m, 2)
				if err != nil || got.Digest != want.Digest {
					t.Fatalf("killed after %d entries: %v, %v", at, got, err)
				}
			}
			t.Logf("%d trials, %d games, best %v, claimed %v", want.Trials, want.Games, want.Best.Params, want.Best.Claimed)
		})
	}
}
