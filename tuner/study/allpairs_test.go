package study_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/sampler"
	"sakusen/tuner/stats"
	"sakusen/tuner/study"
	"sakusen/tuner/studyfile"
)

// dashRules are the rules of a race: both run alone, and the one with fewer steps wins.
type dashRules struct{}

type runner struct{ stride float64 }

func (r *runner) Declare(f *param.Fields, _ *dashRules) {
	f.Float(&r.stride, "stride", 0, param.Range(-1, 1), "ten steps fewer for each 1")
}

func (r *runner) Player(*dashRules) (*runner, error) { return r, nil }

type dashReferee struct{}

func (dashReferee) Play(fx *arena.Fixture, p []*runner, out *arena.Outcome) error {
	steps := [2]int64{}
	for s := range p {
		luck := fx.Stream(s, 0)
		steps[s] = int64(math.Round(45 - 10*p[s].stride + 20*(luck.Float64()-.5) + 20*(luck.Float64()-.5)))
		out.Count(s, 0, steps[s])
		out.Transcript.Add(uint64(steps[s]))
	}
	if steps[0] <= steps[1] {
		out.Win(0)
	} else {
		out.Win(1)
	}
	return nil
}

func dash() *arena.Game {
	return arena.Enter(arena.Definition[dashRules, *runner]{
		Name: "dash", Doc: "The faster runner wins more often.", Source: "ours", LengthComponent: "steps", FreshChance: true,
		Declare:    func(*dashRules, *param.Fields) {},
		Seats:      func(*dashRules) int { return 2 },
		Components: []string{"steps"},
		Metrics:    []arena.Metric{{Name: "steps", Doc: "steps to the end", Of: "steps", Lower: true}},
		Referee:    func(*dashRules) (arena.Referee[*runner], error) { return dashReferee{}, nil },
	}, arena.Strategy[dashRules, *runner]{Name: "runner", Doc: "Runs.", Source: "ours",
		New: func(f *param.Fields, r *dashRules) arena.Maker[*runner] {
			c := &runner{}
			c.Declare(f, r)
			return func() (*runner, error) { return c.Player(r) }
		}})
}

const dashStudy = `version: 1
name: dashing
game: dash
tune: {strategy: runner}
baseline: runner
sampler: {name: quasi, seed: 3, batch: 4}
race: {method: none, rungs: [20]}
budget: {trials: 8, games: 3000}
final: {top: 2, blocks: 50}
`

func readDash(text string) (*tuner.Setup, error) {
	return studyfile.Read("dash.yaml", []byte(text), arena.Catalogue{dash(), hill()}, sampler.Kinds{})
}

func mustReadDash(t *testing.T, text string) *tuner.Setup {
	t.Helper()
	s, err := readDash(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// proofOf returns the validation of a log.
func proofOf(t *testing.T, log []entry.Entry) (v entry.Validation, at int) {
	t.Helper()
	for i, e := range log {
		if e.Kind == entry.KindValidation {
			if at = i; json.Unmarshal(e.Payload, &v) != nil {
				t.Fatal("no validation")
			}
		}
	}
	return v, at
}

// A race is proved by all pairs of its games: the verdict is told by them, follows from the
// log, and is the same however the study was interrupted.
func TestAllPairsProve(t *testing.T) {
	setup, m := mustReadDash(t, dashStudy), newMemory()
	if setup.Validation.Pairs != tuner.AllPairs {
		t.Fatalf("a race compares %q", setup.Validation.Pairs)
	}
	r, err := run(t, setup, m, 2)
	if err != nil {
		t.Fatal(err)
	}
	v, at := proofOf(t, m.entries)
	if v.Pairs == nil || r.Validation.Pairs == nil || r.Worth == nil || r.Worth.Pairs == nil || r.Worth.Seats == nil {
		t.Fatalf("the log has %+v, the result %+v and %+v", v.Pairs, r.Validation, r.Worth)
	}
	played := v.Evidence.Score(2)
	saves := played.Error * played.Error * float64(v.Evidence.Blocks-1) / v.Pairs.Variance
	if math.Abs(played.Value-v.Pairs.Score) > 4*played.Error || saves < 1.2 || math.Abs(*r.Worth.Pairs/saves-1) > 1e-9 {
		t.Errorf("the games score %.4f +- %.4f, all pairs %+v, worth %.3f, told %.3f", played.Value, played.Error, v.Pairs, saves, *r.Worth.Pairs)
	}
	if err := study.Verify(setup, m.entries, r); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*entry.Validation){
		"variance": func(v *entry.Validation) {
			v.Pairs = &stats.Placed{Score: v.Pairs.Score, Variance: v.Pairs.Variance / 4}
		},
		"none": func(v *entry.Validation) { v.Pairs = nil },
	} {
		forged, _ := proofOf(t, m.entries)
		change(&forged)
		log := append([]entry.Entry(nil), m.entries...)
		log[at].Payload, _ = json.Marshal(forged)
		also := *r
		also.Digest = entry.Digest(log)
		if err := study.Verify(setup, log, &also); err == nil {
			t.Errorf("%s: a verdict that does not follow from its games is believed", name)
		}
	}
	m = newMemory()
	m.die = at
	if _, err := run(t, setup, m, 1); !errors.Is(err, errDied) {
		t.Fatal(err)
	}
	m.die = 0
	if again, err := run(t, setup, m, 1); err != nil || again.Digest != r.Digest {
		t.Errorf("resumed before its verdict, another digest: %v", err)
	}
}

// Games count as they were played where the file says so, with several objectives, and in
// games that are no race.
func TestPlayedPairs(t *testing.T) {
	played := mustReadDash(t, dashStudy+"validation: {pairs: played}\n")
	if played.Validation.Pairs != "" {
		t.Fatalf("%q", played.Validation.Pairs)
	}
	m := newMemory()
	r, err := run(t, played, m, 2)
	if err != nil || r.Validation.Pairs != nil || r.Worth.Pairs != nil {
		t.Errorf("%+v (%v)", r, err)
	}
	if v, _ := proofOf(t, m.entries); v.Pairs != nil {
		t.Errorf("%+v", v.Pairs)
	}
	pareto := mustReadDash(t, dashStudy+"objective: {of: pareto, objectives: [{of: score}, {of: metric, metric: steps}]}\n")
	if pareto.Validation.Pairs != "" {
		t.Error("several objectives compare all pairs")
	}
	if read(t, strings.Replace(paretoStudy, "%s", "", 1)).Validation.Pairs != "" || read(t, duelStudy).Validation.Pairs != "" {
		t.Error("no race, and all pairs are compared")
	}
	_, err = readDash(strings.NewReplacer("dash\n", "hill\n", "runner", "climber").Replace(dashStudy) + "validation: {pairs: all}\n")
	if err == nil || !strings.Contains(err.Error(), "validation.pairs: expected played") {
		t.Errorf("a game that is no race: %v", err)
	}
}
