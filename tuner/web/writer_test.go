package web_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"sakusen/tuner"
	"sakusen/tuner/service/daemon"
)

// What is written through the server is bounded and checked, and says what is
// wrong with it.
func TestWrites(t *testing.T) {
	s := newTestService(t)
	s.study(t, "played", tuner.Queued)
	s.play(t, daemon.StudyKey("played"))
	s.bench(t)
	_, h := serve(t, s, "")
	var page struct {
		Blocks []struct{ ID int64 }
		Next   int64
	}
	for after := range int64(2) {
		status, text, _ := ask(t, "GET", fmt.Sprintf("%s/api/v1/studies/played/blocks?limit=2&after=%d", h.URL, after*page.Next), "")
		before := page.Next
		if err := json.Unmarshal([]byte(text), &page); err != nil || status != 200 || len(page.Blocks) != 2 || page.Blocks[0].ID <= before || page.Next != page.Blocks[1].ID {
			t.Errorf("a page of blocks after %d: %d, %.200s, %v", before, status, text, err)
		}
	}
	long := strings.Repeat("x", 3000)
	for i, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"GET", "/studies/played/blocks?limit=1000", "", 200, `"next":null`},
		{"GET", "/studies/first/blocks?detail=maybe", "", 400, "detail: expected true or false"},
		{"GET", "/studies/other/blocks", "", 404, "no study"},
		{"POST", "/studies/played/drop", `{"worker":"w"}`, 200, "played@1"},
		{"POST", "/studies/first/drop", `{"worker":"w"}`, 410, "has played none of its blocks"},
		{"POST", "/studies/first/drop", `{"worker":""}`, 400, "worker"},
		{"POST", "/studies/first/drop", `{"worker":"a\nb"}`, 400, "one line"},
		{"POST", "/studies/other/drop", `{"worker":"w"}`, 404, "no study"},
		{"POST", "/bench/runs", `{"runs":[` + asField("text", fmt.Sprintf(benchText, 7)) + `]}`, 200, `"runs":[{"new":true,"series":1,"run":4`},
		{"POST", "/bench/runs", `{"runs":[{"text":"x"}]}`, 400, "runs[0].text"},
		{"POST", "/bench/runs", `{"runs":[]}`, 400, "1 to 100"},
		{"POST", "/bench/runs", `{"runs":[{"text":"x","name":"` + long + `"}]}`, 400, "runs[0].name"},
		{"POST", "/bench/runs", `{"runs":[{"text":"x","path":"/etc/passwd"}]}`, 400, "unknown field"},
		{"POST", "/bench/runs", `{"runs":[{"text":"x","command":"id"}]}`, 400, "unknown field"},
		{"POST", "/bench/runs", `{"runs":[` + strings.TrimSuffix(asField("text", fmt.Sprintf(benchText, 8)), "}") + `,"against":"abc","causes":[{"pkg":"a","name":"B/c","kind":"time","functions":[{"function":"a.f","old":0.5,"new":0.75}],"files":["x","y"]}]}]}`, 200, `"runs":[{"new":true,"series":1,"run":5`},
		{"POST", "/bench/runs", `{"runs":[` + strings.TrimSuffix(asField("text", fmt.Sprintf(benchText, 8)), "}") + `,"causes":[{"name":"B","kind":"space"}]}]}`, 400, "runs[0].causes[0]: kind: expected time or allocated"},
		{"POST", "/bench/accept", `{"series":"a","source":"latest","reason":"b"}`, 200, `"series":"a.B/c sec/op"`},
		{"POST", "/bench/accept", `{"series":"a","source":"latest"}`, 400, "reason"},
		{"POST", "/bench/prune", `{"days":3}`, 200, `"removed":true`},
		{"POST", "/bench/prune", `{"days":3,"dry_run":true}`, 200, `"removed":false`},
		{"POST", "/bench/prune", `{"days":0}`, 400, "days"},
		{"POST", "/bench/prune", `{"days":1e300}`, 400, "body"},
		{"PUT", "/bench/baselines/a%20b", `{"source":"run:1"}`, 200, `"a b"`},
		{"PUT", "/bench/baselines/a%0Ab", `{"source":"run:1"}`, 400, "one line"},
		{"PUT", "/bench/baselines/a", `{}`, 400, "source"},
		{"PUT", "/bench/baselines/" + long[:300], `{"source":"run:1"}`, 400, "name"},
		{"DELETE", "/bench/baselines/a%20b", "", 200, "deleted"},
		{"DELETE", "/bench/baselines/a", "", 404, "baseline a"},
		{"POST", "/blocks", `{}`, 400, "game"},
		{"POST", "/blocks", `{"game":"g","rules":"r","signatures":"s","seed":"18446744073709551616"}`, 400, "seed"},
		{"POST", "/blocks", strings.Repeat(`{"game":`, 50000), 400, "body"},
	} {
		status, text, _ := ask(t, c.method, h.URL+"/api/v1"+c.path, c.body, asJSON)
		if status != c.status || !strings.Contains(text, c.want) {
			t.Errorf("%d: %s %.100s: %d, %.200s; want %d and %q", i, c.method, c.path, status, text, c.status, c.want)
		}
	}
	for path, most := range map[string]int{"/blocks": 16 << 20, "/bench/runs": 16 << 20, "/bench/accept": 1 << 20} {
		status, text, _ := ask(t, "POST", h.URL+"/api/v1"+path, `{"game":"`+strings.Repeat("x", most)+`"}`, asJSON)
		if status != 413 && status != 400 || status == 413 && !strings.Contains(text, fmt.Sprint(most)) {
			t.Errorf("%s: a body of more than %d bytes: %d %.200s", path, most, status, text)
		}
	}
}
