package laboratory_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"sakusen/engines/suite"
	"sakusen/studies/laboratory"
	"sakusen/tuner/contest/experiment"
)

// small is a column that costs next to nothing.
func small() []laboratory.Cell { return []laboratory.Cell{{Dimensions: 1, Headroom: 60, Games: 5000}} }

// Every method serves hills of one parameter; what comes of a study depends
// neither on the number of workers nor on what is kept.
func TestBench(t *testing.T) {
	path, seeds := filepath.Join(t.TempDir(), "kept.jsonl"), 2
	if suite.Few() {
		seeds = 1
	}
	run := func(workers int, kept bool) (all []laboratory.Result, games int64) {
		b := &laboratory.Bench{Seeds: seeds, Workers: workers, Progress: func(n int64) { games += n }}
		if kept {
			k, err := laboratory.Keep(path)
			if err != nil {
				t.Fatal(err)
			}
			defer k.Close()
			b.Kept = k
		}
		err := b.Run(context.Background(), small(), laboratory.Methods(), func(r laboratory.Result) { all = append(all, r) })
		if err != nil {
			t.Fatal(err)
		}
		if want := b.Games(small(), laboratory.Methods()); games != want {
			t.Errorf("%d games told, %d expected", games, want)
		}
		return all, games
	}
	first, _ := run(2, true)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSpace(string(text)), "\n")
	if len(lines) != seeds*len(first) {
		t.Errorf("%d lines kept of %d results", len(lines), len(first))
	}
	// A run that was cut short inside a line goes on after the line before.
	cut := strings.Join(lines[:len(lines)/2], "") + lines[len(lines)/2][:20]
	if err := os.WriteFile(path, []byte(cut), 0o644); err != nil {
		t.Fatal(err)
	}
	second, _ := run(1, true)
	if !reflect.DeepEqual(first, second) {
		t.Errorf("resumed with one worker:\n%+v\nwant\n%+v", second, first)
	}
	for _, r := range first {
		for i, o := range r.Outcomes {
			if o.Seed != i+1 || o.Truth > 60 || math.IsNaN(o.Truth) || o.Trials == 0 {
				t.Errorf("%s: %+v", r.Method, o)
			}
			if !strings.HasPrefix(r.Method, "flat") && o.Games > 5000 {
				t.Errorf("%s plays %d games of 5000", r.Method, o.Games)
			}
		}
	}
	var rows []experiment.Row
	laboratory.Report(small(), first, func(r experiment.Row) { rows = append(rows, r) })
	if len(rows) < 5*len(first)+1 || rows[0].Label != "default, 1 cells of 5k games" || rows[0].Agrees == nil {
		t.Errorf("%d rows, first %+v", len(rows), rows[0])
	}
}

func TestKeepRefusesOtherFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "other")
	for _, text := range []string{"name: x\n", "{}\n"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := laboratory.Keep(path); err == nil || !strings.Contains(err.Error(), path+":1: ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Goals and comparisons from made-up outcomes.
func TestRows(t *testing.T) {
	cell := laboratory.Cell{Dimensions: 4, Headroom: 20, Games: 20_000}
	elo := func(x float64) *float64 { return &x }
	made := func(method string, truths ...float64) laboratory.Result {
		r := laboratory.Result{Method: method, Cell: cell}
		for i, x := range truths {
			r.Outcomes = append(r.Outcomes, laboratory.Outcome{
				Seed: i + 1, Truth: x, Claimed: elo(x + 10), Validated: elo(x), CI: &[2]float64{x - 1, x + 1}, Verdict: []string{"pass", "fail"}[i%2],
				ClaimCI: &[2]float64{17, 30},
			})
		}
		return r
	}
	var rows []experiment.Row
	laboratory.Report([]laboratory.Cell{cell}, []laboratory.Result{
		made(laboratory.Default, 16, 18), made(laboratory.HeadToHead, 19, 19), made(laboratory.FlatTPE32, 6, 8),
	}, func(r experiment.Row) { rows = append(rows, r) })
	for _, want := range []struct {
		label, metric, measured, verdict string
	}{
		{"goal of default d=4 20k G=20", "share of the headroom, must", "0.85", "yes"},
		{"goal of SPSA head to head d=4 20k G=20", "share of the headroom, stretch", "0.95", "yes"},
		{"default against flat TPE, 32 games d=4 20k G=20", "ratio of true gains, must", "2.42", "yes"},
		{"default against flat TPE, 32 games d=4 20k G=20", "ratio of true gains, stretch", "2.42", "no"},
		{"default, 1 cells of 20k games", "worst regret, Elo of 60", "6", "yes"},
		{"default, 1 cells of 20k games", "share of claims that hold the truth", "0.5", "no"},
		{"default, 1 cells of 20k games", "share of answers below the baseline", "0", "yes"},
		{"default d=4 20k G=20", "regret, Elo of 60", "6", "not printed"},
		{"default d=4 20k G=20", "true Elo", "17", "not printed"},
		{"default d=4 20k G=20", "claimed Elo", "27", "not printed"},
		{"default d=4 20k G=20", "share of studies that pass", "0.5", "not printed"},
		{"default d=4 20k G=20", "share of intervals that hold the truth", "1", "not printed"},
	} {
		found := false
		for _, r := range rows {
			if r.Label == want.label && r.Metric == want.metric {
				found = true
				if !strings.HasPrefix(r.Measured.String(), want.measured) || r.Verdict() != want.verdict || !r.CI.Defined() {
					t.Errorf("%s, %s: %s, %s", r.Label, r.Metric, r.Measured, r.Verdict())
				}
			}
		}
		if !found {
			t.Errorf("no row %s, %s", want.label, want.metric)
		}
	}
}

// Every study file of every table is one that the tuner reads.
func TestStudyFiles(t *testing.T) {
	for _, cells := range [][]laboratory.Cell{laboratory.Cells(5_000), laboratory.Cells(20_000), laboratory.Cells(100_000), laboratory.Landscapes(), laboratory.Suite(5_000, 20_000)} {
		for _, c := range cells {
			served := 0
			for _, m := range laboratory.Methods() {
				ok, err := m.Serves(c)
				if err != nil {
					t.Errorf("%s, %s: %v", m.Name, c.Label(), err)
				}
				if ok {
					served++
				}
			}
			if served < 5 {
				t.Errorf("%s: %d methods serve it", c.Label(), served)
			}
		}
	}
}
