package bench

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/bench/ledger"
	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
	"sakusen/tuner/service"
	"sakusen/tuner/store/sqlitedb"
)

// A database of benchmarks alone is checked and copied like any other, and a run
// whose text is not what was recorded is named.
func TestBenchDatabase(t *testing.T) {
	suite.All(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "b.db")
	run := func(code int, args ...string) clitest.Printed {
		t.Helper()
		p := clitest.Launch(t, samples(100, 3), append([]string{"--db", path}, args...)...)
		if p.Code != code {
			t.Errorf("%q: %+v", args, p)
		}
		return p
	}
	run(clitest.ExitDone, "bench", "record", "--commit", "abc")
	if l := clitest.Decode[service.Check](t, run(clitest.ExitDone, "db", "check", "--json").Out); !l.OK || l.Schema["bench"] < 1 || l.Benchmarks == nil || len(l.Benchmarks) > 0 {
		t.Errorf("%+v", l)
	}
	run(clitest.ExitDone, "db", "backup", filepath.Join(dir, "copy.db"))
	ctx := context.Background()
	db, err := sqlitedb.Open(ctx, path, sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE bench_samples SET packed = zeroblob(80)")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	// While another process writes, recording is refused and nothing is lost.
	if p := clitest.Launch(t, samples(120, 3), "--db", path, "bench", "record"); p.Code != clitest.ExitUsage || !strings.Contains(p.Err, "is being written") {
		t.Errorf("%+v", p)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if p := run(clitest.ExitNegative, "db", "check"); p.Out != "benchmarks: run 1: example.com/m.A-2 sec/op: its values are not those of the raw text\n" {
		t.Errorf("%q", p.Out)
	}
	if l := clitest.Decode[service.Check](t, run(clitest.ExitNegative, "db", "check", "--json").Out); l.OK || len(l.Benchmarks) != 1 {
		t.Errorf("%+v", l)
	}
	// The copy is of before.
	path = filepath.Join(dir, "copy.db")
	run(clitest.ExitDone, "db", "check")
	if p := run(clitest.ExitDone, "bench", "export"); p.Out != samples(100, 3) {
		t.Errorf("%q", p.Out)
	}
	reader, err := sqlitedb.OpenReadOnly(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if _, err := ledger.Open(ctx, reader); err != nil {
		t.Error(err)
	}
}

// A run of a tree with uncommitted changes is no baseline and no part of the
// branch's history. What a text says of its units tells the direction.
func TestBenchDirty(t *testing.T) {
	db := benchDB(t)
	dir, commits := repository(t)
	gitIn(t, dir, "checkout", "-q", "main")
	record := func(text string, args ...string) {
		t.Helper()
		p := clitest.Launch(t, text, append(append(db, "record", "-C", dir), args...)...)
		if p.Code != clitest.ExitDone {
			t.Fatal(p)
		}
	}
	record(samples(100, 3))
	if err := os.WriteFile(filepath.Join(dir, "f"), []byte("changed"), 0o644); err != nil {
		t.Fatal(err)
	}
	record(samples(50, 3))
	gitIn(t, dir, "checkout", "-q", "-f", "-b", "later")
	gitIn(t, dir, "commit", "-q", "--allow-empty", "-m", "later")
	head := benchText(t, samples(100, 3))
	if p := clitest.Launch(t, "", append(db, "gate", head, "-C", dir)...); p.Code != clitest.ExitDone || !strings.Contains(p.Err, "comparing with run:1 "+commits[3][:10]+"\n") {
		t.Errorf("%+v", p)
	}
	if p := clitest.Launch(t, "", append(db, "history", "sec/op")...); !strings.Contains(p.Out, "run:1") || strings.Contains(p.Out, "run:2") {
		t.Errorf("%+v", p)
	}
	if p := clitest.Launch(t, "", append(db, "history", "sec/op", "--all-branches")...); !strings.Contains(p.Out, "-dirty") {
		t.Errorf("%+v", p)
	}
	for i := range 12 {
		n := "900"
		if i >= 6 {
			n = "700"
		}
		record("Unit games/s better=higher\nBenchmarkG 1 "+n+" games/s\n", "--commit", strings.Repeat("a", i+1), "--branch", "main")
	}
	if p := clitest.Launch(t, "", append(db, "history", "games/s")...); !strings.Contains(p.Out, "run:9      worse, down by ") {
		t.Errorf("%+v", p)
	}
}
