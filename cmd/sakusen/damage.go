package main

import (
	"context"

	"sakusen/tuner"
	"sakusen/tuner/sqlitedb"
)

// whileSound runs a study while the whole database is read once beside it. A
// damaged one ends the study: what it has not met of the damage, it would build on.
func whileSound(a *app, ctx context.Context, db *sqlitedb.DB, run func(context.Context) (*tuner.Result, error)) (*tuner.Result, error) {
	sound, cancel := context.WithCancelCause(ctx)
	checked := make(chan struct{})
	go func() {
		defer close(checked)
		if err := db.Quick(sound); sqlitedb.Damaged(err) {
			cancel(err)
		}
	}()
	result, err := run(sound)
	cancel(nil) // the check need not end
	<-checked
	if cause := context.Cause(sound); err != nil && sqlitedb.Damaged(cause) {
		return nil, cause
	}
	return result, err
}
