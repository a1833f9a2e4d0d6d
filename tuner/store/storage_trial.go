package store

import (
	"fmt"
	"reflect"
	"time"

	"github.com/c-bata/goptuna"
)

// CreateNewTrial adds a running trial and returns its id. Ids are unique in
// the file and never used again; numbers count from 0 in each study.
func (s *storage) CreateNewTrial(studyID int) (int, error) {
	t := emptyTrial(studyID)
	t.DatetimeStart = s.store.changes.Now()
	return s.addTrial(t)
}

// CloneTrial adds a trial with the content of base, except its ids. External
// values are derived from the internal ones; both maps and the distributions
// must have the same names, and all numbers must be finite.
func (s *storage) CloneTrial(studyID int, base goptuna.FrozenTrial) (int, error) {
	t := emptyTrial(studyID)
	t.State = base.State
	t.DatetimeStart, t.DatetimeComplete = normal(base.DatetimeStart), normal(base.DatetimeComplete)
	if err := checkState(t.State); err != nil {
		return -1, err
	}
	var err error
	if t.Value, err = finite(base.Value, "value of the trial to clone"); err != nil {
		return -1, err
	}
	for step, value := range base.IntermediateValues {
		if t.IntermediateValues[step], err = finite(value, "value at step %d of the trial to clone", step); err != nil {
			return -1, err
		}
	}
	if len(base.InternalParams) != len(base.Distributions) {
		return -1, fmt.Errorf("trial to clone: expected as many parameters as distributions, got %d and %d", len(base.InternalParams), len(base.Distributions))
	}
	for name, internal := range base.InternalParams {
		if t.InternalParams[name], err = finite(internal, "parameter %q of the trial to clone", name); err != nil {
			return -1, err
		}
		d, ok := base.Distributions[name]
		if !ok {
			return -1, fmt.Errorf("trial to clone: parameter %q has no distribution", name)
		}
		t.Distributions[name] = d
	}
	for _, o := range []owner{ownerUser, ownerSystem} {
		for key, value := range *trialAttrs(&base, o) {
			(*trialAttrs(&t, o))[key] = value
		}
	}
	return s.addTrial(t)
}

// addTrial writes a trial; its id and number are given here.
func (s *storage) addTrial(t goptuna.FrozenTrial) (int, error) {
	err := s.write(func(c *change) error {
		sc, err := c.study(t.StudyID)
		if err != nil {
			return err
		}
		dists := make(map[string]*distribution, len(t.Distributions))
		for name, d := range t.Distributions {
			if dists[name], err = c.distribution(d); err != nil {
				return err
			}
			if t.Params[name], err = external(dists[name].value, t.InternalParams[name]); err != nil {
				return fmt.Errorf("parameter %q: %w", name, err)
			}
			t.Distributions[name] = dists[name].value
		}
		t.Number = sc.kept + len(sc.appended)
		var value, finish any
		if t.State.IsFinished() || t.Value != 0 {
			value = t.Value
		}
		if t.State.IsFinished() {
			finish = sc.done + len(sc.finished) + 1
		}
		id, err := c.Insert("INSERT INTO trials (study_id, number, state, value, started, completed, finish) VALUES (?, ?, ?, ?, ?, ?, ?)",
			t.StudyID, t.Number, int(t.State), value, toNanos(t.DatetimeStart), toNanos(t.DatetimeComplete), finish)
		if err != nil {
			return fmt.Errorf("create trial: %w", err)
		}
		t.ID = int(id)
		if err := c.insertParts(t, dists); err != nil {
			return fmt.Errorf("create trial: %w", err)
		}
		c.add(sc, t)
		return nil
	})
	if err != nil {
		return -1, err
	}
	return t.ID, nil
}

func (c *change) insertParts(t goptuna.FrozenTrial, dists map[string]*distribution) error {
	for name, internal := range t.InternalParams {
		if _, err := c.Exec(insertParam, t.ID, name, internal, dists[name].id); err != nil {
			return err
		}
	}
	for step, value := range t.IntermediateValues {
		if _, err := c.Exec(insertValue, t.ID, step, value); err != nil {
			return err
		}
	}
	for _, o := range []owner{ownerUser, ownerSystem} {
		for key, value := range *trialAttrs(&t, o) {
			if _, err := c.Exec(insertAttr, t.ID, string(o), key, value); err != nil {
				return err
			}
		}
	}
	return nil
}

const (
	insertParam = "INSERT INTO trial_params (trial_id, name, value, distribution_id) VALUES (?, ?, ?, ?)"
	insertValue = "INSERT INTO trial_values (trial_id, step, value) VALUES (?, ?, ?)"
	insertAttr  = "INSERT OR REPLACE INTO trial_attrs (trial_id, owner, key, value) VALUES (?, ?, ?, ?)"
)

// update changes a trial that is not finished, in the file and in the cache.
func (s *storage) update(trialID int, edit func(c *change, t *goptuna.FrozenTrial) error) error {
	return s.write(func(c *change) error {
		sc, t, err := c.trial(trialID)
		if err != nil {
			return err
		}
		if t.State.IsFinished() {
			return goptuna.ErrTrialCannotBeUpdated
		}
		if err := edit(c, &t); err != nil {
			return err
		}
		if t.State.IsFinished() {
			sc.finished = append(sc.finished, t)
		}
		sc.set(t)
		return nil
	})
}

// SetTrialValue sets the value of a trial that is not finished; NaN and
// infinities are a [*NotFiniteError].
func (s *storage) SetTrialValue(trialID int, value float64) error {
	value, err := finite(value, "value of trial %d", trialID)
	if err != nil {
		return err
	}
	return s.update(trialID, func(c *change, t *goptuna.FrozenTrial) error {
		if _, err := c.Exec("UPDATE trials SET value = ? WHERE trial_id = ?", value, trialID); err != nil {
			return fmt.Errorf("value of trial %d: %w", trialID, err)
		}
		t.Value = value
		return nil
	})
}

// SetTrialIntermediateValue sets the value of a step; a second value for the
// step is [ErrStepExists], NaN and infinities are a [*NotFiniteError].
func (s *storage) SetTrialIntermediateValue(trialID, step int, value float64) error {
	value, err := finite(value, "value at step %d of trial %d", step, trialID)
	if err != nil {
		return err
	}
	return s.update(trialID, func(c *change, t *goptuna.FrozenTrial) error {
		if _, ok := t.IntermediateValues[step]; ok {
			return fmt.Errorf("trial %d: step %d: %w", trialID, step, ErrStepExists)
		}
		if _, err := c.Exec(insertValue, trialID, step, value); err != nil {
			return fmt.Errorf("value at step %d of trial %d: %w", step, trialID, err)
		}
		t.IntermediateValues = with(t.IntermediateValues, step, value)
		return nil
	})
}

// SetTrialParam sets a parameter. Setting it again to the same changes
// nothing; to anything else is [ErrParamExists].
func (s *storage) SetTrialParam(trialID int, name string, internal float64, dist any) error {
	internal, err := finite(internal, "parameter %q of trial %d", name, trialID)
	if err != nil {
		return err
	}
	return s.update(trialID, func(c *change, t *goptuna.FrozenTrial) error {
		if was, ok := t.InternalParams[name]; ok {
			if was == internal && reflect.DeepEqual(t.Distributions[name], dist) {
				return nil
			}
			return fmt.Errorf("trial %d: %q: %w", trialID, name, ErrParamExists)
		}
		d, err := c.distribution(dist)
		if err != nil {
			return err
		}
		value, err := external(d.value, internal)
		if err != nil {
			return fmt.Errorf("trial %d: parameter %q: %w", trialID, name, err)
		}
		if _, err := c.Exec(insertParam, trialID, name, internal, d.id); err != nil {
			return fmt.Errorf("trial %d: parameter %q: %w", trialID, name, err)
		}
		t.InternalParams = with(t.InternalParams, name, internal)
		t.Params = with(t.Params, name, value)
		t.Distributions = with(t.Distributions, name, d.value)
		return nil
	})
}

// SetTrialState moves a trial that is not finished to another state, and
// notes when it was finished.
func (s *storage) SetTrialState(trialID int, state goptuna.TrialState) error {
	if err := checkState(state); err != nil {
		return err
	}
	return s.update(trialID, func(c *change, t *goptuna.FrozenTrial) error {
		t.State = state
		var finish any
		if state.IsFinished() {
			t.DatetimeComplete = c.Now()
			sc := c.studies[t.StudyID]
			finish = sc.done + len(sc.finished) + 1
		}
		if _, err := c.Exec("UPDATE trials SET state = ?, completed = ?, finish = ? WHERE trial_id = ?",
			int(state), toNanos(t.DatetimeComplete), finish, trialID); err != nil {
			return fmt.Errorf("state of trial %d: %w", trialID, err)
		}
		return nil
	})
}

// SetTrialUserAttr sets an attribute of the user.
func (s *storage) SetTrialUserAttr(trialID int, key, value string) error {
	return s.setTrialAttr(trialID, ownerUser, key, value)
}

// SetTrialSystemAttr sets an attribute of the system.
func (s *storage) SetTrialSystemAttr(trialID int, key, value string) error {
	return s.setTrialAttr(trialID, ownerSystem, key, value)
}

func (s *storage) setTrialAttr(trialID int, o owner, key, value string) error {
	return s.update(trialID, func(c *change, t *goptuna.FrozenTrial) error {
		if _, err := c.Exec(insertAttr, trialID, string(o), key, value); err != nil {
			return fmt.Errorf("trial %d: attribute %q: %w", trialID, key, err)
		}
		attrs := trialAttrs(t, o)
		*attrs = with(*attrs, key, value)
		return nil
	})
}

// distribution finds or adds the row of a distribution.
func (c *change) distribution(value any) (*distribution, error) {
	text, err := encodeDistribution(value)
	if err != nil {
		return nil, err
	}
	if d, ok := c.dists[text]; ok {
		return d, nil
	}
	c.store.mu.RLock()
	d, ok := c.store.dists[text]
	c.store.mu.RUnlock()
	if ok {
		return d, nil
	}
	d = &distribution{json: text}
	if d.value, err = decodeDistribution(text); err != nil {
		return nil, err
	}
	// The row may be there, written by a study that is not loaded.
	if _, err := c.Exec("INSERT OR IGNORE INTO distributions (json) VALUES (?)", text); err != nil {
		return nil, fmt.Errorf("distribution: %w", err)
	}
	if err := c.Tx.QueryRow("SELECT distribution_id FROM distributions WHERE json = ?", text).Scan(&d.id); err != nil {
		return nil, fmt.Errorf("distribution: %w", err)
	}
	if c.dists == nil {
		c.dists = make(map[string]*distribution, 1)
	}
	c.dists[text] = d
	return d, nil
}

func checkState(state goptuna.TrialState) error {
	if state < goptuna.TrialStateRunning || state > goptuna.TrialStateWaiting {
		return fmt.Errorf("trial state: expected 0 to 4, got %d", int(state))
	}
	return nil
}

// normal is a time in the form in which it is kept.
func normal(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return time.Unix(0, t.UnixNano()).UTC()
}
