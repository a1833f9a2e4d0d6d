package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sakusen/bench"
)

// Check reads every run and reports where its raw text is not what was recorded,
// or where its values are not those of its text. Damage is not an error; that
// the check could not be made is. Foreign keys are the database's own check.
func (l *Ledger) Check(ctx context.Context) ([]string, error) {
	found, err := l.checkRows(ctx)
	if err != nil {
		return nil, err
	}
	entries, err := l.Entries(ctx)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		problem, err := l.checkRun(ctx, e)
		if err != nil {
			return nil, fmt.Errorf("check of run %d: %w", e.ID, err)
		}
		if problem != "" {
			found = append(found, fmt.Sprintf("benchmarks: run %d: %s", e.ID, problem))
		}
	}
	return found, nil
}

// checkRun says what is wrong with a run; nothing if the run was deleted in the meantime.
func (l *Ledger) checkRun(ctx context.Context, e RecordedRun) (problem string, err error) {
	var packed []byte
	err = l.db.Reader().QueryRowContext(ctx, "SELECT raw FROM bench_runs WHERE run_id = ?", e.ID).Scan(&packed)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	raw, err := inflate(packed)
	if err != nil {
		return "its raw text cannot be unpacked: " + err.Error(), nil
	}
	run, err := parse(raw, e)
	if err != nil {
		return err.Error(), nil
	}
	if got := run.Digest(); got != e.Digest {
		return fmt.Sprintf("its raw text has the sha256 %.12s, expected %.12s", got, e.Digest), nil
	}
	if got := run.Samples(); got != e.Samples {
		return fmt.Sprintf("its raw text has %d samples, expected %d", got, e.Samples), nil
	}
	rows, err := l.db.Reader().QueryContext(ctx, `SELECT pkg, name, unit, goos, goarch, machine, packed
		FROM bench_samples JOIN bench_series USING (series_id) WHERE run_id = ?`, e.ID)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	left := len(run.Values)
	for rows.Next() {
		var s bench.Series
		if err := rows.Scan(&s.Pkg, &s.Name, &s.Unit, &s.GOOS, &s.GOARCH, &s.Machine, &packed); err != nil {
			return "", err
		}
		values, err := appendValues(nil, packed)
		if err != nil {
			return s.Title() + ": " + err.Error(), nil
		}
		if !slices.Equal(values, run.Values[s]) {
			return s.Title() + ": its values are not those of the raw text", nil
		}
		left--
	}
	if err := rows.Err(); err != nil || left == 0 {
		return "", err
	}
	return fmt.Sprintf("the values of %d series of its raw text are missing", left), nil
}

// parse reads raw text as the run that was recorded.
func parse(raw string, e RecordedRun) (*bench.Run, error) {
	run, err := bench.Read(strings.NewReader(raw), e.Title(), bench.ReadOptions{})
	if err == nil && run.Machine() != e.Machine { // the class was given, not read
		return bench.Read(strings.NewReader(raw), e.Title(), bench.ReadOptions{Machine: e.Machine})
	}
	return run, err
}
