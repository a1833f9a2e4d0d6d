//go:build unix

package sqlitedb

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
)

// A database that is being written is sound to who looks at its pages.
func TestCheckBesideAWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db, err := Open(t.Context(), path, Options{LogPages: 4})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Migrate(t.Context(), "words", series1...); err != nil {
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

// Another program, such as the sqlite3 shell, writes the database while it is open
// here: both see all rows, and the file is sound.
func TestAnotherProgramWrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db := openWords(t, path)
	other, err := sql.Open("sqlite3", "file://"+path+"?_busy_timeout=10000")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for i := range 3 {
		if _, err := other.Exec("INSERT INTO words (word) VALUES (?)", fmt.Sprint("theirs ", i)); err != nil {
			t.Fatal(err)
		}
		addWord(t, db, fmt.Sprint("ours ", i))
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := other.Exec("DELETE FROM words WHERE word = 'first'"); err != nil {
		t.Fatal(err)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	db = mustOpen(t, path)
	if got := words(t, db); len(got) != 6 {
		t.Errorf("the words are %q, expected six", got)
	}
	if r, err := db.Check(t.Context()); err != nil || !r.OK() {
		t.Errorf("check: %+v %v", r, err)
	}
}
