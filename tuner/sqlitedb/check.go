package sqlitedb

import (
	"context"
	"database/sql"
	"fmt"
)

// Series is the state of one room's migrations in a file.
type Series struct {
	Name    string
	Version int // last applied migration
}

// Report is what Check found.
type Report struct {
	Integrity   []string // complaints of PRAGMA integrity_check
	ForeignKeys []string // rows whose parent is missing
	Series      []Series // by name
}

// OK reports whether nothing was found wrong.
func (r Report) OK() bool { return len(r.Integrity) == 0 && len(r.ForeignKeys) == 0 }

// querier is a connection, a pool or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Check reads the whole database and reports what is damaged. Damage is not
// an error; that the check could not be made is.
func (db *DB) Check(ctx context.Context) (Report, error) {
	var report Report
	tx, err := db.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return report, fmt.Errorf("%s: check: %w", db.path, err)
	}
	defer tx.Rollback()
	if report.Integrity, err = texts(ctx, tx, "PRAGMA integrity_check"); err != nil {
		return report, fmt.Errorf("%s: check: %w", db.path, err)
	}
	if len(report.Integrity) == 1 && report.Integrity[0] == "ok" {
		report.Integrity = nil
	}
	if report.ForeignKeys, err = foreignKeys(ctx, tx); err != nil {
		return report, fmt.Errorf("%s: check: %w", db.path, err)
	}
	if report.Series, err = seriesIn(ctx, tx); err != nil {
		return report, fmt.Errorf("%s: check: %w", db.path, err)
	}
	return report, nil
}

func seriesIn(ctx context.Context, q querier) ([]Series, error) {
	tables, err := texts(ctx, q, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name = 'sakusen_schema'")
	if err != nil || len(tables) == 0 {
		return nil, err
	}
	rows, err := q.QueryContext(ctx, "SELECT series, max(version) FROM sakusen_schema GROUP BY series ORDER BY series")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []Series
	for rows.Next() {
		var one Series
		if err := rows.Scan(&one.Name, &one.Version); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// foreignKeys lists broken references as "table row N refers to a missing row of parent".
func foreignKeys(ctx context.Context, q querier) ([]string, error) {
	rows, err := q.QueryContext(ctx, "PRAGMA foreign_key_check")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var broken []string
	for rows.Next() {
		var table, parent string
		var row, key sql.NullInt64
		if err := rows.Scan(&table, &row, &parent, &key); err != nil {
			return nil, err
		}
		broken = append(broken, fmt.Sprintf("%s row %d refers to a missing row of %s", table, row.Int64, parent))
	}
	return broken, rows.Err()
}

func texts(ctx context.Context, q querier, query string) ([]string, error) {
	rows, err := q.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, rows.Err()
}
