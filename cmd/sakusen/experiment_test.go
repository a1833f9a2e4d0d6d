package main

import (
	"context"
	"strings"
	"testing"
)

func TestExperimentDaifugo(t *testing.T) {
	p := launch(t, "", "--json", "experiment", "run", "daifugo-table-5")
	if p.code != exitDone || p.err != "" {
		t.Fatalf("exit code %d, %s", p.code, p.err)
	}
	golden(t, "experiment_daifugo_table_5.json", p.out)
	r := decode[experimentReport](t, p.out)
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

func TestExperimentRefused(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"experiment", "expected list or run NAME"},
		{"experiment run", "expected one NAME, got 0 arguments"},
		{"experiment run daifugo-tabel-1", `no experiment "daifugo-tabel-1" (did you mean daifugo-table-1?)`},
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
