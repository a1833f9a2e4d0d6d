package sqlitedb

import (
	"database/sql"
	"errors"
	"os"
	"sync/atomic"
)

// DB is one database file, opened for writing or only for reading. Its
// methods may be called from any goroutine.
type DB struct {
	path   string // absolute, symbolic links resolved
	writer *sql.DB
	reader *sql.DB
	lock   *fileLock
	held   *heldFile
	raw    *os.File // the file itself, of a reader; opened before SQLite opens it and closed after
	fresh  bool     // this Open created the content
	point  func(string)
	told   func(string)
	still  os.FileInfo // the file as it was when it was opened as immutable, or nil

	lost atomic.Pointer[LostError]   // why nothing is written any more
	log  atomic.Pointer[os.FileInfo] // the write-ahead log
	// For whoever holds the writing connection:
	relaxed bool // commits do not wait for the disk
	commits int

	logPages int // see Options
}

// Path is the file's absolute path, symbolic links resolved.
func (db *DB) Path() string { return db.path }

// Writable reports whether the database was opened for writing.
func (db *DB) Writable() bool { return db.writer != nil }

// Reader is the pool of reading connections. Transactions on it see one
// state of the database and never wait for the writer.
func (db *DB) Reader() *sql.DB { return db.reader }

// Close closes all connections, then lets go of the lock.
func (db *DB) Close() error {
	errs := []error{db.changed()}
	if db.reader != nil {
		errs = append(errs, db.reader.Close())
	}
	if db.writer != nil {
		errs = append(errs, db.lastCheckpoint(), db.writer.Close())
	}
	if db.held != nil {
		errs = append(errs, db.held.release())
	}
	if db.raw != nil {
		errs = append(errs, db.raw.Close())
	}
	db.held, db.raw = nil, nil
	if db.lock != nil {
		errs = append(errs, db.lock.release())
		db.lock = nil
	}
	return errors.Join(errs...)
}
