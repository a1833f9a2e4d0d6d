package study_test

import (
	"testing"

	"sakusen/engines/param"
	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
)

// What is filled into a form comes out of its study file, and nothing that is
// typed becomes a key.
func TestFormText(t *testing.T) {
	f := studyfile.Form{
		Name: "form", Doc: "first\nname: \"other\"\x00 \xff é", Game: "hill", Rules: param.Values{{Name: "slope", Text: "0.25"}, {Name: "certain", Text: "true"}},
		Strategy: "climber", Fix: param.Values{{Name: "kind", Text: "plain"}},
		Params:   []studyfile.FormParam{{Name: "x", Low: "0.25", High: "0.75"}, {Name: "n", Choices: []string{"1", "3"}}},
		Baseline: "climber(n=3)", Trials: "20", Games: "9000", Sampler: "quasi", Seed: "18446744073709551615", Batch: "4", Race: "none",
	}
	text, err := f.Text()
	if err != nil {
		t.Fatal(err)
	}
	s, err := studyfile.Read("form.yaml", []byte(text), games(), sampler.Kinds{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	slope, _ := s.Rules.Get("slope")
	if s.Name != "form" || s.Doc != "first\nname: \"other\"\x00 � é" || slope != "0.25" || s.Tune.Fix.String() != "kind=plain" {
		t.Errorf("%+v of\n%s", s.Spec, text)
	}
	if len(s.Tune.Params) != 2 || s.Tune.Params[0].Domain.High != .75 || len(s.Tune.Params[1].Choices) != 2 || s.Baseline != read(t, text).BaselineEntrant.Canonical() {
		t.Errorf("%+v of\n%s", s.Tune, text)
	}
	if s.Budget.Trials != 20 || s.Budget.Games != 9000 || s.Sampler.Seed != 1<<64-1 || s.Sampler.Batch != 4 || s.Race.Method != "none" {
		t.Errorf("%+v of\n%s", s.Spec, text)
	}
	empty, err := (&studyfile.Form{Game: "hill"}).Text()
	if want := "version: 1\ngame: \"hill\"\n"; err != nil || empty != want {
		t.Errorf("an empty form is %q, expected %q (%v)", empty, want, err)
	}
}
