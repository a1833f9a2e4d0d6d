package study_test

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"sakusen/engines/suite"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
)

const surfaceStudy = `version: 1
name: surface
game: hill
tune: {strategy: climber, fix: [{name: kind, value: plain}], params: [{name: x}, {name: n}]}
baseline: climber
sampler: {name: surface, seed: 5}
race: {rungs: [8]}
budget: {games: 6000}
validation: {gain_elo: [0, 20], max_blocks: 1000}
`

const duelStudy = surfaceStudy + "evaluate: {mode: duels}\n"

// A study whose answer is a model's comes to the same end with any number of
// workers and after any death. The answer is a trial of its own, near the top,
// with the model's claim, and there is no final and no incumbent.
func TestAnswer(t *testing.T) {
	for name, text := range map[string]string{"blocks": surfaceStudy, "duels": duelStudy} {
		t.Run(name, func(t *testing.T) {
			spec := read(t, text)
			whole := newMemory()
			want, err := run(t, spec, whole, 1)
			if err != nil {
				t.Fatal(err)
			}
			if many, err := run(t, spec, newMemory(), 8); err != nil || many.Digest != want.Digest {
				t.Errorf("eight workers: %v (%v), want %s", many, err, want.Digest)
			}
			every := 67
			if suite.Few() {
				every = len(whole.entries)
			}
			for at := 1; at < len(whole.entries); at += every {
				dieAndResume(t, spec, whole, want, at)
			}
			for at := len(whole.entries) - 3; at < len(whole.entries); at++ {
				dieAndResume(t, spec, whole, want, at)
			}
			if want.Games > spec.Budget.Games || allotted(want, spec) < spec.Budget.Games*9/10 {
				t.Errorf("%d games of %d", want.Games, spec.Budget.Games)
			}
			if x, _ := strconv.ParseFloat(want.Best.Params["x"], 64); math.Abs(x-0.7) > 0.12 || want.Validation.Verdict != "pass" {
				t.Errorf("%v %+v", want.Best.Params, want.Validation)
			}
			if c := want.Best.Claimed.Elo; c == nil || *c < 20 || want.Best.Error == nil || want.Validation.Shrinkage == nil {
				t.Errorf("claimed %+v, shrinkage %v", want.Best, want.Validation.Shrinkage)
			}
			kinds := map[entry.Kind]int{}
			for _, e := range whole.entries {
				kinds[e.Kind]++
			}
			if kinds[entry.KindFinal]+kinds[entry.KindIncumbent] > 0 || kinds[entry.KindAnswer] != 1 {
				t.Errorf("entries %v", kinds)
			}
			checkAnswer(t, whole, want)
		})
	}
}

func dieAndResume(t *testing.T, spec *tuner.Setup, whole *memory, want *tuner.Result, at int) {
	t.Helper()
	m := newMemory()
	m.die = at
	if _, err := run(t, spec, m, 2); !errors.Is(err, errDied) {
		t.Fatalf("entry %d: %v", at, err)
	}
	m.die = 0
	if got, err := run(t, spec, m, 2); err != nil || got.Digest != want.Digest {
		t.Fatalf("killed after %d of %d entries: %v, %v", at, len(whole.entries), got, err)
	}
}

// checkAnswer looks at Goptuna's record: every trial is finished with a finite
// value, and the answer knows its role.
func checkAnswer(t *testing.T, m *memory, r *tuner.Result) {
	t.Helper()
	trials, err := m.GetAllTrials(m.study)
	if err != nil || len(trials) != r.Trials {
		t.Fatalf("%d trials in the storage, %d in the result (%v)", len(trials), r.Trials, err)
	}
	for _, x := range trials {
		if x.State != goptuna.TrialStateComplete || math.IsNaN(x.Value) || x.Value < 0 || x.Value > 1 {
			t.Errorf("trial %d: %v, %v", x.Number, x.State, x.Value)
		}
	}
	if a := trials[r.Best.Trial]; r.Best.Trial == r.Trials-1 && a.SystemAttrs["role"] != "answer" {
		t.Errorf("the answer's attributes: %v", a.SystemAttrs)
	}
}

// Batches meet blocks of their own, duels too: no two share one.
func TestFreshBlocks(t *testing.T) {
	m := newMemory()
	if _, err := run(t, read(t, duelStudy), m, 2); err != nil {
		t.Fatal(err)
	}
	next := int64(0)
	for _, e := range m.entries {
		var d struct {
			From     int64
			A, B     int
			Evidence entry.Evidence
		}
		if e.Kind != entry.KindDuel {
			continue
		}
		if err := json.Unmarshal(e.Payload, &d); err != nil {
			t.Fatal(err)
		}
		if d.From != next || d.Evidence.Blocks != 8 || d.Evidence.Games != 16 || d.A == d.B {
			t.Fatalf("%+v, expected from block %d", d, next)
		}
		next += 8
	}
	if next == 0 {
		t.Error("no duels")
	}
}

// Where few sets can be played many pairs are equal: others are drawn, the games
// are spent, and trials that meet again are the same trials.
func TestDuelsOfFewSets(t *testing.T) {
	text := strings.Replace(duelStudy, "params: [{name: x}, {name: n}]", "params: [{name: n, low: 3, high: 5}]", 1)
	spec := read(t, text)
	r, err := run(t, spec, newMemory(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if r.Trials != 2 || allotted(r, spec) < 5500 || r.Best.Params["n"] != "5" {
		t.Errorf("%d trials, %d games, %v", r.Trials, r.Games, r.Best.Params)
	}
}

// With limits the search keeps away from where they are exceeded. The answer is measured, and in
// place of one that exceeds a limit the nearest candidates inside race; what is claimed of them was
// measured in that race.
func TestAnswerOverLimit(t *testing.T) {
	instead := 0
	var r *tuner.Result
	for _, limit := range []string{"max: 120", "max: 200", "min: 285", "max: 270"} {
		var err error
		if r, err = run(t, read(t, surfaceStudy+"objective: {limits: [{metric: height, "+limit+"}]}\n"), newMemory(), 2); err != nil {
			t.Fatal(err)
		}
		if r.Best == nil || r.Validation == nil || strings.Contains(r.Validation.Reason, "limit") || len(r.Validation.Limits) != 1 {
			t.Fatalf("%s: %+v, %+v", limit, r.Best, r.Validation)
		}
		if r.Best.Trial != r.Trials-1 {
			instead++
		}
		if c := r.Best.Claimed.Elo; c == nil || *c > 1000 {
			t.Errorf("%s: claimed %v", limit, r.Best.Claimed)
		}
	}
	t.Logf("%d answers exceeded their limit", instead)
	if x, _ := strconv.ParseFloat(r.Best.Params["x"], 64); x > 0.5 && x < 0.9 {
		t.Errorf("x=%v is above 270", x)
	}
}

// Where nothing ties the duels to the baseline, the answer is measured: its claim
// is that of blocks against the baseline, on seeds of the final.
func TestAnswerIsMeasured(t *testing.T) {
	text := strings.Replace(duelStudy, "baseline: climber", `baseline: "climber(kind=fancy,bonus=0)"`, 1)
	m := newMemory()
	r, err := run(t, read(t, text), m, 2)
	if err != nil {
		t.Fatal(err)
	}
	if r.Best.Claimed.Elo == nil || *r.Best.Claimed.Elo < 20 || r.Games > 6000 {
		t.Errorf("claimed %+v with %d games", r.Best.Claimed, r.Games)
	}
	for _, e := range m.entries {
		if e.Kind == entry.KindAnswer && !strings.Contains(string(e.Payload), `"evidence":[{"blocks":32`) {
			t.Errorf("%s", e.Payload)
		}
	}
}

// A metric that is minimised has its answer too.
func TestAnswerOfMetric(t *testing.T) {
	text := strings.Replace(surfaceStudy, "validation:", "objective: {of: metric, metric: height, goal: maximize}\nvalidation:", 1)
	r, err := run(t, read(t, text), newMemory(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if r.Best.Params["n"] != "5" || !strings.HasPrefix(r.Best.Params["x"], "0.7") && !strings.HasPrefix(r.Best.Params["x"], "0.6") {
		t.Errorf("%+v", r.Best.Params)
	}
}

func TestDuelMistakes(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"mode: duels", "mode: duels, games: 3", "x.yaml:10:32: evaluate.games: expected none without mode: pool, got 3"},
		{"name: surface, seed", "name: quasi, seed", "x.yaml:6:17: sampler.name: expected a sampler that learns from duels, got quasi"},
		{"seed: 5", "seed: 5, batch: 7", "x.yaml:6:42: sampler.batch: expected an even number, as duels are between two, got 7"},
		{"race: {", "race: {method: halving, ", "x.yaml:7:16: race.method: expected none, as duels are not raced, got halving"},
		{"race: {", "race: {blocks: shared, ", "x.yaml:7:16: race.blocks: expected none, as duels have blocks of their own, got shared"},
		{"race: {", "pool: [climber]\nrace: {", "x.yaml:7:7: pool: expected none, as candidates meet each other, got a list"},
		{"race: {", "objective: {of: metric, metric: height}\nrace: {", "x.yaml:7:17: objective.of: expected score, as duels are won and lost, got metric"},
		{"race: {", "objective: {limits: [{metric: height, max: 3}]}\nrace: {", "x.yaml:7:21: objective.limits: expected none, as a duel's metrics are those of both, got 1"},
		{"race: {", "final: {top: 3}\nrace: {", "x.yaml:7:14: final.top: expected 0, as the answer of surface is no trial's, got 3"},
	} {
		_, err := studyfile.Read("x.yaml", []byte(strings.Replace(duelStudy, c.old, c.new, 1)), games(), sampler.Kinds{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, expected %s", c.new, err, c.want)
		}
	}
	three := strings.Replace(strings.Replace(boatStudy, "evaluate: {mode: pool, group: 2, filler: random, rounds: 3, games: 12}",
		"evaluate: {mode: duels}\nbaseline: random", 1), "name: jgg", "name: surface", 1)
	if _, err := readBoats(t, three); err == nil || !strings.Contains(err.Error(), "boats.yaml:7:18: evaluate.mode: expected pool, or a game for two, as duels are, got lifeboats for 3") {
		t.Errorf("three seats: %v", err)
	}
}
