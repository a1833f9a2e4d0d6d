package storage

import (
	"database/sql"
	"errors"
	"fmt"

	"github.com/c-bata/goptuna"

	"sakusen/tuner/store/rows"
)

// at is where a trial is: its study and number. An id that is not there is
// goptuna.ErrInvalidTrialID.
func at(tx *sql.Tx, trial int) (study, number int, err error) {
	err = tx.QueryRow("SELECT study_id, number FROM trials WHERE trial_id = ?", trial).Scan(&study, &number)
	if errors.Is(err, sql.ErrNoRows) {
		err = goptuna.ErrInvalidTrialID
	}
	return study, number, err
}

// get reads one trial.
func get(tx *sql.Tx, trial int) (goptuna.FrozenTrial, error) {
	study, number, err := at(tx, trial)
	if err != nil {
		return goptuna.FrozenTrial{}, err
	}
	found, err := rows.Trials(tx, study, number, 1)
	if err != nil || len(found) != 1 {
		return goptuna.FrozenTrial{}, fmt.Errorf("trial %d: found %d: %w", trial, len(found), err)
	}
	return found[0], nil
}

// GetTrial returns a trial.
func (s *Storage) GetTrial(trial int) (out goptuna.FrozenTrial, err error) {
	err = s.read(func(tx *sql.Tx) error {
		out, err = get(tx, trial)
		return err
	})
	return out, err
}

// GetAllTrials returns the trials of a study by number. The maps of finished
// trials are shared and must not be changed.
func (s *Storage) GetAllTrials(study int) (out []goptuna.FrozenTrial, err error) {
	err = s.read(func(tx *sql.Tx) error {
		if err := own(tx, study); err != nil && !errors.Is(err, ErrHasLog) {
			return err
		}
		out, err = s.trials(tx, study)
		return err
	})
	return out, err
}

// GetBestTrial returns the first complete trial that no other one beats, or
// goptuna.ErrNoCompletedTrials.
func (s *Storage) GetBestTrial(study int) (goptuna.FrozenTrial, error) {
	direction, err := s.GetStudyDirection(study)
	if err != nil {
		return goptuna.FrozenTrial{}, err
	}
	trials, err := s.GetAllTrials(study)
	if err != nil {
		return goptuna.FrozenTrial{}, err
	}
	if t, ok := best(direction, trials); ok {
		return t, nil
	}
	return goptuna.FrozenTrial{}, goptuna.ErrNoCompletedTrials
}

// best is the first complete trial that no other one beats.
func best(direction goptuna.StudyDirection, trials []goptuna.FrozenTrial) (best goptuna.FrozenTrial, found bool) {
	for _, t := range trials {
		better := t.Value < best.Value
		if direction == goptuna.StudyDirectionMaximize {
			better = t.Value > best.Value
		}
		if t.State == goptuna.TrialStateComplete && (!found || better) {
			best, found = t, true
		}
	}
	return best, found
}

// GetTrialNumberFromID returns a trial's number, counted from 0 in its study.
func (s *Storage) GetTrialNumberFromID(trial int) (int, error) {
	t, err := s.GetTrial(trial)
	return t.Number, err
}

// GetTrialParam returns the internal value of a parameter, or
// [ErrParamNotFound].
func (s *Storage) GetTrialParam(trial int, name string) (float64, error) {
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
func (s *Storage) GetTrialParams(trial int) (map[string]any, error) {
	t, err := s.GetTrial(trial)
	return t.Params, err
}

// GetTrialUserAttrs returns the user's attributes.
func (s *Storage) GetTrialUserAttrs(trial int) (map[string]string, error) {
	t, err := s.GetTrial(trial)
	return t.UserAttrs, err
}

// GetTrialSystemAttrs returns the system's attributes.
func (s *Storage) GetTrialSystemAttrs(trial int) (map[string]string, error) {
	t, err := s.GetTrial(trial)
	return t.SystemAttrs, err
}
