package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"sakusen/tuner/web"
)

// The shelf has tournament 7 and run 8.
func (s *shelf) jobs(kind string) web.Job {
	s.mu.Lock()
	defer s.mu.Unlock()
	if kind == web.Tournament {
		return web.Job{ID: 7, Name: "cup", State: s.state}
	}
	return web.Job{ID: 8, Name: "table", State: s.state}
}

func (s *shelf) Jobs(_ context.Context, kind string, before, limit int) ([]web.Job, error) {
	j := s.jobs(kind)
	if before > 0 && before <= j.ID {
		return []web.Job{}, s.err
	}
	return []web.Job{j}, s.err
}

func (s *shelf) Job(_ context.Context, kind string, id int) (*web.JobDetail, error) {
	j := s.jobs(kind)
	if id != j.ID {
		return nil, web.NewProblem(http.StatusNotFound, fmt.Sprintf("no %s %d", kind, id))
	}
	return &web.JobDetail{Job: j, Request: json.RawMessage(`{"file":"name: cup"}`), Partial: json.RawMessage("{}")}, s.err
}

func (s *shelf) Tournament(_ context.Context, r web.TournamentRequest, _ int, check bool) (int, bool, error) {
	if !strings.HasPrefix(r.File, "name: cup") {
		return 0, false, web.NewProblem(http.StatusBadRequest, "the tournament file has mistakes", "c:1:1: one", "c:2:1: two")
	}
	return 7, !check && r.Seed == nil, s.err
}

func (s *shelf) Run(_ context.Context, r web.ExperimentRequest, _ int, _ bool) (int, bool, error) {
	if r.Name != "table" || r.Games < 0 {
		return 0, false, web.NewProblem(http.StatusBadRequest, fmt.Sprintf("no experiment %.40q", r.Name))
	}
	return 8, true, s.err
}

func (s *shelf) Experiments(context.Context) ([]web.ExperimentLine, error) {
	games, last := int64(100), s.jobs(web.Experiment)
	return []web.ExperimentLine{{Name: "table", Doc: "A <table>.", Source: "A paper", Games: &games, Last: &last}}, s.err
}

func (s *shelf) Examples(context.Context) ([]web.Example, error) {
	return []web.Example{{Name: "little", File: "name: cup"}}, s.err
}

func (s *shelf) Crosstable(context.Context, int) (*web.Crosstable, error) {
	return &web.Crosstable{Name: "cup", Metrics: []string{"shots"}, Entrants: []web.Standing{{Place: 1, Name: "<a>", Against: []string{"-"}}},
		Orders: []web.OrderLine{{Label: "a - b", Seat: 1, Metrics: []string{"3"}}}}, s.err
}

func (s *shelf) Comparison(context.Context, int) (*web.Comparison, error) {
	x := 2.0
	return &web.Comparison{Rows: []web.ComparisonRow{
		{Label: "<turn> 1", Metric: "log10", Verdict: "yes", PrintedValue: &x, MeasuredValue: &x, MeasuredCI: &[2]float64{1, 3}},
		{Label: "turn 2", Metric: "log10", Verdict: "no", MeasuredValue: &x},
	}}, s.err
}

// Tournaments and experiments answer as they are described, and mistakes with
// 4xx.
func TestJobs(t *testing.T) {
	s := &shelf{state: "running"}
	_, h := serve(t, s, "")
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"GET", "/api/v1/tournaments", "", 200, `"tournaments":[{"id":7`},
		{"GET", "/api/v1/tournaments?limit=1", "", 200, `"next":7`},
		{"GET", "/api/v1/tournaments?before=7", "", 200, `"tournaments":[]`},
		{"GET", "/api/v1/tournaments?before=-1", "", 400, "before"},
		{"GET", "/api/v1/tournaments?limit=1e9", "", 400, "limit"},
		{"GET", "/api/v1/tournaments/7", "", 200, `"partial":{}`},
		{"GET", "/api/v1/tournaments/8", "", 404, "no tournament 8"},
		{"GET", "/api/v1/tournaments/07", "", 404, "no tournament"},
		{"GET", "/api/v1/tournaments/99999999999999999999", "", 404, "no tournament"},
		{"GET", "/api/v1/tournaments/..%2f..%2fetc%2fpasswd", "", 404, "no tournament"},
		{"GET", "/api/v1/tournaments/'%20OR%201=1%20--", "", 404, "no tournament"},
		{"POST", "/api/v1/tournaments", `{"file":"name: cup"}`, 201, `{"id":7}`},
		{"POST", "/api/v1/tournaments", `{"file":"name: cup","seed":"18446744073709551615"}`, 200, `{"id":7}`},
		{"POST", "/api/v1/tournaments", `{"file":"name: cup","check":true}`, 200, `{"id":null}`},
		{"POST", "/api/v1/tournaments", `{"file":"x"}`, 400, `"errors":["c:1:1: one","c:2:1: two"]`},
		{"POST", "/api/v1/tournaments", ``, 400, "file: expected"},
		{"POST", "/api/v1/tournaments", `{"file":"name: cup","path":"/etc/passwd"}`, 400, "unknown field"},
		{"POST", "/api/v1/tournaments", `{"file":"name: cup","blocks":-1}`, 400, "blocks"},
		{"POST", "/api/v1/tournaments", `{"file":"name: cup","blocks":1099511627777}`, 400, "blocks"},
		{"POST", "/api/v1/tournaments", `{"file":"name: cup","blocks":1e300}`, 400, "body"},
		{"POST", "/api/v1/tournaments", `{"file":"name: cup","seed":-4}`, 400, "seed"},
		{"POST", "/api/v1/tournaments", `{"file":"name: cup","seed":"18446744073709551616"}`, 400, "seed"},
		{"POST", "/api/v1/tournaments", `{"file":"name: cup","seed":{}}`, 400, "seed"},
		{"POST", "/api/v1/tournaments", `{"file":"name: cup","priority":11}`, 400, "priority"},
		{"POST", "/api/v1/tournaments", strings.Repeat(`{"file":`, 20000), 400, "body"},
		{"POST", "/api/v1/tournaments/7/pause", "{}", 200, `"paused"`},
		{"POST", "/api/v1/tournaments/7/resume", "", 200, `"queued"`},
		{"POST", "/api/v1/tournaments/7/stop", "{}", 200, `"stopped"`},
		{"POST", "/api/v1/tournaments/7/stop", `{"force":true}`, 400, "unknown field"},
		{"POST", "/api/v1/tournaments/8/stop", "{}", 404, "no tournament 8"},
		{"POST", "/api/v1/tournaments/7/priority", `{"priority":3}`, 200, `"id":7`},
		{"POST", "/api/v1/tournaments/7/priority", `{"priority":30}`, 400, "-10 to 10"},
		{"POST", "/api/v1/tournaments/7/priority", `{}`, 400, "-10 to 10"},
		{"DELETE", "/api/v1/tournaments/7", "", 200, `{"deleted":7}`},
		{"DELETE", "/api/v1/tournaments/9", "", 404, "no tournament 9"},
		{"GET", "/api/v1/experiments", "", 200, `"last_run":{"id":8`},
		{"GET", "/api/v1/experiments/runs", "", 200, `"runs":[{"id":8`},
		{"GET", "/api/v1/experiments/runs/8", "", 200, `"name":"table"`},
		{"GET", "/api/v1/experiments/runs/7", "", 404, "no experiment 7"},
		{"GET", "/api/v1/experiments/table", "", 404, "nothing at this path"},
		{"POST", "/api/v1/experiments/runs", `{"name":"table","games":5,"seed":3}`, 201, `{"id":8}`},
		{"POST", "/api/v1/experiments/runs", `{"name":"./evil.yaml"}`, 400, "no experiment"},
		{"POST", "/api/v1/experiments/runs", `{"name":"table","keep":"/tmp/x"}`, 400, "unknown field"},
		{"POST", "/api/v1/experiments/runs", `{}`, 400, "name: expected"},
		{"POST", "/api/v1/experiments/runs/8/pause", "{}", 200, `"paused"`},
		{"DELETE", "/api/v1/experiments/runs/8", "", 200, `{"deleted":8}`},
	} {
		status, text, _ := ask(t, c.method, h.URL+c.path, c.body, asJSON)
		if status != c.status || !strings.Contains(text, c.want) {
			t.Errorf("%s %s: %d, %.200s; want %d and %q", c.method, c.path, status, text, c.status, c.want)
		}
	}
	if status, _, _ := ask(t, "POST", h.URL+"/api/v1/tournaments", "file=x", "Content-Type: application/x-www-form-urlencoded"); status != 415 {
		t.Errorf("a form: %d", status)
	}
	if status, _, _ := ask(t, "POST", h.URL+"/api/v1/tournaments/7/stop", "{}", asJSON, "Sec-Fetch-Site: cross-site"); status != 403 {
		t.Errorf("another origin: %d", status)
	}
}
