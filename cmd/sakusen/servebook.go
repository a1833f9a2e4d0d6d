package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/daemon"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
)

// book is the daemon's record: the store.
type book struct {
	*app
	store *store.Store
}

// Waiting implements daemon.Book: studies and jobs in one queue.
func (b *book) Waiting(ctx context.Context) ([]daemon.Entry, error) {
	studies, err := b.store.Waiting(ctx)
	if err != nil {
		return nil, err
	}
	jobs, err := b.store.WaitingJobs(ctx)
	if err != nil {
		return nil, err
	}
	type entry struct {
		daemon.Entry
		created time.Time
	}
	var all []entry
	for _, w := range studies {
		all = append(all, entry{daemon.Entry{Name: w.Name, State: daemon.State(w.State), Priority: w.Priority}, w.Created})
	}
	for _, j := range jobs {
		all = append(all, entry{daemon.Entry{Name: service.JobName(j.Kind, j.ID), State: daemon.State(j.State), Priority: j.Priority}, j.Created})
	}
	slices.SortStableFunc(all, func(x, y entry) int {
		return cmp.Or(cmp.Compare(y.Priority, x.Priority), x.created.Compare(y.created))
	})
	var out []daemon.Entry
	for _, e := range all {
		out = append(out, e.Entry)
	}
	return out, nil
}

// Find implements daemon.Book.
func (b *book) Find(ctx context.Context, name string) (daemon.Entry, error) {
	if kind, id, ok := jobOf(name); ok {
		j, err := b.job(ctx, kind, id)
		return daemon.Entry{Name: name, State: daemon.State(j.State), Priority: j.Priority}, err
	}
	d, err := b.details(ctx, name)
	return daemon.Entry{Name: name, State: daemon.State(d.State), Priority: d.Priority}, err
}

// details finds a study.
func (b *book) details(ctx context.Context, name string) (store.Details, error) {
	d, err := b.store.Details(ctx, name)
	if errors.Is(err, store.ErrStudyNotFound) {
		err = service.New(service.NotFound, fmt.Sprintf("no study named %q", name))
	}
	return d, err
}

// SetState implements daemon.Book.
func (b *book) SetState(ctx context.Context, name string, state daemon.State, message string) error {
	if _, id, ok := jobOf(name); ok {
		return b.store.SetJobState(ctx, id, store.State(state), message)
	}
	return b.edit(ctx, name, func(l *store.Log) error { return l.SetState(ctx, store.State(state), message) })
}

// SetPriority implements daemon.Book.
func (b *book) SetPriority(ctx context.Context, name string, priority int) error {
	if _, id, ok := jobOf(name); ok {
		return b.store.SetJobPriority(ctx, id, priority)
	}
	return b.edit(ctx, name, func(l *store.Log) error { return l.SetPriority(ctx, priority) })
}

// Delete implements daemon.Book.
func (b *book) Delete(ctx context.Context, name string) error {
	if kind, id, ok := jobOf(name); ok {
		if _, err := b.job(ctx, kind, id); err != nil {
			return err
		}
		return b.store.DeleteJob(ctx, id)
	}
	return b.edit(ctx, name, func(l *store.Log) error { return b.store.DeleteStudy(l.ID()) })
}

// edit opens a study's record.
func (b *book) edit(ctx context.Context, name string, do func(*store.Log) error) error {
	l, err := b.store.OpenStudy(ctx, name)
	if errors.Is(err, store.ErrStudyNotFound) {
		return service.New(service.NotFound, fmt.Sprintf("no study named %q", name))
	}
	if err != nil {
		return err
	}
	return do(l)
}

// run implements daemon.Runner.
func (b *book) run(ctx context.Context, name string, host arena.Host, tell func(tuner.Progress)) error {
	if kind, id, ok := jobOf(name); ok {
		return b.runJob(ctx, kind, id, host, tell)
	}
	d, err := b.store.Details(ctx, name)
	if err != nil {
		return err
	}
	source, err := b.store.Source(ctx, d.ID)
	if err != nil {
		return err
	}
	if source.Text == "" {
		return fmt.Errorf("the study file of %q is not kept in the database: run it with sakusen tune", name)
	}
	budget := tuner.Budget{Trials: d.BudgetTrials, Games: d.BudgetGames}
	spec, err := (studyFile{name: source.Name, text: []byte(source.Text)}).spec(b.app, &budget)
	if err != nil {
		return err
	}
	spec.Budget = budget
	signatures, err := spec.Ruleset.Signatures(ctx, spec.Strategies()...)
	if err != nil {
		return err
	}
	r := studyRun{store: b.store, spec: spec, signatures: signatures, source: source, host: host, tell: tell, held: true}
	_, err = r.run(ctx, b.hook)
	return err
}
