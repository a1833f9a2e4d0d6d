package cli

import (
	"fmt"
	"strings"
	"testing"

	"sakusen/tuner/service"
)

func TestBenchBaseline(t *testing.T) {
	db := benchDB(t)
	run := func(code int, args ...string) printed {
		t.Helper()
		p := launch(t, "", append(db, args...)...)
		if p.code != code {
			t.Errorf("%q: %+v", args, p)
		}
		return p
	}
	file := benchText(t, samples(100, 3))
	run(exitDone, "baseline", "set", "candidate", file, "--commit", "abc")
	run(exitDone, "baseline", "promote", "candidate", "main")
	type list struct{ Baselines []service.BenchBaseline }
	l := decode[list](t, run(exitDone, "baseline", "list", "--json").out)
	if len(l.Baselines) != 2 || l.Baselines[1].Name != "main" || l.Baselines[1].Run != 1 || l.Baselines[1].Commit != "abc" {
		t.Errorf("%+v", l)
	}
	run(exitDone, "compare", "baseline:main", file)
	run(exitDone, "baseline", "rm", "main")
	run(exitUsage, "baseline", "rm", "main")
	run(exitUsage, "compare", "baseline:main", file)
	run(exitUsage, "baseline", "promote", "main", "x")
	// Named runs are never pruned, and nothing young is.
	if p := run(exitDone, "prune", "--days", "1"); p.out != "0 runs removed\n" {
		t.Errorf("%+v", p)
	}
	run(exitUsage, "prune")
}

func TestBenchHistory(t *testing.T) {
	db := benchDB(t)
	for i := range 20 {
		ns := 100 + i%3
		if i >= 12 {
			ns += 30
		}
		p := launch(t, samples(ns, 3), append(db, "record", "--branch", "main", "--commit", fmt.Sprintf("%02dff", i))...)
		if p.code != exitDone {
			t.Fatal(p)
		}
	}
	type history struct{ Series []service.BenchHistory }
	p := launch(t, "", append(db, "history", "sec/op", "--json")...)
	h := decode[history](t, p.out)
	if p.code != exitDone || len(h.Series) != 1 || len(h.Series[0].Runs) != 20 {
		t.Fatalf("%+v", p)
	}
	if c := h.Series[0].Changes; len(c) != 1 || c[0].Index != 12 || !c[0].Alarm || !c[0].Worse || c[0].Commit != "12ff" {
		t.Errorf("%+v", c)
	}
	p = launch(t, "", append(db, "history", "sec/op")...)
	if !strings.Contains(p.out, "<- change") || !strings.Contains(p.out, "worse at run:13 12ff: 10.10µ -> 13.09µ") || !strings.Contains(p.out, ", alarm") {
		t.Errorf("%s", p.out)
	}
	p = launch(t, "", append(db, "history")...)
	if p.code != exitDone || !strings.Contains(p.out, "example.com/m.A-2 allocs/op  20 runs  3.000   ▁▁▁") {
		t.Errorf("%s", p.out)
	}
	// Accepted, the history begins anew.
	if p := launch(t, "", append(db, "accept", "example.com/m.A-2 sec/op", "--reason", "wanted", "--run", "run:13")...); p.code != exitDone {
		t.Errorf("%+v", p)
	}
	h = decode[history](t, launch(t, "", append(db, "history", "sec/op", "--json")...).out)
	if s := h.Series[0]; s.Start != 12 || len(s.Changes) != 0 {
		t.Errorf("%+v", s)
	}
	if p := launch(t, "", append(db, "history", "--branch", "other")...); p.code != exitNothing {
		t.Errorf("%+v", p)
	}
	for _, c := range []struct{ line, want string }{
		{"accept sec/op", "--reason: expected why the change is accepted"},
		{"accept A-2 --reason x", `"A-2" is part of 2 series`},
		{"accept nope --reason x", `expected a series of it, got "nope"`},
	} {
		p := launch(t, "", append(db, strings.Fields(c.line)...)...)
		if p.code != exitUsage || !strings.Contains(p.err, c.want) {
			t.Errorf("%s: %+v", c.line, p)
		}
	}
}
