package ledger

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sakusen/bench"
	"sakusen/tuner/store/sqlitedb"
)

const text = "goos: linux\ngoarch: amd64\npkg: example.com/m\ncpu: Example CPU\n" +
	"Unit games/s better=higher\nlog line\nBenchmarkA-2 \t 10\t 5.25 ns/op\t 3 allocs/op\t7 games/s\nBenchmarkA-2 11 6 ns/op 3 allocs/op 8 games/s\nPASS\n"

func read(t testing.TB, text string, o bench.ReadOptions) *bench.Run {
	t.Helper()
	run, err := bench.Read(strings.NewReader(text), "a.txt", o)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func open(t testing.TB) *Ledger {
	t.Helper()
	ctx := context.Background()
	db, err := sqlitedb.Open(ctx, filepath.Join(t.TempDir(), "b.db"), sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	l, err := Open(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// The same content of the same commit and class is kept once, and reads back as
// it was.
func TestRecord(t *testing.T) {
	ctx := context.Background()
	l := open(t)
	first, fresh, err := l.Record(ctx, read(t, text, bench.ReadOptions{}), Origin{Commit: "4f2ab", Branch: "main", Go: "go1.26"})
	if err != nil || !fresh || first.Samples != 6 {
		t.Fatalf("%+v, fresh %t, %v", first, fresh, err)
	}
	again, fresh, err := l.Record(ctx, read(t, text, bench.ReadOptions{}), Origin{Commit: "4f2ab"})
	if err != nil || fresh || again.ID != first.ID || again.Branch != "main" {
		t.Errorf("again: %+v, fresh %t, %v", again, fresh, err)
	}
	other, fresh, err := l.Record(ctx, read(t, text, bench.ReadOptions{Machine: "big"}), Origin{Commit: "5e"})
	if err != nil || !fresh || other.ID == first.ID {
		t.Errorf("other: %+v, fresh %t, %v", other, fresh, err)
	}
	for id, want := range map[int64]string{first.ID: text, other.ID: "machine-class: big\n" + text} {
		if got, err := l.Export(ctx, id); err != nil || got != want {
			t.Errorf("export of %d: %q, %v", id, got, err)
		}
	}
	run, err := l.Run(ctx, other.ID)
	if err != nil || run.Machine() != "big" || run.Samples() != 6 {
		t.Errorf("%+v, %v", run, err)
	}
	if e, err := l.OfCommit(ctx, "4f", ""); err != nil || e.ID != first.ID {
		t.Errorf("by commit: %+v, %v", e, err)
	}
	if _, err := l.OfCommit(ctx, "4f", "big"); !errors.Is(err, ErrNotFound) {
		t.Errorf("by commit and class: %v", err)
	}
	entries, err := l.Entries(ctx)
	if err != nil || len(entries) != 2 || entries[0].Title != "run:1 4f2ab" {
		t.Errorf("%+v, %v", entries, err)
	}
}

// What is old goes, but not what a baseline names or an accepted change begins
// with; a series without samples goes too.
func TestPrune(t *testing.T) {
	ctx := context.Background()
	l := open(t)
	for i, line := range []string{"BenchmarkA 1 1 ns/op\n", "BenchmarkB 1 1 ns/op\n", "BenchmarkC 1 1 ns/op\n"} {
		if _, _, err := l.Record(ctx, read(t, line, bench.ReadOptions{}), Origin{Commit: strings.Repeat("a", i+1)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.SetBaseline(ctx, "main", 1); err != nil {
		t.Fatal(err)
	}
	if err := l.SetBaseline(ctx, "none", 99); err == nil {
		t.Error("a baseline of a run that is not there")
	}
	if err := l.Accept(ctx, bench.Series{Name: "B", Unit: "sec/op"}, 2, "why not"); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Hour)
	if n, err := l.Prune(ctx, later, true); n != 1 || err != nil {
		t.Errorf("would remove %d, %v", n, err)
	}
	if n, err := l.Prune(ctx, later, false); n != 1 || err != nil {
		t.Errorf("removed %d, %v", n, err)
	}
	h, err := l.Histories(ctx, HistoryQuery{})
	if err != nil || len(h) != 2 || h[1].Name != "B" {
		t.Errorf("%+v, %v", h, err)
	}
	if series, err := l.Standings(HistoryQuery{}).Listed(ctx); err != nil || len(series) != 2 {
		t.Errorf("%v, %v", series, err)
	}
}

// A database opened for reading reads, and says what it lacks.
func TestReadOnly(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "b.db")
	db, err := sqlitedb.Open(ctx, path, sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	reader, err := sqlitedb.OpenReadOnly(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	var older *sqlitedb.SchemaError
	if _, err := Open(ctx, reader); !errors.As(err, &older) {
		t.Errorf("%v", err)
	}
}

// A run that failed, or was measured in part, is recorded as it is, and is no baseline; an earlier
// one of the same commit is.
func TestCompleteOfCommit(t *testing.T) {
	ctx := context.Background()
	l := open(t)
	var ids []int64
	for _, c := range []struct {
		text  string
		dirty bool
	}{
		{strings.Replace(text, "PASS", "FAIL", 1), false},
		{text, false},
		{strings.Replace(text, "PASS", "--- FAIL: BenchmarkB\nFAIL", 1), false},
		{strings.Replace(text, "5.25", "5.5", 1), true},
		{text + bench.EndOfPart + "\n", false},
		{text + text + bench.EndOfSelection + "\n", false},
	} {
		if _, _, err := l.CompleteOfCommit(ctx, "4f2ab", ""); (err == nil) != (len(ids) > 1) || err != nil && !errors.Is(err, ErrNotFound) {
			t.Errorf("after %d runs: %v", len(ids), err)
		}
		e, _, err := l.Record(ctx, read(t, c.text, bench.ReadOptions{}), Origin{Commit: "4f2ab", Dirty: c.dirty})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, e.ID)
	}
	run, e, err := l.CompleteOfCommit(ctx, "4f2ab", "Example CPU")
	if err != nil || e.ID != ids[1] || run.Samples() != 6 {
		t.Errorf("%+v, %v", e, err)
	}
	for _, name := range []string{"X", "Y", "X"} { // selections of one commit count together
		if _, _, err := l.Record(ctx, read(t, "pkg: p\ncpu: c\nBenchmark"+name+" 10 5.0 ns/op\n"+bench.EndOfSelection+"\n", bench.ReadOptions{}), Origin{Commit: "5e"}); err != nil {
			t.Fatal(err)
		}
	}
	if run, _, err := l.CompleteOfCommit(ctx, "5e", "c"); err != nil || len(run.Benchmarks()) != 2 || run.Samples() != 2 {
		t.Errorf("two selections: %+v, %v", run, err)
	}
	if _, _, err := l.CompleteOfCommit(ctx, "4f2ab", "big"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if again, err := l.Run(ctx, ids[2]); err != nil || len(again.Incomplete()) != 1 || again.Failures[0].Names[0] != "BenchmarkB" {
		t.Errorf("%+v, %v", again, err)
	}
	if found, err := l.Check(ctx); err != nil || len(found) > 0 {
		t.Errorf("%q, %v", found, err)
	}
}

// What a version recorded that took every line for a header and left zeros in the unit that
// is printed is sound.
func TestCheckLiteral(t *testing.T) {
	ctx := context.Background()
	l := open(t)
	old := strings.Replace(text, "PASS", "cpu: 31%\nBenchmarkA-2 12 0 ns/op\nPASS", 1)
	if _, _, err := l.Record(ctx, read(t, old, bench.ReadOptions{Literal: true}), Origin{Commit: "4f"}); err != nil {
		t.Fatal(err)
	}
	if found, err := l.Check(ctx); err != nil || len(found) > 0 {
		t.Errorf("%q, %v", found, err)
	}
}
