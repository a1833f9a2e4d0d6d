//go:build unix

package sqlitedb

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"sakusen/engines/suite"
)

func insertWord(db *DB, word string) error {
	return db.Write(context.Background(), func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT INTO words (word) VALUES (?)", word)
		return err
	})
}

func openWords(t *testing.T, path string) *DB {
	t.Helper()
	db := mustOpen(t, path)
	if err := db.Migrate(t.Context(), "words", series1...); err != nil {
		t.Fatal(err)
	}
	addWord(t, db, "first")
	return db
}

// Whatever is done to the files under a writer, it acknowledges nothing more,
// and says which file it is. What a change did in that time is not acknowledged
// either.
func TestFilesTakenAway(t *testing.T) {
	cases := map[string]struct {
		do   func(path string) error
		want string
	}{
		"removed": {func(p string) error { return os.Remove(p) }, "the database file was removed"},
		"moved":   {func(p string) error { return os.Rename(p, p+".old") }, "the database file was removed or moved"},
		"replaced": {func(p string) error {
			return errors.Join(os.WriteFile(p+".new", []byte("x"), 0o644), os.Rename(p+".new", p))
		}, "replaced by another"},
		"another name":  {func(p string) error { return os.Link(p, p+".link") }, "hard links"},
		"lock removed":  {func(p string) error { return os.Remove(p + ".lock") }, ".lock was removed"},
		"lock replaced": {func(p string) error { return errors.Join(os.Remove(p+".lock"), os.WriteFile(p+".lock", nil, 0o644)) }, ".lock was replaced"},
		"log removed":   {func(p string) error { return os.Remove(p + "-wal") }, "write-ahead log was removed"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.db")
			db := openWords(t, path)
			err := db.Write(t.Context(), func(tx *sql.Tx) error {
				if _, err := tx.Exec("INSERT INTO words (word) VALUES ('second')"); err != nil {
					return err
				}
				return c.do(path)
			})
			if lost, ok := errors.AsType[*LostError](err); !ok || !strings.Contains(lost.What, c.want) || !Damaged(err) {
				t.Errorf("the change during which it happened: %v, want %q", err, c.want)
			}
			if err := insertWord(db, "third"); !Damaged(err) {
				t.Errorf("the next change: %v", err)
			}
			if err := db.Watch(t.Context()); err == nil {
				t.Error("the look that comes every second saw nothing")
			}
		})
	}
}

// An idle writer hears of it from the look that comes once a second.
func TestWatchSeesARemovedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db := openWords(t, path)
	ctx, cancel := context.WithDeadline(t.Context(), suite.Deadline(t))
	defer cancel()
	heard := make(chan error, 1)
	go func() { heard <- db.Watch(ctx) }()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := <-heard; !Damaged(err) {
		t.Errorf("%v", err)
	}
}

// Without its lock file, or under another name, a database is still held by its
// writer.
func TestDatabaseItselfIsLocked(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("locks of the two kinds are one elsewhere")
	}
	path := filepath.Join(t.TempDir(), "x.db")
	openWords(t, path)
	if err := os.Remove(path + ".lock"); err != nil {
		t.Fatal(err)
	}
	if db, err := Open(t.Context(), path, Options{}); err == nil {
		db.Close()
		t.Error("a second writer began beside the first after the lock file was removed")
	} else if _, ok := errors.AsType[*LockedError](err); !ok {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(path + ".lock"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the refused writer left its lock file: %v", err)
	}
}

// A file with two names is refused before anything is written.
func TestTwoNames(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.db")
	if err := openWords(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(path, filepath.Join(dir, "y.db")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"x.db", "y.db"} {
		if db, err := Open(t.Context(), filepath.Join(dir, name), Options{}); err == nil || !strings.Contains(err.Error(), "2 names") {
			if err == nil {
				db.Close()
			}
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.Remove(filepath.Join(dir, "y.db")); err != nil {
		t.Fatal(err)
	}
	mustOpen(t, path)
}

// A file that was emptied is not taken for a new one where its journal is there.
func TestEmptiedFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.db")
	db := openWords(t, path)
	log, err := os.ReadFile(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	journal := make([]byte, 512)
	journal[19] = 7 // pages that the database had
	for name, text := range map[string][]byte{"-wal": log, "-journal": journal} {
		for _, p := range []string{path + "-wal", path + "-journal"} {
			os.Remove(p)
		}
		if err := errors.Join(os.WriteFile(path, nil, 0o644), os.WriteFile(path+name, text, 0o644)); err != nil {
			t.Fatal(err)
		}
		if db, err := Open(t.Context(), path, Options{}); !Damaged(err) {
			if err == nil {
				db.Close()
			}
			t.Errorf("with %s: %v", name, err)
		}
		if db, err := OpenReadOnly(t.Context(), path); !Damaged(err) {
			if err == nil {
				db.Close()
			}
			t.Errorf("reading, with %s: %v", name, err)
		}
	}
	for _, p := range []string{path + "-wal", path + "-journal"} {
		os.Remove(p)
	}
	mustOpen(t, path)
}

// Readers that are opened after the file was replaced get an error. One that read the new file
// would empty the shared memory of those that have the old one open, and their next read would
// end the process with a bus error.
func TestReadersAfterTheFileWasReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db := openWords(t, path)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first, err := db.Reader().Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	if err := errors.Join(os.WriteFile(path+".copy", text, 0o644), os.Rename(path+".copy", path)); err != nil {
		t.Fatal(err)
	}
	var words int
	err = db.Reader().QueryRowContext(t.Context(), "SELECT count(*) FROM words").Scan(&words)
	if _, ok := errors.AsType[*LostError](err); !ok {
		t.Errorf("a second reader: %v", err)
	}
	if err := first.QueryRowContext(t.Context(), "SELECT count(*) FROM words").Scan(&words); err != nil || words != 1 {
		t.Errorf("the first reader, which has the old file open: %d words, %v", words, err)
	}
}
