package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/daemon"
	"sakusen/tuner/store"
	"sakusen/tuner/web"
)

// book is the daemon's record: the store.
type book struct {
	*app
	store *store.Store
}

// Waiting implements daemon.Book.
func (b *book) Waiting(ctx context.Context) ([]daemon.Entry, error) {
	list, err := b.store.Waiting(ctx)
	var out []daemon.Entry
	for _, w := range list {
		out = append(out, daemon.Entry{Name: w.Name, State: daemon.State(w.State), Priority: w.Priority})
	}
	return out, err
}

// Find implements daemon.Book.
func (b *book) Find(ctx context.Context, name string) (daemon.Entry, error) {
	d, err := b.details(ctx, name)
	return daemon.Entry{Name: name, State: daemon.State(d.State), Priority: d.Priority}, err
}

// details finds a study.
func (b *book) details(ctx context.Context, name string) (store.Details, error) {
	d, err := b.store.Details(ctx, name)
	if errors.Is(err, store.ErrStudyNotFound) {
		err = web.NewProblem(http.StatusNotFound, fmt.Sprintf("no study named %q", name))
	}
	return d, err
}

// SetState implements daemon.Book.
func (b *book) SetState(ctx context.Context, name string, state daemon.State, message string) error {
	return b.edit(ctx, name, func(l *store.Log) error { return l.SetState(ctx, store.State(state), message) })
}

// SetPriority implements daemon.Book.
func (b *book) SetPriority(ctx context.Context, name string, priority int) error {
	return b.edit(ctx, name, func(l *store.Log) error { return l.SetPriority(ctx, priority) })
}

// Delete implements daemon.Book.
func (b *book) Delete(ctx context.Context, name string) error {
	return b.edit(ctx, name, func(l *store.Log) error { return b.store.DeleteStudy(l.ID()) })
}

// edit opens a study's record.
func (b *book) edit(ctx context.Context, name string, do func(*store.Log) error) error {
	l, err := b.store.OpenStudy(ctx, name)
	if errors.Is(err, store.ErrStudyNotFound) {
		return web.NewProblem(http.StatusNotFound, fmt.Sprintf("no study named %q", name))
	}
	if err != nil {
		return err
	}
	return do(l)
}

// run implements daemon.Runner.
func (b *book) run(ctx context.Context, name string, host arena.Host, tell func(tuner.Progress)) error {
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
	signatures, err := spec.Ruleset().Signatures(ctx, spec.Strategies()...)
	if err != nil {
		return err
	}
	r := studyRun{store: b.store, spec: spec, signatures: signatures, source: source, host: host, tell: tell, held: true}
	_, err = r.run(ctx, b.hook)
	return err
}
