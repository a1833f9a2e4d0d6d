package studyfile_test

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
)

var update = flag.Bool("update", false, "write docs/keys.md and docs/study.schema.json anew")

// docs/keys.md and the schema are what the table of keys says.
func TestDocuments(t *testing.T) {
	schema, err := studyfile.Schema(sampler.Kinds{})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"../../docs/keys.md": page(), "../../docs/study.schema.json": string(schema)} {
		if *update {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s is stale (%v): write it anew with\n\tgo test ./tuner/studyfile -run TestDocuments -update", path, err)
		}
	}
	for _, k := range studyfile.Keys(nil) {
		if k.Doc == "" || k.Default == "" && k.Need == "" && k.Values != "mapping" {
			t.Errorf("%s: nothing is said of it, or of its default", k.Path)
		}
	}
}

// page returns docs/keys.md: a section for each key that has keys below it, and one for the
// others.
func page() string {
	var alone, below strings.Builder
	for _, k := range studyfile.Keys(nil) {
		root, _, deep := strings.Cut(strings.ReplaceAll(k.Path, "[]", ""), ".")
		b := &alone
		if deep || k.Values == "mapping" {
			b = &below
		}
		if k.Path == root && b == &below {
			fmt.Fprintf(b, "\n## %s\n\n", root)
		}
		if k.When != "" {
			k.Doc += ". Only with `" + k.When + "`"
		}
		fmt.Fprintf(b, "- `%s` (%s; default: %s): %s\n", k.Path, k.Values, cmp.Or(k.Default, "see below"), k.Doc)
	}
	return "# Keys of a study file\n\nFor those who write a study: each key, its values, its default and its meaning. `sakusen study keys NAME` prints the same, [studies.md](studies.md) explains what belongs together. `[]` stands for each item of a list. Written by `go test ./tuner/studyfile -run TestDocuments -update`.\n\n## Of the study\n\n" + alone.String() + below.String()
}

// Every key has a field of its name in tuner.Spec, but for those that are read into another.
func TestEveryKeyHasAField(t *testing.T) {
	other := map[string]string{
		"engines": "what the command line opens", "evaluate.mode": "Duels, or whether there is an Evaluate",
		"validation.gain_elo": "Kind and Elo", "validation.regression_elo": "Kind and Elo",
	}
	for _, k := range studyfile.Keys(nil) {
		if at := reflect.TypeFor[tuner.Spec](); !fieldAt(at, strings.ReplaceAll(k.Path, "[]", "")) && other[k.Path] == "" && !strings.HasPrefix(k.Path, "tune.params[].") {
			t.Errorf("%s: no field of tuner.Spec", k.Path)
		}
	}
}

// fieldAt reports whether a type has a field at a path of JSON names.
func fieldAt(at reflect.Type, path string) bool {
	if at.Kind() == reflect.Pointer || at.Kind() == reflect.Slice {
		return fieldAt(at.Elem(), path)
	}
	name, rest, deeper := strings.Cut(path, ".")
	for i := range at.NumField() {
		if tag, _, _ := strings.Cut(at.Field(i).Tag.Get("json"), ","); tag == name {
			return !deeper || fieldAt(at.Field(i).Type, rest)
		}
	}
	return false
}

// The schema accepts every study file of the program, and refuses what the table does.
func TestSchema(t *testing.T) {
	text, err := studyfile.Schema(sampler.Kinds{})
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("study.schema.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("study.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	check := func(text []byte) error {
		var value any
		if err := yaml.Unmarshal(text, &value); err != nil {
			t.Fatal(err)
		}
		return schema.Validate(value)
	}
	files, err := filepath.Glob("../../studies/*.yaml")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := check(text); err != nil && bytes.Contains(text, []byte("\ntune:")) { // the others are tournaments
			t.Errorf("%s: %v", f, err)
		}
	}
	const least = "version: 1\nname: a\ngame: hill\ntune: {strategy: climber}\nbaseline: climber\n"
	for _, good := range []string{
		"", "doc: 5\n", "evaluate: {mode: pool, filler: climber, group: 1}\n", "race: {incumbent: true, rungs: [8, 64]}\n", "budget: {games: 1e5}\n",
		"sampler: {name: jgg, seed: \"18446744073709551615\", options: [{name: population, value: 9}, {name: start, value: 0..1}, {name: start.x, value: 0..1}]}\n",
		"objective: {of: pareto, objectives: [{of: score}, {of: metric, metric: work}], weights: [1, 2]}\n",
		"pool: [a, {strategy: b, params: [{name: x, value: 1}]}]\nbegin: [{x: 1}]\nengines: {a: [b]}\n",
	} {
		if err := check([]byte(least + good)); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{
		"bugdet: {games: 1}\n", "budget: {games: 0}\n", "budget: {games: many}\n", "budget: 5\n", "race: {method: friedman}\n", "race: {rungs: [a]}\n",
		"evaluate: {filler: climber}\n", "evaluate: {mode: duels, games: 3}\n", "objective: {weights: [1, 2]}\n", "objective: {limits: [{max: 3}]}\n",
		"objective: {limits: [{metric: a, max_ratio: 0}]}\n", "sampler: {name: gird}\n", "sampler: {name: tpe, options: [{name: goood, value: 0.2}]}\n",
		"sampler: {name: tpe, options: [{name: good, value: 7}]}\n", "pool: [{params: []}]\n", "rules: {slope: 1}\n", "validation: {alpha: 0.7}\n", "sampler: {flight: 9}\n",
		"race: {rungs: []}\n", "validation: {gain_elo: [5]}\n", "validation: {gain_elo: [0, 5], regression_elo: [-5, 0]}\n", "objective: {of: score, metric: work}\n",
	} {
		if err := check([]byte(least + bad)); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
	for _, bad := range []string{strings.Replace(least, "name: a", "name: A b", 1), strings.Replace(least, "version: 1\n", "", 1), strings.Replace(least, "{strategy: climber}", "{}", 1)} {
		if err := check([]byte(bad)); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

// Describe tells of a key and those below it, with the options of samplers, and of no other.
func TestDescribe(t *testing.T) {
	all, err := studyfile.Describe("", sampler.Kinds{})
	if err != nil || len(all) != len(studyfile.Keys(nil)) {
		t.Errorf("%d keys (%v)", len(all), err)
	}
	some, err := studyfile.Describe("sampler", sampler.Kinds{})
	if err != nil || len(some) != 6 {
		t.Errorf("%+v %v", some, err)
	}
	if begin, err := studyfile.Describe("begin", nil); err != nil || len(begin) != 1 {
		t.Errorf("%+v %v", begin, err)
	}
	if _, err := studyfile.Describe("bugdet", nil); err == nil || !strings.Contains(err.Error(), "did you mean budget?") {
		t.Error(err)
	}
}
