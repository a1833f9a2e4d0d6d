package calc

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// The lines of the command's contract, with the published numbers of
// official-stockfish/Stockfish (d077f9a81, 4b71d8e20), R's help pages, Newcombe
// (1998) and Agresti (2002); see the tests of package stats.
func TestContract(t *testing.T) {
	for _, row := range []struct {
		line   string
		fields string // in this order, at the beginning
		want   map[string]any
	}{
		{
			`{"op":"sprt","model":"normalized","elo0":0,"elo1":2,"penta":[20,1334,3810,1569,35],"alpha":.05,"beta":.05}`,
			`llr lower upper verdict`,
			map[string]any{"llr": 2.95, "lower": -2.944, "upper": 2.944, "verdict": "H1"},
		},
		{
			`{"op":"sprt","model":"logistic","elo0":0,"elo1":2,"wdl":[57433,106593,57030],"alpha":0.05,"beta":0.05}`,
			`llr lower upper verdict`,
			map[string]any{"llr": -2.59, "verdict": "continue"},
		},
		{`{"op":"sprt","elo0":0,"elo1":5,"penta":[0,0,10,0,0]}`, `llr`, map[string]any{"llr": -.003, "verdict": "no information"}},
		{`{"op":"sprt","elo0":0,"elo1":5,"penta":[0,0,0,0,0]}`, `llr`, map[string]any{"llr": 0.0, "verdict": "no information"}},
		{`{"op":"sprt","elo0":0,"elo1":5,"wdl":[0,0,0]}`, `llr`, map[string]any{"llr": 0.0, "verdict": "no information"}},
		{`{"op":"sprt","elo0":0,"elo1":10,"wdl":[4250,0,0]}`, `llr`, map[string]any{"llr": 120.55, "verdict": "H1"}},
		{`{"op":"sprt","elo0":-1500,"elo1":-500,"penta":[10,0,0,0,0]}`, `llr`, map[string]any{"llr": -.458, "verdict": "continue"}},
		{
			`{"op":"elo","penta":[0,4,28,15,3]}`, `score elo elo_err95 nelo nelo_err95 los pairs_ratio`,
			map[string]any{"score": .585, "elo": 59.64, "elo_err95": 35.35, "nelo": 117.61, "nelo_err95": 68.10, "los": 1.0, "pairs_ratio": 4.5},
		},
		{`{"op":"elo","wdl":[76,123,89]}`, `score`, map[string]any{"elo": -15.69, "nelo": -20.76, "los": .155, "pairs_ratio": nil}},
		{`{"op":"elo","wdl":[0,0,0]}`, `score`, map[string]any{"score": nil, "elo": nil, "elo_err95": nil, "nelo": nil, "nelo_err95": nil, "los": nil, "pairs_ratio": nil}},
		{`{"op":"elo","penta":[0,0,0,0,9]}`, `score`, map[string]any{"score": 1.0, "elo": 1199.83, "elo_err95": nil, "pairs_ratio": nil}},
		{`{"op":"wilson","successes":81,"trials":263,"level":0.95}`, `lo hi`, map[string]any{"lo": .255, "hi": .366}},
		{`{"op":"wilson","successes":"0","trials":20}`, `error`, nil},
		{`{"op":"wilson","successes":0,"trials":0}`, `lo hi`, map[string]any{"lo": nil, "hi": nil}},
		{`{"op":"friedman","rows":[[1,2,3],[1,3,2],[1,2,3]]}`, `chi2 df p`, map[string]any{"df": 2.0, "chi2": 4.667}},
		{`{"op":"friedman","rows":[[1,1],[2,2]]}`, `chi2 df p`, map[string]any{"df": 1.0, "chi2": nil, "p": nil}},
		{
			`{"op":"wilcoxon","x":[1.83,0.50,1.62,2.48,1.68,1.88,1.55,3.06,1.30],"y":[0.878,0.647,0.598,2.05,1.06,1.29,1.06,3.14,1.29],"alternative":"greater"}`,
			`v p`, map[string]any{"v": 40.0, "p": .0195},
		},
		{`{"op":"wilcoxon","x":[1],"y":[1]}`, `v p`, map[string]any{"v": 0.0, "p": nil}},
		{`{"op":"bradley_terry","wins":[[0,25],[75,0]]}`, `ability`, nil},
		{`{"op":"sprt","elo0":0,"elo1":5,"penta":["20",1334,"3810",1569,35]}`, `llr`, nil},
		{`{"op":"sprt","elo0":0,"elo1":5,"seats":3,"counts":[20,30,40,20,5,2,1]}`, `llr`, nil},
	} {
		out := Answer([]byte(row.line))
		var got map[string]any
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("%s: %s: %v", row.line, out, err)
		}
		at := 0
		for name := range strings.FieldsSeq(row.fields) {
			i := strings.Index(string(out), `"`+name+`":`)
			if i < at {
				t.Errorf("%s: %s: %s is not where it was promised", row.line, out, name)
			}
			at = i
		}
		for name, want := range row.want {
			x, number := got[name].(float64)
			if w, ok := want.(float64); ok && number && math.Abs(x-w) <= .005 {
				continue
			}
			if got[name] != want {
				t.Errorf("%s: %s is %v, expected %v", row.line, name, got[name], want)
			}
		}
	}
}

// A bad line names the field and what was expected.
func TestBadLines(t *testing.T) {
	for _, row := range []struct{ line, want string }{
		{``, `line: expected a JSON object, got nothing`},
		{`{"op":"elo"`, `line: expected a JSON object, got {"op":"elo"`},
		{`[1]`, `line: expected a JSON object, got [1]`},
		{`null`, `line: expected a JSON object, got null`},
		{`{"op":"elo","penta":[1,2,3,4,5]} x`, `line: expected one JSON object, got more after it`},
		{`{}`, `op: expected one of sprt, elo,`},
		{`{"opp":"elo"}`, `unknown field "opp" (did you mean op?)`},
		{`{"op":5}`, `op: expected one of sprt, elo,`},
		{`{"op":"glicko"}`, `, got "glicko"`},
		{`{"op":"elo"}`, `penta: expected one of penta, wdl and counts, got 0 of them`},
		{`{"op":"elo","penta":[1,2,3,4,5],"wdl":[1,2,3]}`, `penta: expected one of penta, wdl and counts, got 2 of them`},
		{`{"op":"elo","penta":[1,2,3]}`, `penta: expected 5 counts [LL, LD, DD+WL, WD, WW], got 3`},
		{`{"op":"elo","penta":[1,2,-3,4,5]}`, `penta: expected no negative count, got -3 in cell 2`},
		{`{"op":"elo","penta":[1,2,3.5,4,5]}`, `penta: expected a list of whole numbers, got [1,2,3.5,4,5]`},
		{`{"op":"elo","penta":[1,2,null,4,5]}`, `penta: expected a list of whole numbers, got [1,2,null,4,5]`},
		{`{"op":"elo","penta":[9007199254740992,1,0,0,0]}`, `penta: expected at most 2^53 blocks in all, got more by cell 1`},
		{`{"op":"elo","penta":[99999999999999999999,1,0,0,0]}`, `penta: expected a list of whole numbers, got [99999999999999999999,1,0,0,0]`},
		{`{"op":"elo","wdl":[1,2]}`, `wdl: expected 3 counts [W, D, L], got 2`},
		{`{"op":"elo","wdl":[-1,2,3]}`, `wdl: expected no negative count, got -1 in cell 0`},
		{`{"op":"elo","wdl":[1,2,3],"seats":3}`, `seats: expected 2 with penta or wdl, got 3`},
		{`{"op":"elo","counts":[1,2,3]}`, `seats: expected a whole number, got nothing`},
		{`{"op":"elo","counts":[1,2,3],"seats":1}`, `seats: expected at least 2, got 1`},
		{`{"op":"elo","pentas":[1,2,3,4,5]}`, `pentas: expected only the fields penta, wdl, counts, seats (did you mean penta?)`},
		{`{"op":"sprt","elo1":5,"penta":[1,2,3,4,5]}`, `elo0: expected a number, got nothing`},
		{`{"op":"sprt","elo0":"a","elo1":5,"penta":[1,2,3,4,5]}`, `elo0: expected a number, got "a"`},
		{`{"op":"sprt","elo0":1e999,"elo1":5,"penta":[1,2,3,4,5]}`, `elo0: expected a number, got 1e999`},
		{`{"op":"sprt","elo0":5,"elo1":5,"penta":[1,2,3,4,5]}`, `elo1: expected a number above elo0 = 5, got 5`},
		{`{"op":"sprt","elo0":0,"elo1":5,"alpha":0,"penta":[1,2,3,4,5]}`, `alpha: expected a number in [1e-12, 0.5], got 0`},
		{`{"op":"sprt","elo0":0,"elo1":5,"beta":0.7,"penta":[1,2,3,4,5]}`, `beta: expected a number in [1e-12, 0.5], got 0.7`},
		{`{"op":"sprt","elo0":0,"elo1":5,"model":"gauss","penta":[1,2,3,4,5]}`, `model: expected one of [normalized logistic bayesian], got "gauss"`},
		{`{"op":"sprt","elo0":0,"elo1":5,"model":"bayesian","penta":[1,2,3,4,5]}`, `model: bayesian expects wins, draws and losses of single games`},
		{`{"op":"wilson","trials":5}`, `successes: expected a number, got nothing`},
		{`{"op":"wilson","successes":6,"trials":5}`, `successes: expected a number in [0, trials], got 6`},
		{`{"op":"wilson","successes":1,"trials":5,"level":1}`, `level: expected a number inside (0, 1), got 1`},
		{`{"op":"friedman","rows":[]}`, `rows: expected at least 1 row`},
		{`{"op":"friedman","rows":[[1,2],[1]]}`, `rows: expected 2 values in row 1, got 1`},
		{`{"op":"friedman","rows":[[1,"x"]]}`, `rows: expected a list of lists of numbers, got [[1,"x"]]`},
		{`{"op":"wilcoxon","x":[1,2],"y":[1]}`, `y: expected 2 values as in x, got 1`},
		{`{"op":"wilcoxon","x":[1],"y":[2],"alternative":"up"}`, `alternative: expected two-sided, greater or less, got "up"`},
		{`{"op":"bradley_terry","wins":[[0,1],[1]]}`, `wins: expected 2 values in row 1, got 1`},
		{`{"op":"bradley_terry","wins":[[0,-1],[1,0]]}`, `wins: expected a number in [0, 2^53] in row 0, column 1, got -1`},
	} {
		out := Answer([]byte(row.line))
		var got struct{ Error string }
		if err := json.Unmarshal(out, &got); err != nil || !strings.Contains(got.Error, row.want) {
			t.Errorf("%s\nanswered %s\nexpected %s", row.line, out, row.want)
		}
	}
}

// FuzzAnswer: every line gets one line of valid JSON.
func FuzzAnswer(f *testing.F) {
	for _, line := range []string{
		`{"op":"sprt","elo0":0,"elo1":5,"penta":[1,2,3,4,5]}`, `{"op":"elo","wdl":[1,0,"3"]}`,
		`{"op":"wilson","successes":1,"trials":2}`,
		`{"op":"friedman","rows":[[1,2],[3,3]]}`, `{"op":"wilcoxon","x":[1,2],"y":[0,5],"zeros":"split"}`,
		`{"op":"bradley_terry","wins":[[0,1,2],[1,0,0],[5,1,0]]}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		out := Answer(line)
		var object map[string]any
		if err := json.Unmarshal(out, &object); err != nil || object == nil || strings.Contains(string(out), "\n") {
			t.Fatalf("%s: %s: %v", line, out, err)
		}
		if text, ok := object["error"].(string); ok && strings.HasPrefix(text, "internal") {
			t.Fatalf("%s: %s", line, text)
		}
	})
}
