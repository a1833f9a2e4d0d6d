package bench

import (
	"fmt"
	"sakusen/bench/ledger"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

func TestBenchBaseline(t *testing.T) {
	db := benchDB(t)
	run := func(code int, args ...string) clitest.Printed {
		t.Helper()
		p := clitest.Launch(t, "", append(db, args...)...)
		if p.Code != code {
			t.Errorf("%q: %+v", args, p)
		}
		return p
	}
	file := benchText(t, samples(100, 3))
	run(clitest.ExitDone, "baseline", "set", "candidate", file, "--commit", "abc")
	run(clitest.ExitDone, "baseline", "promote", "candidate", "main")
	type list struct{ Baselines []ledger.Baseline }
	l := clitest.Decode[list](t, run(clitest.ExitDone, "baseline", "list", "--json").Out)
	if len(l.Baselines) != 2 || l.Baselines[1].Name != "main" || l.Baselines[1].ID != 1 || l.Baselines[1].Commit != "abc" {
		t.Errorf("%+v", l)
	}
	run(clitest.ExitDone, "compare", "baseline:main", file)
	run(clitest.ExitDone, "baseline", "rm", "main")
	run(clitest.ExitUsage, "baseline", "rm", "main")
	run(clitest.ExitUsage, "compare", "baseline:main", file)
	run(clitest.ExitUsage, "baseline", "promote", "main", "x")
	// Named runs are never pruned, and nothing young is.
	if p := run(clitest.ExitDone, "prune", "--days", "1"); p.Out != "0 runs removed\n" {
		t.Errorf("%+v", p)
	}
	run(clitest.ExitUsage, "prune")
}

func TestBenchHistory(t *testing.T) {
	db := benchDB(t)
	for i := range 20 {
		ns := 100 + i%3
		if i >= 12 {
			ns += 30
		}
		p := clitest.Launch(t, samples(ns, 3), append(db, "record", "--branch", "main", "--commit", fmt.Sprintf("%02dff%036d", i, 0))...)
		if p.Code != clitest.ExitDone {
			t.Fatal(p)
		}
	}
	type history struct{ Series []ledger.History }
	p := clitest.Launch(t, "", append(db, "history", "sec/op", "--json")...)
	h := clitest.Decode[history](t, p.Out)
	if p.Code != clitest.ExitDone || len(h.Series) != 1 || len(h.Series[0].Runs) != 20 {
		t.Fatalf("%+v", p)
	}
	if c := h.Series[0].Changes; len(c) != 1 || c[0].Index != 12 || !c[0].Alarm || !c[0].Worse || c[0].Commit != fmt.Sprintf("12ff%036d", 0) {
		t.Errorf("%+v", c)
	}
	p = clitest.Launch(t, "", append(db, "history", "sec/op")...)
	if !strings.Contains(p.Out, " worse\n") || !strings.Contains(p.Out, "run:13     worse, up by ") || !strings.Contains(p.Out, " from 10.10 µs to 13.09 µs, p = ") || !strings.Contains(p.Out, ", commit 12ff000000") {
		t.Errorf("%s", p.Out)
	}
	p = clitest.Launch(t, "", append(db, "history")...)
	if p.Code != clitest.ExitDone || !strings.Contains(p.Out, "example.com/m.A-2 allocs/op  20    3.000   ▁▁▁") {
		t.Errorf("%s", p.Out)
	}
	// Accepted, the history begins anew.
	if p := clitest.Launch(t, "", append(db, "accept", "example.com/m.A-2 sec/op", "--reason", "wanted", "--run", "run:13")...); p.Code != clitest.ExitDone {
		t.Errorf("%+v", p)
	}
	h = clitest.Decode[history](t, clitest.Launch(t, "", append(db, "history", "sec/op", "--json")...).Out)
	if s := h.Series[0]; s.Start != 12 || len(s.Changes) != 0 {
		t.Errorf("%+v", s)
	}
	if p := clitest.Launch(t, "", append(db, "history", "--branch", "other")...); p.Code != clitest.ExitNothing {
		t.Errorf("%+v", p)
	}
	// A series of two machine classes says which is which.
	if p := clitest.Launch(t, samples(100, 3), append(db, "record", "--branch", "main", "--commit", fmt.Sprintf("aaff%036d", 0), "--machine", "another box")...); p.Code != clitest.ExitDone {
		t.Errorf("%+v", p)
	}
	if p := clitest.Launch(t, "", append(db, "history", "sec/op")...); !strings.Contains(p.Out, "another box  1 ") || strings.Count(p.Out, "A-2 sec/op on ") != 2 {
		t.Errorf("%+v", p)
	}
	for _, c := range []struct{ line, want string }{
		{"accept sec/op", "--reason: expected why the change is accepted"},
		{"accept A-2 --reason x", `"A-2" is part of 2 series`},
		{"accept nope --reason x", `expected a series of it, got "nope"`},
	} {
		p := clitest.Launch(t, "", append(db, strings.Fields(c.line)...)...)
		if p.Code != clitest.ExitUsage || !strings.Contains(p.Err, c.want) {
			t.Errorf("%s: %+v", c.line, p)
		}
	}
}
