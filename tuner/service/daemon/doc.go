// Package daemon keeps studies running: many side by side, the more urgent with
// the larger share of the workers, queued, paused, resumed and stopped, and
// taken up again after any death. Tournaments and experiments stand in the same
// queue: what is said of studies here holds for them.
//
// It owns no state that matters: which studies there are and how far they have
// come is in the [Book], and a study that is run from its log ends as if it had
// never been interrupted. This package decides which of them run now.
//
//	d := daemon.New(daemon.Options{Book: book, Run: run, Pool: pool, AtOnce: 4})
//	err := d.Run(ctx) // until ctx is done; then all studies are put back
//
// A study whose record cannot be written (the disk is full) is tried again
// until it can; no result is lost, since a step that the log does not hold has not
// happened.
//
// Reading order: daemon.go (what is recorded, the loop), control.go (what can be
// asked of it), scheduler.go (which studies run now).
package daemon
