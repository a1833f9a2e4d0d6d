package service_test

import (
	"strings"
	"testing"

	"sakusen/engines/arena"
)

const plainStudy = `version: 1
name: plain
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

// A study whose file has the same text goes on by its stored spec, and prints what it
// played, where the defaults by which the text is read have become others.
func TestStudyKeepsItsSpec(t *testing.T) {
	s := open(t)
	stored := fileOf(t, plainStudy+"rules: [{name: conventions, value: plain}]\n")
	if !strings.Contains(stored.Setup.Baseline, "sinking=at_once") {
		t.Fatalf("rules %s, baseline %s", stored.Setup.Rules, stored.Setup.Baseline)
	}
	stored.Source.Text = plainStudy
	first, err := s.Studies().Tune(t.Context(), stored, arena.NewPool(1), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	again := fileOf(t, plainStudy)
	if !strings.Contains(again.Setup.Baseline, "sinking=late") {
		t.Fatalf("baseline %s by the defaults", again.Setup.Baseline)
	}
	second, err := s.Studies().Tune(t.Context(), again, arena.NewPool(1), nil, nil)
	if err != nil || second.Digest != first.Digest {
		t.Fatalf("digest %+v, %v; it was %s", second, err, first.Digest)
	}
	if again.Setup.Baseline != stored.Setup.Baseline {
		t.Errorf("it says that it played %s, and played %s", again.Setup.Baseline, stored.Setup.Baseline)
	}
	if other := tuned(t, open(t), plainStudy); other.Digest == first.Digest {
		t.Error("a new study does not play by the defaults")
	}
}
