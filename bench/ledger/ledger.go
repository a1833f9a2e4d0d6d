// Package ledger keeps benchmark runs in the SQLite file: raw text and values,
// baselines, accepted changes. It is the room's only reader and writer of its
// tables, which have a series of migrations of their own.
//
// Flow: a run that package bench read is recorded once, whatever the number of
// times it is given, and comes back as a run that compares and exports as it
// did.
//
//	l, err := ledger.Open(ctx, db)
//	entry, fresh, err := l.Record(ctx, run, ledger.Origin{Commit: "4f2a...", Branch: "main"})
//	again, err := l.Run(ctx, entry.ID)
package ledger

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"time"

	"sakusen/bench"
	"sakusen/tuner/store/sqlitedb"
)

//go:embed schema.sql
var schema string

//go:embed commits.sql
var commitSchema string

// commitSeries is the migrations of what is known of commits, which a file that was not written
// to since they exist lacks.
const commitSeries = "bench-commits"

// SeriesName is that of the migrations.
const SeriesName = "bench"

// ErrNotFound says that the ledger has no such run or baseline.
var ErrNotFound = errors.New("not in the database")

// Ledger is the runs of one database.
type Ledger struct {
	db      *sqlitedb.DB
	commits bool // whether the file has the table of commits
}

// Open brings the tables up to date, or, on a database opened for reading,
// checks that they are.
func Open(ctx context.Context, db *sqlitedb.DB) (*Ledger, error) {
	if err := db.Migrate(ctx, SeriesName, schema); err != nil {
		return nil, fmt.Errorf("benchmarks: %w", err)
	}
	have, err := db.Version(ctx, commitSeries)
	if err != nil {
		return nil, fmt.Errorf("benchmarks: %w", err)
	}
	if have == 0 && !db.Writable() {
		return &Ledger{db: db}, nil
	}
	if err := db.Migrate(ctx, commitSeries, commitSchema); err != nil {
		return nil, fmt.Errorf("benchmarks: %w", err)
	}
	return &Ledger{db: db, commits: true}, nil
}

// Origin is where a run was measured.
type Origin struct {
	Commit string `json:"commit,omitempty" line:"0-200"` // full hash, "" if unknown
	Branch string `json:"branch,omitempty" line:"0-500"`
	Dirty  bool   `json:"dirty,omitempty"`           // the tree had changes
	Go     string `json:"go,omitempty" line:"0-200"` // version of the go command
	// Subject, Author and Committed are those of the commit, where the repository is known.
	Subject   string    `json:"subject,omitempty" line:"0-1000"`
	Author    string    `json:"author,omitempty" line:"0-500"`
	Committed time.Time `json:"committed,omitzero" help:"The time of the commit. Histories are sorted by it."`
	// Dated, unless zero, is used as the time at which the run was recorded: the time of
	// its commit, if it fills a gap in a history.
	Dated time.Time `json:"dated,omitzero" help:"The commit's time, for a run that fills a gap of a history: the run is then stored as recorded at this time."`
}

// RecordedRun is a recorded run without its values.
type RecordedRun struct {
	ID       int64     `json:"run"`
	Title    string    `json:"title"` // for people
	Name     string    `json:"name"`
	Commit   string    `json:"commit"`
	Branch   string    `json:"branch"`
	Dirty    bool      `json:"dirty"`
	Machine  string    `json:"machine"` // class
	Go       string    `json:"go"`      // version of the go command
	Samples  int       `json:"samples"`
	Digest   string    `json:"sha256"` // of the raw text
	Recorded time.Time `json:"recorded"`
}

const entryColumns = "run_id, sha256, commit_id, branch, dirty, machine, go_version, bench_runs.name, samples, recorded"

func scanEntry(row interface{ Scan(...any) error }) (RecordedRun, error) {
	var e RecordedRun
	var recorded int64
	err := row.Scan(&e.ID, &e.Digest, &e.Commit, &e.Branch, &e.Dirty, &e.Machine, &e.Go, &e.Name, &e.Samples, &recorded)
	e.Recorded, e.Title = time.Unix(0, recorded).UTC(), e.title()
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

// Entry returns one run.
func (l *Ledger) Entry(ctx context.Context, id int64) (RecordedRun, error) {
	return l.one(ctx, fmt.Sprintf("run %d", id), "WHERE run_id = ?", id)
}

// OfCommit returns the last run of a commit, whose hash may be shortened, in a
// machine class; an empty class is any. A run of a tree that had changes counts
// only where there is no other.
func (l *Ledger) OfCommit(ctx context.Context, commit, machine string) (RecordedRun, error) {
	return l.one(ctx, "commit "+commit,
		"WHERE substr(commit_id, 1, length(?1)) = ?1 AND ?1 <> '' AND (?2 = '' OR machine = ?2) ORDER BY dirty, run_id DESC LIMIT 1", commit, machine)
}

// CompleteOfCommit returns the complete run of a commit that has the most series, and the last of
// these, of a tree without changes, in a machine class; an empty class is any. Where all are of a
// selection, the other ones are joined to it. What failed, lost results or was measured in part is no
// baseline.
func (l *Ledger) CompleteOfCommit(ctx context.Context, commit, machine string) (*bench.Run, RecordedRun, error) {
	rows, err := l.db.Reader().QueryContext(ctx, "SELECT "+entryColumns+
		" FROM bench_runs WHERE commit_id = ?1 AND dirty = 0 AND (?2 = '' OR machine = ?2) ORDER BY run_id DESC", commit, machine)
	if err != nil {
		return nil, RecordedRun{}, fmt.Errorf("commit %s: %w", commit, err)
	}
	var entries []RecordedRun
	for rows.Next() && err == nil {
		var e RecordedRun
		e, err = scanEntry(rows)
		entries = append(entries, e)
	}
	if err = errors.Join(err, rows.Err(), rows.Close()); err != nil {
		return nil, RecordedRun{}, fmt.Errorf("commit %s: %w", commit, err)
	}
	var fullest *bench.Run
	var complete []*bench.Run
	var of RecordedRun
	for _, e := range entries {
		run, err := l.Run(ctx, e.ID)
		if err != nil {
			return nil, e, err
		}
		if len(run.Incomplete()) > 0 || run.Part {
			continue
		}
		if complete = append(complete, run); fullest == nil || fullest.Selected && !run.Selected || fullest.Selected == run.Selected && len(run.Order) > len(fullest.Order) {
			fullest, of = run, e
		}
	}
	if fullest == nil {
		return nil, of, fmt.Errorf("a complete run of commit %s: %w", commit, ErrNotFound)
	}
	return bench.Joined(fullest, complete...), of, nil
}

// Latest returns the run that was recorded last.
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

// Baseline is a name for a run.
type Baseline struct {
	Name string `json:"name"`
	RecordedRun
	Updated time.Time `json:"updated"`
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

// OfBaseline returns the run that a name means.
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
	list := []Baseline{}
	for rows.Next() {
		var b Baseline
		var updated int64
		if err := rows.Scan(&b.Name, &b.ID, &updated); err != nil {
			return nil, fmt.Errorf("baselines: %w", err)
		}
		b.Updated = time.Unix(0, updated).UTC()
		list = append(list, b)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return nil, fmt.Errorf("baselines: %w", err)
	}
	for i := range list {
		if list[i].RecordedRun, err = l.Entry(ctx, list[i].ID); err != nil {
			return nil, err
		}
	}
	return list, nil
}
