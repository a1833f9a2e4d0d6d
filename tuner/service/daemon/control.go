package daemon

import (
	"context"
	"fmt"

	"sakusen/tuner"
)

// StateError says that a study is in a state in which something cannot be done.
type StateError struct {
	Key   Key
	State tuner.State
	What  string // such as "pause"
	Want  string // the states in which it can be done
}

func (e *StateError) Error() string {
	return fmt.Sprintf("%s is %s: to %s it, it must be %s", e.Key.people(), e.State, e.What, e.Want)
}

// Pause interrupts a study until it is resumed. It returns when the study no
// longer runs, with the state that it has set; the study's state may be another by then.
func (d *Daemon) Pause(ctx context.Context, key Key) (tuner.State, error) {
	return tuner.Paused, d.hold(ctx, key, "pause", errPause, tuner.Paused)
}

// Stop ends a study for good unless it is resumed. It returns as [Daemon.Pause] does.
func (d *Daemon) Stop(ctx context.Context, key Key) (tuner.State, error) {
	return tuner.Stopped, d.hold(ctx, key, "stop", errStop, tuner.Stopped)
}

// hold interrupts a study that runs, or takes one that waits from the queue.
func (d *Daemon) hold(ctx context.Context, key Key, what string, why error, state tuner.State) error {
	for {
		if err := d.Damage(); err != nil {
			return err
		}
		j, err := d.tryHold(ctx, key, what, why, state)
		if j == nil {
			return err
		}
		select {
		case <-j.done: // interrupted, for this reason or for another
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// tryHold holds a study that does not run; one that runs is interrupted and returned.
func (d *Daemon) tryHold(ctx context.Context, key Key, what string, why error, state tuner.State) (*job, error) {
	d.queue.Lock()
	defer d.queue.Unlock()
	if j := d.scheduler.job(key); j != nil {
		j.interrupt(why)
		return j, nil
	}
	e, err := d.o.Book.Find(ctx, key)
	if err != nil {
		return nil, err
	}
	switch {
	case e.State == state:
		return nil, nil
	case e.State == tuner.Queued, e.State == tuner.Running, e.State == tuner.Paused && state == tuner.Stopped:
		if err := d.state(ctx, key, state, string(state)); err != nil {
			return nil, err
		}
		d.scheduler.forget(key)
		return nil, nil
	}
	return nil, &StateError{Key: key, State: e.State, What: what, Want: "queued or running"}
}

// Still does something to the record of a study that does not run, and keeps it
// from running in that time.
func (d *Daemon) Still(ctx context.Context, key Key, what string, do func() error) error {
	defer d.Queue()
	d.queue.Lock()
	defer d.queue.Unlock()
	if err := d.Damage(); err != nil {
		return err
	}
	if d.scheduler.job(key) != nil {
		return &StateError{Key: key, State: tuner.Running, What: what, Want: "paused, stopped, failed or done"}
	}
	return do()
}

// Rest puts all studies that run back into the queue, does something to the records while
// none runs, and lets them go on.
func (d *Daemon) Rest(ctx context.Context, do func() error) error {
	defer d.Queue()
	d.queue.Lock()
	defer d.queue.Unlock()
	if err := d.Damage(); err != nil {
		return err
	}
	for _, j := range d.scheduler.interruptAll(errRest) {
		select {
		case <-j.done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return do()
}

// Resume puts a study that is paused, stopped or failed back into the queue. It returns the
// state that it left the study in, which may run already when this returns: queued, or running
// where it ran.
func (d *Daemon) Resume(ctx context.Context, key Key) (tuner.State, error) {
	defer d.Queue()
	d.queue.Lock()
	defer d.queue.Unlock()
	if err := d.Damage(); err != nil {
		return "", err
	}
	e, err := d.o.Book.Find(ctx, key)
	if err != nil {
		return "", err
	}
	switch e.State {
	case tuner.Queued, tuner.Running:
		return e.State, nil
	case tuner.Done:
		return "", &StateError{Key: key, State: e.State, What: "resume", Want: "paused, stopped or failed"}
	}
	d.scheduler.forget(key)
	return tuner.Queued, d.state(ctx, key, tuner.Queued, "")
}

// Prioritise changes how urgent a study is; a running one is taken up again
// with its new share.
func (d *Daemon) Prioritise(ctx context.Context, key Key, priority int) error {
	if err := d.o.Book.SetPriority(ctx, key, priority); err != nil {
		return err
	}
	if j := d.scheduler.job(key); j != nil && j.entry.Priority != priority {
		j.interrupt(errYield)
	}
	d.Queue()
	return nil
}

// Delete removes a study that does not run.
func (d *Daemon) Delete(ctx context.Context, key Key) error {
	d.queue.Lock()
	defer d.queue.Unlock()
	if d.scheduler.job(key) != nil {
		return &StateError{Key: key, State: tuner.Running, What: "delete", Want: "paused, stopped, failed or done"}
	}
	if err := d.o.Book.Delete(ctx, key); err != nil {
		return err
	}
	d.scheduler.forget(key)
	d.o.Watch(Event{Kind: "deleted", Key: key})
	return nil
}

// Progress returns how far a running study is; ok is false for one that does not
// run, or has not told.
func (d *Daemon) Progress(key Key) (p tuner.Progress, ok bool) {
	j := d.scheduler.job(key)
	if j == nil {
		return p, false
	}
	if now := j.progress(); now != nil {
		return *now, true
	}
	return p, false
}

// Running returns the number of studies that run.
func (d *Daemon) Running() int { return d.scheduler.running() }

// Halt ends all studies because the record is damaged, and lets none begin:
// nothing more is written, not even their states, so that a daemon on a copy put
// in the record's place takes them up where that ends. The first damage counts.
func (d *Daemon) Halt(damage error) {
	if d.scheduler.close(damage) {
		d.o.Log.Error("no study runs until the database is replaced and the daemon started again", "error", damage)
		d.scheduler.interruptAll(damage)
	}
}

// Alive returns when no process holds the daemon's locks any more, which is at once, unless
// it hangs.
func (d *Daemon) Alive() {
	d.queue.Lock()
	defer d.queue.Unlock()
	d.scheduler.running()
}

// Damage returns why the daemon was halted, nil if it was not.
func (d *Daemon) Damage() error { return d.scheduler.closed() }

// Held returns why a study recorded as running waits: its record cannot be written. It is
// nil otherwise.
func (d *Daemon) Held(key Key) error { return d.scheduler.held(key) }

// Waiting returns the number of studies that are held up.
func (d *Daemon) Waiting() int { return d.scheduler.waiting() }
