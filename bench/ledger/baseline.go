package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Baseline is a name for a run.
type Baseline struct {
	Name    string
	Run     RecordedRun
	Updated time.Time
}

// SetBaseline gives a run a name; the name may have meant another one before.
func (l *Ledger) SetBaseline(ctx context.Context, name string, run int64) error {
	if name == "" {
		return errors.New("baseline: expected a name, got an empty one")
	}
	return l.db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO bench_baselines (name, run_id, updated) VALUES (?, ?, ?)
			ON CONFLICT (name) DO UPDATE SET run_id = excluded.run_id, updated = excluded.updated`, name, run, time.Now().UnixNano())
		if err != nil {
			return err
		}
		return baselineRows.Seal(tx, "name = ?", name)
	})
}

// RemoveBaseline takes a name away; its run stays.
func (l *Ledger) RemoveBaseline(ctx context.Context, name string) error {
	return l.db.Write(ctx, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, "DELETE FROM bench_baselines WHERE name = ?", name)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, fmt.Errorf("baseline %s: %w", name, ErrNotFound))
		}
		return nil
	})
}

// OfBaseline is the run that a name means.
func (l *Ledger) OfBaseline(ctx context.Context, name string) (RecordedRun, error) {
	if err := baselineRows.Refuse(ctx, l.db, "name = ?", name); err != nil {
		return RecordedRun{}, err
	}
	return l.one(ctx, "baseline "+name, "WHERE run_id = (SELECT run_id FROM bench_baselines WHERE name = ?)", name)
}

// Baselines lists all names, in alphabetical order.
func (l *Ledger) Baselines(ctx context.Context) ([]Baseline, error) {
	rows, err := l.db.Reader().QueryContext(ctx, "SELECT name, run_id, updated FROM bench_baselines ORDER BY name")
	if err != nil {
		return nil, fmt.Errorf("baselines: %w", err)
	}
	defer rows.Close()
	var list []Baseline
	for rows.Next() {
		var b Baseline
		var updated int64
		if err := rows.Scan(&b.Name, &b.Run.ID, &updated); err != nil {
			return nil, fmt.Errorf("baselines: %w", err)
		}
		b.Updated = time.Unix(0, updated).UTC()
		list = append(list, b)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return nil, fmt.Errorf("baselines: %w", err)
	}
	for i := range list {
		if list[i].Run, err = l.Entry(ctx, list[i].Run.ID); err != nil {
			return nil, err
		}
	}
	return list, nil
}
