package service_test

import (
	"strings"
	"testing"

	"sakusen/engines/arena"
)

const oldStudy = `version: 1
name: old
game: battleship
tune:
  strategy: checkerboard
  fix: [{name: place.kind, value: random}]
  params: [{name: neighbours}]
baseline: CB
objective: {of: score}
sampler: {name: grid, seed: 7, batch: 2}
race: {method: none, rungs: [20]}
budget: {trials: 2, games: 1000}
final: {top: 1, blocks: 20}
validation: {gain_elo: [0, 10], max_blocks: 60}
`

// A study that began before the rules of its game had conventions goes on by those of that
// time, from the same file, and prints what it played.
func TestStudyKeepsItsConventions(t *testing.T) {
	s := open(t)
	older := fileOf(t, oldStudy+"rules: [{name: conventions, value: earlier}]\n")
	if strings.Contains(older.Setup.Rules.String(), "conventions") || !strings.Contains(older.Setup.Baseline, "sinking=at_once") {
		t.Fatalf("rules %s, baseline %s: not what an older program stored", older.Setup.Rules, older.Setup.Baseline)
	}
	older.Source.Text = oldStudy
	first, err := s.Studies().Tune(t.Context(), older, arena.NewPool(1), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	again := fileOf(t, oldStudy)
	if !strings.Contains(again.Setup.Baseline, "sinking=late") {
		t.Fatalf("baseline %s today", again.Setup.Baseline)
	}
	second, err := s.Studies().Tune(t.Context(), again, arena.NewPool(1), nil, nil)
	if err != nil || second.Digest != first.Digest {
		t.Fatalf("digest %+v, %v; it was %s", second, err, first.Digest)
	}
	if again.Setup.Baseline != older.Setup.Baseline {
		t.Errorf("it says that it played %s, and played %s", again.Setup.Baseline, older.Setup.Baseline)
	}
	if today := tuned(t, open(t), oldStudy); today.Digest == first.Digest {
		t.Error("a new study plays by the conventions of older ones")
	}
}
