package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"sync"
	"testing"

	"sakusen/bench"
	"sakusen/tuner/store/sqlitedb"
)

// Every kind of damage to a run is found, and named.
func TestCheck(t *testing.T) {
	ctx := context.Background()
	l := open(t)
	for i := range 6 {
		if _, _, err := l.Record(ctx, read(t, text, bench.ReadOptions{}), Origin{Commit: fmt.Sprint("c", i)}); err != nil {
			t.Fatal(err)
		}
	}
	if found, err := l.Check(ctx); err != nil || len(found) > 0 {
		t.Fatalf("%q, %v", found, err)
	}
	other, err := deflate(strings.Replace(text, "5.25", "5.26", 1))
	if err != nil {
		t.Fatal(err)
	}
	err = l.db.Write(ctx, func(tx *sql.Tx) error {
		for _, c := range []struct {
			sql  string
			args []any
		}{
			{"UPDATE bench_runs SET raw = x'00' WHERE run_id = 1", nil},
			{"UPDATE bench_runs SET raw = ? WHERE run_id = 2", []any{other}},
			{"UPDATE bench_runs SET samples = 7 WHERE run_id = 3", nil},
			{"UPDATE bench_samples SET packed = x'0000000000000000' WHERE run_id = 4", nil},
			{"DELETE FROM bench_samples WHERE run_id = 5 AND series_id = 1", nil},
		} {
			if _, err := tx.ExecContext(ctx, c.sql, c.args...); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	found, err := l.Check(ctx)
	if err != nil || len(found) != 6 {
		t.Fatalf("%q, %v", found, err)
	}
	for i, want := range []string{
		"run 3 is not what was written", "run 1: its raw text cannot be unpacked", "run 2: its raw text has the sha256", "run 3: its raw text has 6 samples, expected 7",
		"its values are not those of the raw text", "run 5: the values of 1 series of its raw text are missing",
	} {
		if !strings.Contains(found[i], want) {
			t.Errorf("%q, want %s", found[i], want)
		}
	}
}

// Several writers that record the same text keep it once; those that meet the
// file's lock wait or give up, and lose nothing.
func TestRecordConcurrent(t *testing.T) {
	ctx := context.Background()
	l := open(t)
	var wg sync.WaitGroup
	fresh := make([]int, 8)
	for i := range fresh {
		wg.Go(func() {
			for k := range 10 {
				_, isNew, err := l.Record(ctx, read(t, text, bench.ReadOptions{}), Origin{Commit: fmt.Sprint("c", k)})
				if err != nil {
					t.Error(err)
				}
				if isNew {
					fresh[i]++
				}
			}
		})
	}
	wg.Wait()
	total := 0
	for _, n := range fresh {
		total += n
	}
	entries, err := l.Entries(ctx)
	if err != nil || total != 10 || len(entries) != 10 {
		t.Errorf("%d recorded, %d kept, %v", total, len(entries), err)
	}
}

// What a text is wrapped in does not make it another one: line ends of Windows,
// go test -json. A class that was given instead of the text's own is exported.
func TestRecordForms(t *testing.T) {
	ctx := context.Background()
	l := open(t)
	var wrapped strings.Builder
	for line := range strings.Lines(text) {
		fmt.Fprintf(&wrapped, "{\"Action\":\"output\",\"Package\":\"example.com/m\",\"Output\":%q}\n", line)
	}
	for i, form := range []string{text, wrapped.String(), strings.ReplaceAll(text, "\n", "\r\n"), strings.ReplaceAll(wrapped.String(), "\n", "\r\n")} {
		e, fresh, err := l.Record(ctx, read(t, form, bench.ReadOptions{}), Origin{Commit: "c"})
		if err != nil || fresh != (i == 0) || e.ID != 1 || e.Samples != 6 {
			t.Errorf("form %d: %+v, fresh %t, %v", i, e, fresh, err)
		}
	}
	own := "machine-class: small\n" + text
	e, _, err := l.Record(ctx, read(t, own, bench.ReadOptions{Machine: "big"}), Origin{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := l.Export(ctx, e.ID)
	if err != nil || got != "machine-class: big\n"+text || read(t, got, bench.ReadOptions{}).Machine() != "big" {
		t.Errorf("%q, %v", got, err)
	}
	if found, err := l.Check(ctx); err != nil || len(found) > 0 {
		t.Errorf("%q, %v", found, err)
	}
}

// A copy made while runs are recorded is whole, and has all that was recorded
// before it.
func TestBackup(t *testing.T) {
	ctx := context.Background()
	l := open(t)
	if _, _, err := l.Record(ctx, read(t, text, bench.ReadOptions{}), Origin{}); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		for k := range 50 {
			if _, _, err := l.Record(ctx, read(t, text, bench.ReadOptions{}), Origin{Commit: fmt.Sprint(k)}); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	file := t.TempDir() + "/copy.db"
	if err := l.db.Backup(ctx, file); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	db, err := sqlitedb.OpenReadOnly(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	copied, err := Open(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	if found, err := copied.Check(ctx); err != nil || len(found) > 0 {
		t.Errorf("%q, %v", found, err)
	}
	if got, err := copied.Export(ctx, 1); err != nil || got != text {
		t.Errorf("%q, %v", got, err)
	}
}
