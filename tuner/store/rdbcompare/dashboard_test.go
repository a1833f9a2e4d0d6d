//go:build develop

package rdbcompare

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/c-bata/goptuna/dashboard"

	"sakusen/cmd/sakusen/cli"
	"sakusen/strategies"
	"sakusen/tuner/store/goptunadb"
)

// files are studies of several kinds; the last one is shown while it runs.
var files = []string{`version: 1
name: raced
game: laboratory
rules: [{name: dimensions, value: 2}]
tune: {strategy: point}
baseline: point
sampler: {name: quasi, seed: 3, batch: 4}
race: {rungs: [8, 24], keep: 0.5}
final: {top: 2, blocks: 40}
validation: {max_blocks: 100}
budget: {trials: 24, games: 6000}
`, `version: 1
name: squares
game: battleship
tune: {strategy: mp, params: [{name: start_squares, low: 50, high: 80, step: 10}]}
baseline: CB
sampler: {name: grid, seed: 1}
race: {method: none, rungs: [20]}
final: {top: 2, blocks: 20}
validation: {max_blocks: 40}
budget: {trials: 4, games: 4000}
`, `version: 1
name: duelled
game: laboratory
rules: [{name: dimensions, value: 2}]
tune: {strategy: point}
baseline: point
evaluate: {mode: duels}
sampler: {name: spsa, seed: 2}
validation: {max_blocks: 100}
budget: {trials: 100, games: 4000}
`, `version: 1
name: boats
game: lifeboats
rules: [{name: players, value: 3}]
tune: {strategy: level0}
evaluate: {mode: pool, group: 2, filler: random, rounds: 1, games: 12}
sampler:
  name: jgg
  seed: 4
  options: [{name: population, value: 20}, {name: parents, value: 5}, {name: children, value: 20}]
budget: {trials: 81, games: 8000}
final: {top: 2, blocks: 20}
validation: {max_blocks: 60}
`, `version: 1
name: running
game: laboratory
rules: [{name: dimensions, value: 3}]
tune: {strategy: point}
baseline: point
sampler: {name: tpe, seed: 5, batch: 4}
race: {rungs: [8, 24], keep: 0.5}
final: {top: 2, blocks: 40}
validation: {max_blocks: 100}
budget: {trials: 24, games: 6000}
`}

// launch runs the program in this process, and returns its exit code and what it printed.
func launch(ctx context.Context, hook func(string), args ...string) (int, string) {
	var out bytes.Buffer
	p := cli.Process{
		In: strings.NewReader(""), Out: &out, Err: &out, Env: func(string) (string, bool) { return "", false },
		Games: strategies.All(), Hook: hook,
	}
	return p.Run(ctx, args), out.String()
}

// ours is a study as study show prints it; shown is the same of goptuna's dashboard.
type ours struct {
	ID     int
	Trials int
	Trial  []struct {
		State  string
		Value  *float64
		Params map[string]string
		Rungs  []struct {
			Blocks int
			Value  float64
		}
		Attrs map[string]string
	}
}

type shownTrial struct {
	Number int
	State  string
	Value  float64
	Params []struct {
		Name  string
		Value string `json:"param_external_value"`
	}
	Steps []struct {
		Step  int
		Value float64
	} `json:"intermediate_values"`
	Attrs []struct{ Key, Value string } `json:"user_attrs"`
}

type shown struct {
	Name, Direction string
	Best            shownTrial `json:"best_trial"`
	Trials          []shownTrial
}

// numbers returns what both say of a study, as text: its trials with their states, values,
// parameters, rungs and notes, and the best one.
func (o *ours) numbers() []string {
	all, best := []string{fmt.Sprint(len(o.Trial))}, -1
	for n, t := range o.Trial {
		line := fmt.Sprint(n, t.State, len(t.Params), len(t.Rungs), len(t.Attrs))
		if t.Value != nil {
			line += fmt.Sprint(" ", *t.Value)
		}
		for _, r := range t.Rungs {
			line += fmt.Sprint(" ", r.Blocks, ":", r.Value)
		}
		for name, text := range t.Params {
			if len(t.Params) == 1 {
				line += " " + name + "=" + text
			}
		}
		all = append(all, line)
		if t.State == "complete" && (best < 0 || *t.Value > *o.Trial[best].Value) {
			best = n
		}
	}
	return append(all, fmt.Sprint("best ", best))
}

func (s *shown) numbers() []string {
	all := []string{fmt.Sprint(len(s.Trials))}
	for _, t := range s.Trials {
		state := strings.ToLower(t.State)
		line := fmt.Sprint(t.Number, state, len(t.Params), len(t.Steps), len(t.Attrs))
		if state == "complete" || state == "pruned" {
			line += fmt.Sprint(" ", t.Value)
		}
		for _, r := range t.Steps {
			line += fmt.Sprint(" ", r.Step, ":", r.Value)
		}
		for _, p := range t.Params {
			if len(t.Params) == 1 {
				line += " " + p.Name + "=" + p.Value
			}
		}
		all = append(all, line)
	}
	return append(all, fmt.Sprint("best ", s.Best.Number))
}

// Goptuna's dashboard shows six studies of different kinds in a database of ours, one of
// them running and one kept with Goptuna's API, and says the same of them as we do.
func TestDashboard(t *testing.T) {
	dir := t.TempDir()
	db := filepath.Join(dir, "sakusen.db")
	tune := func(text string, hook func(string)) {
		t.Helper()
		file := filepath.Join(dir, "study.yaml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Error(err)
		}
		if code, out := launch(t.Context(), hook, "tune", file, "--db", db); code != 0 && code != 1 && code != 3 {
			t.Errorf("exit code %d, %s", code, out)
		}
	}
	last := len(files) - 1
	for _, text := range files[:last] {
		tune(text, nil)
	}
	s, err := goptunadb.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	every(t, s, "by hand")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	reached, release, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	told := 0
	go func() {
		defer close(ended)
		tune(files[last], func(point string) {
			if point == "after tell" {
				if told++; told == 6 {
					close(reached)
					<-release
				}
			}
		})
	}()
	select {
	case <-reached:
	case <-ended:
		t.Fatal("the last study has ended before its time")
	}
	defer func() { close(release); <-ended }()

	t.Setenv("GOPTUNA_DASHBOARD_STATIC_ROOT", t.TempDir()) // its pages are not part of the module
	rdbStorage, _ := theirs(t, db)
	server, err := dashboard.NewServer(rdbStorage)
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(server)
	defer h.Close()
	get := func(path string, v any) {
		t.Helper()
		answer, err := http.Get(h.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: status %d", path, answer.StatusCode)
		}
		if v != nil {
			if err := json.NewDecoder(answer.Body).Decode(v); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
		}
	}
	get("/dashboard", nil)
	var list struct {
		Studies []struct {
			ID   int    `json:"study_id"`
			Name string `json:"study_name"`
		} `json:"study_summaries"`
	}
	get("/api/studies", &list)
	if len(list.Studies) != 6 {
		t.Fatalf("%+v", list)
	}
	compared := 0
	for _, l := range list.Studies {
		code, out := launch(t.Context(), nil, "study", "show", l.Name, "--json", "--db", db)
		var here ours
		if err := json.Unmarshal([]byte(out), &here); err != nil || code != 0 {
			t.Fatalf("%s: exit code %d, %v", l.Name, code, err)
		}
		var there shown
		get(fmt.Sprintf("/api/studies/%d", l.ID), &there)
		a, b := here.numbers(), there.numbers()
		if here.ID != l.ID || there.Name != l.Name || there.Direction != "maximize" || len(a) != len(b) {
			t.Fatalf("%s: %d and %d trials; %+v", l.Name, len(a), len(b), there.Name)
		}
		for i := range a {
			if compared++; a[i] != b[i] {
				t.Errorf("%s: ours %s\ntheirs %s", l.Name, a[i], b[i])
			}
		}
	}
	t.Logf("%d lines of numbers of %d studies are the same", compared, len(list.Studies))
	request, err := http.NewRequest(http.MethodDelete, fmt.Sprintf("%s/api/studies/%d", h.URL, list.Studies[0].ID), nil)
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := http.DefaultClient.Do(request); err != nil || answer.StatusCode != http.StatusInternalServerError {
		t.Errorf("a study is deleted by the dashboard: %+v, %v", answer, err)
	} else {
		answer.Body.Close()
	}
}
