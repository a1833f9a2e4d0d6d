package goptunadb

import (
	"database/sql"
	"errors"
	"fmt"

	"github.com/c-bata/goptuna"

	"sakusen/tuner/store/sqlitedb"
)

// CreateNewTrial adds a running trial and returns its id. Ids are unique in
// the file and never used again; numbers count from 0 in each study.
func (s *Storage) CreateNewTrial(study int) (int, error) {
	return s.create(study, func(*sqlitedb.Change, int) error { return nil })
}

// create adds a running trial and does something more to it.
func (s *Storage) create(study int, more func(c *sqlitedb.Change, trial int) error) (id int, err error) {
	err = s.write(func(c *sqlitedb.Change) error {
		if err := own(c.Tx, study); err != nil {
			return err
		}
		number, err := nextNumber(c, study)
		if err != nil {
			return err
		}
		if id, err = createTrial(c, study, number); err != nil {
			return err
		}
		return more(c, id)
	})
	if err != nil {
		return -1, err
	}
	return id, nil
}

// CloneTrial adds a trial with the content of base, except its ids. External
// values are derived from the internal ones; both maps and the distributions
// must have the same names, and all numbers must be finite.
func (s *Storage) CloneTrial(study int, base goptuna.FrozenTrial) (int, error) {
	return s.create(study, func(c *sqlitedb.Change, trial int) error { return fill(c, trial, &base) })
}

// update changes a trial that is not finished.
func (s *Storage) update(trial int, edit func(c *sqlitedb.Change) error) error {
	return s.write(func(c *sqlitedb.Change) error {
		var state goptuna.TrialState
		var logged bool
		err := c.Tx.QueryRow("SELECT state, EXISTS (SELECT 1 FROM study_records r WHERE r.study_id = t.study_id) FROM sakusen_trials t WHERE trial_id = ?", trial).Scan(&state, &logged)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return goptuna.ErrInvalidTrialID
		case err != nil:
			return fmt.Errorf("trial %d: %w", trial, err)
		case logged:
			return ErrHasLog
		case state.IsFinished():
			return goptuna.ErrTrialCannotBeUpdated
		}
		return edit(c)
	})
}

// SetTrialValue sets the value of a trial that is not finished; NaN and
// infinities are a [*NotFiniteError].
func (s *Storage) SetTrialValue(trial int, value float64) error {
	return s.update(trial, func(c *sqlitedb.Change) error { return setValue(c, trial, value) })
}

// SetTrialIntermediateValue sets the value of a step; a second value for the
// step is [ErrStepExists], NaN and infinities are a [*NotFiniteError].
func (s *Storage) SetTrialIntermediateValue(trial, step int, value float64) error {
	return s.update(trial, func(c *sqlitedb.Change) error {
		var there bool
		if err := c.Tx.QueryRow("SELECT EXISTS (SELECT 1 FROM sakusen_trial_values WHERE trial_id = ? AND step = ?)", trial, step).Scan(&there); err != nil {
			return err
		}
		if there {
			return fmt.Errorf("trial %d: step %d: %w", trial, step, ErrStepExists)
		}
		return setStep(c, trial, step, value)
	})
}

// SetTrialParam sets a parameter. Setting it again to the same changes
// nothing; to anything else is [ErrParamExists].
func (s *Storage) SetTrialParam(trial int, name string, internal float64, distribution any) error {
	return s.update(trial, func(c *sqlitedb.Change) error {
		was, now, err := paramOf(c.Tx, trial, name)
		if errors.Is(err, sql.ErrNoRows) {
			return addParam(c, trial, name, internal, distribution)
		}
		if err != nil {
			return fmt.Errorf("trial %d: parameter %q: %w", trial, name, err)
		}
		if text, err := goptuna.DistributionToJSON(distribution); err != nil || was != internal || now != string(text) {
			return errors.Join(err, fmt.Errorf("trial %d: %q: %w", trial, name, ErrParamExists))
		}
		return nil
	})
}

// SetTrialState moves a trial that is not finished to another state, and
// notes when it was finished.
func (s *Storage) SetTrialState(trial int, state goptuna.TrialState) error {
	return s.update(trial, func(c *sqlitedb.Change) error { return setState(c, trial, state) })
}

// SetTrialUserAttr sets an attribute of the user.
func (s *Storage) SetTrialUserAttr(trial int, key, value string) error {
	return s.update(trial, func(c *sqlitedb.Change) error { return setAttr(c, trial, User, key, value) })
}

// SetTrialSystemAttr sets an attribute of the system.
func (s *Storage) SetTrialSystemAttr(trial int, key, value string) error {
	return s.update(trial, func(c *sqlitedb.Change) error { return setAttr(c, trial, System, key, value) })
}
