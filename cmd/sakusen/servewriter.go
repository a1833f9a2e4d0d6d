package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
	"sakusen/tuner/store/blocks"
	"sakusen/tuner/web"
)

var _ web.Writer = (*library)(nil)

// bench is the benchmarks of the daemon's database.
func (l *library) bench(ctx context.Context) (*service.Benchmarks, error) {
	return service.OpenBenchmarks(ctx, l.store.DB())
}

// RecordBench implements web.Writer.
func (l *library) RecordBench(ctx context.Context, runs []service.BenchRun, baseline string) ([]service.BenchRecorded, error) {
	b, err := l.bench(ctx)
	if err != nil {
		return nil, err
	}
	return b.Record(ctx, runs, baseline)
}

// SetBaseline implements web.Writer.
func (l *library) SetBaseline(ctx context.Context, name, source string) (service.BenchNamed, error) {
	b, err := l.bench(ctx)
	if err != nil {
		return service.BenchNamed{}, err
	}
	return b.SetBaseline(ctx, name, source)
}

// RemoveBaseline implements web.Writer.
func (l *library) RemoveBaseline(ctx context.Context, name string) error {
	b, err := l.bench(ctx)
	if err != nil {
		return err
	}
	return b.RemoveBaseline(ctx, name)
}

// AcceptBench implements web.Writer.
func (l *library) AcceptBench(ctx context.Context, a service.BenchAccept) (service.BenchAccepted, error) {
	b, err := l.bench(ctx)
	if err != nil {
		return service.BenchAccepted{}, err
	}
	return b.Accept(ctx, a)
}

// PruneBench implements web.Writer.
func (l *library) PruneBench(ctx context.Context, days int, dry bool) (int64, error) {
	b, err := l.bench(ctx)
	if err != nil {
		return 0, err
	}
	n, err := b.Prune(ctx, days, dry)
	if err == nil && !dry {
		l.log.Info("pruned benchmarks", "days", days, "runs", n)
	}
	return n, err
}

// Drop implements web.Writer. The study rests meanwhile, and begins anew as soon
// as there is a place for it.
func (l *library) Drop(ctx context.Context, study, worker string) (service.Dropped, error) {
	var out service.Dropped
	err := l.daemon.Still(ctx, study, "drop", func() error {
		d, others, err := l.drop(ctx, l.store, study, worker)
		out = service.Dropped{Blocks: d.Blocks, Archived: d.Archived, Others: others}
		return err
	})
	if errors.Is(err, store.ErrStudyNotFound) {
		err = service.New(service.NotFound, fmt.Sprintf("no study named %q", study))
	}
	if err == nil {
		l.log.Info("dropped", "study", study, "worker", worker, "blocks", out.Blocks, "archived", out.Archived)
	}
	return out, err
}

// Blocks implements web.Writer.
func (l *library) Blocks(ctx context.Context, study string, after int64, limit int, values bool) ([]service.BlockRun, error) {
	if _, err := l.details(ctx, study); err != nil {
		return nil, err
	}
	scope, err := l.scopeOf(ctx, l.store, study)
	if err != nil {
		return nil, err
	}
	page, err := l.store.Blocks().Page(ctx, scope, after, limit)
	out := []service.BlockRun{}
	for _, s := range page {
		out = append(out, blockRun(s, values))
	}
	return out, err
}

// blockRun is a stored run of blocks as it is served.
func blockRun(s blocks.StoredRun, values bool) service.BlockRun {
	tally := arena.NewTally(s.Run.Seats, s.Run.Components)
	tally.Add(s.Run)
	out := service.BlockRun{
		ID: s.ID, Game: s.Game, Phase: s.Phase.String(), Seed: param.Seed(s.Seed).String(), Rules: s.Rules, Signatures: s.Signatures,
		Entrants: fmt.Sprintf("%x", s.Entrants), From: s.Run.From, Blocks: int64(s.Run.Blocks), Games: tally.Games,
		Digest: strconv.FormatUint(tally.Digest, 10), Scores: []*float64{},
	}
	for _, e := range tally.Entrants {
		units, games := int64(0), int64(0)
		for _, seat := range e.Seats {
			units, games = units+seat.Score, games+seat.Games
		}
		var mean *float64
		if s.Run.Seats > 1 && games > 0 {
			x := float64(units) / float64(games*arena.Scale(s.Run.Seats))
			mean = &x
		}
		out.Scores = append(out.Scores, mean)
	}
	if values {
		out.Detail = service.DetailOf(s.Run)
	}
	return out
}

// SaveBlocks implements web.Writer.
func (l *library) SaveBlocks(ctx context.Context, p service.PlayedBlocks) error {
	if _, err := l.catalogue.Game(p.Game); err != nil {
		return service.Wrap(service.Invalid, err)
	}
	key, run, err := p.Run()
	if err != nil {
		return service.Wrap(service.Invalid, err)
	}
	return l.store.Blocks().Save(ctx, key, run)
}
