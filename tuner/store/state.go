package store

import "sakusen/tuner"

// State is tuner.State, and what follows its values, for code that names them
// here.
type State = tuner.State

// The states that are named here.
const (
	Running = tuner.Running
	Paused  = tuner.Paused
	Stopped = tuner.Stopped
	Failed  = tuner.Failed
)
