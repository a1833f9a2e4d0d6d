package sqlitedb

import (
	"context"
	"database/sql"
	"errors"
)

// Begin starts an immediate transaction on the single writing connection; it
// waits while another one is open. The context is looked at once: a
// transaction that has begun is ended by its owner alone, so that
// cancellation never splits what belongs together.
func (db *DB) Begin(ctx context.Context) (*sql.Tx, error) {
	if db.writer == nil {
		return nil, ErrReadOnlyHandle
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return db.writer.BeginTx(context.WithoutCancel(ctx), nil)
}

// Write runs change in one transaction: all of it is there afterwards, or,
// after an error or a panic, nothing.
func (db *DB) Write(ctx context.Context, change func(*sql.Tx) error) (err error) {
	tx, err := db.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if rollback := tx.Rollback(); rollback != nil && !errors.Is(rollback, sql.ErrTxDone) {
			err = errors.Join(err, rollback)
		}
	}()
	if err := change(tx); err != nil {
		return err
	}
	return tx.Commit()
}
