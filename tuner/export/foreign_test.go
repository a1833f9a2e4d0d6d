package export_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sakusen/engines/param"
	"sakusen/strategies"
	"sakusen/tuner/export"
	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
)

const complete = `{
	"engines": [
		{"command": "engine1 --uci", "fixed_parameters": {"Threads": 2, "SyzygyPath": "/a b"}},
		{"command": "engine2"}
	],
	"parameter_ranges": {
		"CPuct": "Real(0.5, 8, prior='log-uniform')",
		"MaxCollisionEvents": "Integer(1, 65536)",
		"Policy": "Categorical(['a', 'b'])"
	},
	"rounds": 5, "n_points": 300,
	"engine1_tc": "1+0.1", "engine2_tc": "1+0.1",
	"opening_file": "openings.pgn", "tb_path": null
}
`

// show returns a file in short.
func show(f *export.ForeignFile) string {
	var parts []string
	for _, p := range f.Params {
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("%s %s %s [%g %g] %v %s", p.Name, p.Kind, p.Default, p.Low, p.High, p.Log, strings.Join(p.Choices, "|"))))
	}
	return f.Format + ": " + strings.Join(parts, "; ")
}

func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		"LMRBase, int, 75, 50, 120, 5.0, 0.002\n\n# two\nLMRDiv, float, 2.25, 1.5, 3.5, 0.1, 0.002\r\n":                                              "openbench: LMRBase int 75 [50 120] false; LMRDiv float 2.25 [1.5 3.5] false",
		"Check Extension (PV nodes), int, -1, -4, 4, 1, 0.002":                                                                                       "openbench: Check Extension (PV nodes) int -1 [-4 4] false",
		"razorMul,100.4,0,200,10,0.0020\nfut,-7,-20,0,2,0.002,":                                                                                      "fishtest: razorMul int 100 [0 200] false; fut int -7 [-20 0] false",
		`{"Param": {"value": 50, "min_value": 0, "max_value": 100, "step": 10}}`:                                                                     "weather-factory: Param int 50 [0 100] false",
		`{"Param": {"value": 50, "min_value": 0, "max_value": 100, "elo_per_val": 0.2}}`:                                                             "weather-factory: Param int 50 [0 100] false",
		"x, int, 1e2, -1e2, +2.0e2, 1.5E1, 2e-3":                                                                                                     "openbench: x int 100 [-100 200] false",
		"x, float, -.5, -1, -0.25, .01, .002,":                                                                                                       "openbench: x float -0.5 [-1 -0.25] false",
		"\ufefflmr_base,int,75.0,50.0,120.0,5.0,0.002\r\n\r\nlmr_div ,\tint, 2 ,1,3, 0.5 ,0.002 , \r\n":                                              "openbench: lmr_base int 75 [50 120] false; lmr_div int 2 [1 3] false",
		"P[0][1],-5,-20,20,2,0.0020\nKing Danger[MG],7,-20,20,2.5e+00,0.0020\n":                                                                      "fishtest: P[0][1] int -5 [-20 20] false; King Danger[MG] int 7 [-20 20] false",
		"x, float, 1e-7, 0, 1e-6, 1e-8, .002":                                                                                                        "openbench: x float 1e-07 [0 1e-06] false",
		`{"A": {"value": "50", "min_value": -1e1, "max_value": 1E2, "step": 0.5}, "B": {"value": 49.6, "min_value": 0, "max_value": 50, "step": 2}}`: "weather-factory: A int 50 [-10 100] false; B int 50 [0 50] false",
		complete: "chess-tuning-tools: CPuct float 2 [0.5 8] true; MaxCollisionEvents int 32768 [1 65536] false; Policy choice a [0 0] false a|b",
	} {
		f, err := export.ReadForeign("x", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := show(f); got != want {
			t.Errorf("%s:\n%s, expected\n%s", text, got, want)
		}
	}
	f, err := export.ReadForeign("x", []byte(complete))
	if err != nil || f.Limit != "clock:1+0.1" || f.Games != 3000 || f.Book != "openings.pgn" || len(f.Engines) != 2 ||
		!reflect.DeepEqual(f.Engines[0], export.ForeignEngine{Command: []string{"engine1", "--uci"}, Options: []param.Value{{Name: "Threads", Text: "2"}, {Name: "SyzygyPath", Text: "/a b"}}}) {
		t.Errorf("%+v, %v", f, err)
	}
}

// Bad input is told with file, line and field, all of these at once.
func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "t:1: file: expected at least one parameter",
		"\n\na, b":                        "t:3: line: expected name, int or float",
		"a, real, 1, 0, 2, 1, 1":          `t:1: type: expected int or float, got "real"`,
		"a, int, x, 0, 2, 1, 1":           `t:1: value: expected a number, got "x"`,
		"a, int, 1, 0, NaN, 1, 1":         `t:1: max: expected a number, got "NaN"`,
		"a, int, 1, 0, 2, 1, inf":         `t:1: r_end: expected a number`,
		"a, int, 9, 0, 2, 1, 1":           "t:1: value: expected a number from 0 to 2, got 9",
		"a, int, 0, 2, 0, 1, 1":           "t:1: a: min, max: expected a range with more than one value, got 2 to 0",
		"a, int, 1, 1, 1, 1, 1":           "t:1: a: min, max: expected a range with more than one value, got 1 to 1",
		"a, int, 1, 0.5, 2, 1, 1":         "t:1: a: min, max: expected integers, got 0.5 and 2",
		"a,1,0,2,1,1\na,1,0,2,1,1":        "t:2: a: expected each parameter once",
		", int, 1, 0, 2, 1, 1":            "t:1: : expected a parameter",
		"a, int, 1, 0, 2, 1\nb,1,0,x,1,1": "t:2: max: expected a number",
		"{":                               "t:1: file: expected JSON",
		"{} {}":                           "t:1: file: expected JSON, got expected one document",
		"{\"a\": 5\n} x ]":                "t:2: file: expected JSON, got expected one document",
		"{\"a\": 5,\n\"a\": 6}":           `t:2: file: expected JSON, got expected each key once, got "a" again`,
		`[{"name": "a"}]`:                 "t:1: file: expected a JSON object, got a list",
		`"x"`:                             "t:1: file: expected a JSON object, got \"x\"",
		"a, int, 1_000, 0, 2000, 1, 1":    `t:1: value: expected a number, got "1_000"`,
		"a, int, 1, 0, 2, -5, 1":          "t:1: c_end: expected a number from 0 on, got -5",
		`{"a": {"value": null, "min_value": [], "max_value": 2}}`: "t:1: a.value: expected a number, got null\nt:1: a.min_value: expected a number, got a list",
		"{}":                                  "t:1: file: expected at least one parameter",
		"\n{\n\"a\": 5}":                      `t:3: a: expected {"value"`,
		`{"a": {"value": 1, "min_value": 0}}`: "t:1: a.max_value: expected a number, got nothing",
		`{"a": {"value": 1, "minimum": 0, "min_value": 0, "max_value": 2}}`: `t:1: a.minimum: expected value, min_value, max_value or step`,
		`{"a": {"value": "x", "min_value": 0, "max_value": 2}}`:             `t:1: a.value: expected a number, got "x"`,
		`{"engines": []}`:                                                                                                        "parameter_ranges: expected names with ranges",
		`{"parameter_ranges": {"a": "Real(0)"}}`:                                                                                 "t:1: parameter_ranges.a: expected Real(low, high)",
		`{"parameter_ranges": {"a": 7}}`:                                                                                         "t:1: parameter_ranges.a: expected Real(low, high)",
		`{"parameter_ranges": {"a": "Real(0, 1, 'log-uniform')"}}`:                                                               "a logarithmic range above 0",
		`{"parameter_ranges": {"a": "Integer(1, 5)"}, "engines": [1]}`:                                                           "t:1: engines: expected a list of two",
		`{"parameter_ranges": {"a": "Integer(1, 5)"}, "engines": [{}, {"command": "b"}]}`:                                        "engines[0].command: expected a program",
		`{"parameter_ranges": {"a": "Integer(1, 5)"}, "engine1_tc": "1+1", "engine2_npm": 100}`:                                  `expected the limit of engine 1, "clock:1+1": in a study both have the same, got "nodes:100"`,
		`{"parameter_ranges": {"a": "Integer(1, 5)"}, "rounds": 0.5}`:                                                            "rounds: expected an integer",
		`{"parameter_ranges": {"a": null}}`:                                                                                      "got null",
		`{"parameter_ranges": {"a": "Integer(1, 5)"}, "engine1_npm": 100}`:                                                       `the limit of engine 1, "nodes:100": in a study both have the same, got ""`,
		`{"parameter_ranges": {"a": "Integer(1, 5)"}, "adjudicate_draws": 1}`:                                                    "adjudicate_draws: expected true or false, got \"1\"",
		`{"parameter_ranges": {"a": "Integer(1, 5)"}, "variant": "atomic"}`:                                                      `variant: expected standard, got "atomic"`,
		`{"parameter_ranges": {"a": "Integer(1, 5)"}, "engines": [{"command": "a", "fixed_parameters": [1]}, {"command": "b"}]}`: "engines[0].fixed_parameters: expected an object of names and values, got a list",
		"name, type, value, min, max, c_end, r_end\nx, int, 1, 0, 2, 1, 1":                                                       `t:1: type: expected int or float, got "type"`,
		"x, Int, 1, 0, 2, 1, 1":                                                                                                  `t:1: type: expected int or float, got "Int"`,
		"x; int; 1; 0; 2; 1; 1":                                                                                                  "t:1: line: expected name, int or float",
		"x int 1 0 2 1 1":                                                                                                        "t:1: line: expected name, int or float",
		"x, int, 1,, 0, 2, 1, 1":                                                                                                 "t:1: line: expected name, int or float",
		"x, int, 0,5, 0, 2, 1, 1":                                                                                                "t:1: line: expected name, int or float",
		"x, float, 1.0f, 0, 2, 1, 1":                                                                                             `t:1: value: expected a number, got "1.0f"`,
		"x, int, 1, 0x0, 2, 1, 1":                                                                                                `t:1: min: expected a number, got "0x0"`,
		"x, int, , 0, 2, 1, 1":                                                                                                   `t:1: value: expected a number, got ""`,
		"x, int, 1, 0, 1e300, 1, 1":                                                                                              `t:1: max: expected a number, got "1e300"`,
		"x,5,5,5,1,0.002":                                                                                                        "t:1: x: min, max: expected a range with more than one value, got 5 to 5",
		"{\"x\": {\"value\": 1, \"min_value\": 0,\n\"max_value\": 2, \"step\": 1,}}":                                             "t:2: file: expected JSON, got invalid character '}'",
		"{\n// mine\n\"x\": 1}":                                                                                                  "t:2: file: expected JSON, got invalid character '/'",
		`{"a": 1.0, "c": 1.0, "A": 5000, "alpha": 0.601, "gamma": 0.102}`:                                                        `t:1: a: expected {"value": ..., "min_value": ..., "max_value": ..., "step": ...}, got "1.0"`,
		`{"x": {"value": true, "min_value": 0, "max_value": 2}}`:                                                                 `t:1: x.value: expected a number, got "true"`,
		`{"x": {"value": 1, "min_value": 0, "max_value": 2, "step": -1}}`:                                                        "t:1: x.step: expected a number from 0 on, got -1",
		`{"x": {"value": 3, "min_value": 0, "max_value": 2, "step": 1}}`:                                                         "t:1: x.value: expected a number from 0 to 2, got 3",
		`{"a":` + strings.Repeat("[", 40):                                                                                        "expected at most 32 levels",
	} {
		_, err := export.ReadForeign("t", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: got %v, expected %s", text, err, want)
		}
	}
	_, err := export.ReadForeign("t", []byte(strings.Repeat("a\n", 500)))
	if n := strings.Count(err.Error(), "\n"); n != 18 || !strings.HasSuffix(err.Error(), "t: and 482 more") {
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
		`{"parameter_ranges": {"CPuct": "Real(0.5, 8, prior='log-uniform')", "N": "(1, 9)", "Policy": "['a', 'b']"}}`,
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
			if d.Name != p.Name || d.Kind.String() != p.Kind || d.Default != string(p.Default) || d.Domain.Low != p.Low || d.Domain.High != p.High || d.Domain.Log != p.Log {
				t.Errorf("%+v became %+v", p, d)
			}
		}
	}
	f, err := export.ReadForeign("x", []byte(`{"parameter_ranges": {"King Safety (MG)": "Integer(0, 200)"}, "engines": [{"command": "a -x", "fixed_parameters": {"Hash": 4}}, {"command": "b"}], "engine1_depth": 4, "engine2_depth": 4, "opening_file": "o.epd", "n_points": 100, "rounds": 5}`))
	if err != nil {
		t.Fatal(err)
	}
	const want = `# Imported from a file of chess-tuning-tools.
version: 1
name: "x"
game: chess
engines:
  engine1: {command: ["a","-x"], options: [{name: "Hash", value: "4"}]}
  engine2: {command: ["b"], options: []}
rules: [{name: "limit", value: "depth:4"}, {name: "book", value: "o.epd"}]
tune:
  strategy: "engine1"
  params:
    - {name: "King Safety (MG)", low: 0, high: 200}
baseline: "engine2"
budget: {games: 1000}
`
	if got, err := f.Study(export.Target{Name: "x"}); err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	if f, err = export.ReadForeign("x", []byte("King Safety (MG), int, 100, 0, 200, 10, 0.002")); err != nil {
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

// Ranges are written as chess-tuning-tools takes them.
func TestDimensions(t *testing.T) {
	for text, want := range map[string]string{
		"Integer(0, 16)": "int 8 [0 16] false", "Integer(low=0, high=16)": "int 8 [0 16] false", " Integer ( high = 16 , low = 0 ) ": "int 8 [0 16] false",
		"Integer(0, high=16, transform='normalize')": "int 8 [0 16] false", "Integer(1, 64, prior='log-uniform', base=2)": "int 8 [1 64] true",
		"Real(0.0, 10.0)": "float 5 [0 10] false", "Real(1e-2, 1, 'log-uniform')": "float 0.1 [0.01 1] true", "Real(-1, 1, \"uniform\", name='x')": "float 0 [-1 1] false",
		"(0.0, 10.0)": "float 5 [0 10] false", "(0, 10)": "int 5 [0 10] false", "(0.1, 10.0, 'log-uniform')": "float 1 [0.1 10] true", "[0, 1_000]": "int 500 [0 1000] false",
		"['a', 'b']": "choice a [0 0] false a|b", "('a', 'b')": "choice a [0 0] false a|b", "[1, 2, 4]": "choice 1 [0 0] false 1|2|4", "[True, False]": "choice true [0 0] false true|false",
		"Categorical(['a, b', \"c'\"])": "choice a, b [0 0] false a, b|c'", "Categorical(categories=[1.5, 2], transform='onehot')": "choice 1.5 [0 0] false 1.5|2", "Categorical(('x',))": "choice x [0 0] false x",
	} {
		f, err := export.ReadForeign("x", fmt.Appendf(nil, `{"parameter_ranges": {"P": %q}}`, text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := show(f); got != "chess-tuning-tools: P "+want {
			t.Errorf("%s is %s, expected %s", text, got, want)
		}
	}
	for _, text := range []string{
		"", "Real", "Real(", "Real(0)", "Real(0, 1", "Real(0, 1) x", "Real(0, 1, 'normal')", "Real(0, 1, low=2)", "Real(a, b)", "Real(0, 1, size=3)", "Integer('a', 'b')",
		"Categorical()", "Categorical([])", "Categorical([None])", "Categorical([[1]])", "()", "[]", "5", "'a'", "None", "exp(1, 2)", "Real(0, inf)", "(0, 1, 2, 3, (((((((((1)))))))))", "Real(2, 1)",
	} {
		if f, err := export.ReadForeign("x", fmt.Appendf(nil, `{"parameter_ranges": {"P": %q}}`, text)); err == nil {
			t.Errorf("%q is %s", text, show(f))
		} else if !strings.HasPrefix(err.Error(), "x:1: ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// What chess-tuning-tools says of the games becomes rules, or is refused with its line.
func TestChessTuningRules(t *testing.T) {
	study := func(more string) (string, error) {
		f, err := export.ReadForeign("x", []byte("{\"parameter_ranges\": {\"A\": \"Integer(0, 16)\"}, \"engines\": [{\"command\": \"./e1\"}, {\"command\": \"./e2\"}],\n"+more+"}"))
		if err != nil {
			return "", err
		}
		return f.Study(export.Target{Name: "x"})
	}
	both := func(key, value string) string {
		return fmt.Sprintf(`"engine1_%[1]s": %[2]s, "engine2_%[1]s": %[2]s`, key, value)
	}
	for more, want := range map[string]string{
		both("tc", `"10"`) + `, "opening_filee": "x", "engine1_initstr": 3`: "# Without a counterpart, and left out: \"opening_filee\", \"engine1_initstr\".",
		both("tc", `"10"`):                              `{name: "limit", value: "clock:10+0"}`,
		`"engine1_tc": "10+0", "engine2_tc": "10"`:      `{name: "limit", value: "clock:10+0"}`,
		both("tc", `"0:10+0.1"`):                        `{name: "limit", value: "clock:10+0.1"}`,
		both("tc", `"1:30+.5"`):                         `{name: "limit", value: "clock:90+0.5"}`,
		both("st", `0.25`):                              `{name: "limit", value: "movetime:250"}`,
		both("npm", `"1000"`):                           `{name: "limit", value: "nodes:1000"}`,
		both("tc", `"inf"`) + ", " + both("depth", `8`): `{name: "limit", value: "depth:8"}`,
		`"opening_file": "a book.pgn"`:                  `rules: [{name: "book", value: "a book.pgn"}]`,
		`"adjudicate_draws": true, "draw_movecount": 5, "draw_movenumber": 40, "draw_score": 10`: `rules: [{name: "draw", value: "10"}, {name: "draw_moves", value: "5"}, {name: "draw_from", value: "40"}]`,
		`"adjudicate_resign": true`: `rules: [{name: "resign", value: "550"}, {name: "resign_moves", value: "3"}, {name: "resign_both", value: "false"}]`,
		`"adjudicate_resign": true, "resign_twosided": true, "resign_score": "600"`: `{name: "resign", value: "600"}, {name: "resign_moves", value: "3"}, {name: "resign_both", value: "true"}`,
		`"adjudicate_draws": false, "timemargin": 100`:                              `rules: [{name: "margin", value: "100"}]`,
		`"adjudicate_tb": true, "engine2_ponder": true`:                             "# Engine 2 does not ponder: there is no counterpart.\n# Games are not ended by tablebases",
		`"engine2_restart": "on"`:                                                   `engine2: {command: ["./e2"], options: [], fresh: true}`,
		`"opening_file": null, "tb_path": null`:                                     "game: chess",
	} {
		if got, err := study(more); err != nil || !strings.Contains(got, want) {
			t.Errorf("%s: %v, expected %s\n%s", more, err, want, got)
		}
	}
	for more, want := range map[string]string{
		both("tc", `"40/60+0.5"`): `x:2: engine1_tc: expected SECONDS+SECONDS or MINUTES:SECONDS+SECONDS for the whole game: so many moves in a time have no counterpart here, got "40/60+0.5"`,
		both("tc", `"inf"`):       `x:2: engine1_tc: expected a time, or a limit in nodes, depth or seconds a move beside inf, got "inf"`,
		both("tc", `"0+0"`):       "x:2: engine1_tc", both("tc", `"-1"`): "x:2: engine1_tc", both("tc", `"NaN"`): "x:2: engine1_tc", both("tc", `[1]`): "x:2: engine1_tc",
		both("npm", `0.5`): "x:2: engine1_npm: expected an integer", both("depth", `"x"`): "x:2: engine1_depth", both("st", `0`): "x:2: engine1_st",
		`"opening_file": "book.bin"`:                    `x:2: opening_file: expected a book in EPD or PGN, got "book.bin"`,
		`"opening_file": ["x"]`:                         "x:2: opening_file: expected a book in EPD or PGN, got a list",
		`"adjudicate_draws": true, "draw_movecount": 0`: "x:2: draw_movecount: expected an integer from 1 to 100",
		`"timemargin": 1e6`:                             "x:2: timemargin",
	} {
		if got, err := study(more); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %s\n%s", more, err, want, got)
		}
	}
	dir := t.TempDir()
	spaced := filepath.Join(dir, "my engine")
	if err := os.WriteFile(spaced, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]string{
		`./lc0 --w "a b" 'c d' e\ f`: `["./lc0","--w","a b","c d","e f"]`, `C:\lc0\lc0.exe -x`: `["C:\\lc0\\lc0.exe","-x"]`,
		spaced: fmt.Sprintf("[%q]", spaced), spaced + " --uci": fmt.Sprintf(`[%q,"--uci"]`, spaced),
	} {
		f, err := export.ReadForeign("x", fmt.Appendf(nil, `{"parameter_ranges": {"A": "Integer(0, 16)"}, "engines": [{"command": %q, "fixed_parameters": {"S": true, "N": 1.50}}, {"command": "b"}]}`, command))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f.Study(export.Target{Name: "x"}); err != nil || !strings.Contains(got, "{command: "+want+`, options: [{name: "S", value: "true"}, {name: "N", value: "1.50"}]}`) {
			t.Errorf("%s: %v, expected %s\n%s", command, err, want, got)
		}
	}
	if _, err := export.ReadForeign("x", []byte(`{"parameter_ranges": {"A": "Integer(0, 16)"}, "engines": [{"command": "a", "fixed_parameters": {"S": null, "T": [1]}}, {"command": "b"}]}`)); err == nil ||
		!strings.Contains(err.Error(), "engines[0].fixed_parameters.S: expected a text, a number or a switch, got null\nx:1: engines[0].fixed_parameters.T: expected a text, a number or a switch, got a list") {
		t.Errorf("%v", err)
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
	f, err := export.ReadForeign("x", []byte(complete))
	if err != nil {
		t.Fatal(err)
	}
	out, err := foreignText(export.ChessTuning, f)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := export.ReadForeign("x", out); err != nil || show(again) != show(f) || len(again.Engines[1].Options) != 3 {
		t.Errorf("%v\n%s", err, out)
	}
	for _, format := range []string{export.OpenBench, export.Fishtest, export.WeatherFactory, "other"} {
		if _, err := foreignText(format, f); err == nil {
			t.Errorf("%s takes a choice", format)
		}
	}
}

// What chess-tuning-tools reads has the command of the program, and what is always set.
func TestForeignProgram(t *testing.T) {
	doc := &export.Document{Strategy: "bot", Named: []string{"Style", "Depth"}, Program: &export.ForeignEngine{Command: []string{"/opt/my bot", "--uci"}, Options: []param.Value{{Name: "Hash", Text: "4"}}},
		Tuned:  []export.Tuned{{Param: param.Param{Name: "Depth", Kind: param.Int, Domain: param.Domain{High: 9}}, Value: "3"}},
		Values: []export.Value{{Value: param.Value{Name: "Depth", Text: "3"}}, {Value: param.Value{Name: "Other", Text: "1"}}, {Value: param.Value{Name: "Style", Text: "wild"}}}}
	var out bytes.Buffer
	if err := export.Write(&out, export.ChessTuning, doc); err != nil {
		t.Fatal(err)
	}
	f, err := export.ReadForeign("x", out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	always := []param.Value{{Name: "Hash", Text: "4"}, {Name: "Style", Text: "wild"}}
	for i, want := range [][]param.Value{always, append(always, param.Value{Name: "Depth", Text: "3"})} {
		if e := f.Engines[i]; !slices.Equal(e.Command, doc.Program.Command) || !slices.Equal(e.Options, want) {
			t.Errorf("engine %d: %q %v", i+1, e.Command, e.Options)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("A, int, 7, 0, 20, 1, 0.002\nB,1,0,2,1,1\n")
	f.Add(`{"A": {"value": 7, "min_value": 0, "max_value": 20, "step": 1}}`)
	f.Add(complete)
	f.Add("{\"parameter_ranges\": {\"a\\u2028\\n\": \"Categorical(['x', 3, True])\"}, \"opening_file\": \"a\\nb: c\"}")
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
