package sqlitedb

import (
	"context"
	"database/sql"
)

// Querier is a pool of connections or a transaction.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Each hands the rows of a query to scan, one after the other, and stops at its first error.
func Each(ctx context.Context, q Querier, query string, args []any, scan func(*sql.Rows) error) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// EachRow is Each of a transaction, which ends with its own context.
func EachRow(tx *sql.Tx, query string, args []any, scan func(*sql.Rows) error) error {
	return Each(context.Background(), tx, query, args, scan)
}

// Rows returns what read makes of each row of a query; it is given the row's Scan. The rows
// before an error are returned too.
func Rows[T any](ctx context.Context, q Querier, read func(scan func(...any) error) (T, error), query string, args ...any) ([]T, error) {
	all := []T{}
	err := Each(ctx, q, query, args, func(rows *sql.Rows) error {
		one, err := read(rows.Scan)
		if err == nil {
			all = append(all, one)
		}
		return err
	})
	return all, err
}

// Column reads the only column of a row, for [Rows].
func Column[T any](scan func(...any) error) (value T, err error) {
	err = scan(&value)
	return value, err
}

// Read runs do in one transaction that reads: all that it sees is of one moment, and it takes
// one connection.
func (db *DB) Read(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := db.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	return do(tx)
}
