package evolution

import (
	"context"

	"github.com/c-bata/goptuna"

	"sakusen/tuner"
)

// record keeps a study's log in memory and of Goptuna's trials their number.
type record struct {
	entries  []tuner.Entry
	attempts int
	trials   trials
}

func (r *record) Entries(context.Context) ([]tuner.Entry, error) { return r.entries, nil }

func (r *record) Append(_ context.Context, e tuner.Entry, change func(goptuna.Storage, int) error) error {
	if change != nil {
		if err := change(&r.trials, 1); err != nil {
			return err
		}
	}
	r.entries = append(r.entries, e)
	return nil
}

func (r *record) Attempt(context.Context, string, string, string) (int, error) {
	r.attempts++
	return r.attempts, nil
}

// trials is as much of a storage as a study writes to. What it is told is in the
// log too, so it keeps nothing.
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
