package goptunadb

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/c-bata/goptuna"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/store/sqlitedb"
)

// axis is a parameter's name with its distribution, one of goptuna's, by value.
type axis struct {
	name         string
	distribution any
}

// axisRow finds or adds the row of an axis.
func axisRow(c *sqlitedb.Change, name string, distribution any) (id int64, err error) {
	text, err := goptuna.DistributionToJSON(distribution)
	if err == nil {
		err = c.Tx.QueryRow("SELECT axis_id FROM sakusen_axes WHERE name = ? AND distribution = ?", name, string(text)).Scan(&id)
	}
	if errors.Is(err, sql.ErrNoRows) {
		id, err = axisRows.Insert(c, "axis_id = ?", nil, "name, distribution", name, string(text))
	}
	if err != nil {
		return 0, fmt.Errorf("parameter %q: distribution %#v: %w", name, distribution, err)
	}
	return id, nil
}

// axes returns the axes of some trials, by the ids of their rows.
func axes(tx *sql.Tx, of string, span []any) (map[int64]axis, error) {
	out := map[int64]axis{}
	query := "SELECT axis_id, name, distribution FROM sakusen_axes WHERE axis_id IN (SELECT p.axis_id FROM sakusen_trial_params p" + of + ")"
	err := sqlitedb.EachRow(tx, query, span, func(rows *sql.Rows) (err error) {
		var id int64
		var a axis
		var text string
		if err := rows.Scan(&id, &a.name, &text); err != nil {
			return err
		}
		a.distribution, err = decode(text)
		out[id] = a
		return err
	})
	return out, err
}

// decode reads what goptuna.DistributionToJSON has written, exactly. Goptuna's own
// decoder takes every number through float64, and so cannot read integer bounds
// beyond 2^53.
func decode(text string) (any, error) {
	var outer struct {
		Name  string          `json:"name"`
		Attrs json.RawMessage `json:"attributes"`
	}
	if err := json.Unmarshal([]byte(text), &outer); err != nil {
		return nil, fmt.Errorf("distribution %q: %w", text, err)
	}
	switch outer.Name {
	case goptuna.UniformDistributionName:
		return decodeAs[goptuna.UniformDistribution](outer.Attrs)
	case goptuna.LogUniformDistributionName:
		return decodeAs[goptuna.LogUniformDistribution](outer.Attrs)
	case goptuna.IntUniformDistributionName:
		return decodeAs[goptuna.IntUniformDistribution](outer.Attrs)
	case goptuna.StepIntUniformDistributionName:
		return decodeAs[goptuna.StepIntUniformDistribution](outer.Attrs)
	case goptuna.DiscreteUniformDistributionName:
		return decodeAs[goptuna.DiscreteUniformDistribution](outer.Attrs)
	case goptuna.CategoricalDistributionName:
		return decodeAs[goptuna.CategoricalDistribution](outer.Attrs)
	}
	return nil, fmt.Errorf("distribution %q: %w", text, goptuna.ErrUnknownDistribution)
}

func decodeAs[D any](attrs json.RawMessage) (any, error) {
	var d D
	if err := json.Unmarshal(attrs, &d); err != nil {
		return nil, fmt.Errorf("distribution attributes %q: %w", attrs, err)
	}
	return d, nil
}

// external returns a parameter's value as the user knows it. An index outside the
// choices of a categorical is an error; goptuna would panic.
func external(distribution any, internal float64) (any, error) {
	if c, ok := distribution.(goptuna.CategoricalDistribution); ok {
		if i := int(internal); i < 0 || i >= len(c.Choices) {
			return nil, fmt.Errorf("categorical: expected an index below %d, got %v", len(c.Choices), internal)
		}
	}
	return goptuna.ToExternalRepresentation(distribution, internal)
}

// nextNumber returns the number of the next trial of a study.
func nextNumber(c *sqlitedb.Change, study int) (number int, err error) {
	err = c.Tx.QueryRow("SELECT coalesce(max(number) + 1, 0) FROM sakusen_trials WHERE study_id = ?", study).Scan(&number)
	return number, err
}

// createTrial adds a running trial, whose number must be the next one, and
// returns its id.
func createTrial(c *sqlitedb.Change, study, number int) (int, error) {
	id, err := trialRows.Insert(c, "trial_id = ?", nil, "study_id, number, state, started", study, number, int(goptuna.TrialStateRunning), c.Now().UnixNano())
	if err != nil {
		return -1, fmt.Errorf("create trial %d: %w", number, err)
	}
	return int(id), nil
}

// setParam gives a parameter of a trial, which has none of the name, its
// internal value and its axis.
func setParam(c *sqlitedb.Change, id int, name string, internal float64, axis int64) error {
	internal, err := finite(internal, "parameter %q of trial %d", name, id)
	if err != nil {
		return err
	}
	return set(c, id, "INSERT INTO sakusen_trial_params (trial_id, axis_id, value, sum) VALUES (?1, ?2, ?3, seal(?1, ?2, ?3))", id, axis, internal)
}

// addParam does what setParam does, with a distribution, one of goptuna's by value.
func addParam(c *sqlitedb.Change, id int, name string, internal float64, distribution any) error {
	if _, err := finite(internal, "parameter %q of trial %d", name, id); err != nil {
		return err
	}
	if _, err := external(distribution, internal); err != nil {
		return fmt.Errorf("trial %d: parameter %q: %w", id, name, err)
	}
	axis, err := axisRow(c, name, distribution)
	if err != nil {
		return err
	}
	return setParam(c, id, name, internal, axis)
}

// paramOf reads what a trial has for a parameter, or sql.ErrNoRows.
func paramOf(tx *sql.Tx, id int, name string) (internal float64, distribution string, err error) {
	err = tx.QueryRow("SELECT p.value, a.distribution FROM sakusen_trial_params p JOIN sakusen_axes a USING (axis_id) WHERE p.trial_id = ? AND a.name = ?", id, name).
		Scan(&internal, &distribution)
	return internal, distribution, err
}

// setAttr sets an attribute of a trial.
func setAttr(c *sqlitedb.Change, id int, owner Owner, key, value string) error {
	return set(c, id, "INSERT OR REPLACE INTO sakusen_trial_attrs (trial_id, owner, key, value, sum) VALUES (?1, ?2, ?3, ?4, seal(?1, ?2, ?3, ?4))", id, string(owner), key, value)
}

// setStep sets the value of a trial at a step that has none.
func setStep(c *sqlitedb.Change, id, step int, value float64) error {
	value, err := finite(value, "value at step %d of trial %d", step, id)
	if err != nil {
		return err
	}
	return set(c, id, "INSERT INTO sakusen_trial_values (trial_id, step, value, sum) VALUES (?1, ?2, ?3, seal(?1, ?2, ?3))", id, step, value)
}

// setValue sets the value of a trial.
func setValue(c *sqlitedb.Change, id int, value float64) error {
	value, err := finite(value, "value of trial %d", id)
	if err != nil {
		return err
	}
	return setTrial(c, id, "value = ?", value)
}

// setState moves a trial to a state, and notes when it was finished.
func setState(c *sqlitedb.Change, id int, state goptuna.TrialState) error {
	if state < goptuna.TrialStateRunning || state > goptuna.TrialStateWaiting {
		return fmt.Errorf("trial state: expected 0 to 4, got %d", int(state))
	}
	var completed any
	if state.IsFinished() {
		completed = c.Now().UnixNano()
	}
	return setTrial(c, id, "state = ?, completed = coalesce(?, completed)", int(state), completed)
}

// setTrial changes columns of a trial, whose row must be what was written.
func setTrial(c *sqlitedb.Change, id int, columns string, args ...any) error {
	if _, err := trialRows.Update(c, "trial_id = ?", []any{id}, columns, args...); err != nil {
		return fmt.Errorf("trial %d: %w", id, err)
	}
	return nil
}

func set(c *sqlitedb.Change, id int, query string, args ...any) error {
	if _, err := c.Exec(query, args...); err != nil {
		return fmt.Errorf("trial %d: %w", id, err)
	}
	return nil
}

// fill gives a running trial, which has nothing yet, the content of base, except
// its ids and external values. Every parameter must have a distribution, and all
// numbers must be finite.
func fill(c *sqlitedb.Change, id int, base *goptuna.FrozenTrial) error {
	if len(base.InternalParams) != len(base.Distributions) {
		return fmt.Errorf("trial to clone: expected as many parameters as distributions, got %d and %d", len(base.InternalParams), len(base.Distributions))
	}
	for name, internal := range base.InternalParams {
		distribution, ok := base.Distributions[name]
		if !ok {
			return fmt.Errorf("trial to clone: parameter %q has no distribution", name)
		}
		if err := addParam(c, id, name, internal, distribution); err != nil {
			return err
		}
	}
	for step, value := range base.IntermediateValues {
		if err := setStep(c, id, step, value); err != nil {
			return err
		}
	}
	for _, owner := range []Owner{User, System} {
		for key, value := range attrs(base, owner) {
			if err := setAttr(c, id, owner, key, value); err != nil {
				return err
			}
		}
	}
	if base.State.IsFinished() || base.Value != 0 {
		if err := setValue(c, id, base.Value); err != nil {
			return err
		}
	}
	return errors.Join(setState(c, id, base.State),
		setTrial(c, id, "started = ?, completed = ?", nanos(base.DatetimeStart), nanos(base.DatetimeComplete)))
}

// nanos returns a time as it is stored, NULL for the zero time.
func nanos(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixNano()
}

// Writer writes what the loop says about a study's trials, inside a change of
// its owner, such as that of a log entry. It implements tuner.Trials.
type Writer struct {
	*sqlitedb.Change
	study int
	axes  Axes
	seen  map[int]*trialRow // what this change has looked at or created, by number
	next  int               // number of the next trial, -1 while it is not known
}

var _ tuner.Trials = (*Writer)(nil)

// Axes are the parameters that a study has written. Kept beyond a change, each is
// looked up once for a study; after a change that failed they must be cleared,
// since the rows that they name may be gone.
type Axes map[*tuner.Dimension]knownAxis

// knownAxis is a parameter as goptuna and the file know it.
type knownAxis struct {
	distribution goptuna.Distribution
	row          int64
}

// trialRow is a trial inside a change.
type trialRow struct {
	id    int
	state entry.TrialState
}

// states are the loop's states by goptuna's.
var states = map[goptuna.TrialState]entry.TrialState{
	goptuna.TrialStateRunning:  entry.TrialRunning,
	goptuna.TrialStateComplete: entry.TrialComplete,
	goptuna.TrialStatePruned:   entry.TrialPruned,
	goptuna.TrialStateFail:     entry.TrialFailed,
}

// NewWriter writes the trials of a study in a change.
func NewWriter(c *sqlitedb.Change, study int, axes Axes) *Writer {
	return &Writer{Change: c, study: study, axes: axes, seen: map[int]*trialRow{}, next: -1}
}

// Create implements tuner.Trials.
func (w *Writer) Create(number int) (err error) {
	if w.next < 0 {
		if w.next, err = nextNumber(w.Change, w.study); err != nil {
			return err
		}
	}
	if number != w.next {
		return fmt.Errorf("create trial %d: expected %d, the next number", number, w.next)
	}
	id, err := createTrial(w.Change, w.study, number)
	if err != nil {
		return err
	}
	w.seen[number] = &trialRow{id, entry.TrialRunning}
	w.next++
	return nil
}

// SetParam implements tuner.Trials.
func (w *Writer) SetParam(number int, d *tuner.Dimension, text string) error {
	row, err := w.open(number)
	if err != nil {
		return err
	}
	a, ok := w.axes[d]
	if !ok {
		a.distribution = d.Distribution(false)
		if a.row, err = axisRow(w.Change, d.Name, d.ByValue(false)); err != nil {
			return err
		}
		w.axes[d] = a
	}
	internal, err := d.Internal(a.distribution, text)
	if err != nil {
		return err
	}
	return setParam(w.Change, row.id, d.Name, internal, a.row)
}

// SetAttr implements tuner.Trials.
func (w *Writer) SetAttr(number int, key, text string) error {
	return w.edit(number, func(id int) error { return setAttr(w.Change, id, System, key, text) })
}

// SetNote implements tuner.Trials.
func (w *Writer) SetNote(number int, key, text string) error {
	return w.edit(number, func(id int) error { return setAttr(w.Change, id, User, key, text) })
}

// Report implements tuner.Trials.
func (w *Writer) Report(number int, blocks int64, value float64) error {
	return w.edit(number, func(id int) error { return setStep(w.Change, id, int(blocks), value) })
}

// SetValue implements tuner.Trials.
func (w *Writer) SetValue(number int, value float64) error {
	return w.edit(number, func(id int) error { return setValue(w.Change, id, value) })
}

// SetState implements tuner.Trials.
func (w *Writer) SetState(number int, state entry.TrialState) error {
	for theirs, ours := range states {
		if ours == state {
			return w.edit(number, func(id int) error {
				w.seen[number].state = state
				return setState(w.Change, id, theirs)
			})
		}
	}
	return fmt.Errorf("trial %d: state: expected running, complete, pruned or fail, got %q", number, state)
}

// State implements tuner.Trials.
func (w *Writer) State(number int) (entry.TrialState, error) {
	row, err := w.row(number)
	if err != nil {
		return "", err
	}
	return row.state, nil
}

func (w *Writer) edit(number int, do func(id int) error) error {
	row, err := w.open(number)
	if err != nil {
		return err
	}
	return do(row.id)
}

// open returns a trial that may still change.
func (w *Writer) open(number int) (*trialRow, error) {
	row, err := w.row(number)
	if err == nil && row.state.Finished() {
		err = fmt.Errorf("trial %d is %s: %w", number, row.state, goptuna.ErrTrialCannotBeUpdated)
	}
	return row, err
}

func (w *Writer) row(number int) (*trialRow, error) {
	if row, ok := w.seen[number]; ok {
		return row, nil
	}
	var id int
	var state goptuna.TrialState
	err := w.Tx.QueryRow("SELECT trial_id, state FROM sakusen_trials WHERE study_id = ? AND number = ?", w.study, number).Scan(&id, &state)
	if errors.Is(err, sql.ErrNoRows) {
		err = goptuna.ErrInvalidTrialID
	}
	if err != nil {
		return nil, fmt.Errorf("trial %d: %w", number, err)
	}
	w.seen[number] = &trialRow{id, states[state]}
	return w.seen[number], nil
}
