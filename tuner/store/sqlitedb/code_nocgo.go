//go:build !cgo

package sqlitedb

import (
	"database/sql"

	_ "github.com/mattn/go-sqlite3" // a stub whose Open says that a C compiler is needed
)

// EngineVersion returns an empty text: SQLite is a C library, and this program was built without it.
func EngineVersion() string { return "" }

func cannotOpen(error) bool   { return false }
func busy(error) bool         { return false }
func notDatabase(error) bool  { return false }
func corrupt(error) bool      { return false }
func syncFailed(error) bool   { return false }
func keepLog(*sql.Conn) error { return nil }

// Full reports whether nothing more can be written now.
func Full(error) bool { return false }
