package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Prune removes runs that were recorded before a time, but none that a baseline
// names or an accepted change begins with, and returns how many. What is there
// to be removed is only counted with dry.
func (l *Ledger) Prune(ctx context.Context, before time.Time, dry bool) (int64, error) {
	const old = `recorded < ? AND run_id NOT IN (SELECT run_id FROM bench_baselines)
		AND run_id NOT IN (SELECT run_id FROM bench_accepts)`
	var n int64
	if dry {
		err := l.db.Reader().QueryRowContext(ctx, "SELECT count(*) FROM bench_runs WHERE "+old, before.UnixNano()).Scan(&n)
		return n, err
	}
	err := l.db.Write(ctx, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, "DELETE FROM bench_runs WHERE "+old, before.UnixNano())
		if err != nil {
			return err
		}
		if n, err = result.RowsAffected(); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM bench_series WHERE series_id NOT IN (SELECT series_id FROM bench_samples)")
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("prune: %w", err)
	}
	return n, nil
}
