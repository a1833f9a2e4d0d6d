package tuner_test

import (
	"encoding/json"
	"strings"
	"testing"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"

	"sakusen/strategies"
)

const cheapStudy = `version: 1
name: cheap
game: laboratory
rules: [{name: dimensions, value: 3}, {name: landscape_seed, value: 4}, {name: effort_top, value: TOP}]
tune: {strategy: point}
baseline: point
fidelity: {rule: effort, cheap: 20, dear: 100}
budget: {games: 2400}
validation: {max_blocks: 200}
`

func readCheap(t *testing.T, text string) *tuner.Setup {
	t.Helper()
	s, err := studyfile.Read("cheap.yaml", []byte(text), strategies.Catalogue(), sampler.Kinds{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A study with cheap games comes to the same end with any number of workers and after any
// death, keeps to its budget, and uses what helps and drops what misleads.
func TestCheapGames(t *testing.T) {
	for top, kept := range map[string]bool{"same": true, "mirrored": false} {
		spec := readCheap(t, strings.Replace(cheapStudy, "TOP", top, 1))
		whole := newMemory()
		want, err := run(t, spec, whole, 1)
		if err != nil {
			t.Fatal(err)
		}
		if many, err := run(t, spec, newMemory(), 8); err != nil || many.Digest != want.Digest {
			t.Errorf("%s: eight workers: %v (%v), want %s", top, many, err, want.Digest)
		}
		end, cheap, dear, met := 0, int64(0), int64(0), map[int64]bool{}
		for i, e := range whole.entries {
			switch e.Kind {
			case entry.KindFidelity:
				end = i
			case entry.KindDuel:
				var d entry.Duel
				if err := json.Unmarshal(e.Payload, &d); err != nil {
					t.Fatal(err)
				}
				if d.Cheap {
					cheap += d.Evidence.Games
				} else {
					dear += d.Evidence.Games
				}
				if met[d.From] || d.Cheap && end > 0 {
					t.Fatalf("%s: duel %d from block %d, cheap %v after the end %d", top, d.Duel, d.From, d.Cheap, end)
				}
				met[d.From] = true
			}
		}
		for _, at := range []int{end / 2, end, end + 1, (end + len(whole.entries)) / 2} {
			dieAndResume(t, spec, whole, want, at)
		}
		f := want.Fidelity
		if f == nil || f.Kept != kept || f.CheapGames != cheap || want.Games > spec.Budget.Games {
			t.Errorf("%s: %+v, %d games, %d cheap and %d dear ones in the log", top, f, want.Games, cheap, dear)
		}
		if kept && (f.Worth == 0 || f.At == nil) || !kept && (f.Reason != entry.FidelityMisleads || f.Worth != 0) {
			t.Errorf("%s: %+v", top, f)
		}
	}
}

func TestFidelityMistakes(t *testing.T) {
	good := strings.Replace(cheapStudy, "TOP", "same", 1)
	line := "fidelity: {rule: effort, cheap: 20, dear: 100}"
	for _, c := range []struct{ with, want string }{
		{"fidelity: {cheap: 20}", "fidelity: expected either parameter"},
		{"fidelity: {rule: effor, cheap: 20}", "fidelity.rule: expected an option of laboratory (did you mean effort?)"},
		{"fidelity: {rule: effort, cheap: 0}", "fidelity.cheap: expected a value that the game takes"},
		{"fidelity: {rule: effort}", "fidelity.cheap: expected the value of cheap games"},
		{"fidelity: {rule: effort, cheap: 20, dear: 90}", "fidelity.dear: expected 100, which the study plays"},
		{"fidelity: {rule: effort, cheap: 100}", "fidelity.cheap: expected another value"},
		{"fidelity: {rule: landscape, cheap: cone}", "fidelity.cost: expected what a cheap game costs"},
		{"fidelity: {rule: effort, cheap: 20, cost: 2}", "fidelity.cost: expected"},
		{"fidelity: {parameter: x1, cheap: 0.2}", "fidelity.parameter: expected a parameter that is not tuned"},
		{"fidelity: {parameter: y, cheap: 0.2}", "fidelity.parameter: expected a parameter of point"},
		{line + "\nevaluate: {mode: baseline}", "fidelity: expected candidates that meet each other"},
		{line + "\nevaluate: {mode: duels}\nsampler: {name: spsa}", "fidelity: expected the sampler surface"},
		{line + "\nevaluate: {mode: duels}\nsampler: {name: surface, flight: 2}", "fidelity: expected sampler.flight: 1"},
		{line + "\nbegin_from: other", "fidelity: expected none with begin_from"},
	} {
		text := strings.Replace(good, line, c.with, 1)
		_, err := studyfile.Read("f.yaml", []byte(text), strategies.Catalogue(), sampler.Kinds{})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "f.yaml:7:") {
			t.Errorf("%s: %v, want %s", c.with, err, c.want)
		}
	}
}

// A parameter in place of a rule: whoever plays with the dear value plays cheap games with
// the cheap one.
func TestCheapParameter(t *testing.T) {
	text := `version: 1
name: simulations
game: tubstap
tune: {strategy: muct, fix: [{name: simulations, value: 200}], params: [{name: c}]}
baseline: muct(simulations=200)
fidelity: {parameter: simulations, cheap: 50, dear: 200}
`
	s := readCheap(t, text)
	if s.Fidelity.Cost != 0.25 {
		t.Errorf("cost %g", s.Fidelity.Cost)
	}
	series := s.Series(s.BaselineEntrant, s.BaselineEntrant, 1, 0, 0, 1)
	got, err := s.Cheaply(series)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range got.Entrants {
		if n, _ := e.Params.Get("simulations"); n != "50" {
			t.Errorf("plays with %s", n)
		}
	}
	if n, _ := series.Entrants[0].Params.Get("simulations"); n != "200" {
		t.Errorf("the dear series plays with %s", n)
	}
}
