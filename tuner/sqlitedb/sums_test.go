//go:build cgo && !windows

package sqlitedb

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// otherProgram opens a database as a program does that knows nothing of checksums.
func otherProgram(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite3", "file://"+path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return db
}

// What another program has changed, and a page that stands in another one's place,
// is named, and refused where it is read.
func TestPagesThatDoNotFit(t *testing.T) {
	whole := library(t)
	size := int(pageSize(whole))
	pages := len(whole) / size
	for name, spoil := range map[string]func(path string) error{
		"edited": func(path string) error {
			other := otherProgram(t, path)
			_, err := other.Exec("UPDATE words SET word = 'sly' WHERE word LIKE '%0007'")
			return errors.Join(err, other.Close())
		},
		"swapped": func(path string) error {
			text := bytes.Clone(whole)
			copy(text[(pages-2)*size:], whole[(pages-1)*size:])
			copy(text[(pages-1)*size:], whole[(pages-2)*size:(pages-1)*size])
			return os.WriteFile(path, text, 0o644)
		},
		"cut by a byte": func(path string) error { return os.WriteFile(path, whole[:len(whole)-1], 0o644) },
		"a page of zeros and a bit": func(path string) error {
			text := bytes.Clone(whole)
			clear(text[(pages-1)*size:])
			text[(pages-1)*size+77] = 1
			return os.WriteFile(path, text, 0o644)
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.db")
			if err := errors.Join(os.WriteFile(path, whole, 0o644), spoil(path)); err != nil {
				t.Fatal(err)
			}
			db, err := OpenReadOnly(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			r, err := db.Check(t.Context())
			if err != nil || !strings.Contains(strings.Join(r.Integrity, "\n"), "does not fit its checksum") {
				t.Errorf("the check finds %q, %v", r.Integrity, err)
			}
			if err := db.Quick(t.Context()); !Damaged(err) && name != "cut by a byte" { // whose content is there
				t.Errorf("the quick check: %v", err)
			}
		})
	}
}

// A file without checksums, of an older program or written anew by another one,
// gets them and keeps what it holds; so do copies.
func TestSumsAreAdded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	other := otherProgram(t, path)
	for _, text := range []string{"PRAGMA journal_mode = WAL", fmt.Sprintf("PRAGMA application_id = %d", applicationID), schemaTable, "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT)",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO words (word) SELECT printf('%060d', i) FROM n"} {
		if _, err := other.Exec(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	db := mustOpen(t, path)
	if has, err := db.summed(); has || err != nil {
		t.Fatalf("the other program has left checksums: %v", err)
	}
	if err := db.AddSums(t.Context()); err != nil {
		t.Fatal(err)
	}
	backup := path + ".copy"
	if err := errors.Join(db.Backup(context.Background(), backup), db.Close()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, backup} {
		db := mustOpen(t, name)
		if has, err := db.summed(); !has || err != nil {
			t.Errorf("%s has no checksums: %v", name, err)
		}
		if r, err := db.Check(t.Context()); err != nil || !r.OK() {
			t.Errorf("%+v %v", r, err)
		}
		if got := words(t, db); len(got) != 1000 {
			t.Errorf("%d words", len(got))
		}
	}
}

// A database that is being written is sound to who looks at its pages.
func TestCheckBesideAWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db, err := Open(t.Context(), path, Options{LogPages: 4})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Migrate(t.Context(), "words", series1); err != nil {
		t.Fatal(err)
	}
	stop, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				ended <- nil
				return
			default:
			}
			if err := insertWord(db, fmt.Sprintf("%02000d", i)); err != nil {
				ended <- err
				return
			}
		}
	}()
	for range 20 {
		read, err := OpenReadOnly(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := read.Check(t.Context()); err != nil || !r.OK() {
			t.Errorf("%+v %v", r, err)
		}
		read.Close()
	}
	close(stop)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// The first copy of the log into a new file, while somebody reads what was there
// before, leaves no page without a checksum: the first page is then left out, whose
// header says that there are any.
func TestFirstCopyBesideAReader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db, err := Open(t.Context(), path, Options{LogPages: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Migrate(t.Context(), "words", series1); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if err := insertWord(db, fmt.Sprintf("%06000d", i)); err != nil {
			t.Fatal(err)
		}
	}
	tx, err := db.reader.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := tx.QueryRow("SELECT count(*) FROM words").Scan(&n); err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		if err := insertWord(db, fmt.Sprintf("%06000d", 10+i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		if err := insertWord(db, fmt.Sprintf("%06000d", 200+i)); err != nil {
			t.Fatal(err)
		}
	}
	if r, err := db.Check(t.Context()); err != nil || !r.OK() {
		t.Errorf("%+v %v", r, err)
	}
}
