package entry

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
