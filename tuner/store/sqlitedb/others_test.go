//go:build unix

package sqlitedb

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOthersReaders is two users of one folder that both may write: who may only read
// the database leaves nothing there, and a file that was left is named.
func TestOthersReaders(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "shared")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "x.db")
	db := mustOpen(t, path)
	if err := db.Migrate(t.Context(), "words", series1...); err != nil {
		t.Fatal(err)
	}
	addWord(t, db, "one")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(dir, "left")
	if err := errors.Join(os.Mkdir(left, 0o755), os.Chmod(path, 0o444),
		os.WriteFile(filepath.Join(left, "y.db"), nil, 0o666), os.WriteFile(filepath.Join(left, "y.db-wal"), nil, 0o666),
		os.WriteFile(filepath.Join(left, "y.db-shm"), nil, 0o444)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{dir, left} {
		if err := os.Chmod(name, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"y.db", "y.db-wal"} {
		if err := os.Chmod(filepath.Join(left, name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for up := filepath.Dir(dir); len(up) > len(os.TempDir()); up = filepath.Dir(up) {
		if err := os.Chmod(up, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	out, err := again(t, "unprivileged", dir, "-test.run=^TestAsOther$", "-test.v").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestAsOther") {
		t.Errorf("%v\n%s", err, out)
	}
	if got := names(t, dir); got != "left x.db" {
		t.Errorf("the folder holds %q, expected left and x.db", got)
	}
}

// TestAsOther is the part of TestOthersReaders that runs without privileges; on its
// own it has nothing to look at.
func TestAsOther(t *testing.T) {
	if os.Getenv(roleKey) != "unprivileged" {
		return
	}
	path := filepath.Join(os.Getenv(pathKey), "x.db")
	read, err := OpenReadOnly(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if got := words(t, read); len(got) != 1 || got[0] != "one" {
		t.Errorf("read %q", got)
	}
	if err := read.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	if _, err := Open(t.Context(), path, Options{}); !errors.Is(err, os.ErrPermission) {
		t.Errorf("writing: %v", err)
	}
	left := filepath.Join(os.Getenv(pathKey), "left", "y.db")
	_, err = Open(t.Context(), left, Options{})
	refused, ok := errors.AsType[*ReadOnlyError](err)
	if !ok || refused.What != left+"-shm" || !strings.Contains(err.Error(), "remove "+left+"-shm") {
		t.Errorf("a file that somebody left: %v", err)
	}
}

// TestChangedWhileRead is a database that its owner begins to write while another user
// reads it as immutable.
func TestChangedWhileRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db := mustOpen(t, path)
	if err := db.Migrate(t.Context(), "words", series1...); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	read := &DB{files: &files{path: path, still: info}}
	if err := read.changed(); err != nil {
		t.Error(err)
	}
	db = mustOpen(t, path)
	addWord(t, db, "two")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := read.Close(); err == nil || !strings.Contains(err.Error(), "run the command again") {
		t.Errorf("closed with %v", err)
	}
}
