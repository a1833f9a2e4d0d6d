package ledger

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/bench"
	"sakusen/tuner/sqlitedb"
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
	first, fresh, err := l.Record(ctx, read(t, text, bench.ReadOptions{}), Origin{Commit: "4f2ab", Branch: "main", GoVersion: "go1.26"})
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
	if err != nil || len(entries) != 2 || entries[0].Title() != "run:1 4f2ab" {
		t.Errorf("%+v, %v", entries, err)
	}
}
