package lifeboats_test

import (
	"context"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/suite"
	strategies "sakusen/strategies/lifeboats"
	"sakusen/studies/lifeboats"
	"sakusen/tuner/contest/experiment"
)

// The embedded players are teams of five, each with all weights, the largest
// of size 1.
func TestEvolved(t *testing.T) {
	teams, err := lifeboats.Evolved()
	if err != nil {
		t.Fatal(err)
	}
	if len(teams) < 2 {
		t.Fatalf("%d teams", len(teams))
	}
	for i, team := range teams {
		if len(team) != 5 {
			t.Fatalf("team %d has %d players", i+1, len(team))
		}
		for _, p := range team {
			size := 0.0
			for _, name := range strategies.Names(5) {
				text, ok := p.Get(name)
				x, err := strconv.ParseFloat(text, 64)
				if !ok || err != nil {
					t.Fatalf("team %d: %s is %q", i+1, name, text)
				}
				if name != "X" {
					size = max(size, math.Abs(x))
				}
			}
			if size != 1 {
				t.Errorf("team %d: largest weight %g", i+1, size)
			}
		}
	}
}

// Every experiment at a small scale: its rows, no error, and the blocks that it
// tells of add up to what it announced.
func TestExperiments(t *testing.T) {
	suite.All(t)
	for _, e := range lifeboats.Experiments() {
		games := map[string]int64{"lifeboats-level1": 20, "lifeboats-lead": 20, "lifeboats-adaptive": 20, "lifeboats-x": 20, "lifeboats-equilibrium": 20}[e.Name]
		if games == 0 {
			games = 4 * 5200 // two generations of two runs
		}
		var done, announced int64
		r, err := e.Report(context.Background(), experiment.Options{Host: arena.NewPool(2), Games: games, Progress: func(blocks, of, _ int64) {
			done, announced = blocks, of
		}})
		if err != nil {
			t.Fatalf("%s: %v", e.Name, err)
		}
		if !e.Fresh || e.Doc == "" || e.Source == "" || r.Summary.Rows < 3 {
			t.Errorf("%s: %+v", e.Name, r.Summary)
		}
		if float64(done) < 0.95*float64(announced) || done > announced {
			t.Errorf("%s: %d blocks of %d", e.Name, done, announced)
		}
		t.Logf("%s: %d rows, %d blocks", e.Name, r.Summary.Rows, done)
	}
}

// The slope over the rank is that of the line of least squares: a constant does not change it.
func TestSlope(t *testing.T) {
	for _, c := range []struct {
		r    [5]float64
		want float64
	}{{[5]float64{0.7, 0.8, 0.9, 1.0, 1.1}, 0.1}, {[5]float64{1, 0, 0, 0, 0}, -0.2}, {[5]float64{0, 1, 0, 0, 0}, -0.1}, {[5]float64{0.3, 0.3, 0.9, 0.3, 0.3}, 0}} {
		w := map[string]float64{}
		for i, x := range c.r {
			w["R"+strconv.Itoa(i+1)] = x
		}
		if got := lifeboats.Slope(w); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: slope %v, want %v", c.r, got, c.want)
		}
	}
}

// An experiment that is cut short has no report.
func TestExperimentsAreCut(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, e := range lifeboats.Experiments() {
		if r, err := e.Report(ctx, experiment.Options{Host: arena.NewPool(1), Games: 100}); err == nil || r != nil {
			t.Errorf("%s goes on when it is cut short", e.Name)
		}
	}
}

// LIFEBOATS_EVOLVED=10 rewrites evolved.csv with ten runs of the study, each of
// which takes three quarters of a minute of processor time.
func TestWriteEvolved(t *testing.T) {
	runs, err := strconv.Atoi(os.Getenv("LIFEBOATS_EVOLVED"))
	if err != nil {
		return
	}
	names := strategies.Names(5)
	lines := []string{"run," + strings.Join(names, ",")}
	for seed := range runs {
		spec, err := lifeboats.Study(lifeboats.PaperStudy, uint64(seed+1))
		if err != nil {
			t.Fatal(err)
		}
		run, err := lifeboats.Evolve(context.Background(), spec, arena.NewPool(1))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range run.Generations[79][:5] {
			w := lifeboats.Means([]param.Values{p})
			line := []string{strconv.Itoa(seed + 1)}
			for _, name := range names {
				line = append(line, strconv.FormatFloat(w[name], 'g', 4, 64))
			}
			lines = append(lines, strings.Join(line, ","))
		}
	}
	if err := os.WriteFile("evolved.csv", []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}
