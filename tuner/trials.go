package tuner

import (
	"sakusen/tuner/entry"
)

// Trials is what a study writes about its trials beside its log, so that they
// can be listed, and read by other programs. The loop never decides by what
// stands there. Trials go by their numbers, which count from 0 in the order in
// which they were asked; values are in units of the objective and finite.
// A trial that is finished refuses every change.
type Trials interface {
	// Create adds a running trial, whose number must be the next one.
	Create(number int) error
	// SetParam gives a parameter its value, by its canonical text.
	SetParam(number int, d *Dimension, text string) error
	// SetAttr sets an attribute which the sampler or the loop gave.
	SetAttr(number int, key, text string) error
	// SetNote sets an attribute for people to read, such as the standard error.
	SetNote(number int, key, text string) error
	// Report sets the value at a number of blocks, which has none yet.
	Report(number int, blocks int64, value float64) error
	// SetValue sets the value at the end.
	SetValue(number int, value float64) error
	// SetState moves the trial to a state; all but running finish it.
	SetState(number int, state entry.TrialState) error
	// State is the state that the trial is in.
	State(number int) (entry.TrialState, error)
}
