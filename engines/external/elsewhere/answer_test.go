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
		`{"scores":[null,1]}`:                      "got null",
		`{"ranks":[1,2],"metrics":{"turns":null}}`: "expected a number",
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
		`{"ranks":[1,2]}`:                          "metrics: turns: expected a number, got nothing",
		`{"scores":[1,0],"metrics":[{"turns":1}]}`: "metrics: expected an object, got array in ",
	} {
		if _, err := ParseAnswer(text, 2, []string{"turns"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %s", text, err, want)
		}
	}
}

// What is told is taken as it was meant or not at all.
func TestToldIsStrict(t *testing.T) {
	names := []string{"turns", "waste"}
	whole := func(text string) string { return text + `,"metrics":{"turns":1,"waste":[1,2]}}` }
	for _, text := range []string{`{"ranks":[1,2]`, `{"ranks":[2,1]`, `{"ranks":[1,1]`, `{"scores":[3,4.5]`, `{"scores":[-1,-1]`, `{"ranks":[1,2],"errors":[0,1]`,
		`{"ranks":[1,2],"errors":[true,false]`, ` { "ranks" : [ 1 , 2 ] `, `{"scores":[0,1e300]`} {
		told, err := ParseTold(whole(text), 2, names)
		answer, other := ParseAnswer(whole(text), 2, names)
		if err != nil || other != nil || fmt.Sprint(told.Ranks, told.Errors, told.Metrics) != fmt.Sprint(answer.Ranks, answer.Errors, answer.Metrics) {
			t.Errorf("%s: %v, %v, %v", text, told, err, other)
		}
	}
	refused := []string{``, `null`, `1`, `"x"`, `[]`, `[1,2]`, `{`, `{}}`, `{} {}`, `{"metrics":{"turns":1,"waste":1}}`, "\x00", "\xff", `{"ranks":[1,2],"metrics":{"turns":1,"waste":1}} x`,
		strings.Repeat("[", 100000), strings.Repeat(`{"ranks":`, 100000), strings.Repeat("[", 100000) + strings.Repeat("]", 100000), `{"ranks":[1,2]}`,
		`{"ranks":[1,2],"metrics":null}`, `{"ranks":[1,2],"metrics":[]}`, `{"ranks":[1,2],"metrics":{}}`, `{"ranks":[1,2],"metrics":{"turns":1}}`}
	for _, ranks := range []string{`[0,1]`, `[0,2]`, `[2,2]`, `[0,0]`, `[1,3]`, `[1,-1]`, `[1]`, `[]`, `[1,2,3]`, `null`, `[1,null]`, `[null,1]`, `[null,null]`, `"12"`, `["1","2"]`, `[1,"2"]`,
		`[1.5,2]`, `[1,2.0]`, `[1e0,2]`, `[true,false]`, `{"0":1}`, `[[1],[2]]`, `[1,9007199254740993]`, `[1,99999999999999999999]`, `[1,1e999]`, `[1,NaN]`, `[01,2]`, `[+1,2]`, `[1,2,]`, `[1,0x2]`, `1`, `-1`} {
		refused = append(refused, whole(`{"ranks":`+ranks), `{"metrics":{"turns":1,"waste":1},"ranks":`+ranks+`}`)
	}
	for _, scores := range []string{`[null,1]`, `[1,null]`, `[null,null]`, `null`, `[]`, `[1]`, `[1,2,3]`, `["1","2"]`, `[NaN,1]`, `[Infinity,1]`, `[-Infinity,1]`, `[1e999,1]`, `[-1e999,1]`, `[true,false]`, `{}`, `"a"`, `[[1],[2]]`, `[1 2]`, `1`} {
		refused = append(refused, whole(`{"scores":`+scores), whole(`{"SCORES":`+scores))
	}
	for _, errs := range []string{`[7,0]`, `[0,2]`, `[-1,0]`, `[0.5,0]`, `["a",1]`, `["true","false"]`, `[null,0]`, `null`, `[]`, `[0]`, `[0,0,0]`, `{}`, `[[],[]]`, `"01"`, `1`, `true`, `[1e400,0]`} {
		refused = append(refused, whole(`{"ranks":[1,2],"errors":`+errs))
	}
	for _, metrics := range []string{`{"turns":1,"waste":1,"other":1}`, `{"turns":1,"waste":1,"":1}`, `{"turns":null,"waste":1}`, `{"turns":[1,null],"waste":1}`, `{"turns":[],"waste":1}`, `{"turns":[1,2,3],"waste":1}`,
		`{"turns":"1","waste":1}`, `{"turns":true,"waste":1}`, `{"turns":1e10,"waste":1}`, `{"turns":-1e10,"waste":1}`, `{"turns":NaN,"waste":1}`, `{"turns":1,"turns":2,"waste":1}`, `{"turns":1,"Turns":2,"waste":1}`,
		`{"turns":{},"waste":1}`, `{"turns":[[1],[2]],"waste":1}`, `{"turns":1,"waste ":1}`, `{"turns":1,"waste\u202e":1}`, `[1,2]`, `"x"`} {
		refused = append(refused, `{"ranks":[1,2],"metrics":`+metrics+`}`)
	}
	for _, more := range []string{`"x":1`, `"ranks":[2,1]`, `"Ranks":[2,1]`, `"scores":[1,2]`, `"worker":"me"`, `"__proto__":{}`, `"":0`, `"rank":[1,2]`, `"errors":[0,0],"errors":[1,1]`, `"error":"no"`, `"id":"2"`} {
		refused = append(refused, whole(`{"ranks":[1,2],`+more))
	}
	for _, text := range refused {
		if a, err := ParseTold(text, 2, names); err == nil {
			t.Errorf("%.200s: taken as %v", text, a)
		} else if len(err.Error()) > 1000 {
			t.Errorf("%.200s: a message of %d bytes", text, len(err.Error()))
		}
	}
	t.Logf("%d refused", len(refused))
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
