package tuner

// State is how far a study is, or another job of a daemon: a tournament, an
// experiment.
type State string

// The states of a study or a job. A study whose process died stays Running in the file; it
// runs only if a process is writing the database.
const (
	Queued  State = "queued"  // waits for its turn
	Running State = "running" // is worked on
	Paused  State = "paused"  // is held until it is resumed
	Stopped State = "stopped" // was ended by somebody before its end
	Failed  State = "failed"  // ended with an error
	Done    State = "done"    // has its result
)

// Valid reports whether the state exists.
func (s State) Valid() bool {
	switch s {
	case Queued, Running, Paused, Stopped, Failed, Done:
		return true
	}
	return false
}
