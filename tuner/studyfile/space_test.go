package studyfile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
)

// fileIn reads a study file of testdata with changes, each a text and what stands in its
// place.
func fileIn(t *testing.T, name string, changes ...string) (*tuner.Setup, error) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.NewReplacer(changes...).Replace(string(text))
	return studyfile.Read(name, []byte(changed), strategies.Catalogue(), sampler.Kinds{})
}

// A range of one value counts once, and is no part of what a sampler has to serve.
func TestSingleValues(t *testing.T) {
	setup, err := fileIn(t, "single-value.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if n := setup.Tune.Params.Count(setup.Tune.Fix); n != 10 {
		t.Errorf("%d parameter sets of 1 and 10 values", n)
	}
	const all = "{name: x1, low: 0.5, high: 0.5}, {name: x2}"
	const none = "{name: x1, low: 0.5, high: 0.5}, {name: x2, low: 0.1, high: 0.1}"
	for _, c := range []struct {
		changes []string
		sampler string // "" where the file is refused
		want    string
	}{
		{nil, "goptuna-tpe", ""},
		{[]string{"sampler: {name: goptuna-tpe}\n", ""}, "surface", ""},
		{[]string{all, none, "sampler: {name: goptuna-tpe}\n", ""}, "grid", ""},
		{[]string{all, none}, "", "goptuna-tpe: every tuned parameter has one value"},
		{[]string{all, none, "goptuna-tpe", "surface"}, "", "surface: every tuned parameter has one value"},
		{[]string{all, none, "sampler: {name: goptuna-tpe}", "evaluate: {mode: duels}"}, "", "evaluate.mode: expected baseline"},
		{[]string{"goptuna-tpe", "goptuna-cmaes"}, "", "at least two parameters"},
		{[]string{"goptuna-tpe", "goptuna-cmaes", "x2}", "x2}, {name: x3}", "value: 2", "value: 3"}, "goptuna-cmaes", ""},
	} {
		setup, err := fileIn(t, "single-value-goptuna-tpe.yaml", c.changes...)
		switch {
		case c.sampler == "":
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q: %v, want %q", c.changes, err, c.want)
			}
		case err != nil:
			t.Errorf("%q: %v", c.changes, err)
		case setup.Sampler.Name != c.sampler:
			t.Errorf("%q: sampler %s, want %s", c.changes, setup.Sampler.Name, c.sampler)
		}
	}
}

// Integers that a real number does not hold exactly and steps that it does not count are
// refused where they stand.
func TestNumbersThatAreNotExact(t *testing.T) {
	const whole = "{name: a, kind: int, low: 9223372036854775800, high: 9223372036854775807, default: 9223372036854775806}"
	for _, c := range []struct{ declared, want string }{
		{whole, "int-beyond-2-53.yaml:7:7: tune.declare[0]: expected a parameter, got parameter a: domain 9.223372036854776e+18..9.223372036854776e+18: the ends of a range of integers must lie in -2^53..2^53"},
		{"{name: a, kind: int, low: 9007199254740990, high: 9007199254740999, default: 9007199254740991}", "must lie in -2^53..2^53"},
		{"{name: a, kind: int, low: -9007199254740992, high: 9007199254740992, default: 0}", "at most 2^53 steps"},
		{"{name: a, low: 0, high: 1, step: 1e-25, default: 0}", "at most 2^53 steps"},
		{"{name: a, kind: int, low: 0, high: 9007199254740992, default: 9007199254740992}", ""},
		{"{name: a, low: 0, high: 1, step: 2e-16, default: 0}", ""},
	} {
		_, err := fileIn(t, "int-beyond-2-53.yaml", whole, c.declared)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.declared, err, c.want)
		}
	}
	_, err := fileIn(t, "int-beyond-2-53.yaml")
	if err == nil || strings.Contains(err.Error(), "expected a game") {
		t.Errorf("beside the declaration's mistakes: %v", err)
	}
	_, err = fileIn(t, "single-value-goptuna-tpe.yaml", "{name: x2}", "{name: x2, step: 1e-25}")
	if want := "single-value-goptuna-tpe.yaml:7:62: tune.params[1].step: expected a step of which the range has at most 2^53"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}
