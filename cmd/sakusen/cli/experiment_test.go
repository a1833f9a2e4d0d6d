package cli

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"sakusen/tuner/experiment"
)

func TestExperimentDaifugo(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: CI runs it, without -short")
	}
	p := launch(t, "", "--json", "experiment", "run", "daifugo-table-5")
	if p.code != exitDone || p.err != "" {
		t.Fatalf("exit code %d, %s", p.code, p.err)
	}
	golden(t, "experiment_daifugo_table_5.json", p.out)
	r := decode[experiment.Report](t, p.out)
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
	p := launch(t, "", "experiment", "list")
	if p.code != exitDone || !strings.Contains(p.out, "daifugo-table-1") || !strings.Contains(p.out, "daifugo-beyond") {
		t.Errorf("exit code %d, %s%s", p.code, p.err, p.out)
	}
	if testing.Short() {
		return
	}
	p = launch(t, "", "experiment", "run", "daifugo-table-3")
	if p.code != exitDone {
		t.Fatalf("exit code %d, %s", p.code, p.err)
	}
	golden(t, "experiment_daifugo_table_3.txt", p.out)
}

// The seed is the experiment's own unless another is asked for.
func TestExperimentSeed(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: CI runs it, without -short")
	}
	run := func(name, seed string) experiment.Report {
		args := strings.Fields("experiment run " + name + " --record=false --json")
		if seed != "" {
			args = append(args, "--seed", seed)
		}
		p := launch(t, "", args...)
		if p.code != exitDone {
			t.Fatalf("%s: exit code %d, %s", name, p.code, p.err)
		}
		return decode[experiment.Report](t, p.out)
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
		p := launch(t, "", strings.Fields(c.line)...)
		if p.code != exitUsage || p.out != "" || !strings.Contains(p.err, c.want) {
			t.Errorf("%s: exit code %d, printed %q, on standard error\n%swant\nsakusen: %s", c.line, p.code, p.out, p.err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if p := launchWith(t, ctx, strings.NewReader(""), "experiment", "run", "daifugo-beyond"); p.code != exitInterrupted || p.out != "" {
		t.Errorf("interrupted: exit code %d, %s", p.code, p.out)
	}
}
