package store

import (
	"fmt"

	"github.com/c-bata/goptuna"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/sqlitedb"
	"sakusen/tuner/store/rows"
)

// trials writes what the loop says about a study's trials, inside the change of
// an entry. It implements tuner.Trials.
type trials struct {
	*sqlitedb.Change
	study int
	axes  map[*tuner.Dimension]axis
	seen  map[int]*trialRow // what this change has looked at or created, by number
	next  int               // number of the next trial, -1 while it is not known
}

// trialRow is a trial inside a change.
type trialRow struct {
	id    int
	state entry.TrialState
}

// axis is a dimension as goptuna and the file know it.
type axis struct {
	distribution goptuna.Distribution
	row          int64
}

// states are the loop's states in goptuna's vocabulary.
var states = map[entry.TrialState]goptuna.TrialState{
	entry.TrialRunning:  goptuna.TrialStateRunning,
	entry.TrialComplete: goptuna.TrialStateComplete,
	entry.TrialPruned:   goptuna.TrialStatePruned,
	entry.TrialFailed:   goptuna.TrialStateFail,
}

// trialsOf writes the trials of a study. The axes are kept beyond the change, so
// that a distribution is looked up once for each parameter of a study.
func trialsOf(c *sqlitedb.Change, study int, axes map[*tuner.Dimension]axis) *trials {
	return &trials{Change: c, study: study, axes: axes, seen: map[int]*trialRow{}, next: -1}
}

// Create implements tuner.Trials.
func (t *trials) Create(number int) (err error) {
	if t.next < 0 {
		if t.next, err = rows.NextNumber(t.Change, t.study); err != nil {
			return err
		}
	}
	if number != t.next {
		return fmt.Errorf("create trial %d: expected %d, the next number", number, t.next)
	}
	id, err := rows.CreateTrial(t.Change, t.study, number)
	if err != nil {
		return err
	}
	t.seen[number] = &trialRow{id, entry.TrialRunning}
	t.next++
	return nil
}

// SetParam implements tuner.Trials.
func (t *trials) SetParam(number int, d *tuner.Dimension, text string) error {
	row, err := t.open(number)
	if err != nil {
		return err
	}
	a, ok := t.axes[d]
	if !ok {
		a.distribution = d.Distribution(false)
		if a.row, err = rows.Distribution(t.Change, d.ByValue(false)); err != nil {
			return err
		}
		t.axes[d] = a
	}
	internal, err := d.Internal(a.distribution, text)
	if err != nil {
		return err
	}
	return rows.SetParam(t.Change, row.id, d.Name, internal, a.row)
}

// SetAttr implements tuner.Trials.
func (t *trials) SetAttr(number int, key, text string) error {
	return t.edit(number, func(id int) error { return rows.SetAttr(t.Change, id, rows.System, key, text) })
}

// SetNote implements tuner.Trials.
func (t *trials) SetNote(number int, key, text string) error {
	return t.edit(number, func(id int) error { return rows.SetAttr(t.Change, id, rows.User, key, text) })
}

// Report implements tuner.Trials.
func (t *trials) Report(number int, blocks int64, value float64) error {
	return t.edit(number, func(id int) error { return rows.SetStep(t.Change, id, int(blocks), value) })
}

// SetValue implements tuner.Trials.
func (t *trials) SetValue(number int, value float64) error {
	return t.edit(number, func(id int) error { return rows.SetValue(t.Change, id, value) })
}

// SetState implements tuner.Trials.
func (t *trials) SetState(number int, state entry.TrialState) error {
	theirs, ok := states[state]
	if !ok {
		return fmt.Errorf("trial %d: state: expected running, complete, pruned or fail, got %q", number, state)
	}
	return t.edit(number, func(id int) error {
		t.seen[number].state = state
		return rows.SetState(t.Change, id, theirs)
	})
}

// State implements tuner.Trials.
func (t *trials) State(number int) (entry.TrialState, error) {
	row, err := t.row(number)
	if err != nil {
		return "", err
	}
	return row.state, nil
}

func (t *trials) edit(number int, do func(id int) error) error {
	row, err := t.open(number)
	if err != nil {
		return err
	}
	return do(row.id)
}

// open is a trial that may still change.
func (t *trials) open(number int) (*trialRow, error) {
	row, err := t.row(number)
	if err == nil && row.state.Finished() {
		err = fmt.Errorf("trial %d is %s: %w", number, row.state, goptuna.ErrTrialCannotBeUpdated)
	}
	return row, err
}

func (t *trials) row(number int) (*trialRow, error) {
	if row, ok := t.seen[number]; ok {
		return row, nil
	}
	id, theirs, err := rows.Find(t.Change, t.study, number)
	if err != nil {
		return nil, fmt.Errorf("trial %d: %w", number, err)
	}
	row := &trialRow{id: id}
	for ours, state := range states {
		if state == theirs {
			row.state = ours
		}
	}
	t.seen[number] = row
	return row, nil
}
