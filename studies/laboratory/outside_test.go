package laboratory

import (
	"context"
	"os/exec"
	"strings"
	"testing"

	"sakusen/engines/param"
	"sakusen/engines/suite"
	"sakusen/strategies"
)

// An optimiser of another program is a row: it is asked through lines, its games are
// counted, its answer is held against the truth, and the same seed gives the same.
func TestOutsideOptimiser(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3")
	}
	rows, err := outside("elites=python3 ../../examples/optimisers/elites.py")
	if err != nil {
		t.Fatal(err)
	}
	cells := drawn([]string{"drawn-smooth", "drawn-mixed", "drawn-ordered"}, 4_000, false)
	for i, c := range append(cells, named(t, "pig from 20").cell(4_000)) {
		if suite.Few() && i > 1 {
			continue
		}
		var truths []float64
		for range 2 {
			err := (&bench{Seeds: 2, Workers: 2}).Run(context.Background(), []cell{c}, rows, func(r result) {
				if r.Method != "elites" {
					t.Errorf("method %q", r.Method)
				}
				for _, o := range r.Outcomes {
					if o.Games <= 3_500 || o.Games > 4_000 || o.Trials < 100 {
						t.Errorf("%s: %d games of %d trials", c.label(), o.Games, o.Trials)
					}
					truths = append(truths, o.Truth)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if len(truths) != 4 || truths[0] != truths[2] || truths[1] != truths[3] {
			t.Errorf("%s: %v", c.label(), truths)
		}
		if c.Name == "drawn-smooth" && (truths[0] < 20 || truths[1] < 10) {
			t.Errorf("%s: %v", c.label(), truths)
		}
	}
}

// What an optimiser does wrong is told with its line.
func TestOutsideOptimiserErrs(t *testing.T) {
	suite.All(t)
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3")
	}
	for _, text := range []string{"x", "=python3", "default=python3 x.py", "a=b;a=c"} {
		if _, err := outside(text); err == nil {
			t.Errorf("%q was read", text)
		}
	}
	one, err := planted(strategies.Catalogue(), "one", param.Values{{Name: "dimensions", Text: "1"}})
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		`{}`:                                  `expected "ask" or "answer"`,
		`{"ask":{"x1":0.5},"blocks":0}`:       "blocks: expected at least 1",
		`{"ask":{"x1":2},"blocks":1}`:         "x1",
		`{"ask":{},"blocks":1}`:               "x1: expected a value",
		`{"ask":{"x1":0.5,"y":1},"blocks":1}`: "expected the 1 parameters",
		`{"asks":1}`:                          "unknown field",
		`nothing`:                             "invalid character",
		`{"answer":{"x1":"high"}}`:            "x1",
	} {
		m := method{Name: "fixed", outside: []string{"python3", "-c", "print('''" + line + "''',flush=True);input();input()"}, file: methods()[0].file}
		err := (&bench{Seeds: 1}).Run(context.Background(), []cell{one.cell(1000)}, []method{m}, func(result) {})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %q", line, err, want)
		}
	}
	m := method{Name: "gone", outside: []string{"python3", "-c", "input();raise SystemExit('no such module')"}, file: methods()[0].file}
	err = (&bench{Seeds: 1}).Run(context.Background(), []cell{one.cell(1000)}, []method{m}, func(result) {})
	if err == nil || !strings.Contains(err.Error(), "no such module") {
		t.Errorf("a program that ends: %v", err)
	}
}
