package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sakusen/bench"
	"sakusen/tuner/store/sqlitedb"
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
		problem, err := e.check(ctx, l.db)
		if err != nil {
			return nil, fmt.Errorf("check of run %d: %w", e.ID, err)
		}
		if problem != "" {
			found = append(found, fmt.Sprintf("benchmarks: run %d: %s", e.ID, problem))
		}
	}
	return found, nil
}

// check reports what is wrong with a run; nothing if the run was deleted in the meantime.
func (e RecordedRun) check(ctx context.Context, db *sqlitedb.DB) (problem string, err error) {
	var packed []byte
	err = db.Reader().QueryRowContext(ctx, "SELECT raw FROM bench_runs WHERE run_id = ?", e.ID).Scan(&packed)
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
	if got := (&bench.Run{Raw: raw}).Digest(); got != e.Digest {
		return fmt.Sprintf("its raw text has the sha256 %.12s, expected %.12s", got, e.Digest), nil
	}
	run, err := parse(raw, e, bench.ReadOptions{})
	if err == nil {
		problem, err = e.checkValues(ctx, db, run)
	}
	if err != nil || problem == "" {
		return problem, err
	}
	// What was recorded by a version that told no headers from what benchmarks print is sound
	// if it is what that version read.
	run, err = parse(raw, e, bench.ReadOptions{Literal: true})
	if err == nil {
		if before, err := e.checkValues(ctx, db, run); err != nil || before == "" {
			return "", err
		}
	}
	return problem, nil
}

// checkValues reports where what is recorded of a run are not the values of its text.
func (e RecordedRun) checkValues(ctx context.Context, db *sqlitedb.DB, run *bench.Run) (string, error) {
	if got := run.Samples(); got != e.Samples {
		return fmt.Sprintf("its raw text has %d samples, expected %d", got, e.Samples), nil
	}
	rows, err := db.Reader().QueryContext(ctx, `SELECT pkg, name, unit, goos, goarch, machine, packed
		FROM bench_samples JOIN bench_series USING (series_id) WHERE run_id = ?`, e.ID)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	left := len(run.Values)
	var packed []byte
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
func parse(raw string, e RecordedRun, o bench.ReadOptions) (*bench.Run, error) {
	run, err := bench.Read(strings.NewReader(raw), e.Title, o)
	if err == nil && run.Machine() != e.Machine { // the class was given, not read
		o.Machine = e.Machine
		return bench.Read(strings.NewReader(raw), e.Title, o)
	}
	return run, err
}

// The tables whose rows carry a hash; the raw text of a run has its own,
// and its values are compared with it.
var (
	runRows = sqlitedb.Sealed{
		Table: "bench_runs", Columns: "run_id, sha256, commit_id, branch, dirty, machine, go_version, name, samples, recorded",
		Name: "'benchmarks: run ' || run_id",
	}
	baselineRows = sqlitedb.Sealed{Table: "bench_baselines", Columns: "name, run_id, updated", Name: "'benchmarks: baseline ' || name"}
	acceptRows   = sqlitedb.Sealed{
		Table: "bench_accepts", Columns: "accept_id, pkg, name, unit, run_id, reason, accepted",
		Name: "'benchmarks: accepted change ' || accept_id",
	}
	commitRows = sqlitedb.Sealed{Table: "bench_commits", Columns: "commit_id, subject, author, committed", Name: "'benchmarks: commit ' || commit_id"}
	causeRows  = sqlitedb.Sealed{
		Table: "bench_causes", Columns: "run_id, position, against, pkg, name, kind, old_file, new_file, functions",
		Name: "'benchmarks: cause ' || position || ' of run ' || run_id",
	}
)

// complaintsMost bounds what Check lists of each table.
const complaintsMost = 20

// checkRows lists the tables that were changed and the rows that are not what was written.
func (l *Ledger) checkRows(ctx context.Context) (complaints []string, err error) {
	if complaints, err = l.db.CheckSchema(ctx, SeriesName, schema); err != nil {
		return nil, err
	}
	tables := []sqlitedb.Sealed{runRows, baselineRows, acceptRows, causeRows}
	if l.commits {
		found, err := l.db.CheckSchema(ctx, commitSeries, commitSchema)
		if err != nil || len(found) > 0 {
			return append(complaints, found...), err
		}
		tables = append(tables, commitRows)
	}
	for _, table := range tables {
		found, err := table.Check(ctx, l.db, complaintsMost, "TRUE")
		if err != nil {
			return nil, err
		}
		complaints = append(complaints, found...)
	}
	return complaints, nil
}

// RecordedCause is a cause with the run that lost or gained.
type RecordedCause struct {
	Run     int64  `json:"run"`
	Commit  string `json:"commit"`
	Branch  string `json:"branch"`
	Against string `json:"against"` // commit of the old side, "" if unknown
	bench.Cause
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

// Causes returns those of a benchmark, of the last runs that have some, the latest run
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
	out := []RecordedCause{}
	for rows.Next() {
		c := RecordedCause{Cause: bench.Cause{Pkg: pkg, Name: name}}
		var functions string
		e, err := scanEntry(after{rows, []any{&c.Against, &c.Kind, &c.Files[0], &c.Files[1], &functions}})
		if c.Run, c.Commit, c.Branch = e.ID, e.Commit, e.Branch; err == nil {
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
