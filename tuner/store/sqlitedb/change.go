package sqlitedb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

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

// ChangeReplayable is Change for what can be made again from what is there, such
// as the games of a study: it does not wait for the disk, so that a power cut may
// take the last moments of it away, the later before the earlier. Any later
// Change brings it to the disk too.
func (db *DB) ChangeReplayable(ctx context.Context, label string, do func(*Change) error) error {
	return db.change(ctx, label, false, do)
}

// Write is Change without points, of statements that are run on the transaction itself.
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

// Damage is [DB.Damage].
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
