package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"sakusen/bench"
)

// RecordedCause is a cause with the run that lost or gained.
type RecordedCause struct {
	bench.Cause
	Run     RecordedRun
	Against string // commit of the old side, "" if unknown
}

// Explain keeps the causes of a run, in place of those that it had.
func (l *Ledger) Explain(ctx context.Context, run int64, against string, causes []bench.Cause) error {
	err := l.db.Write(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "DELETE FROM bench_causes WHERE run_id = ?", run); err != nil {
			return err
		}
		for i, c := range causes {
			functions, err := json.Marshal(c.Functions)
			if err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, "INSERT INTO bench_causes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
				run, i, against, c.Pkg, c.Name, c.Kind, c.Files[0], c.Files[1], string(functions)); err != nil {
				return err
			}
		}
		return causeRows.Seal(tx, "run_id = ?", run)
	})
	if err != nil {
		return fmt.Errorf("causes of run %d: %w", run, err)
	}
	return nil
}

// Causes are those of a benchmark, of the last runs that have some, the latest run
// first.
func (l *Ledger) Causes(ctx context.Context, pkg, name string, runs int) ([]RecordedCause, error) {
	rows, err := l.db.Reader().QueryContext(ctx, `SELECT against, kind, old_file, new_file, functions, `+entryColumns+`
		FROM bench_causes JOIN bench_runs USING (run_id)
		WHERE run_id IN (SELECT DISTINCT run_id FROM bench_causes WHERE pkg = ?1 AND bench_causes.name = ?2 ORDER BY run_id DESC LIMIT ?3)
			AND pkg = ?1 AND bench_causes.name = ?2
		ORDER BY run_id DESC, position`, pkg, name, runs)
	if err != nil {
		return nil, fmt.Errorf("causes of %s.%s: %w", pkg, name, err)
	}
	defer rows.Close()
	var out []RecordedCause
	for rows.Next() {
		c := RecordedCause{Cause: bench.Cause{Pkg: pkg, Name: name}}
		var functions string
		c.Run, err = scanEntry(after{rows, []any{&c.Against, &c.Kind, &c.Files[0], &c.Files[1], &functions}})
		if err == nil {
			err = json.Unmarshal([]byte(functions), &c.Functions)
		}
		if err != nil {
			return nil, fmt.Errorf("causes of %s.%s: %w", pkg, name, err)
		}
		out = append(out, c)
	}
	return out, rows.Err()
}

// after scans columns before those that are asked for.
type after struct {
	rows   *sql.Rows
	before []any
}

func (a after) Scan(rest ...any) error { return a.rows.Scan(append(a.before, rest...)...) }
