package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"

	"sakusen/engines/arena"
	"sakusen/tuner/build"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
	"sakusen/tuner/store/sqlitedb"
)

// read opens the database for reading, also while another process writes it.
func (a databaseCommands) read(ctx context.Context) (s *store.Store, end func() error, err error) {
	db, err := sqlitedb.OpenReadOnly(ctx, a.settings.Text("database"))
	if err != nil {
		return nil, nil, err
	}
	s, err = store.New(ctx, db, store.Options{})
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	return s, a.closing(db), nil
}

// closing closes a database that was read, and keeps what is wrong with what was read
// for the end of the command.
func (a databaseCommands) closing(db *sqlitedb.DB) func() error {
	return func() error {
		err := db.Close()
		a.late = errors.Join(a.late, err)
		return err
	}
}

// databaseExists tells whether the database file exists.
func (a databaseCommands) databaseExists() bool {
	_, err := os.Stat(a.settings.Text("database"))
	return !errors.Is(err, fs.ErrNotExist)
}

// needDatabase refuses what needs a database where there is none.
func (a databaseCommands) needDatabase() error {
	if a.databaseExists() {
		return nil
	}
	return usage(fmt.Errorf("%s: there is no database yet: sakusen tune makes one, and --db names another", a.settings.Text("database")))
}

// point calls the hook of tests, if there is one.
func (a *app) point(name string) {
	if a.hook != nil {
		a.hook(name)
	}
}

// options are a service's, as the settings say.
func (a databaseCommands) options(pool *arena.Pool, log *slog.Logger) service.Options {
	return service.Options{
		Catalogue:   a.catalogue,
		Samplers:    a.samplers,
		Experiments: func() ([]experiment.Experiment, error) { return a.contest.experiments() },
		Settings: service.Settings{
			Workers: a.workers(), StudiesAtOnce: a.settings.Integer("studies_at_once"), BlocksDays: a.settings.Integer("retention.blocks_days"),
			BaselineBranch: a.settings.Text("bench.baseline_branch"), Commit: build.Commit(),
		},
		Pool: pool, Log: log, Hook: a.hook,
	}
}

// reading opens the database for reading, also while another process writes it.
func (a databaseCommands) reading(ctx context.Context) (s *service.Service, end func() error, err error) {
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
func (a databaseCommands) unnamed(err error) error {
	if e, ok := errors.AsType[*service.Error](err); ok && e.Code == service.NotFound && e.Reason == "" {
		return service.Wrap(service.NotFound, fmt.Errorf("%s: %w (see sakusen study list)", a.settings.Text("database"), e))
	}
	return err
}
