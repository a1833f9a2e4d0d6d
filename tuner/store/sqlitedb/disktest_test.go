//go:build cgo && unix

package sqlitedb_test

import (
	"database/sql"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/store/sqlitedb/disktest"
)

// What was synced is there after a power cut and what was not is gone, or there,
// as its fate says; a sync that is told to fail fails.
func TestDiskForgets(t *testing.T) {
	dir := t.TempDir()
	disk, err := disktest.Watch(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	db, err := sqlitedb.Open(t.Context(), filepath.Join(dir, "x.db"), sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	synced := func(text string) error {
		return db.Change(t.Context(), "", func(c *sqlitedb.Change) error { _, err := c.Exec(text); return err })
	}
	if err := errors.Join(synced("CREATE TABLE words (word)"), synced("INSERT INTO words VALUES ('kept')")); err != nil {
		t.Fatal(err)
	}
	first := disk.Now()
	if err := db.ChangeReplayable(t.Context(), "", func(c *sqlitedb.Change) error {
		_, err := c.Exec("INSERT INTO words VALUES ('not synced')")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	second := disk.Now()
	disk.Plan(func(c disktest.Call) disktest.Fault { return disktest.Fault{Error: c.Kind == disktest.Sync} })
	if _, ok := errors.AsType[*sqlitedb.LostError](synced("INSERT INTO words VALUES ('refused')")); !ok {
		t.Error("a failed sync is not told")
	}
	for _, c := range []struct {
		at   int
		fate disktest.Fate
		want int
	}{{first, disktest.Lost, 1}, {second, disktest.Lost, 1}, {second, disktest.Kept, 2}, {disk.Now(), disktest.Lost, 1}} {
		if got := words(t, disk, c.at, c.fate); got != c.want {
			t.Errorf("at %d, %s: %d rows, want %d", c.at, c.fate, got, c.want)
		}
	}
}

func words(t *testing.T, disk *disktest.Disk, at int, fate disktest.Fate) (n int) {
	t.Helper()
	dir := t.TempDir()
	if err := disk.Image(dir, at, fate, rand.New(rand.NewPCG(1, 1))); err != nil {
		t.Fatal(err)
	}
	db, err := sqlitedb.OpenReadOnly(t.Context(), filepath.Join(dir, "x.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Reader().QueryRow("SELECT count(*) FROM words").Scan(&n); err != nil && !errors.Is(err, sql.ErrNoRows) {
		t.Fatal(err)
	}
	return n
}
