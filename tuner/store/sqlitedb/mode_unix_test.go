//go:build unix

package sqlitedb

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// A database that is made, and what SQLite puts beside it, can be read by its owner alone.
func TestDatabaseIsItsOwners(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	db, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, end := range []string{"", "-wal", "-shm"} {
		info, err := os.Stat(path + end)
		if errors.Is(err, fs.ErrNotExist) && end != "" {
			continue
		}
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%q: %v %v", end, info.Mode(), err)
		}
	}
}
