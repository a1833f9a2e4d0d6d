package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"sakusen/engines/arena"
	"sakusen/tuner/experiment"
	"sakusen/tuner/service"
	"sakusen/tuner/sqlitedb"
)

// options are a service's, as the settings say.
func (a *app) options(pool *arena.Pool, log *slog.Logger) service.Options {
	return service.Options{
		Catalogue:   a.catalogue,
		Experiments: func() ([]experiment.Experiment, error) { return a.experiments() },
		Settings: service.Settings{
			Workers: a.workers(), StudiesAtOnce: a.settings.Integer("studies_at_once"), BlocksDays: a.settings.Integer("retention.blocks_days"),
			BaselineBranch: a.settings.Text("bench.baseline_branch"), Commit: service.BuildCommit(),
		},
		Pool: pool, Log: log, Hook: a.hook,
	}
}

// reading opens the database for reading, also while another process writes it.
func (a *app) reading(ctx context.Context) (s *service.Service, end func() error, err error) {
	db, err := sqlitedb.OpenReadOnly(ctx, a.settings.Text("database"))
	if err != nil {
		return nil, nil, err
	}
	if s, err = service.Open(ctx, db, a.options(nil, nil)); err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	return s, a.closing(db), nil
}

// unnamed adds to an error about an unknown study where it was looked for, and where else
// to look.
func (a *app) unnamed(err error) error {
	if e, ok := errors.AsType[*service.Error](err); ok && e.Code == service.NotFound && e.Reason == "" {
		return service.Wrap(service.NotFound, fmt.Errorf("%s: %w (see sakusen study list)", a.settings.Text("database"), e))
	}
	return err
}
