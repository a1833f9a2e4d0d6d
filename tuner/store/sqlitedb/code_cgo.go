//go:build cgo

package sqlitedb

import (
	"database/sql"
	"errors"

	"github.com/mattn/go-sqlite3"
)

// EngineVersion returns the version of the SQLite library, such as "3.53.4".
func EngineVersion() string {
	version, _, _ := sqlite3.Version()
	return version
}

// cannotOpen reports whether SQLite could not open a file.
func cannotOpen(err error) bool {
	e, ok := errors.AsType[sqlite3.Error](err)
	return ok && (e.Code == sqlite3.ErrCantOpen || e.Code == sqlite3.ErrReadonly)
}

// busy reports whether another program has locked a file.
func busy(err error) bool {
	e, ok := errors.AsType[sqlite3.Error](err)
	return ok && (e.Code == sqlite3.ErrBusy || e.Code == sqlite3.ErrLocked)
}

// notDatabase reports whether the bytes of a file are no SQLite database.
func notDatabase(err error) bool {
	e, ok := errors.AsType[sqlite3.Error](err)
	return ok && e.Code == sqlite3.ErrNotADB
}

// corrupt reports whether SQLite found the content of a file damaged.
func corrupt(err error) bool {
	e, ok := errors.AsType[sqlite3.Error](err)
	return ok && (e.Code == sqlite3.ErrCorrupt || e.Code == sqlite3.ErrNotADB)
}

// syncFailed reports whether SQLite could not bring a file to the disk.
func syncFailed(err error) bool {
	e, ok := errors.AsType[sqlite3.Error](err)
	return ok && (e.ExtendedCode == sqlite3.ErrIoErrFsync || e.ExtendedCode == sqlite3.ErrIoErrDirFsync)
}

// keepLog keeps the connection from removing, when it is closed, the file at the
// name of the write-ahead log.
func keepLog(conn *sql.Conn) error {
	return conn.Raw(func(driver any) error {
		c, ok := driver.(*sqlite3.SQLiteConn)
		if !ok {
			return nil
		}
		return c.SetFileControlInt("main", sqlite3.SQLITE_FCNTL_PERSIST_WAL, 1)
	})
}

// Full reports whether a statement failed for a reason that may pass, most often because the
// disk is full. Others are a quota that is used up, a failing device, too many open files, too
// little memory, or another program that holds the file longer than a caller waits. Earlier
// commits are kept, and writing may continue later.
func Full(err error) bool {
	e, ok := errors.AsType[sqlite3.Error](err)
	if !ok || syncFailed(err) {
		return false
	}
	switch e.Code {
	case sqlite3.ErrFull, sqlite3.ErrIoErr, sqlite3.ErrCantOpen, sqlite3.ErrNomem, sqlite3.ErrBusy, sqlite3.ErrLocked:
		return true
	}
	return false
}
