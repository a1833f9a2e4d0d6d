//go:build cgo

package sqlitedb

import (
	"errors"
	"fmt"
	"testing"

	"github.com/mattn/go-sqlite3"
)

// What may pass is told from what will not.
func TestFull(t *testing.T) {
	for code, want := range map[sqlite3.ErrNo]bool{
		sqlite3.ErrFull: true, sqlite3.ErrIoErr: true, sqlite3.ErrCantOpen: true, sqlite3.ErrNomem: true, sqlite3.ErrBusy: true, sqlite3.ErrLocked: true,
		sqlite3.ErrCorrupt: false, sqlite3.ErrNotADB: false, sqlite3.ErrConstraint: false, sqlite3.ErrError: false,
	} {
		if got := Full(fmt.Errorf("load blocks: %w", sqlite3.Error{Code: code})); got != want {
			t.Errorf("%v: %v, want %v", code, got, want)
		}
	}
	if Full(nil) || Full(errors.New("disk is full")) {
		t.Error("an error of nobody's is told as one of SQLite")
	}
}
