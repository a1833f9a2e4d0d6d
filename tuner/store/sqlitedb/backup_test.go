//go:build unix

package sqlitedb

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"testing"

	"sakusen/engines/suite"
)

// loads makes a table that grows quickly.
const loads = "CREATE TABLE loads (id INTEGER PRIMARY KEY, load BLOB NOT NULL); CREATE INDEX by_load ON loads (substr(load, 1, 8));"

// addLoads adds rows of 2 000 bytes each.
func addLoads(t *testing.T, db *DB, rows int) {
	t.Helper()
	const insert = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) INSERT INTO loads (load) SELECT randomblob(2000) FROM n"
	if _, err := db.writer.Exec(insert, rows); err != nil {
		t.Fatal(err)
	}
}

// loadsIn returns the number of rows up to a row, and a digest of them.
func loadsIn(t *testing.T, db *DB, last int) (n int, digest string) {
	t.Helper()
	rows, err := db.Reader().QueryContext(t.Context(), "SELECT load FROM loads WHERE id <= ? ORDER BY id", last)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	h := sha256.New()
	for ; rows.Next(); n++ {
		var load []byte
		if err := rows.Scan(&load); err != nil {
			t.Fatal(err)
		}
		h.Write(load)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return n, fmt.Sprintf("%x", h.Sum(nil))
}

// A copy of any size, of an idle database and of one that is being written, is
// sound, holds every row as it was, and is a database to go on with.
func TestBackupOfEverySize(t *testing.T) {
	for _, rows := range []int{0, 1, 500, 2000, 20000} { // up to 43 MB
		if suite.Few() && (rows == 1 || rows == 20000) {
			continue
		}
		for _, busy := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d rows, busy %v", rows, busy), func(t *testing.T) {
				dir := t.TempDir()
				db := mustOpen(t, filepath.Join(dir, "x.db"))
				if err := db.Migrate(t.Context(), "loads", loads); err != nil {
					t.Fatal(err)
				}
				addLoads(t, db, rows)
				stop, stopped := make(chan struct{}), make(chan error, 1)
				if busy {
					go func() { stopped <- write(db, stop) }()
				} else {
					stopped <- nil
				}
				copied := filepath.Join(dir, "y.db")
				if err := db.Backup(t.Context(), copied); err != nil {
					t.Error(err)
				}
				close(stop)
				if err := <-stopped; err != nil {
					t.Error(err)
				}
				checkCopy(t, db, copied, rows)
			})
		}
	}
}

// write adds rows one by one until stop is closed.
func write(db *DB, stop <-chan struct{}) error {
	for {
		select {
		case <-stop:
			return nil
		default:
		}
		if _, err := db.writer.Exec("INSERT INTO loads (load) VALUES (randomblob(2000))"); err != nil {
			return err
		}
	}
}

// checkCopy reads a copy whole, compares its first rows with the original's, and writes to it.
func checkCopy(t *testing.T, db *DB, copied string, rows int) {
	t.Helper()
	read, err := OpenReadOnly(t.Context(), copied)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	if r, err := read.Check(t.Context()); err != nil || !r.OK() {
		t.Errorf("check: %+v %v", r, err)
	}
	wantRows, want := loadsIn(t, db, rows)
	if n, got := loadsIn(t, read, rows); n != wantRows || n != rows || got != want {
		t.Errorf("the copy has %d rows with digest %s, expected %d with %s", n, got, rows, want)
	}
	if err := read.Close(); err != nil {
		t.Error(err)
	}
	next := mustOpen(t, copied)
	addLoads(t, next, 1)
	if err := next.Quick(t.Context()); err != nil {
		t.Error(err)
	}
}
