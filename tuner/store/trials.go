package store

import (
	"fmt"

	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// trials are the states of a study's trials by number. It implements tuner.Trials.
type memoryTrials struct{ states []entry.TrialState }

// Create implements tuner.Trials.
func (t *memoryTrials) Create(number int) error {
	if number != len(t.states) {
		return fmt.Errorf("create trial %d: expected %d, the next number", number, len(t.states))
	}
	t.states = append(t.states, entry.TrialRunning)
	return nil
}

// State implements tuner.Trials.
func (t *memoryTrials) State(number int) (entry.TrialState, error) {
	if number < 0 || number >= len(t.states) {
		return "", fmt.Errorf("there is no trial %d among %d", number, len(t.states))
	}
	return t.states[number], nil
}

// SetState implements tuner.Trials.
func (t *memoryTrials) SetState(number int, state entry.TrialState) error {
	if err := t.open(number); err != nil {
		return err
	}
	t.states[number] = state
	return nil
}

// SetParam implements tuner.Trials.
func (t *memoryTrials) SetParam(number int, _ *tuner.Dimension, _ string) error {
	return t.open(number)
}

// SetAttr implements tuner.Trials.
func (t *memoryTrials) SetAttr(number int, _, _ string) error { return t.open(number) }

// SetNote implements tuner.Trials.
func (t *memoryTrials) SetNote(number int, _, _ string) error { return t.open(number) }

// Report implements tuner.Trials.
func (t *memoryTrials) Report(number int, _ int64, _ float64) error { return t.open(number) }

// SetValue implements tuner.Trials.
func (t *memoryTrials) SetValue(number int, _ float64) error { return t.open(number) }

// open refuses a trial that is not there or that is finished.
func (t *memoryTrials) open(number int) error {
	state, err := t.State(number)
	if err == nil && state.Finished() {
		err = fmt.Errorf("trial %d is %s and cannot change any more", number, state)
	}
	return err
}
