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
	"slices"
	"strings"
	"testing"

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
	for _, format := range export.FormatNames() {
		if slices.Contains([]string{export.OpenBench, export.Fishtest, export.WeatherFactory, export.ChessTuning, export.Optuna, export.OptunaDatabase, export.AsStudy}, format) {
			if err := export.Write(&bytes.Buffer{}, format, document()); err == nil {
				t.Errorf("%s: a document with nothing to tune is written", format)
			}
			continue // input of other tuners, and what is made of more than a document
		}
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
// The gain in the comments is the one to quote: by games that had no part in the verdict.
func TestFormsQuoteTheUnbiasedGain(t *testing.T) {
	score, elo := 0.52, 14.0
	d := document()
	d.Validation.Estimate = &tuner.AfterPass{Score: &score, Elo: &elo, CI95: &[2]float64{2, 26}, Blocks: 300, Games: 600}
	for _, format := range []string{"go", "env"} {
		var b bytes.Buffer
		if err := export.Write(&b, format, d); err != nil {
			t.Fatal(err)
		}
		if want := "Validated: pass, +14 Elo [2, 26], 300 blocks that had no part in the verdict, attempt 1."; !strings.Contains(b.String(), want) {
			t.Errorf("%s has no %q:\n%s", format, want, b.String())
		}
		undecided := document()
		undecided.Validation.Verdict = "inconclusive"
		if b.Reset(); export.Write(&b, format, undecided) != nil || !strings.Contains(b.String(), "Validated: undecided, ") {
			t.Errorf("%s tells a verdict otherwise than reports:\n%s", format, b.String())
		}
	}
}

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
	var fromYAML any
	var fromJSON map[string]any
	if json.Unmarshal(text, &fromYAML) != nil || json.Unmarshal(j.Bytes(), &fromJSON) != nil {
		t.Fatalf("YAML or JSON cannot be read:\n%s\n%s", y.String(), j.String())
	}
	fromJSON["params"] = fromJSON["values"]
	if delete(fromJSON, "values"); !reflect.DeepEqual(fromYAML, any(fromJSON)) {
		t.Errorf("YAML and JSON differ:\n%s\n%s", y.String(), j.String())
	}
}

// YAML is for people: what was measured has four digits there, a parameter all that it has.
func TestYAMLIsRounded(t *testing.T) {
	d := document()
	elo := 486.60078028522423
	d.Claimed.Elo = &elo
	d.Values[0].Text, d.Values[0].Kind = "0.1234567890123", param.Float
	d.Params[d.Values[0].Name] = d.Values[0].Text
	var b bytes.Buffer
	if err := export.Write(&b, "yaml", d); err != nil {
		t.Fatal(err)
	}
	name := d.Values[0].Name
	for _, want := range []string{"  elo: 486.6\n", "  " + name + ": 0.1234567890123\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("expected %q in\n%s", want, b.String())
		}
	}
}

// The name of another program's study may be any text, which stays in the comment of the head.
func TestNameOfManyLines(t *testing.T) {
	d := document()
	d.Study, d.Foreign, d.Objective = "x\nrm -rf ~\r\nquit\u2028", true, &export.Goal{Name: "value"}
	d.Strategy = "x"
	for format, mark := range map[string]string{"go": "// ", "env": "# ", "uci": "# "} {
		var b bytes.Buffer
		if err := export.Write(&b, format, d); err != nil || !strings.HasPrefix(b.String(), mark+`Study x\u000arm -rf ~\u000d\u000aquit\u2028 of `) || strings.Contains(b.String(), "\nrm") {
			t.Errorf("%s: %v\n%s", format, err, b.String())
		}
	}
}

// A name or a value that a form cannot hold is refused.
func TestNamesThatFormsRefuse(t *testing.T) {
	for _, c := range []struct{ formats, study, name, text, want string }{
		{"go", "作戦", "x", "1", `expected a name that can be that of a package (ASCII letters and digits, a letter first, no keyword), got "" of "作戦"`},
		{"go", "1st", "x", "1", `got "1st" of "1st"`},
		{"go", "type", "x", "1", `got "type" of "type"`},
		{"go env", "s", "作戦", "1", `got "" of "作戦"`},
		{"go env", "s", "3fold", "1", ` of "3fold"`},
		{"go env", "s", "other.x", "1", ` of "other x" and of "other.x"`},
		{"env uci", "s", "x", "1\nquit", `expected a name and a value without control characters, got "1\nquit"`},
		{"env uci", "s", "x\rquit", "1", `expected a name and a value without control characters, got "x\rquit"`},
		{"openbench fishtest", "s", "x\x00", "1", `expected names without commas and control characters, got "x\x00"`},
	} {
		for format := range strings.FieldsSeq(c.formats) {
			d := document()
			d.Study, d.Strategy, d.Foreign, d.Objective = c.study, "", true, &export.Goal{Name: "value"}
			d.Values = []export.Value{{Value: param.Value{Name: "other x", Text: "1"}}, {Value: param.Value{Name: c.name, Text: c.text}}}
			d.Tuned = []export.Tuned{{Param: param.Param{Name: c.name, Kind: param.Int}, Value: c.text}}
			var b bytes.Buffer
			if err := export.Write(&b, format, d); err == nil || !strings.Contains(err.Error(), c.want) || b.Len() > 0 {
				t.Errorf("%s of %q: %v, expected %s; written:\n%s", format, c.name, err, c.want, b.String())
			}
		}
	}
}

func TestWriteFront(t *testing.T) {
	score, cost, se := .6, 123.5, .01
	space := tuner.Space{{Param: param.Param{Name: "a"}}, {Param: param.Param{Name: "b.c"}}}
	front := []tuner.FrontPoint{
		{Trial: 3, Params: map[string]string{"a": "1", "b.c": "x,y"}, Chosen: true,
			Values: []tuner.GoalValue{{Name: "score", Value: &score, Error: &se}, {Name: "work", Value: &cost}}},
		{Trial: 5, Params: map[string]string{"a": "2"}, Values: []tuner.GoalValue{{Name: "score"}, {Name: "work", Value: &cost, Error: &se}}},
		{Trial: 7, Params: map[string]string{"a": "3"}, Values: []tuner.GoalValue{{Name: "score"}, {Name: "work"}},
			Final: []tuner.GoalValue{{Name: "score", Value: &score, Error: &se}, {Name: "work", Value: &cost}}},
	}
	var b bytes.Buffer
	if err := export.WriteFront(&b, "csv", space, front); err != nil {
		t.Fatal(err)
	}
	want := "trial,chosen,score,score standard_error,work,work standard_error,a,b.c,measured_by\n" +
		"3,true,0.6,0.01,123.5,,1,\"x,y\",search\n5,false,,,123.5,0.01,2,,search\n7,false,0.6,0.01,123.5,,3,,final\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
	b.Reset()
	if err := export.WriteFront(&b, "json", space, front); err != nil {
		t.Fatal(err)
	}
	var back []tuner.FrontPoint
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || !reflect.DeepEqual(back, front) {
		t.Errorf("%+v %v", back, err)
	}
	if err := export.WriteFront(&b, "yaml", space, front); err == nil {
		t.Error("yaml is accepted")
	}
}

// Values that are weaker than the strategy's defaults say so in the comments of every file.
func TestWeakerThanDefaultsIsExported(t *testing.T) {
	d := document()
	loss := -64.0
	d.Defaults = &tuner.AgainstDefaults{Elo: &loss, CI95: &[2]float64{-105, -24}, Games: 298}
	var b bytes.Buffer
	if err := export.Write(&b, "env", d); err != nil {
		t.Fatal(err)
	}
	if want := "# Against the defaults of mp: -64 Elo [-105, -24], 298 games. These values are weaker than the defaults.\n"; !strings.Contains(b.String(), want) {
		t.Errorf("no %q in %s", want, b.String())
	}
}
