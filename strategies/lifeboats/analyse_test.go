package lifeboats_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"sakusen/strategies/lifeboats"
)

func rows(t testing.TB) [][]byte {
	text, err := os.ReadFile("testdata/positions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out [][]byte
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		out = append(out, bytes.Clone(s.Bytes()))
	}
	return out
}

func TestAnalysePositions(t *testing.T) {
	for i, line := range rows(t) {
		var row struct{ Expect map[string]float64 }
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		var answer lifeboats.Answer
		if err := json.Unmarshal(lifeboats.Line(line), &answer); err != nil || len(answer.E) != len(row.Expect) {
			t.Fatalf("row %d: %v: %s", i+1, err, lifeboats.Line(line))
		}
		top := math.Inf(-1)
		for name, want := range row.Expect {
			o, _ := strconv.Atoi(name)
			if math.Abs(answer.E[o]-want) > 1e-9*math.Abs(want) {
				t.Errorf("row %d, option %d: %v, expected %v", i+1, o, answer.E[o], want)
			}
			top = math.Max(top, want)
		}
		at := 0
		for o := range 6 {
			want, ok := row.Expect[strconv.Itoa(o)]
			if !ok || want < top-1e-9*math.Max(1, math.Abs(top)) {
				continue
			}
			if at >= len(answer.Best) || answer.Best[at] != o {
				t.Errorf("row %d: best %v, expected %d at %d", i+1, answer.Best, o, at)
			}
			at++
		}
		if at != len(answer.Best) {
			t.Errorf("row %d: best %v has more than %d", i+1, answer.Best, at)
		}
	}
}

const weights = `"weights":{"A1":1,"A2":1,"A3":1,"L1":0,"L2":0,"L3":0,"C2":0,"C3":0,"R1":0,"R2":0,"R3":0,"D":2,"X":1}`

// line returns a position of three players with some text replaced.
func line(old, new string) []byte {
	b := `{"state":"afloat","steps":3,"leaks":0,"crew":[2,2,1]}`
	s := fmt.Sprintf(`{"phase":"leak","player":0,%s,"boats":[%s,%s,%s,{"state":"lost","steps":2,"leaks":4,"crew":[0,0,0]}]}`, weights, b, b, b)
	return []byte(strings.Replace(s, old, new, 1))
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"phase":"leak",`, ``, `phase: expected leak, expel or advance, got nothing`},
		{`"leak"`, `"sink"`, `phase: expected leak, expel or advance, got "sink"`},
		{`"player":0`, `"player":3`, `player: expected 0..2, got 3`},
		{`"player":0,`, ``, `player: expected 0..2, got nothing`},
		{`"player":0`, `"player":"0"`, `player: expected an integer, got string`},
		{`"A2":1,`, ``, `weights.A2: expected a number, got nothing`},
		{`"A2":1`, `"A2":1e7`, `weights.A2: expected a number in -1e+06..1e+06, got 1e+07`},
		{`"A2":1`, `"A2":null`, ``},
		{`"X":1`, `"X":-1001`, `weights.X: expected a number in -1000..1000, got -1001`},
		{`"X":1`, `"X":1,"C4":0`, `weights: expected a weight of 3 players (did you mean C2?), got C4`},
		{`"X":1`, `"X":1,"speed":0`, `weights: expected one of A1, A2, A3, C2, C3, D, L1, L2, L3, R1, R2, R3, X, got speed`},
		{`"steps":3`, `"steps":4`, `boats[0].steps: expected 1..3 of a boat afloat and 0 of one home, got 4 of one afloat`},
		{`"steps":3,`, ``, `boats[0].steps: expected a value, got nothing`},
		{`[2,2,1]`, `[2,2,1,0]`, `boats[0].crew: expected 3 numbers, one for each player, got 4`},
		{`"phase":"leak"`, `"phase":"leak","boat":1`, `boat: expected none, as only an expulsion has one, got 1`},
		{`"phase":"leak"`, `"phase":"expel"`, `boat: expected the index of the boat of the expulsion, got nothing`},
		{`"phase":"leak"`, `"phase":"expel","boat":1`, `boat: expected a full one for an expulsion, got boat 1 with 5 crew and 0 leaks`},
		{`"phase":"leak"`, `"phase":"leak","full_boat":"no"`, `full_boat: expected one of aboard, optimistic, expected, got "no"`},
		{`"phase":"leak"`, `"phase":"leak","speed":1`, `unknown field "speed" (expected only `},
		{`"phase":"leak"`, `"phas":"leak"`, `unknown field "phas" (did you mean phase?)`},
		{`0,0,0]}]}`, `0,0,0]}]} 1`, `expected the end of the text after the object`},
		{`0,0,0]}]}`, `0,0,0]}]`, `expected a JSON object, got no end of one`},
	} {
		var answer struct{ Error string }
		got := lifeboats.Line(line(c.old, c.new))
		if err := json.Unmarshal(got, &answer); err != nil || !strings.Contains(answer.Error, c.want) || (c.want != "") != (answer.Error != "") {
			t.Errorf("%s for %s:\n got %s\nwant %s", c.new, c.old, got, c.want)
		}
	}
}

func TestNoObject(t *testing.T) {
	if got := string(lifeboats.Line([]byte(`[1]`))); got != `{"error":"expected a JSON object, got array"}` {
		t.Error(got)
	}
}

func TestFullBoat(t *testing.T) {
	seen := map[string]bool{}
	for _, full := range []string{"aboard", "optimistic", "expected"} {
		l := line(`"phase":"leak"`, `"phase":"leak","full_boat":"`+full+`"`)
		l = bytes.Replace(l, []byte(`[2,2,1]`), []byte(`[2,2,2]`), 1)
		seen[string(lifeboats.Line(l))] = true
	}
	if len(seen) != 3 {
		t.Errorf("%d different answers: %v", len(seen), seen)
	}
}

func FuzzLine(f *testing.F) {
	for _, l := range rows(f)[:6] {
		f.Add(l)
	}
	f.Add(line("", ""))
	f.Add([]byte(`{}`))
	f.Add([]byte(`{"boats":[{},{},{},{}]}`))
	f.Fuzz(func(t *testing.T, l []byte) {
		var answer struct {
			E     map[int]*float64
			Best  []int
			Error *string
		}
		out := lifeboats.Line(l)
		if err := json.Unmarshal(out, &answer); err != nil || bytes.ContainsRune(out, '\n') {
			t.Fatalf("%q: %v", out, err)
		}
		if answer.Error == nil && (len(answer.E) == 0 || len(answer.Best) == 0) || answer.Error != nil && *answer.Error == "" {
			t.Fatalf("%q says nothing", out)
		}
	})
}
