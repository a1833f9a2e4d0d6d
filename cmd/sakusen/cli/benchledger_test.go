package cli

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/bench/ledger"
	"sakusen/tuner/service"
	"sakusen/tuner/sqlitedb"
)

// A database of benchmarks alone is checked and copied like any other, and a run
// whose text is not what was recorded is named.
func TestBenchDatabase(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: CI runs it, without -short")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "b.db")
	run := func(code int, args ...string) printed {
		t.Helper()
		p := launch(t, samples(100, 3), append([]string{"--db", path}, args...)...)
		if p.code != code {
			t.Errorf("%q: %+v", args, p)
		}
		return p
	}
	run(exitDone, "bench", "record", "--commit", "abc")
	if l := decode[service.Check](t, run(exitDone, "db", "check", "--json").out); !l.OK || l.Schema["bench"] < 1 || l.Benchmarks == nil || len(l.Benchmarks) > 0 {
		t.Errorf("%+v", l)
	}
	run(exitDone, "db", "backup", filepath.Join(dir, "copy.db"))
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
	if p := launch(t, samples(120, 3), "--db", path, "bench", "record"); p.code != exitUsage || !strings.Contains(p.err, "is being written") {
		t.Errorf("%+v", p)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if p := run(exitNegative, "db", "check"); p.out != "benchmarks: run 1: example.com/m.A-2 sec/op: its values are not those of the raw text\n" {
		t.Errorf("%q", p.out)
	}
	if l := decode[service.Check](t, run(exitNegative, "db", "check", "--json").out); l.OK || len(l.Benchmarks) != 1 {
		t.Errorf("%+v", l)
	}
	// The copy is of before.
	path = filepath.Join(dir, "copy.db")
	run(exitDone, "db", "check")
	if p := run(exitDone, "bench", "export"); p.out != samples(100, 3) {
		t.Errorf("%q", p.out)
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
		p := launch(t, text, append(append(db, "record", "-C", dir), args...)...)
		if p.code != exitDone {
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
	if p := launch(t, "", append(db, "gate", head, "-C", dir)...); p.code != exitDone || !strings.Contains(p.err, "comparing with run:1 "+commits[3][:10]+"\n") {
		t.Errorf("%+v", p)
	}
	if p := launch(t, "", append(db, "history", "sec/op")...); !strings.Contains(p.out, "run:1") || strings.Contains(p.out, "run:2") {
		t.Errorf("%+v", p)
	}
	if p := launch(t, "", append(db, "history", "sec/op", "--all-branches")...); !strings.Contains(p.out, "-dirty") {
		t.Errorf("%+v", p)
	}
	for i := range 12 {
		n := "900"
		if i >= 6 {
			n = "700"
		}
		record("Unit games/s better=higher\nBenchmarkG 1 "+n+" games/s\n", "--commit", strings.Repeat("a", i+1), "--branch", "main")
	}
	if p := launch(t, "", append(db, "history", "games/s")...); !strings.Contains(p.out, "worse at run:9 ") || !strings.Contains(p.out, ", alarm") {
		t.Errorf("%+v", p)
	}
}
