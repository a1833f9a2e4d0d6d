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
	f := studyfile.NewEdit()
	for _, v := range [][2]string{
		{"name", "form"}, {"doc", "first\nname: \"other\"\x00 \xff é"}, {"game", "hill"}, {"tune.strategy", "climber"},
		{"tune.params[0].name", "x"}, {"tune.params[0].low", "0.25"}, {"tune.params[0].high", "0.75"},
		{"tune.params[1].name", "n"}, {"tune.params[1].choices[0]", "1"}, {"tune.params[1].choices[1]", "3"},
		{"baseline", "climber(n=3)"}, {"budget.trials", "20"}, {"budget.games", "9000"}, {"sampler.name", "quasi"},
		{"sampler.seed", "18446744073709551615"}, {"sampler.batch", "4"}, {"race.method", "none"},
	} {
		f.Set(v[0], v[1])
	}
	f.Values("rules", param.Values{{Name: "slope", Text: "0.25"}, {Name: "certain", Text: "true"}})
	f.Values("tune.fix", param.Values{{Name: "kind", Text: "plain"}})
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
	f = studyfile.NewEdit()
	f.Set("game", "hill")
	f.Set("doc", " ")
	empty, err := f.Text()
	if want := "version: 1\ngame: \"hill\"\n"; err != nil || empty != want {
		t.Errorf("an empty form is %q, expected %q (%v)", empty, want, err)
	}
}
