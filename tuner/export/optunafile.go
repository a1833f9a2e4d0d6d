package export

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/c-bata/goptuna"

	"sakusen/tuner/store/sqlitedb"
)

// WriteOptunaJSON writes the trials as a list, one after another: a hundred thousand at
// once took 800 MB.
func WriteOptunaJSON(w io.Writer, s *OptunaStudy, trials iter.Seq2[goptuna.FrozenTrial, error]) error {
	described := describeAll(s.Space)
	before := "["
	err := s.each(trials, described, func(o *trial) error {
		text, err := json.Marshal(o)
		if err == nil {
			_, err = fmt.Fprintf(w, "%s%s", before, text)
		}
		before = ","
		return err
	})
	if err != nil {
		return err
	}
	if before == "[" {
		before = "[]"
	} else {
		before = "]"
	}
	_, err = fmt.Fprintln(w, before)
	return err
}

// each hands over the trials as Optuna has them, one after another.
func (s *OptunaStudy) each(trials iter.Seq2[goptuna.FrozenTrial, error], described map[string]distribution, do func(*trial) error) error {
	for t, err := range trials {
		if err != nil {
			return err
		}
		o, err := s.trial(&t, described)
		if err != nil {
			return err
		}
		if err := do(o); err != nil {
			return fmt.Errorf("trial %d: %w", t.Number, err)
		}
	}
	return nil
}

//go:embed schema.sql
var schema string

// WriteOptunaDatabase makes a file at path, where none may be, with Optuna's tables and
// one study in them. Of an error a part of a file may be left.
func WriteOptunaDatabase(ctx context.Context, path string, s *OptunaStudy, trials iter.Seq2[goptuna.FrozenTrial, error]) error {
	db, err := sqlitedb.CreatePlain(path)
	if err != nil {
		return err
	}
	defer db.Close()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, schema); err != nil {
		return err
	}
	f := &filler{ctx: ctx, tx: tx, prepared: map[string]*sql.Stmt{}}
	f.study(s)
	described, distributions := describeAll(s.Space), map[string]string{}
	for name, d := range described {
		distributions[name] = f.json(d)
	}
	err = s.each(trials, described, func(o *trial) error {
		f.trial(o, distributions)
		return f.err
	})
	if err = cmp.Or(err, f.err); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return db.Close()
}

// filler writes rows until the first error.
type filler struct {
	ctx      context.Context
	tx       *sql.Tx
	prepared map[string]*sql.Stmt
	err      error
}

// row inserts a row, whose first column numbers itself, and returns its number.
func (f *filler) row(table, columns string, values ...any) int64 {
	if f.err != nil {
		return 0
	}
	insert := f.prepared[table]
	if insert == nil {
		marks := strings.TrimSuffix(strings.Repeat("?, ", len(values)), ", ")
		insert, f.err = f.tx.PrepareContext(f.ctx, fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", table, columns, marks))
		if f.err != nil {
			return 0
		}
		f.prepared[table] = insert
	}
	done, err := insert.ExecContext(f.ctx, values...)
	if err != nil {
		f.err = fmt.Errorf("%s: %w", table, err)
		return 0
	}
	id, _ := done.LastInsertId() // go-sqlite3 always knows it
	return id
}

func (f *filler) json(v any) string {
	text, err := json.Marshal(v)
	if err != nil && f.err == nil {
		f.err = err
	}
	return string(text)
}

func (f *filler) study(s *OptunaStudy) {
	f.row("studies", "study_id, study_name", 1, s.Name)
	for i, d := range s.Directions {
		f.row("study_directions", "direction, study_id, objective", strings.ToUpper(d), 1, i)
	}
	for _, key := range names(s.Attrs) {
		f.row("study_user_attributes", `study_id, "key", value_json`, 1, key, f.json(s.Attrs[key]))
	}
	f.row("study_system_attributes", `study_id, "key", value_json`, 1, "study:metric_names", f.json(s.Objectives))
}

func (f *filler) trial(o *trial, distributions map[string]string) {
	id := f.row("trials", "number, study_id, state, datetime_start, datetime_complete", o.Number, 1, o.State, stored(o.Start), stored(o.Complete))
	for _, name := range names(o.internal) {
		f.row("trial_params", "trial_id, param_name, param_value, distribution_json", id, name, o.internal[name], distributions[name])
	}
	values := o.Values
	if o.Value != nil {
		values = []pythonFloat{*o.Value}
	}
	for i, x := range values {
		f.row("trial_values", "trial_id, objective, value, value_type", id, i, float64(x), "FINITE")
	}
	for _, step := range slices.Sorted(maps.Keys(o.Intermediate)) {
		f.row("trial_intermediate_values", "trial_id, step, intermediate_value, intermediate_value_type", id, step, float64(o.Intermediate[step]), "FINITE")
	}
	for _, key := range names(o.UserAttrs) {
		f.row("trial_user_attributes", `trial_id, "key", value_json`, id, key, f.json(o.UserAttrs[key]))
	}
	for _, key := range names(o.SystemAttrs) {
		f.row("trial_system_attributes", `trial_id, "key", value_json`, id, key, f.json(o.SystemAttrs[key]))
	}
}

// stored returns a time as Optuna stores it: in UTC, without saying so.
func stored(m *moment) any {
	if m == nil {
		return nil
	}
	return time.Time(*m).UTC().Format("2006-01-02 15:04:05.000000")
}
