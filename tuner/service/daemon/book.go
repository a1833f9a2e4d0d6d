package daemon

import (
	"context"

	"sakusen/engines/arena"
	"sakusen/tuner"
)

// Item is a study in the book, or another job: a tournament or an experiment.
type Item struct {
	Key      Key
	State    tuner.State
	Priority int // higher is sooner, 0 is usual
}

// Book is the record of all studies and other jobs.
type Book interface {
	// Waiting lists the studies that are queued or running, the more urgent and
	// then the older first.
	Waiting(ctx context.Context) ([]Item, error)
	// Find returns one study, or an error that says that it does not exist.
	Find(ctx context.Context, key Key) (Item, error)
	SetState(ctx context.Context, key Key, state tuner.State, message string) error
	SetPriority(ctx context.Context, key Key, priority int) error
	Delete(ctx context.Context, key Key) error
}

// Runner runs a study of the book from wherever its log ends to its verdict,
// on the given host, and writes its result and the state Done. Interrupted, it
// returns an error for which tuner.Interrupted holds, and leaves the state as
// it is.
type Runner func(ctx context.Context, key Key, host arena.Host, tell func(tuner.Progress)) error

// Event is something that happened to a study, for whoever watches.
type Event struct {
	Kind  string // state, progress or deleted
	Key   Key
	State tuner.State // of a state
	Why   string      // of a state: the message
	// Progress is how far a running study is; of progress.
	Progress tuner.Progress
}
