package tubstap

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

func rows(t *testing.T, path string) []map[string]any {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]any
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var row map[string]any
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		out = append(out, row)
	}
	return out
}

// ask sends the fields of a recorded row that are questions.
func ask(t *testing.T, row map[string]any, extra map[string]any) map[string]any {
	t.Helper()
	q := map[string]any{}
	for _, k := range []string{"map", "turn", "team", "units"} {
		q[k] = row[k]
	}
	for k, v := range extra {
		q[k] = v
	}
	line, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	var a map[string]any
	if err := json.Unmarshal(answerLine(line, nil), &a); err != nil {
		t.Fatal(err)
	}
	if a["error"] != nil {
		t.Fatalf("%s: %v", line, a["error"])
	}
	return a
}

func TestPositions(t *testing.T) {
	for i, row := range rows(t, "../../engines/tubstap/testdata/positions.jsonl") {
		a := ask(t, row, nil)
		if !reflect.DeepEqual(a["u"], row["u"]) || !reflect.DeepEqual(a["best"], row["best"]) {
			t.Fatalf("line %d: %v", i+1, a)
		}
		if math.Abs(a["log10est"].(float64)-row["log10est"].(float64)) > 1e-9 {
			t.Fatalf("line %d: log10est %v, want %v", i+1, a["log10est"], row["log10est"])
		}
	}
}

func TestSearches(t *testing.T) {
	for i, row := range rows(t, "testdata/muct.jsonl") {
		a := ask(t, row, map[string]any{"muct": map[string]any{
			"seed": fmt.Sprintf("%.0f", row["seed"]), "sims": row["sims"], "mode": "reference",
		}})
		for _, k := range []string{"root", "chosen", "maxDepth", "rngAfter"} {
			if !reflect.DeepEqual(a[k], row[k]) {
				t.Fatalf("line %d: %s is %v, want %v", i+1, k, a[k], row[k])
			}
		}
	}
}

func TestErrors(t *testing.T) {
	for line, want := range map[string]string{
		`{`:                                            "unexpected EOF",
		`{"map":"nowhere"}`:                            "no such embedded map",
		`{"map":"own02","team":2}`:                     "team 2: want 0 (red) or 1 (blue)",
		`{"map":"own02","turn":-1}`:                    "turn -1: want 0 or more",
		`{"map":"own02","mct":{}}`:                     `unknown field "mct" (did you mean muct?)`,
		`{"siz":10,"maps":"own02"}`:                    `unknown field "maps" (did you mean map?)`,
		`{"map":"own02"} {}`:                           "more than one JSON value",
		`{"map":"SIZEX[3];"}`:                          "map: SIZEY is missing",
		`{"map":"own02","units":[[1]]}`:                "unit [1]: want [id,type,team,x,y,hp,finished]",
		`{"map":"own02","units":[[0,"Z",0,1,1,10,0]]}`: `type "Z": want one of the letters FAPURI`,
		`{"map":"own02","units":[[0,"F",0,1,1,10,0],[1,"F",0,1,1,9,0]]}`:      "(1,1) already holds unit 0",
		`{"map":"own02","units":[[0,"F",0,1,1,10,0],[0,"F",0,1,2,9,0]]}`:      "id 0 twice",
		`{"map":"own02","units":[[0,"F",0,9,1,10,0]]}`:                        "outside the playable cells",
		`{"map":"own02","muct":{"sims":0}}`:                                   "sims 0: want 1 to",
		`{"map":"own02","muct":{"sims":9,"mode":"x"}}`:                        `mode "x"`,
		`{"map":"own02","muct":{"sims":9,"seed":"x"}}`:                        "seed",
		`{"map":"own02","units":[[0,"F",0,1,1,10,1]],"muct":{"sims":9}}`:      "no unit to act",
		`{"map":"own02","antiair_infantry":100}`:                              "antiair_infantry 100",
		`{"map":"own02","units":[[999999,"F",0,1,1,10,1]],"muct":{"sims":9}}`: "id 999999",
	} {
		var a struct{ Error string }
		if err := json.Unmarshal(answerLine([]byte(line), nil), &a); err != nil || !strings.Contains(a.Error, want) {
			t.Errorf("%s: %q, %v; want %q", line, a.Error, err, want)
		}
	}
}

var long = regexp.MustCompile(`(?i)sims.*([0-9]{4}|e)`)

func FuzzLine(f *testing.F) {
	f.Add([]byte(`{"map":"own02","turn":0,"team":0,"units":[[0,"F",0,1,1,10,0],[4,"I",1,3,1,7,1]],"muct":{"seed":1,"sims":3}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		if long.Match(line) {
			return // a long search is not what is tried here
		}
		if !json.Valid(answerLine(line, nil)) {
			t.Fatal("the answer is not JSON")
		}
	})
}
