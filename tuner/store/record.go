// Package memory keeps a study's record in memory: for tests, and for experiments
// that run thousands of studies and want only their results.
//
//	record := memory.New()
//	study, err := tuner.Open(ctx, spec, tuner.Options{Host: pool, Proposer: p, Record: record})
//	result, err := study.Run(ctx)
//	entries := record.Log()
//
// Of its trials it keeps the states alone: everything else is in the log too.
// Attempts are counted for this record alone.
package store

import (
	"context"

	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// Memory is a study's log. It implements tuner.Record.
type Memory struct {
	entries   []entry.Entry
	questions []tuner.Question // of all attempts
	trials    memoryTrials
}

// NewMemory is an empty record.
func NewMemory() *Memory { return &Memory{} }

// Log is the entries so far.
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
