package service_test

import (
	"math"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/strategies"
	"sakusen/tuner/sampler"
	"sakusen/tuner/service"
	"sakusen/tuner/studyfile"
)

// A gain that could not be proved with few blocks is proved with more, as a further
// attempt on other seeds; what was decided is not tried again.
func TestProveFurther(t *testing.T) {
	s := open(t)
	run := func(text string) string {
		t.Helper()
		setup, err := studyfile.Read("x.yaml", []byte(text), strategies.Catalogue(), sampler.Kinds{})
		if err != nil {
			t.Fatal(err)
		}
		f := service.StudyFile{Setup: setup}
		f.Source.Name, f.Source.Text = "x.yaml", text
		if f.Signatures, err = setup.Ruleset.Signatures(t.Context(), setup.Strategies()...); err != nil {
			t.Fatal(err)
		}
		r, err := s.Studies().Tune(t.Context(), f, arena.NewPool(1), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r.Validation.Verdict
	}
	const hill = `version: 1
name: few
game: laboratory
tune: {strategy: point, fix: [{name: x4, value: 0.6}], params: [{name: x1, low: 0.6, high: 0.8}, {name: x2}, {name: x3}]}
baseline: point(x1=0.5,x2=0.5,x3=0.5,x4=0.5)
sampler: {name: quasi, batch: 8}
race: {rungs: [32], method: none}
budget: {trials: 16, games: 9000}
final: {top: 1}
validation: {gain_elo: [0, 60], max_blocks: 40}
`
	if verdict := run(hill); verdict != "inconclusive" {
		t.Fatalf("the study with few blocks: %s", verdict)
	}
	p, err := s.Studies().Prove(t.Context(), "few", 0, true)
	if err != nil {
		t.Fatal(err)
	}
	if p.Study != "few-proof" || p.Blocks < 80 || p.Forecast.Proof.Attempt != 2 || p.Chance == nil || math.IsNaN(*p.Chance) {
		t.Errorf("%+v", p)
	}
	if !strings.Contains(p.File, "x4") || strings.Count(p.File, "value:") != 3 {
		t.Errorf("the file of the proof:\n%s", p.File)
	}
	p, err = s.Studies().Prove(t.Context(), "few", 5000, true)
	if err != nil {
		t.Fatal(err)
	}
	if verdict := run(p.File); verdict != "pass" {
		t.Errorf("with 5 000 blocks: %s\n%s", verdict, p.File)
	}
	d, err := s.Studies().Show(t.Context(), "few-proof")
	if err != nil || d.Result.Validation.Attempt != 2 || d.Trials != 1 {
		t.Errorf("%+v, %v", d.Result, err)
	}
	before, _ := s.Studies().Show(t.Context(), "few")
	for name, text := range before.Result.Best.Params {
		if got, ok := d.Result.Best.Params[name]; ok && got != text {
			t.Errorf("%s = %s is proved, the answer was %s", name, got, text)
		}
	}
	_, err = s.Studies().Prove(t.Context(), "few-proof", 0, true)
	refuses(t, err, service.Conflict)
	if _, err := s.Studies().Prove(t.Context(), "few", 300, false); err != nil {
		t.Error(err)
	}
	if d, err := s.Studies().Show(t.Context(), "few-proof-2"); err != nil || d.State != "queued" {
		t.Errorf("%+v, %v", d, err)
	}
}
