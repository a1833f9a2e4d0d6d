// Package memory keeps a study's record in memory: for tests, and for experiments
// that run thousands of studies and want only their results.
//
//	record := memory.New()
//	study, err := tuner.Open(ctx, spec, tuner.Options{Host: pool, Proposer: p, Record: record})
//	result, err := study.Run(ctx)
//	entries := record.Log()
//
// Of Goptuna's trials it keeps the number: what a study tells them is in its log
// too. Attempts are counted for this record alone.
package memory

import (
	"context"

	"github.com/c-bata/goptuna"

	"sakusen/tuner"
)

// Record is a study's log. It implements tuner.Record.
type Record struct {
	entries  []tuner.Entry
	attempts int
	trials   trials
}

// New is an empty record.
func New() *Record { return &Record{} }

// Log is the entries so far.
func (r *Record) Log() []tuner.Entry { return r.entries }

// Entries implements tuner.Record.
func (r *Record) Entries(context.Context) ([]tuner.Entry, error) { return r.entries, nil }

// Append implements tuner.Record.
func (r *Record) Append(_ context.Context, e tuner.Entry, change func(goptuna.Storage, int) error) error {
	if change != nil {
		if err := change(&r.trials, 1); err != nil {
			return err
		}
	}
	r.entries = append(r.entries, e)
	return nil
}

// Attempt implements tuner.Record.
func (r *Record) Attempt(context.Context, string, string, string) (int, error) {
	r.attempts++
	return r.attempts, nil
}

// trials is as much of a storage as a study writes to.
type trials struct {
	goptuna.Storage
	count int
}

func (t *trials) CreateNewTrial(int) (int, error) {
	t.count++
	return t.count - 1, nil
}

// TrialID is the trial's number.
func (t *trials) TrialID(_, number int) (int, error) { return number, nil }

func (t *trials) GetTrial(id int) (goptuna.FrozenTrial, error) {
	return goptuna.FrozenTrial{ID: id, Number: id, State: goptuna.TrialStateRunning}, nil
}

func (t *trials) SetTrialParam(int, string, float64, any) error     { return nil }
func (t *trials) SetTrialSystemAttr(int, string, string) error      { return nil }
func (t *trials) SetTrialUserAttr(int, string, string) error        { return nil }
func (t *trials) SetTrialValue(int, float64) error                  { return nil }
func (t *trials) SetTrialIntermediateValue(int, int, float64) error { return nil }
func (t *trials) SetTrialState(int, goptuna.TrialState) error       { return nil }
