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
func (s *trials) CreateNewTrial(study int) (int, error) {
	return s.create(study, func(*sqlitedb.Change, int) error { return nil })
}

// create adds a running trial and does something more to it.
func (s *trials) create(study int, more func(c *sqlitedb.Change, trial int) error) (id int, err error) {
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
func (s *trials) CloneTrial(study int, base goptuna.FrozenTrial) (int, error) {
	return s.create(study, func(c *sqlitedb.Change, trial int) error { return fill(c, trial, &base) })
}

// update changes a trial that is not finished.
func (s *trials) update(trial int, edit func(c *sqlitedb.Change) error) error {
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
func (s *trials) SetTrialValue(trial int, value float64) error {
	return s.update(trial, func(c *sqlitedb.Change) error { return setValue(c, trial, value) })
}

// SetTrialIntermediateValue sets the value of a step; a second value for the
// step is [ErrStepExists], NaN and infinities are a [*NotFiniteError].
func (s *trials) SetTrialIntermediateValue(trial, step int, value float64) error {
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
func (s *trials) SetTrialParam(trial int, name string, internal float64, distribution any) error {
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
func (s *trials) SetTrialState(trial int, state goptuna.TrialState) error {
	return s.update(trial, func(c *sqlitedb.Change) error { return setState(c, trial, state) })
}

// SetTrialUserAttr sets an attribute of the user.
func (s *trials) SetTrialUserAttr(trial int, key, value string) error {
	return s.update(trial, func(c *sqlitedb.Change) error { return setAttr(c, trial, User, key, value) })
}

// SetTrialSystemAttr sets an attribute of the system.
func (s *trials) SetTrialSystemAttr(trial int, key, value string) error {
	return s.update(trial, func(c *sqlitedb.Change) error { return setAttr(c, trial, System, key, value) })
}

// GetTrial returns a trial; an id that is not there is goptuna.ErrInvalidTrialID.
func (s *trials) GetTrial(trial int) (out goptuna.FrozenTrial, err error) {
	err = s.read(func(tx *sql.Tx) error {
		var study, number int
		err := tx.QueryRow("SELECT study_id, number FROM sakusen_trials WHERE trial_id = ?", trial).Scan(&study, &number)
		if errors.Is(err, sql.ErrNoRows) {
			return goptuna.ErrInvalidTrialID
		}
		if err != nil {
			return err
		}
		found, err := Trials(tx, study, number, 1)
		if err != nil || len(found) != 1 {
			return fmt.Errorf("trial %d: found %d: %w", trial, len(found), err)
		}
		out = found[0]
		return nil
	})
	return out, err
}

// GetTrialNumberFromID returns a trial's number, counted from 0 in its study.
func (s *trials) GetTrialNumberFromID(trial int) (int, error) {
	t, err := s.GetTrial(trial)
	return t.Number, err
}

// GetTrialParam returns the internal value of a parameter, or
// [ErrParamNotFound].
func (s *trials) GetTrialParam(trial int, name string) (float64, error) {
	t, err := s.GetTrial(trial)
	if err != nil {
		return -1, err
	}
	internal, ok := t.InternalParams[name]
	if !ok {
		return -1, fmt.Errorf("trial %d: %q: %w", trial, name, ErrParamNotFound)
	}
	return internal, nil
}

// GetTrialParams returns the external values.
func (s *trials) GetTrialParams(trial int) (map[string]any, error) {
	t, err := s.GetTrial(trial)
	return t.Params, err
}

// GetTrialUserAttrs returns the user's attributes.
func (s *trials) GetTrialUserAttrs(trial int) (map[string]string, error) {
	t, err := s.GetTrial(trial)
	return t.UserAttrs, err
}

// GetTrialSystemAttrs returns the system's attributes.
func (s *trials) GetTrialSystemAttrs(trial int) (map[string]string, error) {
	t, err := s.GetTrial(trial)
	return t.SystemAttrs, err
}

// GetStudyIDFromTrialID finds the study of a trial, or returns [ErrStudyNotFound].
func (s *trials) GetStudyIDFromTrialID(trial int) (int, error) {
	t, err := s.GetTrial(trial)
	if errors.Is(err, goptuna.ErrInvalidTrialID) {
		err = fmt.Errorf("trial %d: %w", trial, ErrStudyNotFound)
	}
	return t.StudyID, err
}
