package daemon

import (
	"context"
	"fmt"
	"strings"

	"sakusen/tuner"
)

// StateError says that a study is in a state in which something cannot be done.
type StateError struct {
	Study string
	State State
	What  string // such as "pause"
	Want  string // the states in which it can be done
}

func (e *StateError) Error() string {
	return fmt.Sprintf("%s is %s: to %s it, it must be %s", called(e.Study), e.State, e.What, e.Want)
}

// called is what an entry is called: study "x", tournament 12.
func called(name string) string {
	if kind, id, ok := strings.Cut(name, "/"); ok {
		return kind + " " + id
	}
	return fmt.Sprintf("study %q", name)
}

// Queue lets Run look at the queue at once, as after a study was submitted.
func (d *Daemon) Queue() { d.nudge() }

// Pause interrupts a study until it is resumed. It returns when the study no
// longer runs.
func (d *Daemon) Pause(ctx context.Context, name string) error {
	return d.hold(ctx, name, "pause", errPause, Paused)
}

// Stop ends a study for good unless it is resumed. It returns when the study no
// longer runs.
func (d *Daemon) Stop(ctx context.Context, name string) error {
	return d.hold(ctx, name, "stop", errStop, Stopped)
}

// hold interrupts a study that runs, or takes one that waits from the queue.
func (d *Daemon) hold(ctx context.Context, name, what string, why error, state State) error {
	for {
		if err := d.Damage(); err != nil {
			return err
		}
		j, err := d.tryHold(ctx, name, what, why, state)
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

// tryHold is hold where the study does not run; where it does, it is
// interrupted and returned.
func (d *Daemon) tryHold(ctx context.Context, name, what string, why error, state State) (*job, error) {
	d.queue.Lock()
	defer d.queue.Unlock()
	if j := d.job(name); j != nil {
		j.interrupt(why)
		return j, nil
	}
	e, err := d.o.Book.Find(ctx, name)
	if err != nil {
		return nil, err
	}
	switch {
	case e.State == state:
		return nil, nil
	case e.State == Queued, e.State == Running, e.State == Paused && state == Stopped:
		if err := d.state(ctx, name, state, string(state)); err != nil {
			return nil, err
		}
		d.forget(name)
		return nil, nil
	}
	return nil, &StateError{Study: name, State: e.State, What: what, Want: "queued or running"}
}

// forget drops why a study waited: it does no longer.
func (d *Daemon) forget(name string) {
	d.mu.Lock()
	delete(d.resting, name)
	d.mu.Unlock()
}

// job is the job of a study that runs, nil for any other.
func (d *Daemon) job(name string) *job {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.jobs[name]
}

// Still does something to the record of a study that does not run, and keeps it
// from running meanwhile.
func (d *Daemon) Still(ctx context.Context, name, what string, do func() error) error {
	defer d.nudge()
	d.queue.Lock()
	defer d.queue.Unlock()
	if err := d.Damage(); err != nil {
		return err
	}
	if d.job(name) != nil {
		return &StateError{Study: name, State: Running, What: what, Want: "paused, stopped, failed or done"}
	}
	return do()
}

// Resume puts a study that is paused, stopped or failed back into the queue.
func (d *Daemon) Resume(ctx context.Context, name string) error {
	defer d.nudge()
	d.queue.Lock()
	defer d.queue.Unlock()
	if err := d.Damage(); err != nil {
		return err
	}
	e, err := d.o.Book.Find(ctx, name)
	if err != nil {
		return err
	}
	switch e.State {
	case Queued, Running:
		return nil
	case Done:
		return &StateError{Study: name, State: e.State, What: "resume", Want: "paused, stopped or failed"}
	}
	d.forget(name)
	return d.state(ctx, name, Queued, "")
}

// Prioritise changes how urgent a study is; a running one is taken up again
// with its new share.
func (d *Daemon) Prioritise(ctx context.Context, name string, priority int) error {
	if err := d.o.Book.SetPriority(ctx, name, priority); err != nil {
		return err
	}
	if j := d.job(name); j != nil && j.entry.Priority != priority {
		j.interrupt(errYield)
	}
	d.nudge()
	return nil
}

// Delete removes a study that does not run.
func (d *Daemon) Delete(ctx context.Context, name string) error {
	d.queue.Lock()
	defer d.queue.Unlock()
	if d.job(name) != nil {
		return &StateError{Study: name, State: Running, What: "delete", Want: "paused, stopped, failed or done"}
	}
	if err := d.o.Book.Delete(ctx, name); err != nil {
		return err
	}
	d.forget(name)
	d.o.Watch(Event{Kind: "deleted", Study: name})
	return nil
}

// Progress is how far a running study is; ok is false for one that does not
// run, or has not told.
func (d *Daemon) Progress(name string) (p tuner.Progress, ok bool) {
	j := d.job(name)
	if j == nil {
		return p, false
	}
	if now := j.progress(); now != nil {
		return *now, true
	}
	return p, false
}

// Running is the number of studies that run.
func (d *Daemon) Running() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.jobs)
}
