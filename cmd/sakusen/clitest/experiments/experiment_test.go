package experiments

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
	"sakusen/tuner/contest/experiment"
)

func TestExperimentDaifugo(t *testing.T) {
	suite.All(t)
	p := clitest.Launch(t, "", "--json", "experiment", "run", "daifugo-table-5")
	if p.Code != clitest.ExitDone { // slow games tell their progress
		t.Fatalf("exit code %d, %s", p.Code, p.Err)
	}
	clitest.Golden(t, "experiment_daifugo_table_5.json", p.Out)
	r := clitest.Decode[experiment.Report](t, p.Out)
	if r.Summary.Rows != 44 || r.Summary.Agree != 40 {
		t.Errorf("%+v, want 44 rows of which all agree but 4 figures that depend on the unpublished hash", r.Summary)
	}
	for _, row := range r.Rows {
		if !*row.Agrees && row.Note != "unpublished hash" {
			t.Errorf("%+v", row)
		}
	}
}

func TestExperimentText(t *testing.T) {
	p := clitest.Launch(t, "", "experiment", "list")
	if p.Code != clitest.ExitDone || !strings.Contains(p.Out, "daifugo-table-1") || !strings.Contains(p.Out, "daifugo-beyond") {
		t.Errorf("exit code %d, %s%s", p.Code, p.Err, p.Out)
	}
	if suite.Few() {
		return
	}
	p = clitest.Launch(t, "", "experiment", "run", "daifugo-table-3")
	if p.Code != clitest.ExitDone {
		t.Fatalf("exit code %d, %s", p.Code, p.Err)
	}
	clitest.Golden(t, "experiment_daifugo_table_3.txt", p.Out)
}

// The seed is the experiment's own unless another is asked for.
func TestExperimentSeed(t *testing.T) {
	suite.All(t)
	run := func(name, seed string) experiment.Report {
		args := strings.Fields("experiment run " + name + " --record=false --json")
		if seed != "" {
			args = append(args, "--seed", seed)
		}
		p := clitest.Launch(t, "", args...)
		if p.Code != clitest.ExitDone {
			t.Fatalf("%s: exit code %d, %s", name, p.Code, p.Err)
		}
		return clitest.Decode[experiment.Report](t, p.Out)
	}
	for name, seed := range map[string]string{"battleship-table5 --games 10": "2002", "tubstap-figure4 --games 2 --simulations 10": "2017"} {
		own := run(name, "").Rows
		if same := run(name, seed).Rows; !reflect.DeepEqual(own, same) {
			t.Errorf("%s: seed %s is not the experiment's", name, seed)
		}
		if other := run(name, "3").Rows; reflect.DeepEqual(own, other) {
			t.Errorf("%s: seed 3 plays the same games", name)
		}
	}
}

func TestExperimentRefused(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"experiment", "expected list or run NAME"},
		{"experiment run", "expected one NAME, got 0 arguments"},
		{"experiment run daifugo-tabel-1", `no experiment "daifugo-tabel-1" (did you mean daifugo-table-1?)`},
		{"experiment run daifugo-table-1 --seed 1", "--seed: daifugo-table-1 has a fixed seed"},
		{"experiment run chess", `no experiment "chess" (expected one of `},
	} {
		p := clitest.Launch(t, "", strings.Fields(c.line)...)
		if p.Code != clitest.ExitUsage || p.Out != "" || !strings.Contains(p.Err, c.want) {
			t.Errorf("%s: exit code %d, printed %q, on standard error\n%swant\nsakusen: %s", c.line, p.Code, p.Out, p.Err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if p := clitest.LaunchWith(t, ctx, strings.NewReader(""), "experiment", "run", "daifugo-beyond"); p.Code != clitest.ExitInterrupted || p.Out != "" {
		t.Errorf("interrupted: exit code %d, %s", p.Code, p.Out)
	}
}
