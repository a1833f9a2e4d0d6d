package sqlitedb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// mayWrite says why nothing can be written.
func (db *DB) mayWrite(ctx context.Context) error {
	if db.writer == nil {
		return ErrReadOnlyHandle
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return db.Sound()
}

// Write runs change in one transaction: all of it is there afterwards, on the
// disk, or, after an error or a panic, nothing. [*LostError] says that it may
// not be.
func (db *DB) Write(ctx context.Context, change func(*sql.Tx) error) (err error) {
	w, err := db.begin(ctx, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.end()) }()
	if err := change(w.tx); err != nil {
		return err
	}
	return w.commit()
}

// writing is a transaction with the connection that it has to itself.
type writing struct {
	db   *DB
	conn *sql.Conn
	tx   *sql.Tx
}

// begin starts an immediate transaction. If synced, it is on the disk when its commit
// returns; otherwise a power cut may lose the last such transactions, never an earlier one
// without the later ones.
func (db *DB) begin(ctx context.Context, synced bool) (*writing, error) {
	if err := db.mayWrite(ctx); err != nil {
		return nil, err
	}
	ctx = context.WithoutCancel(ctx)
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return nil, err
	}
	w := &writing{db: db, conn: conn}
	if err = db.sync(ctx, conn, synced); err == nil {
		w.tx, err = conn.BeginTx(ctx, nil)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return w, nil
}

// sync says whether commits on the connection wait for the disk. They do by
// default, so that a connection which was opened anew is on the safe side.
func (db *DB) sync(ctx context.Context, conn *sql.Conn, synced bool) error {
	if db.relaxed != synced {
		return nil
	}
	level := "NORMAL"
	if synced {
		level = "FULL"
	}
	if _, err := conn.ExecContext(ctx, "PRAGMA synchronous = "+level); err != nil {
		return err
	}
	db.relaxed = !synced
	return nil
}

// commit makes the transaction's changes the database's. They are acknowledged
// only if the database is still under its name afterwards.
func (w *writing) commit() error {
	if err := w.tx.Commit(); err != nil {
		return w.db.failedSync(err)
	}
	w.db.noteLog()
	if err := w.db.checkpoint(w.conn); err != nil {
		return err
	}
	return w.db.Sound()
}

// end rolls back what was not committed and gives the connection back.
func (w *writing) end() (err error) {
	if rollback := w.tx.Rollback(); rollback != nil && !errors.Is(rollback, sql.ErrTxDone) {
		err = rollback
	}
	return errors.Join(err, w.conn.Close())
}

// failedSync recognises a failed sync. After it nobody knows what is on the disk: a second
// sync may succeed without having written anything (Rebello et al., "Can Applications
// Recover from fsync Failures?", 2020). Any other error is returned as it is.
func (db *DB) failedSync(err error) error {
	if !syncFailed(err) {
		return err
	}
	return db.lose("a sync of the file to the disk failed ("+err.Error()+"), so what was written may not be there", err)
}

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
