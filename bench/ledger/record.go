package ledger

import (
	"bytes"
	"compress/zlib"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"sakusen/bench"
)

// Record keeps a run. It is idempotent by content: the same text of the same
// commit and machine class is kept once, and fresh is false when it was there.
func (l *Ledger) Record(ctx context.Context, run *bench.Run, origin Origin) (entry RecordedRun, fresh bool, err error) {
	entry = RecordedRun{
		Digest: run.Digest(), Name: run.Name, Machine: run.Machine(), Samples: run.Samples(), Recorded: time.Now().UTC(),
		Commit: origin.Commit, Branch: origin.Branch, Dirty: origin.Dirty, Go: origin.Go,
	}
	if !origin.Dated.IsZero() {
		entry.Recorded = origin.Dated.UTC()
	}
	packed, err := deflate(run.Raw)
	if err != nil {
		return entry, false, err
	}
	err = l.db.Write(ctx, func(tx *sql.Tx) error {
		there, err := scanEntry(tx.QueryRowContext(ctx, "SELECT "+entryColumns+
			" FROM bench_runs WHERE sha256 = ? AND commit_id = ? AND machine = ?", entry.Digest, entry.Commit, entry.Machine))
		if !errors.Is(err, sql.ErrNoRows) {
			if entry = there; err == nil && there.Branch == "" && origin.Branch != "" { // it was not known then
				entry.Branch = origin.Branch
				if err = runRows.RefuseTx(tx, "run_id = ?", there.ID); err == nil {
					_, err = tx.ExecContext(ctx, "UPDATE bench_runs SET branch = ? WHERE run_id = ?", entry.Branch, there.ID)
				}
				return errors.Join(err, runRows.Seal(tx, "run_id = ?", there.ID))
			}
			return err
		}
		fresh = true
		result, err := tx.ExecContext(ctx, `INSERT INTO bench_runs
			(sha256, commit_id, branch, dirty, machine, go_version, name, samples, recorded, raw) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			entry.Digest, entry.Commit, entry.Branch, entry.Dirty, entry.Machine, entry.Go,
			entry.Name, entry.Samples, entry.Recorded.UnixNano(), packed)
		if err != nil {
			return err
		}
		if entry.ID, err = result.LastInsertId(); err != nil {
			return err
		}
		if err := origin.keep(ctx, tx); err != nil {
			return err
		}
		entry.Title = entry.title()
		if err := runRows.Seal(tx, "run_id = ?", entry.ID); err != nil {
			return err
		}
		return writeSamples(ctx, tx, entry.ID, run)
	})
	if err != nil {
		return entry, false, fmt.Errorf("record %s: %w", run.Name, err)
	}
	return entry, fresh, nil
}

// keep writes down what is known of the commit.
func (o *Origin) keep(ctx context.Context, tx *sql.Tx) error {
	if o.Commit == "" || o.Committed.IsZero() {
		return nil
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO bench_commits (commit_id, subject, author, committed) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
		o.Commit, o.Subject, o.Author, o.Committed.UnixNano()); err != nil {
		return err
	}
	return commitRows.Seal(tx, "commit_id = ?", o.Commit)
}

func writeSamples(ctx context.Context, tx *sql.Tx, id int64, run *bench.Run) error {
	for _, s := range run.Order {
		key := []any{s.Pkg, s.Name, s.Unit, s.GOOS, s.GOARCH, s.Machine}
		if _, err := tx.ExecContext(ctx, `INSERT INTO bench_series (pkg, name, unit, goos, goarch, machine)
			VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`, key...); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO bench_samples (series_id, run_id, packed)
			SELECT series_id, ?, ? FROM bench_series
			WHERE pkg = ? AND name = ? AND unit = ? AND goos = ? AND goarch = ? AND machine = ?`,
			append([]any{id, packValues(run.Values[s])}, key...)...); err != nil {
			return err
		}
	}
	return nil
}

// Run reads a run back from its raw text.
func (l *Ledger) Run(ctx context.Context, id int64) (*bench.Run, error) {
	raw, e, err := l.raw(ctx, id)
	if err != nil {
		return nil, err
	}
	return parse(raw, e, bench.ReadOptions{})
}

// Export returns the run as benchmark text that reads back as what it is here: its
// raw text, after a line with its machine class if the text does not tell it. If
// the text tells another class than was given, its lines that do are left out.
func (l *Ledger) Export(ctx context.Context, id int64) (string, error) {
	raw, e, err := l.raw(ctx, id)
	if err != nil {
		return "", err
	}
	run, err := bench.Read(strings.NewReader(raw), e.Title, bench.ReadOptions{})
	if err != nil || run.Machine() == e.Machine {
		return raw, err
	}
	var b strings.Builder
	b.WriteString(bench.MachineKey + ": " + e.Machine + "\n")
	for line := range strings.Lines(raw) {
		if !strings.HasPrefix(line, bench.MachineKey+":") {
			b.WriteString(line)
		}
	}
	return b.String(), nil
}

// raw returns the text of a run as it was given, less what -json wrapped it in.
func (l *Ledger) raw(ctx context.Context, id int64) (string, RecordedRun, error) {
	e, err := l.Entry(ctx, id)
	if err != nil {
		return "", e, err
	}
	if err := runRows.Refuse(ctx, l.db, "run_id = ?", id); err != nil {
		return "", e, err
	}
	var packed []byte
	if err := l.db.Reader().QueryRowContext(ctx, "SELECT raw FROM bench_runs WHERE run_id = ?", id).Scan(&packed); err != nil {
		return "", e, fmt.Errorf("run %d: %w", id, err)
	}
	raw, err := inflate(packed)
	if err != nil {
		return "", e, fmt.Errorf("run %d: raw text: %w", id, err)
	}
	return raw, e, nil
}

// title returns the run for people.
func (e *RecordedRun) title() string {
	title := fmt.Sprintf("run:%d", e.ID)
	if e.Commit != "" {
		title += " " + e.Commit[:min(10, len(e.Commit))]
	}
	if e.Dirty {
		title += "-dirty"
	}
	return title
}

func deflate(text string) ([]byte, error) {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		return nil, err
	}
	err := w.Close()
	return b.Bytes(), err
}

func inflate(packed []byte) (string, error) {
	r, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(r)
	return string(text), err
}

func packValues(values []float64) []byte {
	packed := make([]byte, 0, 8*len(values))
	for _, v := range values {
		packed = binary.LittleEndian.AppendUint64(packed, math.Float64bits(v))
	}
	return packed
}

// appendValues appends packed values to values.
func appendValues(values []float64, packed []byte) ([]float64, error) {
	if len(packed)%8 != 0 {
		return nil, fmt.Errorf("expected a multiple of 8 bytes of values, got %d", len(packed))
	}
	for ; len(packed) > 0; packed = packed[8:] {
		values = append(values, math.Float64frombits(binary.LittleEndian.Uint64(packed)))
	}
	return values, nil
}

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
		if _, err = tx.ExecContext(ctx, "DELETE FROM bench_commits WHERE commit_id NOT IN (SELECT commit_id FROM bench_runs)"); err != nil {
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
