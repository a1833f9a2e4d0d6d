package store

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"sakusen/tuner/store/sqlitedb"
)

func openAt(t testing.TB, path string, options sqlitedb.Options) *Store {
	t.Helper()
	db, err := sqlitedb.Open(t.Context(), path, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s, err := New(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func openNew(t testing.TB) *Store {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "x.db"), sqlitedb.Options{})
}

// reopen reads the store's file anew, through a handle for reading.
func reopen(t testing.TB, s *Store) *Store {
	t.Helper()
	db, err := sqlitedb.OpenReadOnly(t.Context(), s.DB().Path())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	r, err := New(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// plain leaves out what two runs cannot have in common: times.
func plain(t goptuna.FrozenTrial) goptuna.FrozenTrial {
	if !t.DatetimeStart.IsZero() {
		t.DatetimeStart = time.Unix(1, 0)
	}
	if !t.DatetimeComplete.IsZero() {
		t.DatetimeComplete = time.Unix(2, 0)
	}
	return t
}

// numberFrom returns the number in an environment variable, or the one that is given.
func numberFrom(t *testing.T, variable string, otherwise int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return n
}
