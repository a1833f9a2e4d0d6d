package arena

import "fmt"

// PanicError says that a game panicked: a mistake in its code or in a player's,
// which ends the series, and not the process with all that runs beside it.
type PanicError struct {
	Game  string
	Block int64 // index
	Seed  uint64
	Value any
	Stack []byte // where
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("%s: block %d of seed %d: panic: %v", e.Game, e.Block, e.Seed, e.Value)
}
