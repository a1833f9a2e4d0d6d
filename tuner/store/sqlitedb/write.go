package sqlitedb

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// begin starts an immediate transaction. If synced, it is on the disk when its commit
// returns; otherwise a power cut may lose the last such transactions, never an earlier one
// without the later ones.
func (db *DB) begin(ctx context.Context, synced bool) (*writing, error) {
	if db.writer == nil {
		return nil, ErrReadOnlyHandle
	}
	return db.writer.begin(ctx, synced)
}

// writer is the one connection that writes. Its fields are for the one that holds the
// connection.
type writer struct {
	*sql.DB
	files   *files
	relaxed bool // commits do not wait for the disk
	commits int
	pages   int // of the write-ahead log, from which it is copied; see Options
}

// writing is a transaction with the connection that it has to itself.
type writing struct {
	by   *writer
	conn *sql.Conn
	tx   *sql.Tx
}

func (w *writer) begin(ctx context.Context, synced bool) (*writing, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := w.files.Sound(); err != nil {
		return nil, err
	}
	ctx = context.WithoutCancel(ctx)
	conn, err := w.Conn(ctx)
	if err != nil {
		return nil, err
	}
	t := &writing{by: w, conn: conn}
	if err = w.sync(ctx, conn, synced); err == nil {
		t.tx, err = conn.BeginTx(ctx, nil)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return t, nil
}

// sync sets whether commits on the connection wait for the disk. They do by
// default, so that a connection which was opened anew is on the safe side.
func (w *writer) sync(ctx context.Context, conn *sql.Conn, synced bool) error {
	if w.relaxed != synced {
		return nil
	}
	level := "NORMAL"
	if synced {
		level = "FULL"
	}
	if _, err := conn.ExecContext(ctx, "PRAGMA synchronous = "+level); err != nil {
		return err
	}
	w.relaxed = !synced
	return nil
}

// commit makes the transaction's changes the database's. They are acknowledged
// only if the database is still under its name afterwards.
func (t *writing) commit() error {
	if err := t.tx.Commit(); err != nil {
		return t.by.files.failedSync(err)
	}
	t.by.files.noteLog()
	if err := t.by.checkpoint(t.conn); err != nil {
		return err
	}
	return t.by.files.Sound()
}

// end rolls back what was not committed and gives the connection back.
func (t *writing) end() (err error) {
	if rollback := t.tx.Rollback(); rollback != nil && !errors.Is(rollback, sql.ErrTxDone) {
		err = rollback
	}
	return errors.Join(err, t.conn.Close())
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
func (w *writer) checkpoint(conn *sql.Conn) error {
	if w.commits++; w.commits%checkpointEvery != 0 {
		return nil
	}
	pages, copied, err := walCheckpoint(conn, "NOOP")
	if err == nil && pages-copied >= w.pages {
		_, _, err = walCheckpoint(conn, "PASSIVE")
	}
	if syncFailed(err) {
		return w.files.failedSync(err)
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

// close copies the rest of the log before the database is closed, since SQLite does not
// report it if that fails.
func (w *writer) close() error { return errors.Join(w.lastCheckpoint(), w.DB.Close()) }

func (w *writer) lastCheckpoint() error {
	conn, err := w.Conn(context.Background())
	if err != nil {
		return nil // never opened
	}
	defer conn.Close()
	if w.files.Sound() != nil {
		return keepLog(conn) // the file at the log's name may belong to another program
	}
	if _, _, err = walCheckpoint(conn, "PASSIVE"); syncFailed(err) {
		return errors.Join(w.files.failedSync(err), keepLog(conn)) // the log has what the database may lack
	}
	return nil
}

// walHeaderSize is the size of the header of a write-ahead log, in bytes
// (sqlite.org, "WAL-mode File Format", 2.1).
const walHeaderSize = 32

// checkLog refuses a database whose write-ahead log has a damaged header. SQLite would
// treat the log as empty and silently lose the last changes. A header of zeros is what a
// power cut leaves of a log that was never synced.
func checkLog(path string) error {
	name := path + "-wal"
	for try := 0; ; try++ {
		head, size, err := header(name)
		if err != nil || size < walHeaderSize || goodLog(head[:walHeaderSize]) {
			return nil // absent or unreadable; SQLite's own error explains that better
		}
		if try == 3 {
			return &DamagedError{Path: name, What: "it is no write-ahead log of SQLite, so the last changes to the database cannot be read " +
				"(where there is no backup, moving this file away goes on with what was there before them)"}
		}
		time.Sleep(10 * time.Millisecond) // a writer may be at this header
	}
}

// goodLog checks the magic number and the checksum of a log's header.
func goodLog(head []byte) bool {
	if bytes.Equal(head, make([]byte, walHeaderSize)) {
		return true
	}
	sum := logSum{order: binary.LittleEndian}
	switch binary.BigEndian.Uint32(head) {
	case 0x377f0682:
	case 0x377f0683:
		sum.order = binary.BigEndian
	default:
		return false
	}
	sum.add(head[:24])
	return sum.a == binary.BigEndian.Uint32(head[24:]) && sum.b == binary.BigEndian.Uint32(head[28:])
}

// logSum is the running checksum of a log.
type logSum struct {
	order binary.ByteOrder
	a, b  uint32
}

// add goes on with bytes, a multiple of 8 of them.
func (s *logSum) add(text []byte) {
	for ; len(text) >= 8; text = text[8:] {
		s.a += s.order.Uint32(text) + s.b
		s.b += s.order.Uint32(text[4:]) + s.a
	}
}

// rewriteLog writes the write-ahead log that another process has left over itself,
// byte for byte, and syncs it. Where a sync of it failed, what is read may not be on
// the disk, and no later sync would bring it there: the system takes it for
// written. Later additions to the log would be lost with it. A transaction, which changes
// nothing, keeps other programs from writing to the log during the transaction.
func (w *writer) rewriteLog(ctx context.Context, point func(string)) (err error) {
	t, err := w.begin(ctx, true)
	if err != nil {
		return fmt.Errorf("%s: %w", w.files.path, err)
	}
	defer func() { err = errors.Join(err, t.end()) }()
	name := w.files.path + "-wal"
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return &ReadOnlyError{Path: w.files.path, What: name, Cause: err}
	}
	defer func() {
		if closed := file.Close(); err == nil && closed != nil {
			err = fmt.Errorf("%s: %w", name, closed)
		}
	}()
	part, at := make([]byte, 1<<20), int64(0)
	for {
		n, err := file.ReadAt(part, at)
		if n > 0 {
			if _, err := file.WriteAt(part[:n], at); err != nil {
				return fmt.Errorf("%s: write the log over itself: %w", name, err)
			}
		}
		at += int64(n)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if at == 0 {
		return nil
	}
	if err := file.Sync(); err != nil {
		return fmt.Errorf("%s: sync: %w", name, err)
	}
	point("log.rewritten")
	return nil
}

// Now returns the present as times are kept: UTC, in nanoseconds, without a
// monotonic part.
func (db *DB) Now() time.Time { return time.Unix(0, db.now().UnixNano()).UTC() }

// Change runs do in one transaction: all that it did is there afterwards, or,
// after an error or a panic, nothing. Its points have the label before them:
// label.begin, label.write after each statement, label.commit before and
// label.committed after the commit; an empty label has none. It is on the disk
// when Change returns, so that it can be acknowledged.
func (db *DB) Change(ctx context.Context, label string, do func(*Change) error) error {
	return db.change(ctx, label, true, do)
}

// ChangeReplayable does what Change does, for data that can be made again from other data, such
// as the games of a study. It does not wait for the disk, so a power cut may lose the last
// changes, the later ones first. Any later Change brings it to the disk too.
func (db *DB) ChangeReplayable(ctx context.Context, label string, do func(*Change) error) error {
	return db.change(ctx, label, false, do)
}

// Write does what Change does, without points, for statements that are run on the
// transaction itself.
func (db *DB) Write(ctx context.Context, do func(*sql.Tx) error) error {
	return db.change(ctx, "", true, func(c *Change) error { return do(c.Tx) })
}

func (db *DB) change(ctx context.Context, label string, synced bool, do func(*Change) error) (err error) {
	under, err := db.begin(ctx, synced)
	if err != nil {
		return err
	}
	c := &Change{Tx: under.tx, db: db, label: label}
	defer func() { err = errors.Join(err, under.end()) }()
	c.point("begin")
	if err := do(c); err != nil {
		return err
	}
	if c.failed != nil {
		return fmt.Errorf("a statement of this transaction failed: %w", c.failed)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	c.point("commit")
	if err := under.commit(); err != nil {
		return err
	}
	c.point("committed")
	return nil
}

// Change is one transaction that writes. A statement that failed fails it as a
// whole, even if its owner goes on.
type Change struct {
	Tx     *sql.Tx // for reading what the change sees
	db     *DB
	label  string
	failed error
}

// Now returns the present; see [DB.Now].
func (c *Change) Now() time.Time { return c.db.Now() }

// Damage returns a [*DamagedError] of the change's database.
func (c *Change) Damage(what string) error { return c.db.Damage(what) }

// Exec runs a statement that writes.
func (c *Change) Exec(query string, args ...any) (sql.Result, error) {
	result, err := c.Tx.Exec(query, args...)
	if err != nil {
		c.failed = errors.Join(c.failed, err)
	}
	c.point("write")
	return result, err
}

// Insert runs an INSERT and returns the new row's id.
func (c *Change) Insert(query string, args ...any) (int64, error) {
	result, err := c.Exec(query, args...)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

func (c *Change) point(name string) {
	if c.label != "" {
		c.db.point(c.label + "." + name)
	}
}
