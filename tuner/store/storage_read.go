package store

import (
	"fmt"
	"maps"
	"slices"

	"github.com/c-bata/goptuna"
)

// GetTrial returns a trial; its maps are shared and must not be changed.
func (s *storage) GetTrial(trialID int) (goptuna.FrozenTrial, error) {
	if s.open != nil {
		_, t, err := s.open.trial(trialID)
		return t, err
	}
	at, err := s.store.place(trialID)
	if err != nil {
		return goptuna.FrozenTrial{}, err
	}
	s.store.mu.RLock()
	defer s.store.mu.RUnlock()
	st, ok := s.store.studies[at.study]
	if !ok {
		return goptuna.FrozenTrial{}, goptuna.ErrInvalidTrialID // deleted meanwhile
	}
	return st.trials.at(at.number), nil
}

// GetAllTrials returns the trials of a study by number: an immutable slice,
// shared with all callers, that later changes leave as it is. It costs
// nothing while no trial in it has changed since the last call, else a copy
// of 136 bytes a trial; inside a batch always the copy. See also
// [Store.Finished].
func (s *storage) GetAllTrials(studyID int) ([]goptuna.FrozenTrial, error) {
	if s.open != nil {
		sc, err := s.open.study(studyID)
		if err != nil {
			return nil, err
		}
		return s.open.all(sc), nil
	}
	st, err := s.store.study(studyID)
	if err != nil {
		return nil, err
	}
	s.store.mu.Lock()
	defer s.store.mu.Unlock()
	return st.trials.all(), nil
}

// TrialID finds the id of a trial by its number, without a list of all; an
// unknown number is goptuna.ErrInvalidTrialID.
func (s *storage) TrialID(studyID, number int) (int, error) {
	if s.open != nil {
		sc, err := s.open.study(studyID)
		if err != nil {
			return -1, err
		}
		if number < 0 || number >= sc.kept+len(sc.appended) {
			return -1, goptuna.ErrInvalidTrialID
		}
		return s.open.at(sc, number).ID, nil
	}
	st, err := s.store.study(studyID)
	if err != nil {
		return -1, err
	}
	s.store.mu.RLock()
	defer s.store.mu.RUnlock()
	if number < 0 || number >= st.trials.len() {
		return -1, goptuna.ErrInvalidTrialID
	}
	return st.trials.at(number).ID, nil
}

// Finished returns the finished trials of a study in the order in which they
// were finished, immutable and shared, without copying: for samplers that
// have no use for running trials.
func (s *storage) Finished(studyID int) ([]goptuna.FrozenTrial, error) {
	if s.open != nil {
		sc, err := s.open.study(studyID)
		if err != nil {
			return nil, err
		}
		var before []goptuna.FrozenTrial
		if sc.base != nil {
			s.store.mu.RLock()
			before = slices.Clip(sc.base.finished)
			s.store.mu.RUnlock()
		}
		return append(before, sc.finished...), nil
	}
	st, err := s.store.study(studyID)
	if err != nil {
		return nil, err
	}
	s.store.mu.RLock()
	defer s.store.mu.RUnlock()
	return slices.Clip(st.finished), nil
}

// GetBestTrial returns the first complete trial that no other one beats, or
// goptuna.ErrNoCompletedTrials.
func (s *storage) GetBestTrial(studyID int) (goptuna.FrozenTrial, error) {
	h, err := s.head(studyID)
	if err != nil {
		return goptuna.FrozenTrial{}, err
	}
	trials, err := s.GetAllTrials(studyID)
	if err != nil {
		return goptuna.FrozenTrial{}, err
	}
	best, ok := bestOf(&h, trials)
	if !ok {
		return goptuna.FrozenTrial{}, goptuna.ErrNoCompletedTrials
	}
	return best, nil
}

// GetTrialNumberFromID returns a trial's number, counted from 0 in its study.
func (s *storage) GetTrialNumberFromID(trialID int) (int, error) {
	t, err := s.GetTrial(trialID)
	if err != nil {
		return -1, err
	}
	return t.Number, nil
}

// GetTrialParam returns the internal value of a parameter, or
// [ErrParamNotFound].
func (s *storage) GetTrialParam(trialID int, name string) (float64, error) {
	t, err := s.GetTrial(trialID)
	if err != nil {
		return -1, err
	}
	internal, ok := t.InternalParams[name]
	if !ok {
		return -1, fmt.Errorf("trial %d: %q: %w", trialID, name, ErrParamNotFound)
	}
	return internal, nil
}

// GetTrialParams returns a copy of the external values.
func (s *storage) GetTrialParams(trialID int) (map[string]any, error) {
	t, err := s.GetTrial(trialID)
	return maps.Clone(t.Params), err
}

// GetTrialUserAttrs returns a copy of the user's attributes.
func (s *storage) GetTrialUserAttrs(trialID int) (map[string]string, error) {
	t, err := s.GetTrial(trialID)
	return maps.Clone(t.UserAttrs), err
}

// GetTrialSystemAttrs returns a copy of the system's attributes.
func (s *storage) GetTrialSystemAttrs(trialID int) (map[string]string, error) {
	t, err := s.GetTrial(trialID)
	return maps.Clone(t.SystemAttrs), err
}
