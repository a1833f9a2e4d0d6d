package sqlitedb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

const (
	// checkpointEvery is the number of commits between two looks at the length of
	// the write-ahead log.
	checkpointEvery = 16
	// checkpointPages is the number of pages in the log from which they are copied
	// into the database: SQLite's own default.
	checkpointPages = 1000
)

// checkpoint copies the write-ahead log into the database now and then. SQLite would do so
// by itself, but it would not report a failed sync.
func (db *DB) checkpoint(conn *sql.Conn) error {
	if db.commits++; db.commits%checkpointEvery != 0 {
		return nil
	}
	pages, copied, err := walCheckpoint(conn, "NOOP")
	if err == nil && pages-copied >= db.logPages {
		_, _, err = walCheckpoint(conn, "PASSIVE")
	}
	if syncFailed(err) {
		return db.failedSync(err)
	}
	return nil // what was committed is in the log; copying it is tried again
}

// walCheckpoint runs a checkpoint of the given kind; NOOP only tells how many pages are
// in the log and how many of them are copied.
func walCheckpoint(conn *sql.Conn, kind string) (pages, copied int, err error) {
	var busy int
	err = conn.QueryRowContext(context.Background(), "PRAGMA wal_checkpoint("+kind+")").Scan(&busy, &pages, &copied)
	if err != nil {
		err = fmt.Errorf("checkpoint: %w", err)
	}
	return pages, copied, err
}

// lastCheckpoint copies the rest before the database is closed, since SQLite does not
// report it if that fails.
func (db *DB) lastCheckpoint() error {
	conn, err := db.writer.Conn(context.Background())
	if err != nil {
		return nil // never opened
	}
	defer conn.Close()
	if db.Sound() != nil {
		return keepLog(conn) // the file at the log's name may belong to somebody else
	}
	if _, _, err = walCheckpoint(conn, "PASSIVE"); syncFailed(err) {
		return errors.Join(db.failedSync(err), keepLog(conn)) // the log has what the database may lack
	}
	return nil
}
