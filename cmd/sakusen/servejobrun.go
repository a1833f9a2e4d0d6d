package main

import (
	"context"
	"encoding/json"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
	"sakusen/tuner/tournament"
)

// runJob runs a tournament or an experiment of the book from whatever of its
// blocks and pieces is there, and writes its result.
func (b *book) runJob(ctx context.Context, kind string, id int, share arena.Host, tell func(tuner.Progress)) error {
	j, err := b.store.Job(ctx, kind, id)
	if err != nil {
		return err
	}
	w := newJobWatch(ctx, b.store, j, tell)
	var result any
	if kind == store.Tournament {
		result, err = b.runTournamentJob(ctx, j, share, w)
	} else {
		result, err = b.runExperimentJob(ctx, j, share, w)
	}
	w.note()
	if err != nil {
		return err
	}
	text, err := json.Marshal(result)
	if err != nil {
		return err
	}
	return b.store.FinishJob(context.WithoutCancel(ctx), id, text)
}

// keeping is a share of the workers whose blocks are kept as they are played.
func (b *book) keeping(share arena.Host) arena.Host {
	return &staged{Host: &tuner.CachedHost{Host: share, Blocks: b.store.Blocks()}}
}

// runTournamentJob plays a tournament.
func (b *book) runTournamentJob(ctx context.Context, j store.Job, share arena.Host, w *jobWatch) (any, error) {
	var request service.TournamentRequest
	if err := json.Unmarshal(j.Request, &request); err != nil {
		return nil, fmt.Errorf("stored request: %w", err)
	}
	f, err := b.requested(request)
	if err != nil {
		return nil, err
	}
	r, err := f.Play(ctx, tournament.Options{
		Host: b.keeping(share), Blocks: request.Blocks,
		Progress: func(blocks, of, games int64, _ string) { w.progress(blocks, of, games) },
		Each: func(r *tournament.Result) {
			w.partial(func() (any, error) { return newTournamentReport(r) })
		},
	})
	if err != nil {
		return nil, err
	}
	return newTournamentReport(r)
}

// requested reads the tournament file of a request. What it names is embedded:
// its rules read no files.
func (a *app) requested(r service.TournamentRequest) (*tournament.File, error) {
	name := r.FileName
	if name == "" {
		name = "tournament.yaml"
	}
	f, err := tournament.Read(name, []byte(r.File), a.catalogue)
	if err == nil && r.Seed != nil {
		f.Seed = uint64(*r.Seed)
	}
	return f, err
}
