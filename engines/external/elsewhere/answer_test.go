package elsewhere

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseAnswer(t *testing.T) {
	for text, want := range map[string]string{
		`{"ranks":[1,2]}`:                              "[1 2] [false false] []",
		`{"ranks":[1,0],"errors":[1,0]}`:               "[2 1] [true false] []",
		`{"ranks":[2,2]}`:                              "[1 1] [false false] []",
		`{"scores":[3,4.5],"errors":[false,true]}`:     "[2 1] [false true] []",
		`{"scores":[3,3],"metrics":{"other":1},"x":1}`: "[1 1] [false false] []",
	} {
		a, err := ParseAnswer(text, 2, nil)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := fmt.Sprint(a.Ranks, a.Errors, a.Metrics); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	a, err := ParseAnswer(`{"ranks":[1,2,2],"metrics":{"turns":40,"waste":[0.5,-1,2e3]}}`, 3, []string{"waste", "turns"})
	if err != nil || fmt.Sprint(a.Metrics) != "[[500000 -1000000 2000000000] [40000000 40000000 40000000]]" {
		t.Errorf("%v, %v", a, err)
	}
	for text, want := range map[string]string{
		``:                                 "a line of JSON",
		`[1,2]`:                            "a line of JSON",
		`{}`:                               "ranks: expected 2 integers, got 0",
		`{"ranks":[1]}`:                    "ranks: expected 2",
		`{"ranks":[1,9]}`:                  "ranks: expected 1 to 2, got 9",
		`{"ranks":[1,2],"scores":[1,2]}`:   "got both",
		`{"scores":[1,2,3]}`:               "scores: expected 2",
		`{"ranks":[1,2],"errors":[1]}`:     "errors: expected 2",
		`{"ranks":[1,2],"errors":["a",1]}`: "errors: expected numbers",
		`{"ranks":[1,2],"metrics":{"turns":"many"}}`: "metrics: turns: expected a number",
		`{"ranks":[1,2],"metrics":{"turns":1e300}}`:  "up to 1e9",
		`{"ranks":[1,2]}`: "metrics: turns: expected a number, got nothing",
	} {
		if _, err := ParseAnswer(text, 2, []string{"turns"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %s", text, err, want)
		}
	}
}

func FuzzParseAnswer(f *testing.F) {
	f.Add(`{"ranks":[1,2],"errors":[0,1],"metrics":{"turns":[1,2]}}`, 2)
	f.Add(`{"scores":[1,2,3],"metrics":{"turns":1}}`, 3)
	f.Fuzz(func(t *testing.T, text string, seats int) {
		if seats < 1 || seats > 16 {
			return
		}
		a, err := ParseAnswer(text, seats, []string{"turns"})
		if err != nil {
			return
		}
		best := false
		for _, r := range a.Ranks {
			best = best || r == 1
		}
		if !best || len(a.Ranks) != seats || len(a.Errors) != seats || len(a.Metrics[0]) != seats {
			t.Errorf("%q: %+v", text, a)
		}
	})
}
