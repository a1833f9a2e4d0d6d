package sqlitedb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Transactor makes changes to a database. It knows the time, and the points at
// which a test may kill the process.
type Transactor struct {
	db    *DB
	now   func() time.Time
	point func(name string)
}

// NewTransactor makes changes to db. now tells the time and nil is time.Now; point,
// unless nil, is called at every point where a kill is worth a test.
func NewTransactor(db *DB, now func() time.Time, point func(name string)) *Transactor {
	if now == nil {
		now = time.Now
	}
	if point == nil {
		point = func(string) {}
	}
	return &Transactor{db: db, now: now, point: point}
}

// DB returns the database.
func (w *Transactor) DB() *DB { return w.db }

// Reader reads the committed state; see [DB.Reader].
func (w *Transactor) Reader() *sql.DB { return w.db.Reader() }

// Now returns the present as times are kept: UTC, in nanoseconds, without a
// monotonic part.
func (w *Transactor) Now() time.Time { return time.Unix(0, w.now().UnixNano()).UTC() }

// Damage returns an error that says that the database holds something else than what
// was written.
func (w *Transactor) Damage(what string) error {
	return &DamagedError{Path: w.db.path, What: what}
}

// Point marks a point at which a kill is worth a test.
func (w *Transactor) Point(name string) { w.point(name) }

// Change runs do in one transaction: all that it did is there afterwards, or,
// after an error or a panic, nothing. Its points have the label before them:
// label.begin, label.write after each statement, label.commit before and
// label.committed after the commit; an empty label has none. It is on the disk
// when Change returns, so that it can be acknowledged.
func (w *Transactor) Change(ctx context.Context, label string, do func(*Change) error) error {
	return w.change(ctx, label, true, do)
}

// ChangeReplayable is Change for what can be made again from what is there, such
// as the games of a study: it does not wait for the disk, so that a power cut may
// take the last moments of it away, the later before the earlier. Any later
// Change brings it to the disk too.
func (w *Transactor) ChangeReplayable(ctx context.Context, label string, do func(*Change) error) error {
	return w.change(ctx, label, false, do)
}

func (w *Transactor) change(ctx context.Context, label string, synced bool, do func(*Change) error) (err error) {
	under, err := w.db.begin(ctx, synced)
	if err != nil {
		return err
	}
	c := &Change{Tx: under.tx, writer: w, label: label}
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
	writer *Transactor
	label  string
	failed error
}

// Now returns the present; see [Transactor.Now].
func (c *Change) Now() time.Time { return c.writer.Now() }

// Damage is [Transactor.Damage].
func (c *Change) Damage(what string) error { return c.writer.Damage(what) }

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
		c.writer.point(c.label + "." + name)
	}
}
