package web_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"sakusen/tuner/service"
)

func (s *shelf) RecordBench(_ context.Context, runs []service.BenchRun, _ string) ([]service.BenchRecorded, error) {
	return make([]service.BenchRecorded, len(runs)), s.err
}
func (s *shelf) SetBaseline(_ context.Context, name, source string) (service.BenchNamed, error) {
	return service.BenchNamed{Name: name, Title: source}, s.err
}
func (s *shelf) RemoveBaseline(context.Context, string) error { return s.err }
func (s *shelf) AcceptBench(_ context.Context, a service.BenchAccept) (service.BenchAccepted, error) {
	return service.BenchAccepted{Series: a.Series}, s.err
}
func (s *shelf) PruneBench(_ context.Context, days int, _ bool) (int64, error) {
	return int64(days), s.err
}
func (s *shelf) Drop(_ context.Context, study, _ string) (service.Dropped, error) {
	return service.Dropped{Archived: study + "@1"}, s.known(study)
}
func (s *shelf) Blocks(_ context.Context, study string, after int64, limit int, _ bool) ([]service.BlockRun, error) {
	out := make([]service.BlockRun, min(limit, 3))
	for i := range out {
		out[i].ID = after + 1 + int64(i)
	}
	return out, s.known(study)
}
func (s *shelf) SaveBlocks(context.Context, service.PlayedBlocks) error { return s.err }

// What is written through the server is bounded and checked, and says what is
// wrong with it.
func TestWrites(t *testing.T) {
	_, h := serve(t, &shelf{state: "running"}, "")
	long := strings.Repeat("x", 3000)
	for i, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"GET", "/studies/first/blocks?limit=2&after=5", "", 200, `"next":7`},
		{"GET", "/studies/first/blocks?limit=4", "", 200, `"next":null`},
		{"GET", "/studies/first/blocks?detail=maybe", "", 400, "detail: expected true or false"},
		{"GET", "/studies/other/blocks", "", 404, "no study"},
		{"POST", "/studies/first/drop", `{"worker":"w"}`, 200, "first@1"},
		{"POST", "/studies/first/drop", `{"worker":""}`, 400, "worker"},
		{"POST", "/studies/first/drop", `{"worker":"a\nb"}`, 400, "one line"},
		{"POST", "/studies/other/drop", `{"worker":"w"}`, 404, "no study"},
		{"POST", "/bench/runs", `{"runs":[{"text":"x"}]}`, 200, `"runs"`},
		{"POST", "/bench/runs", `{"runs":[]}`, 400, "1 to 100"},
		{"POST", "/bench/runs", `{"runs":[{"text":"x","name":"` + long + `"}]}`, 400, "runs[0].name"},
		{"POST", "/bench/runs", `{"runs":[{"text":"x","path":"/etc/passwd"}]}`, 400, "unknown field"},
		{"POST", "/bench/runs", `{"runs":[{"text":"x","command":"id"}]}`, 400, "unknown field"},
		{"POST", "/bench/accept", `{"series":"a","source":"latest","reason":"b"}`, 200, `"a"`},
		{"POST", "/bench/accept", `{"series":"a","source":"latest"}`, 400, "reason"},
		{"POST", "/bench/prune", `{"days":3}`, 200, `"removed":true`},
		{"POST", "/bench/prune", `{"days":3,"dry_run":true}`, 200, `"removed":false`},
		{"POST", "/bench/prune", `{"days":0}`, 400, "days"},
		{"POST", "/bench/prune", `{"days":1e300}`, 400, "body"},
		{"PUT", "/bench/baselines/a%20b", `{"source":"run:1"}`, 200, `"a b"`},
		{"PUT", "/bench/baselines/a%0Ab", `{"source":"run:1"}`, 400, "one line"},
		{"PUT", "/bench/baselines/a", `{}`, 400, "source"},
		{"PUT", "/bench/baselines/" + long[:300], `{"source":"run:1"}`, 400, "name"},
		{"DELETE", "/bench/baselines/a", "", 200, "deleted"},
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
