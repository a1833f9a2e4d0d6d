package cli

import (
	"context"
	"errors"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/client"
	"sakusen/tuner/sqlitedb"
)

// recorder is a host that keeps what it plays in the database, or does not.
type recorder struct {
	arena.Host
	kept bool
	// daemon is the one that holds the database and can do the work in its place,
	// nil where none does.
	daemon *client.Client
	end    func() error // closes the database
}

// openRecorder opens the database where the games are to be kept. Results do
// not depend on it: while another command writes it, they are played without; a
// daemon that holds it is given them, or does the work in this one's place.
func openRecorder(a *app, ctx context.Context, keep bool) (*recorder, error) {
	r := &recorder{Host: a.pool(), end: func() error { return nil }}
	if !keep {
		return r, nil
	}
	blocks, daemon, end, err := blockCache(a, ctx)
	var locked *sqlitedb.LockedError
	if errors.As(err, &locked) {
		a.say("note: %v: the games are not kept", err)
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	return &recorder{Host: &tuner.CachedHost{Host: r.Host, Blocks: blocks}, kept: true, daemon: daemon, end: end}, nil
}

// interrupted says what an interruption leaves.
func (r *recorder) interrupted(what string) error {
	kept := "nothing is kept, the same command begins again"
	if r.kept {
		kept = "what was played is kept, the same command goes on"
	}
	return &coded{exitInterrupted, fmt.Errorf("%s is interrupted: %s", what, kept)}
}
