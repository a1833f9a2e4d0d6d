package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Origin is where a run was measured.
type Origin struct {
	Commit    string // full hash, "" if unknown
	Branch    string
	Dirty     bool // the tree had changes
	GoVersion string
	// Dated, unless zero, is used as the time at which the run was recorded: the time of
	// its commit, if it fills a gap in a history.
	Dated time.Time
}

// RecordedRun is a recorded run without its values.
type RecordedRun struct {
	ID       int64
	Digest   string // sha256 of the raw text
	Name     string
	Machine  string // machine class
	Samples  int
	Recorded time.Time
	Origin
}

const entryColumns = "run_id, sha256, commit_id, branch, dirty, machine, go_version, bench_runs.name, samples, recorded"

func scanEntry(row interface{ Scan(...any) error }) (RecordedRun, error) {
	var e RecordedRun
	var recorded int64
	err := row.Scan(&e.ID, &e.Digest, &e.Commit, &e.Branch, &e.Dirty, &e.Machine, &e.GoVersion, &e.Name, &e.Samples, &recorded)
	e.Recorded = time.Unix(0, recorded).UTC()
	return e, err
}

// Entries lists the runs, oldest first.
func (l *Ledger) Entries(ctx context.Context) ([]RecordedRun, error) {
	rows, err := l.db.Reader().QueryContext(ctx, "SELECT "+entryColumns+" FROM bench_runs ORDER BY run_id")
	if err != nil {
		return nil, fmt.Errorf("runs: %w", err)
	}
	defer rows.Close()
	var entries []RecordedRun
	for rows.Next() {
		e, err := scanEntry(rows)
		if err != nil {
			return nil, fmt.Errorf("runs: %w", err)
		}
		entries = append(entries, e)
	}
	return entries, rows.Err()
}

// Entry is one run.
func (l *Ledger) Entry(ctx context.Context, id int64) (RecordedRun, error) {
	return l.one(ctx, fmt.Sprintf("run %d", id), "WHERE run_id = ?", id)
}

// OfCommit is the last run of a commit, whose hash may be shortened, in a
// machine class; an empty class is any. A run of a tree that had changes counts
// only where there is no other.
func (l *Ledger) OfCommit(ctx context.Context, commit, machine string) (RecordedRun, error) {
	return l.one(ctx, "commit "+commit,
		"WHERE substr(commit_id, 1, length(?1)) = ?1 AND ?1 <> '' AND (?2 = '' OR machine = ?2) ORDER BY dirty, run_id DESC LIMIT 1", commit, machine)
}

// Latest is the run that was recorded last.
func (l *Ledger) Latest(ctx context.Context) (RecordedRun, error) {
	return l.one(ctx, "a run", "ORDER BY run_id DESC LIMIT 1")
}

// one finds a single run; what says for people which.
func (l *Ledger) one(ctx context.Context, what, where string, args ...any) (RecordedRun, error) {
	e, err := scanEntry(l.db.Reader().QueryRowContext(ctx, "SELECT "+entryColumns+" FROM bench_runs "+where, args...))
	if errors.Is(err, sql.ErrNoRows) {
		return e, fmt.Errorf("%s: %w", what, ErrNotFound)
	}
	if err != nil {
		return e, fmt.Errorf("%s: %w", what, err)
	}
	return e, nil
}
