package sqlitedb

import (
	"bytes"
	"crypto/rand"
	"database/sql"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// library makes a database with a thousand words and returns its bytes.
func library(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.db")
	db := mustOpen(t, path)
	if err := db.Migrate(t.Context(), "words", series1...); err != nil {
		t.Fatal(err)
	}
	err := db.Write(t.Context(), func(tx *sql.Tx) error {
		for i := range 1000 {
			if _, err := tx.Exec("INSERT INTO words (word) VALUES (?)", fmt.Sprintf("%060d", i)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// flipped returns a copy with the bits of n bytes from at on turned over.
func flipped(text []byte, at, n int) []byte {
	out := bytes.Clone(text)
	for i := at; i < at+n; i++ {
		out[i] ^= 0xff
	}
	return out
}

// A damaged file is named, with what is wrong, and stays as it is.
func TestDamagedFiles(t *testing.T) {
	whole := library(t)
	page := int(binary.BigEndian.Uint16(whole[16:]))
	nonsense := make([]byte, 5000)
	rand.Read(nonsense)
	for _, c := range []struct {
		name      string
		text, wal []byte
		want      string
	}{
		{"magic", flipped(whole, 0, 16), nil, "header of the file is not SQLite's"},
		{"header", flipped(whole, 16, 50), nil, "header of the file"},
		{"schema", flipped(whole, 100, 300), nil, "malformed"},
		{"half", whole[:len(whole)/2], nil, fmt.Sprintf("cut off: %d of %d bytes", len(whole)/2, len(whole))},
		{"half a header", whole[:50], nil, "shorter than its header"},
		{"log", whole, nonsense, "no write-ahead log"},
		{"pages", flipped(whole, 3*page, len(whole)-4*page), nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.db")
			if err := os.WriteFile(path, c.text, 0o644); err != nil {
				t.Fatal(err)
			}
			if c.wal != nil {
				if err := os.WriteFile(path+"-wal", c.wal, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			check := func(how string, err error) {
				t.Helper()
				if !Damaged(err) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "backup") {
					t.Errorf("%s: %v, want damage with %q", how, err, c.want)
				}
			}
			if c.want != "" {
				_, err := Open(t.Context(), path, Options{})
				check("open", err)
				_, err = OpenReadOnly(t.Context(), path)
				check("open for reading", err)
			} else {
				db, err := OpenReadOnly(t.Context(), path)
				if err != nil {
					t.Fatal(err)
				}
				defer db.Close()
				check("quick", db.Quick(t.Context()))
				r, err := db.Check(t.Context())
				if err != nil || r.OK() || !strings.Contains(strings.Join(r.Integrity, "\n"), "words") {
					t.Errorf("check: %v %q, want the table's name", err, r.Integrity)
				}
				_, err = texts(t.Context(), db.Reader(), "SELECT word FROM words")
				check("a query", Damage(path, err))
			}
			if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, c.text) {
				t.Errorf("the file was written: %v", err)
			}
		})
	}
	path := filepath.Join(t.TempDir(), "good.db")
	if err := os.WriteFile(path, whole, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+"-wal", make([]byte, 64), 0o644); err != nil { // what a power cut may leave
		t.Fatal(err)
	}
	db := mustOpen(t, path)
	if err := db.Quick(t.Context()); err != nil {
		t.Error(err)
	}
}

// A log that a live writer has is no damage.
func TestLogOfAWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db := mustOpen(t, path)
	if err := db.Migrate(t.Context(), "words", series1...); err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		addWord(t, db, fmt.Sprint(i))
		if err := checkLog(path); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(path + "-wal"); err != nil || info.Size() < walHeaderSize {
		t.Fatalf("there is no log: %v", err)
	}
}
