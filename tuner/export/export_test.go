package export_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"
	"go.yaml.in/yaml/v3"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/export"
)

var update = flag.Bool("update", false, "rewrite golden files")

func document() *export.Document {
	score, elo := 0.55, 34.9
	values := []export.Value{
		{Value: param.Value{Name: "start_squares", Text: "70"}, Kind: param.Int},
		{Value: param.Value{Name: "place.kind", Text: "it's"}, Kind: param.Choice},
		{Value: param.Value{Name: "rate", Text: "0.25"}, Kind: param.Float},
		{Value: param.Value{Name: "place.separated", Text: "true"}, Kind: param.Bool},
	}
	params := map[string]string{}
	for _, v := range values {
		params[v.Name] = v.Text
	}
	return &export.Document{
		Study: "a-study", Game: "battleship", Strategy: "mp", Params: params, Values: values,
		Claimed: tuner.Claim{Score: &score, Elo: &elo},
		Validation: &tuner.ValidationReport{
			Score: &score, Elo: &elo, CI95: &[2]float64{30, 40}, Blocks: 1000, Attempt: 1, Verdict: "pass", Reason: "LLR 5 reached 4",
		},
		Bounds:     &export.Bounds{GainElo: [2]float64{-500, -400}, Alpha: 0.0152, Beta: 0.05},
		Baseline:   export.Baseline{Strategy: "checkerboard", Params: map[string]string{"hunt": "classes"}},
		Provenance: export.Provenance{Seed: "7", Games: 2000, Commit: "unknown", Signature: "mp:1", Created: "2026-01-02T03:04:05Z", SpecSHA256: "ab"},
	}
}

func TestForms(t *testing.T) {
	for _, format := range export.Formats() {
		var b bytes.Buffer
		if err := export.Write(&b, format, document()); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", "document."+format)
		if *update {
			if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), "-500") || !strings.Contains(b.String(), "-400") || !strings.Contains(b.String(), "0.0152") {
			t.Errorf("%s does not name the bounds that were passed", format)
		}
		if b.String() != string(want) {
			t.Errorf("%s: got\n%s", path, b.String())
		}
	}
	if err := export.Write(&bytes.Buffer{}, "xml", document()); err == nil {
		t.Error("xml is written")
	}
}

// Go code parses, and YAML and JSON say the same.
func TestFormsRead(t *testing.T) {
	var code, y, j bytes.Buffer
	for format, b := range map[string]*bytes.Buffer{"go": &code, "yaml": &y, "json": &j} {
		if err := export.Write(b, format, document()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "x.go", code.Bytes(), 0); err != nil {
		t.Error(err)
	}
	var a map[string]any
	if err := yaml.Unmarshal(y.Bytes(), &a); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	var fromYAML, fromJSON any
	if json.Unmarshal(text, &fromYAML) != nil || json.Unmarshal(j.Bytes(), &fromJSON) != nil || !reflect.DeepEqual(fromYAML, fromJSON) {
		t.Errorf("YAML and JSON differ:\n%s\n%s", y.String(), j.String())
	}
}

// Trials carry Optuna's own names for states and distributions.
func TestOptuna(t *testing.T) {
	space := tuner.Space{
		{Param: param.Param{Name: "n", Kind: param.Int, Domain: param.Grid(10, 95, 10)}},
		{Param: param.Param{Name: "x", Kind: param.Float, Domain: param.Log(0.1, 10)}},
		{Param: param.Param{Name: "b", Kind: param.Bool}},
		{Param: param.Param{Name: "k", Kind: param.Choice, Choices: []string{"p", "q"}}},
	}
	trials := []goptuna.FrozenTrial{
		{Number: 0, State: goptuna.TrialStateComplete, Value: 0.5, InternalParams: map[string]float64{"n": 70, "x": 1.5, "b": 1, "k": 0}},
		{Number: 1, State: goptuna.TrialStatePruned, Value: 0.25, InternalParams: map[string]float64{"n": 90}},
		{Number: 2, State: goptuna.TrialStateRunning},
	}
	var b bytes.Buffer
	all := func(yield func(goptuna.FrozenTrial, error) bool) {
		for _, t := range trials {
			if !yield(t, nil) {
				return
			}
		}
	}
	if err := export.WriteOptuna(&b, space, all); err != nil {
		t.Fatal(err)
	}
	want := `[{"number":0,"state":"COMPLETE","value":0.5,"params":{"b":true,"k":"p","n":70,"x":1.5},"distributions":{` +
		`"b":{"name":"CategoricalDistribution","attributes":{"choices":[false,true]}},` +
		`"k":{"name":"CategoricalDistribution","attributes":{"choices":["p","q"]}},` +
		`"n":{"name":"IntDistribution","attributes":{"high":90,"log":false,"low":10,"step":10}},` +
		`"x":{"name":"FloatDistribution","attributes":{"high":10,"log":true,"low":0.1,"step":null}}}},` +
		`{"number":1,"state":"PRUNED","value":0.25,"params":{"n":90},"distributions":{"n":{"name":"IntDistribution","attributes":{"high":90,"log":false,"low":10,"step":10}}}},` +
		`{"number":2,"state":"RUNNING","value":null,"params":{},"distributions":{}}]`
	if got := strings.TrimSpace(b.String()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
