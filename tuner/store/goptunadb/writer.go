package goptunadb

import (
	"database/sql"
	"errors"
	"fmt"

	"github.com/c-bata/goptuna"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/store/sqlitedb"
)

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
