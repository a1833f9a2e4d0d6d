package tuner

// TrialState is what has become of a trial.
type TrialState string

// The states of a trial, with the names that the log and the API use.
const (
	TrialRunning  TrialState = "running"
	TrialComplete TrialState = "complete" // it met every block that it was to meet
	TrialPruned   TrialState = "pruned"   // it was stopped before
	TrialFailed   TrialState = "fail"     // it ended without a value
)

// Finished tells whether nothing about the trial may change any more.
func (s TrialState) Finished() bool { return s != TrialRunning }

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
	SetState(number int, state TrialState) error
	// State is the state that the trial is in.
	State(number int) (TrialState, error)
}
