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

// recorder is a host that may store what it plays in the database.
type recorder struct {
	arena.Host
	kept bool
	// daemon holds the database and can do the work instead; nil if there is no daemon.
	daemon *client.Client
	end    func() error // closes the database
}

// openRecorder opens the database if the games are to be stored. The results do not depend
// on it. While another command writes the database, games are played without storing them;
// a daemon that holds it gets them, or does the work.
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

// interrupted says what is left after an interruption.
func (r *recorder) interrupted(what string) error {
	kept := "nothing is kept, the same command begins again"
	if r.kept {
		kept = "what was played is kept, the same command goes on"
	}
	return &coded{exitInterrupted, fmt.Errorf("%s is interrupted: %s", what, kept)}
}
