package store

import (
	"context"
	"fmt"

	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// Memory is a study's record in memory: for tests, and for experiments that run thousands of
// studies and want only their results. It implements tuner.Record.
//
//	record := store.NewMemory()
//	study, err := tuner.Open(ctx, spec, tuner.Options{Host: pool, Proposer: p, Record: record})
//	result, err := study.Run(ctx)
//	entries := record.Log()
//
// Of its trials it keeps the states alone: everything else is in the log too.
// Attempts are counted for this record alone.
type Memory struct {
	entries   []entry.Entry
	questions []tuner.Question // of all attempts
	trials    memoryTrials
}

// NewMemory returns an empty record.
func NewMemory() *Memory { return &Memory{} }

// Log returns the entries so far.
func (r *Memory) Log() []entry.Entry { return r.entries }

// Entries implements tuner.Record.
func (r *Memory) Entries(context.Context) ([]entry.Entry, error) { return r.entries, nil }

// Append implements tuner.Record. After a change that failed there is no entry,
// and no trial that the change created.
func (r *Memory) Append(_ context.Context, e entry.Entry, change func(tuner.Trials) error) error {
	if change != nil {
		before := len(r.trials.states)
		if err := change(&r.trials); err != nil {
			r.trials.states = r.trials.states[:before]
			return err
		}
	}
	r.entries = append(r.entries, e)
	return nil
}

// Attempt implements tuner.Record.
func (r *Memory) Attempt(_ context.Context, q tuner.Question) (tuner.Attempts, error) {
	out := tuner.Attempts{Number: 1}
	for _, asked := range r.questions {
		alike := asked.Baseline == q.Baseline || q.Play != "" && asked.Play == q.Play
		if alike && asked.Game == q.Game && asked.Rules == q.Rules && asked.Strategy == q.Strategy {
			out.Number++
		}
	}
	r.questions = append(r.questions, q)
	return out, nil
}

// memoryTrials are the states of a study's trials by number. It implements tuner.Trials.
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
