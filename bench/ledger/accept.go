package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"sakusen/bench"
)

// Accept is a change that somebody stood by: the series of this package, name
// and unit begins anew with the run.
type Accept struct {
	ID              int64
	Pkg, Name, Unit string
	Run             int64
	Reason          string
	Accepted        time.Time
}

// Covers tells whether a series is the one that was accepted.
func (a Accept) Covers(s bench.Series) bool {
	return a.Pkg == s.Pkg && a.Name == s.Name && a.Unit == s.Unit
}

// Accept writes down that the values of a series in a run are the new normal.
func (l *Ledger) Accept(ctx context.Context, s bench.Series, run int64, reason string) error {
	return l.db.Write(ctx, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, "INSERT INTO bench_accepts (pkg, name, unit, run_id, reason, accepted) VALUES (?, ?, ?, ?, ?, ?)",
			s.Pkg, s.Name, s.Unit, run, reason, time.Now().UnixNano())
		if err != nil {
			return err
		}
		id, err := result.LastInsertId()
		if err != nil {
			return err
		}
		return acceptRows.Seal(tx, "accept_id = ?", id)
	})
}

// Accepts lists what was accepted, oldest first.
func (l *Ledger) Accepts(ctx context.Context) ([]Accept, error) {
	if err := acceptRows.Refuse(ctx, l.db, "TRUE"); err != nil {
		return nil, fmt.Errorf("accepted changes: %w", err)
	}
	rows, err := l.db.Reader().QueryContext(ctx, "SELECT accept_id, pkg, name, unit, run_id, reason, accepted FROM bench_accepts ORDER BY accept_id")
	if err != nil {
		return nil, fmt.Errorf("accepted changes: %w", err)
	}
	defer rows.Close()
	var list []Accept
	for rows.Next() {
		var a Accept
		var accepted int64
		if err := rows.Scan(&a.ID, &a.Pkg, &a.Name, &a.Unit, &a.Run, &a.Reason, &accepted); err != nil {
			return nil, fmt.Errorf("accepted changes: %w", err)
		}
		a.Accepted = time.Unix(0, accepted).UTC()
		list = append(list, a)
	}
	return list, rows.Err()
}

// Renew gives an old run, in place of the values of every series that was
// accepted after it, those of the accepted run. It returns how many.
func (l *Ledger) Renew(ctx context.Context, old *bench.Run, id int64) (int, error) {
	accepts, err := l.Accepts(ctx)
	if err != nil {
		return 0, err
	}
	renewed := map[bench.Series]bool{}
	runs := map[int64]*bench.Run{}
	for _, a := range accepts {
		if a.Run <= id {
			continue
		}
		if runs[a.Run] == nil {
			if runs[a.Run], err = l.Run(ctx, a.Run); err != nil {
				return 0, err
			}
		}
		for s, values := range runs[a.Run].Values {
			if _, ok := old.Values[s]; ok && a.Covers(s) {
				old.Values[s], renewed[s] = values, true
			}
		}
	}
	return len(renewed), nil
}
