package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"sakusen/bench"
)

// Sample is the values of one series in one run.
type Sample struct {
	Run      int64
	Commit   string
	Branch   string
	Dirty    bool
	Recorded time.Time
	Values   []float64 // in base units, in the order of measurement
}

// History is the samples of one series, oldest run first: by when they were
// recorded, or their commits made where they fill a history.
type History struct {
	Series  bench.Series
	Samples []Sample
}

// HistoryQuery says which history is wanted; empty fields ask for all.
type HistoryQuery struct {
	Series  string // part of "pkg.Name unit"
	Branch  string // of its commits alone: trees that had changes are left out
	Machine string
}

// Histories finds histories by part of their title, by package, name and unit.
func (l *Ledger) Histories(ctx context.Context, q HistoryQuery) ([]History, error) {
	series, err := l.find(ctx, q)
	if err != nil {
		return nil, err
	}
	rows, err := l.db.Reader().QueryContext(ctx, "SELECT "+entryColumns+" FROM bench_runs WHERE ?1 = '' OR branch = ?1 AND dirty = 0 ORDER BY run_id", q.Branch)
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	runs := map[int64]RecordedRun{}
	for rows.Next() {
		e, err := scanEntry(rows)
		if err != nil {
			rows.Close()
			return nil, fmt.Errorf("history: %w", err)
		}
		runs[e.ID] = e
	}
	if err := rows.Close(); err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	var histories []History
	for _, s := range series {
		h := History{Series: s.Series}
		if err := l.samples(ctx, s.id, runs, &h); err != nil {
			return nil, fmt.Errorf("history of %s: %w", s.Title(), err)
		}
		if len(h.Samples) > 0 {
			histories = append(histories, h)
		}
	}
	return histories, nil
}

// numbered is a series with its number in the database.
type numbered struct {
	id int64
	bench.Series
}

func (l *Ledger) find(ctx context.Context, q HistoryQuery) ([]numbered, error) {
	rows, err := l.db.Reader().QueryContext(ctx, `SELECT series_id, pkg, name, unit, goos, goarch, machine FROM bench_series
		WHERE ?1 = '' OR machine = ?1 ORDER BY pkg, name, unit, goos, goarch, machine`, q.Machine)
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	defer rows.Close()
	var list []numbered
	for rows.Next() {
		var s numbered
		if err := rows.Scan(&s.id, &s.Pkg, &s.Name, &s.Unit, &s.GOOS, &s.GOARCH, &s.Machine); err != nil {
			return nil, fmt.Errorf("history: %w", err)
		}
		if strings.Contains(s.Title(), q.Series) {
			list = append(list, s)
		}
	}
	return list, rows.Err()
}

func (l *Ledger) samples(ctx context.Context, id int64, runs map[int64]RecordedRun, h *History) error {
	rows, err := l.db.Reader().QueryContext(ctx, "SELECT run_id, packed FROM bench_samples WHERE series_id = ? ORDER BY run_id", id)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var run int64
		var packed []byte
		if err := rows.Scan(&run, &packed); err != nil {
			return err
		}
		e, ok := runs[run]
		if !ok {
			continue
		}
		values, err := appendValues(nil, packed)
		if err != nil {
			return err
		}
		h.Samples = append(h.Samples, Sample{run, e.Commit, e.Branch, e.Dirty, e.Recorded, values})
	}
	// Runs that fill gaps in a history were recorded after later ones.
	slices.SortStableFunc(h.Samples, func(a, b Sample) int { return a.Recorded.Compare(b.Recorded) })
	return rows.Err()
}

// Accept records that a change of level was accepted with `bench accept`: the series of
// this package, name and unit begins anew with the run.
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
