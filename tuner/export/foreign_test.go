package export_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"sakusen/engines/param"
	"sakusen/strategies"
	"sakusen/tuner/export"
	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
)

// show returns a file in short.
func show(f *export.ForeignFile) string {
	var parts []string
	for _, p := range f.Params {
		parts = append(parts, fmt.Sprintf("%s %s %s [%g %g]", p.Name, p.Kind, p.Default, p.Low, p.High))
	}
	return f.Format + ": " + strings.Join(parts, "; ")
}

func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		"LMRBase, int, 75, 50, 120, 5.0, 0.002\n\n# two\nLMRDiv, float, 2.25, 1.5, 3.5, 0.1, 0.002\r\n": "openbench: LMRBase int 75 [50 120]; LMRDiv float 2.25 [1.5 3.5]",
		"Check Extension (PV nodes), int, -1, -4, 4, 1, 0.002":                                          "openbench: Check Extension (PV nodes) int -1 [-4 4]",
		"razorMul,100.4,0,200,10,0.0020\nfut,-7,-20,0,2,0.002,":                                         "fishtest: razorMul int 100 [0 200]; fut int -7 [-20 0]",
		`{"Param": {"value": 50, "min_value": 0, "max_value": 100, "step": 10}}`:                        "weather-factory: Param int 50 [0 100]",
		`{"Param": {"value": 50, "min_value": 0, "max_value": 100, "elo_per_val": 0.2}}`:                "weather-factory: Param int 50 [0 100]",
	} {
		f, err := export.ReadForeign("x", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := show(f); got != want {
			t.Errorf("%s:\n%s, expected\n%s", text, got, want)
		}
	}
}

// Bad input is told with file, line and field, all of these at once.
func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "t:1: file: expected at least one parameter",
		"\n\na, b":                            "t:3: line: expected name, int or float",
		"a, real, 1, 0, 2, 1, 1":              `t:1: type: expected int or float, got "real"`,
		"a, int, x, 0, 2, 1, 1":               `t:1: value: expected a number, got "x"`,
		"a, int, 1, 0, NaN, 1, 1":             `t:1: max: expected a number, got "NaN"`,
		"a, int, 1, 0, 2, 1, inf":             `t:1: r_end: expected a number`,
		"a, int, 9, 0, 2, 1, 1":               "t:1: value: expected a number from 0 to 2, got 9",
		"a, int, 0, 2, 0, 1, 1":               "t:1: a: min, max: expected a range with more than one value, got 2 to 0",
		"a, int, 1, 1, 1, 1, 1":               "t:1: a: min, max: expected a range with more than one value, got 1 to 1",
		"a, int, 1, 0.5, 2, 1, 1":             "t:1: a: min, max: expected integers, got 0.5 and 2",
		"a,1,0,2,1,1\na,1,0,2,1,1":            "t:2: a: expected each parameter once",
		", int, 1, 0, 2, 1, 1":                "t:1: : expected a parameter",
		"a, int, 1, 0, 2, 1\nb,1,0,x,1,1":     "t:2: max: expected a number",
		"{":                                   "t:1: file: expected JSON",
		"{} {}":                               "t:1: file: expected JSON, got expected one document",
		"{}":                                  "t:1: file: expected at least one parameter",
		"\n{\n\"a\": 5}":                      `t:3: a: expected {"value"`,
		`{"a": {"value": 1, "min_value": 0}}`: "t:1: a.max_value: expected a number, got nothing",
		`{"a": {"value": 1, "minimum": 0, "min_value": 0, "max_value": 2}}`: `t:1: a.minimum: expected value, min_value, max_value or step`,
		`{"a": {"value": "x", "min_value": 0, "max_value": 2}}`:             `t:1: a.value: expected a number, got "x"`,
		`{"a":` + strings.Repeat("[", 40):                                   "expected at most 32 levels",
	} {
		_, err := export.ReadForeign("t", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: got %v, expected %s", text, err, want)
		}
	}
	_, err := export.ReadForeign("t", []byte(strings.Repeat("a\n", 500)))
	if n := strings.Count(err.Error(), "\n"); n != 50 || !strings.HasSuffix(err.Error(), "t: and 450 more") {
		t.Errorf("%d lines: %.300v", n, err)
	}
}

// What is imported is a study file that the reader takes, with the same parameters.
func TestStudy(t *testing.T) {
	for _, text := range []string{
		"A, int, 7, 0, 20, 1, 0.002\nB, float, 0.5, 0.25, 1, 0.1, 0.002\n",
		"A,7,0,20,1,0.002\n",
		`{"A": {"value": 7, "min_value": 0, "max_value": 20, "step": 1}}`,
		"A, int, 7, 0, 20, 1, 0.002\nB, float, 0.5, 0.25, 1, 0.1, 0.002\nStill, int, 50, 0, 100, 0, 0.002\n",
	} {
		f, err := export.ReadForeign("spsa.txt", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		out, err := f.Study(export.Target{Name: export.StudyNameOf("Über Spsa.txt")})
		if err != nil {
			t.Fatal(err)
		}
		s, err := studyfile.Read("study.yaml", []byte(out), strategies.Catalogue(), sampler.Kinds{})
		if err != nil {
			t.Fatalf("%s\n%v", out, err)
		}
		if len(s.Tune.Params) != len(f.Params)-len(f.Still) || len(s.Tune.Fix) != len(f.Still) || s.Name != "ber-spsa" && s.Name != "-ber-spsa" {
			t.Errorf("%s: %d parameters", s.Name, len(s.Tune.Params))
		}
		for i, d := range s.Tune.Params {
			p := f.Params[i]
			if d.Name != p.Name || d.Kind.String() != p.Kind || d.Default != string(p.Default) || d.Domain.Low != p.Low || d.Domain.High != p.High {
				t.Errorf("%+v became %+v", p, d)
			}
		}
	}
	f, err := export.ReadForeign("x", []byte("King Safety (MG), int, 100, 0, 200, 10, 0.002"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Study(export.Target{Name: "x"}); err == nil {
		t.Error("a name with brackets, played elsewhere, is not refused")
	}
	got, err := f.Study(export.Target{Name: "x", Engine: "glau"})
	if err != nil || !strings.Contains(got, `baseline: {strategy: "glau", params: [{name: "King Safety (MG)", value: "100"}]}`) {
		t.Errorf("%v\n%s", err, got)
	}
	if f, err = export.ReadForeign("x", []byte("R, float, 1, 0, 2, 10, 0.002\nS, int, 1, 0, 2, 0, 0.002")); err != nil {
		t.Fatal(err)
	}
	const real = `# R is a real number: the engine offers it as a string with a number, as Lc0 does.
# Where it is an integer of the engine, add int_scale: docs/engines.md.
tune:
  strategy: "lc"
  fix: [{name: "S", value: "1"}]
  params:
    - {name: "R", low: 0, high: 2}
baseline: {strategy: "lc", params: [{name: "R", value: "1"}, {name: "S", value: "1"}]}
`
	if got, err := f.Study(export.Target{Name: "x", Engine: "lc"}); err != nil || !strings.Contains(got, real) {
		t.Errorf("a real number as an option: %v\n%s", err, got)
	}
}

// Files are read whatever their encoding, and at most as many parameters as a study has.
func TestForeignTexts(t *testing.T) {
	f, err := export.ReadForeign("x", []byte("S\xe9curit\xe9, int, 7, 0, 20, 1, 0.002\n"))
	if err != nil || f.Params[0].Name != "Sécurité" {
		t.Errorf("%+v, %v", f, err)
	}
	var many strings.Builder
	for i := range 1001 {
		fmt.Fprintf(&many, "P[%d],0,-100,100,10,0.002\n", i)
	}
	if _, err := export.ReadForeign("x", []byte(many.String())); err == nil || err.Error() != "x:1001: P[1000]: expected at most 1000 parameters, got one more" {
		t.Errorf("%v", err)
	}
	if _, err := export.ReadForeign("x", []byte("A, int, 7, 0, 20, 0, 0.002\n")); err == nil || !strings.Contains(err.Error(), "whose step (c_end) is not 0") {
		t.Errorf("%v", err)
	}
	if f, err = export.ReadForeign("x", []byte("# a comment\n\nA, int, 7, 0, 20, 1, 0.002\nB (x), int, 7, 0, 20, 1, 0.002\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Study(export.Target{Name: "x"}); err == nil || !strings.HasPrefix(err.Error(), "x:4: ") {
		t.Errorf("a name that has no place in an entrant: %v", err)
	}
}

// tuned returns the parameters of a file with their values, as a study has them.
func tuned(f *export.ForeignFile) (out []export.Tuned) {
	for _, p := range f.Params {
		fields, err := param.Bind(func(b *param.Fields) { p.Declare(b) })
		if err != nil {
			panic(err)
		}
		out = append(out, export.Tuned{Param: fields.Params()[0], Value: string(p.Default)})
	}
	return out
}

// foreignText returns what is exported of a file's parameters.
func foreignText(format string, f *export.ForeignFile) ([]byte, error) {
	var out bytes.Buffer
	err := export.Write(&out, format, &export.Document{Strategy: "bot", Tuned: tuned(f)})
	return out.Bytes(), err
}

// What is foreignText is read again with the same parameters.
func TestRoundTrips(t *testing.T) {
	texts := map[string]string{
		export.OpenBench:      "A, int, 7, 0, 20, 1, 0.002\nB, float, 0.5, 0.25, 1, 0.0375, 0.002\n",
		export.Fishtest:       "A,7,0,20,1,0.002\nB,-3,-9,5,0.7,0.002\n",
		export.WeatherFactory: "{\n    \"A\": {\n        \"value\": 7,\n        \"min_value\": 0,\n        \"max_value\": 20,\n        \"step\": 1\n    }\n}\n",
	}
	for format, text := range texts {
		f, err := export.ReadForeign("x", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if out, err := foreignText(format, f); err != nil || string(out) != text {
			t.Errorf("%v: %q, expected %q", err, out, text)
		}
	}
	choice := &export.Document{Strategy: "bot", Tuned: []export.Tuned{{Param: param.Param{Name: "c", Kind: param.Choice, Choices: []string{"a", "b"}}, Value: "a"}}}
	for _, format := range []string{export.OpenBench, export.Fishtest, export.WeatherFactory} {
		if err := export.Write(&bytes.Buffer{}, format, choice); err == nil {
			t.Errorf("%s takes a choice", format)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("A, int, 7, 0, 20, 1, 0.002\nB,1,0,2,1,1\n")
	f.Add(`{"A": {"value": 7, "min_value": 0, "max_value": 20, "step": 1}}`)
	games := strategies.Catalogue()
	f.Fuzz(func(t *testing.T, text string) {
		file, err := export.ReadForeign("x", []byte(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "x:") {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		out, err := file.Study(export.Target{Name: "x"})
		if err != nil || strings.Contains(out, "game: chess") {
			return
		}
		s, err := studyfile.Read("study.yaml", []byte(out), games, sampler.Kinds{})
		if err != nil && !strings.Contains(err.Error(), "budget") && !strings.Contains(err.Error(), "sampler") {
			t.Errorf("%q became\n%s\n%v", text, out, err)
		}
		if err == nil && len(s.Tune.Params) != len(file.Params) {
			t.Errorf("%q: %d of %d parameters", text, len(s.Tune.Params), len(file.Params))
		}
	})
}
