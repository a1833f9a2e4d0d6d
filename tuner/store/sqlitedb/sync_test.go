//go:build cgo && unix

package sqlitedb

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sakusen/tuner/store/sqlitedb/disktest"
)

// A sync that fails, of the write-ahead log at a commit or of the database at a
// checkpoint, ends all writing with a message that says so.
func TestFailedSyncStopsTheWriter(t *testing.T) {
	for _, file := range []string{"x.db-wal", "x.db"} {
		t.Run(file, func(t *testing.T) {
			dir := t.TempDir()
			disk, err := disktest.Watch(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer disk.Close()
			db, err := Open(t.Context(), filepath.Join(dir, "x.db"), Options{LogPages: 4})
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if err := db.Migrate(t.Context(), "words", series1...); err != nil {
				t.Fatal(err)
			}
			failed := 0
			disk.Plan(func(c disktest.Call) disktest.Fault {
				f := disktest.Fault{Error: c.Kind == disktest.Sync && c.Name == file && failed == 0}
				if f.Error {
					failed++
				}
				return f
			})
			n := 0
			for ; n < 100 && err == nil; n++ {
				err = insertWord(db, fmt.Sprint(n))
			}
			if _, ok := errors.AsType[*LostError](err); !ok || failed != 1 || !strings.Contains(err.Error(), "a sync of the file to the disk failed") {
				t.Fatalf("after %d changes and %d failures: %v", n, failed, err)
			}
			if again := insertWord(db, "afterwards"); !Damaged(again) || db.Sound() == nil {
				t.Errorf("the next change, of a disk that works again: %v", again)
			}
		})
	}
}

// After a failed sync the disk may lack what is read of the log, and later syncs do
// not bring it there. A program that is started again makes sure of it: what it
// acknowledges then survives a power cut.
func TestRestartAfterAFailedSync(t *testing.T) {
	dir := t.TempDir()
	disk, err := disktest.Watch(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	path := filepath.Join(dir, "x.db")
	db := openWords(t, path)
	disk.Plan(func(c disktest.Call) disktest.Fault { return disktest.Fault{Error: c.Kind == disktest.Sync} })
	if err := insertWord(db, "refused"); !Damaged(err) {
		t.Fatalf("a failed sync: %v", err)
	}
	db.Close()
	disk.Plan(nil)
	other, err := sql.Open("sqlite3", "file://"+path+"?_busy_timeout=0&_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	rewritten := false
	again, err := Open(t.Context(), path, Options{Point: func(name string) {
		if name == "log.rewritten" {
			rewritten = true
			if tx, err := other.Begin(); err == nil {
				tx.Rollback()
				t.Error("another program may write while the log is written over itself")
			}
			other.Close()
			if err := disk.Rewritten("x.db-wal"); err != nil {
				t.Error(err)
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if !rewritten {
		t.Error("the log was not rewritten")
	}
	addWord(t, again, "acknowledged")
	image := t.TempDir()
	if err := disk.Image(image, disk.Now(), disktest.Lost, rand.New(rand.NewPCG(1, 1))); err != nil {
		t.Fatal(err)
	}
	left := mustOpen(t, filepath.Join(image, "x.db"))
	if got := words(t, left); !slices.Contains(got, "first") || !slices.Contains(got, "acknowledged") {
		t.Errorf("after the power cut there are %q", got)
	}
}
