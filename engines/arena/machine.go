package arena

import (
	"context"
	"errors"
)

// Elsewhere plays chunks of series on another machine.
type Elsewhere interface {
	// Play plays n blocks from a block on. ErrGivenBack and ErrHereOnly mean that nothing
	// was played and that nothing is wrong with the series.
	Play(ctx context.Context, s *Series, from int64, n int) (*Run, error)
	// Has tells whether it has the very programs of other people that a series needs, which
	// are one or more. The pool is locked meanwhile.
	Has(programs []Program) bool
}

// ErrGivenBack says that a chunk was not played, as when a machine is gone: the pool plays
// it at another desk.
var ErrGivenBack = errors.New("the blocks were not played there")

// ErrHereOnly says that other machines cannot play a series: the pool plays the rest of it
// at its own desks.
var ErrHereOnly = errors.New("the series cannot be played on another machine")
