package sqlitedb

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/engines/suite"
)

var series1 = []string{"CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE);"}

var series2 = append(series1[:1:1],
	"ALTER TABLE words ADD COLUMN times INTEGER NOT NULL DEFAULT 1; CREATE TABLE uses (word INTEGER REFERENCES words(id));")

func mustOpen(t *testing.T, path string) *DB {
	t.Helper()
	db, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func addWord(t *testing.T, db *DB, word string) {
	t.Helper()
	err := db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT INTO words (word) VALUES (?)", word)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func words(t *testing.T, db *DB) []string {
	t.Helper()
	all, err := texts(t.Context(), db.Reader(), "SELECT word FROM words ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, entry := range entries {
		all = append(all, entry.Name())
	}
	return strings.Join(all, " ")
}

func TestPathsAreEscaped(t *testing.T) {
	for _, name := range []string{
		"plain.db", "a?b.db", "a#b.db", "50%.db", "%3F.db", "two words.db", "作戦.db",
		"a&mode=memory.db", "a+b;c=d.db", "'quoted\".db", "?", "dir?mode=ro/x.db", "file:x.db", "a:b@c.db",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			db := mustOpen(t, path)
			if err := db.Migrate(t.Context(), "words", series1...); err != nil {
				t.Fatal(err)
			}
			addWord(t, db, "one")
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			if got := names(t, filepath.Dir(path)); got != filepath.Base(path) {
				t.Errorf("files after closing: %q, expected only %q", got, filepath.Base(path))
			}
			read, err := OpenReadOnly(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			defer read.Close()
			if got := words(t, read); len(got) != 1 || got[0] != "one" {
				t.Errorf("read %q", got)
			}
		})
	}
}

func TestRelativePathAndSymbolicLinkShareOneLock(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	mustOpen(t, "real.db")
	if err := os.Symlink("real.db", "alias.db"); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), "alias.db", Options{})
	if _, ok := errors.AsType[*LockedError](err); !ok {
		t.Fatalf("opened under another name: %v, expected a LockedError", err)
	}
}

func TestPragmas(t *testing.T) {
	db := mustOpen(t, filepath.Join(t.TempDir(), "x.db"))
	for pragma, expected := range map[string]string{
		"journal_mode": "wal", "synchronous": "2", "busy_timeout": "10000", "foreign_keys": "1",
	} {
		var got string
		if err := db.writer.QueryRow("PRAGMA " + pragma).Scan(&got); err != nil || got != expected {
			t.Errorf("%s = %q (%v), expected %q", pragma, got, err, expected)
		}
	}
	if got := db.writer.Stats().MaxOpenConnections; got != 1 {
		t.Errorf("writer may have %d connections, expected 1", got)
	}
	if _, err := db.Reader().Exec("CREATE TABLE nope (x)"); err == nil {
		t.Error("the read pool wrote")
	}
}

func TestWriteIsAllOrNothing(t *testing.T) {
	db := mustOpen(t, filepath.Join(t.TempDir(), "x.db"))
	if err := db.Migrate(t.Context(), "words", series1...); err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	err := db.Write(t.Context(), func(tx *sql.Tx) error {
		if _, err := tx.Exec("INSERT INTO words (word) VALUES ('lost')"); err != nil {
			return err
		}
		return stop
	})
	if !errors.Is(err, stop) {
		t.Fatal(err)
	}
	func() {
		defer func() { _ = recover() }()
		_ = db.Write(t.Context(), func(tx *sql.Tx) error {
			_, _ = tx.Exec("INSERT INTO words (word) VALUES ('panicked')")
			panic("in the middle")
		})
	}()
	addWord(t, db, "kept")
	if got := words(t, db); len(got) != 1 || got[0] != "kept" {
		t.Errorf("words %q, expected [kept]", got)
	}
	err = db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT INTO words (word) VALUES ('kept')")
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "UNIQUE constraint failed: words.word") {
		t.Errorf("repeated unique word: %v, expected a constraint error", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := db.Write(cancelled, func(*sql.Tx) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("write with a cancelled context: %v", err)
	}
}

func TestReadersAlwaysWork(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db := mustOpen(t, path)
	if err := db.Migrate(t.Context(), "words", series1...); err != nil {
		t.Fatal(err)
	}
	addWord(t, db, "one")
	tx, err := db.writer.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := tx.Exec("INSERT INTO words (word) VALUES ('open')"); err != nil {
		t.Fatal(err)
	}
	read, err := OpenReadOnly(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	if got := words(t, read); len(got) != 1 {
		t.Errorf("a reader sees %q, expected one word", got)
	}
	if err := read.Write(t.Context(), func(*sql.Tx) error { return nil }); !errors.Is(err, ErrReadOnlyHandle) {
		t.Errorf("write on a handle for reading: %v", err)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text.db")
	if err := os.WriteFile(text, []byte(strings.Repeat("not a database at all\n", 100)), 0o644); err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(dir, "foreign.db")
	other, err := sql.Open("sqlite3", dsn(foreign, "mode=rwc"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Exec("CREATE TABLE bookmarks (url TEXT)"); err != nil {
		t.Fatal(err)
	}
	other.Close()
	for _, path := range []string{text, foreign, dir} {
		before := names(t, dir)
		if _, err := Open(t.Context(), path, Options{}); !isForeign(err) {
			t.Errorf("Open(%s): %v, expected a ForeignError", filepath.Base(path), err)
		}
		if _, err := OpenReadOnly(t.Context(), path); !isForeign(err) {
			t.Errorf("OpenReadOnly(%s): %v, expected a ForeignError", filepath.Base(path), err)
		}
		if after := names(t, dir); after != before {
			t.Errorf("files %q, before %q", after, before)
		}
	}
	absent := filepath.Join(dir, "absent.db")
	if _, err := OpenReadOnly(t.Context(), absent); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reading an absent file: %v", err)
	}
	_, err = Open(t.Context(), filepath.Join(dir, "no", "such", "dir.db"), Options{})
	if _, ok := errors.AsType[*ReadOnlyError](err); !ok || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("directory missing: %v", err)
	}
	if _, err := Open(t.Context(), "", Options{}); err == nil {
		t.Error("an empty path was opened")
	}
}

func isForeign(err error) bool {
	_, ok := errors.AsType[*ForeignError](err)
	return ok
}

// A process killed between SQLite's first page and our mark leaves a file
// that is an empty database without an owner.
func TestOpenTakesAnEmptyFile(t *testing.T) {
	for name, make := range map[string]func(string) error{
		"zero bytes": func(path string) error { return os.WriteFile(path, nil, 0o644) },
		"one page": func(path string) error {
			half, err := sql.Open("sqlite3", dsn(path, writerQuery))
			if err != nil {
				return err
			}
			defer half.Close()
			return half.Ping()
		},
		"only our mark": func(path string) error {
			db, err := Open(t.Context(), path, Options{})
			if err != nil {
				return err
			}
			return db.Close()
		},
	} {
		path := filepath.Join(t.TempDir(), "x.db")
		if err := make(path); err != nil {
			t.Fatal(err)
		}
		db := mustOpen(t, path)
		if err := db.Migrate(t.Context(), "words", series1...); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := names(t, filepath.Dir(path)); strings.Contains(got, "before") {
			t.Errorf("%s: an empty file was copied: %s", name, got)
		}
	}
}

// A process that opens a file while another makes it must not take it for another program's.
func TestOpenWhileItIsMade(t *testing.T) {
	times := 100
	if suite.Few() {
		times = 20
	}
	for range times {
		path := filepath.Join(t.TempDir(), "x.db")
		made := make(chan error, 1)
		go func() {
			db, err := Open(t.Context(), path, Options{})
			if err == nil {
				err = db.Close()
			}
			made <- err
		}()
		for done := false; !done; {
			select {
			case err := <-made:
				if err != nil {
					t.Fatal(err)
				}
				done = true
			default:
			}
			if _, err := probe(t.Context(), path); isForeign(err) {
				t.Fatal(err)
			}
		}
	}
}
