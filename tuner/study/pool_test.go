package study_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"sakusen/engines/suite"
	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
)

const boatStudy = `version: 1
name: boats
game: lifeboats
rules: [{name: players, value: 3}]
tune:
  strategy: level0
evaluate: {mode: pool, group: 2, filler: random, rounds: 3, games: 12}
sampler:
  name: jgg
  seed: 4
  options:
    - {name: population, value: 9}
    - {name: parents, value: 3}
    - {name: children, value: 7}
    - {name: start, value: "-1..1"}
budget: {trials: 78, games: 20000}
final: {top: 3, blocks: 100}
validation: {gain_elo: [0, 50], max_blocks: 400}
`

func readBoats(t testing.TB, text string) (*tuner.Setup, error) {
	t.Helper()
	return studyfile.Read("boats.yaml", []byte(text), strategies.Catalogue(), sampler.Kinds{})
}

// A generation plays itself. The log of one worker equals that of eight, a study that is killed
// after any entry continues to the same end, every individual is a trial with its role, and
// games are counted once.
func TestPool(t *testing.T) {
	suite.All(t)
	spec, err := readBoats(t, boatStudy)
	if err != nil {
		t.Fatal(err)
	}
	whole := newMemory()
	want, err := run(t, spec, whole, 1)
	if err != nil {
		t.Fatal(err)
	}
	// Six generations of 3 parents, 3 reflections and 7 children; 3 rounds of 12
	// games for each of 3 and of 4 groups; a final of 3 and a validation, which may end early.
	if want.Trials != 78 || allotted(want, spec) != 6*3*12*(3+4)+3*3*100+3*400 {
		t.Errorf("%d trials, %d games", want.Trials, want.Games)
	}
	if many, err := run(t, spec, newMemory(), 8); err != nil || many.Digest != want.Digest {
		t.Errorf("eight workers: %v (%v), want %s", many, err, want.Digest)
	}
	for at := 1; at < len(whole.entries); at++ {
		m := newMemory()
		m.die = at
		if _, err := run(t, spec, m, 2); !errors.Is(err, errDied) {
			t.Fatalf("entry %d: %v", at, err)
		}
		m.die = 0
		if got, err := run(t, spec, m, 2); err != nil || got.Digest != want.Digest {
			t.Fatalf("killed after %d entries: %v, %v", at, got, err)
		}
	}
	roles := map[string]int{}
	trials, err := whole.GetAllTrials(whole.study)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range trials {
		roles[x.SystemAttrs["generation"]+x.SystemAttrs["role"]]++
		if len(strings.Fields(x.SystemAttrs["parents"])) != 3 || !x.State.IsFinished() {
			t.Errorf("trial %d: %v, %v", x.Number, x.State, x.SystemAttrs)
		}
	}
	for _, g := range "012345" {
		if roles[string(g)+"parent"] != 3 || roles[string(g)+"reflection"] != 3 || roles[string(g)+"child"] != 7 {
			t.Errorf("generation %c: %v", g, roles)
		}
	}
	for _, e := range whole.entries {
		if e.Kind != entry.KindPool {
			continue
		}
		var p struct {
			Trials []struct {
				Blocks, Games int64
				Scores        [][2]int64
			}
		}
		if err := json.Unmarshal(e.Payload, &p); err != nil {
			t.Fatal(err)
		}
		for _, x := range p.Trials {
			blocks := int64(0)
			for _, s := range x.Scores {
				blocks += s[1]
			}
			if x.Blocks != 12 || x.Games != 36 || blocks != 12 {
				t.Errorf("an individual has %+v", x)
			}
		}
	}
	if want.Best == nil || want.Validation == nil || want.Best.Claimed.Score == nil || *want.Best.Claimed.Score < 0.4 {
		t.Errorf("%+v %+v", want.Best, want.Validation)
	}
}

// With answer: centroid each generation has one individual more, which plays and
// is no parent; the finalists are such.
func TestPoolDelegates(t *testing.T) {
	spec, err := readBoats(t, strings.Replace(boatStudy, "    - {name: start,", "    - {name: answer, value: centroid}\n    - {name: start,", 1))
	if err != nil {
		t.Fatal(err)
	}
	spec.Budget.Trials = 6*14 + 7
	whole := newMemory()
	got, err := run(t, spec, whole, 2)
	if err != nil {
		t.Fatal(err)
	}
	if got.Trials != 6*14+7 {
		t.Errorf("%d trials", got.Trials)
	}
	again := newMemory()
	again.die = len(whole.entries) / 2
	if _, err := run(t, spec, again, 2); !errors.Is(err, errDied) {
		t.Fatal(err)
	}
	again.die = 0
	if resumed, err := run(t, spec, again, 2); err != nil || resumed.Digest != got.Digest {
		t.Errorf("resumed: %v, %v", resumed, err)
	}
	trials, err := whole.GetAllTrials(whole.study)
	if err != nil {
		t.Fatal(err)
	}
	centroids := 0
	for _, x := range trials {
		if (x.SystemAttrs["role"] == "centroid") != (x.SystemAttrs[tuner.AttrDelegate] != "") {
			t.Errorf("trial %d: %v", x.Number, x.SystemAttrs)
		}
		if x.SystemAttrs["role"] == "centroid" {
			centroids++
		}
	}
	if len(got.Hall) != 3 || got.Hall[0].Trial != 6*14+6 || got.Hall[0].Score == nil {
		t.Errorf("the hall of fame is %+v", got.Hall)
	}
	if centroids != 7 || trials[got.Best.Trial].SystemAttrs["role"] != "centroid" {
		t.Errorf("%d centroids, the answer is %v", centroids, trials[got.Best.Trial].SystemAttrs)
	}
}

func TestPoolMistakes(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"games: 12}", "games: 13}", "evaluate.games: expected a multiple of the 3 seats, so that everybody has each as often, got 13"},
		{"group: 2", "group: 4", "evaluate.group: expected an integer in 1..3, got 4"},
		{"filler: random, ", "", "evaluate.filler: expected an entrant for the seats that are left, got nothing"},
		{"filler: random", "filler: rondam", "evaluate.filler: expected an entrant of lifeboats"},
		{"mode: pool", "mode: duel", "evaluate.mode: expected one of pool, duels, baseline, got duel"},
		{"mode: pool, ", "", "evaluate.mode: expected mode: baseline, duels or pool, got nothing"},
		{"rounds: 3", "rounds: 0", "evaluate.rounds: expected an integer in 1..1000, got 0"},
		{"rounds: 3", "turns: 3", "evaluate.turns: expected"},
		{"sampler:", "race: {method: none}\nsampler:", "race: expected none, as a generation plays itself, got a mapping"},
		{"sampler:", "objective: {of: metric, metric: crew}\nsampler:", "objective: expected of: score without limits"},
		{"value: 9}", "value: 2}", "parents: expected at most the population's 2, got 3"},
	} {
		_, err := readBoats(t, strings.Replace(boatStudy, c.old, c.new, 1))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s for %s: got %v, expected %s", c.new, c.old, err, c.want)
		}
	}
}
