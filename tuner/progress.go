package tuner

import "time"

// State is how far a study is, or another job of a daemon: a tournament, an
// experiment.
type State string

// The states of a study or a job. A study whose process died stays Running in the file; it
// runs only if a process is writing the database.
const (
	Queued  State = "queued"  // waits for its turn
	Running State = "running" // is worked on
	Paused  State = "paused"  // is held until it is resumed
	Stopped State = "stopped" // was stopped by a person before its end
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

// Progress is how far a study is.
type Progress struct {
	Phase     string // tune, final, validation, replay, estimate, set back
	Trials    int    // asked
	MaxTrials int    // that can be reached
	Games     int64  // of the log and of this run
	MaxGames  int64
	Blocks    int64         // played or found by this run
	MaxBlocks int64         // where they are known beforehand, as those of a tournament; a study's are not
	PerSecond float64       // games/s of this run
	Left      time.Duration // at most, by the budget of games
	// Expected is the number of games of the whole study at the present pace: of
	// trials, games and phase, what ends it first. 0 where there is no pace yet.
	Expected int64
	Proof    int64 // of the expected games those of final and validation, at most; 0 behind them
	// The incumbent, -1 while there is none, with its 95 % interval.
	Incumbent int
	Params    string
	Value     float64
	Error     float64 // standard error
	// Seats are those of the game where Value is a score against the baseline, so that it
	// can be told as Elo; 0 where it is not.
	Seats int
	// Answer is the parameter set that is proved; nil before there is one.
	Answer map[string]string
	// Looks are those that the validation has taken at its blocks so far.
	Looks []ProofLook
}

// ProofLook is what the test of a validation saw at one of its looks. Above is how far
// the score lies above the first bound in standard errors, of which a pass needs so
// many; Below how far below the second, of which a failure needs so many.
type ProofLook struct {
	Blocks int64       `json:"blocks"`
	Most   int64       `json:"max_blocks"` // at the last look
	Elo    float64     `json:"elo"`        // of the winner above the baseline
	EloCI  *[2]float64 `json:"elo_ci95"`
	Above  float64     `json:"above"`
	Needs  float64     `json:"needs"`
	Below  float64     `json:"below"`
	Fails  float64     `json:"fails"`
	Score  float64     `json:"score"`
	Error  float64     `json:"standard_error"`
}

// GainSeats returns the seats of the game where a trial's value is its score against the
// baseline alone, and else 0.
func GainSeats(s *Setup) int {
	if s.Objective.Of != "score" || s.Evaluate != nil || s.Duels || s.Baseline == "" || len(s.PoolEntrants) > 0 {
		return 0
	}
	return s.Ruleset.Seats
}
