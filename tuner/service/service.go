package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/export"
	"sakusen/tuner/sampler"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store"
	"sakusen/tuner/store/sqlitedb"
)

// Options are what a service works with, beside its database.
type Options struct {
	// Catalogue are the games. Their rules read no files.
	Catalogue arena.Catalogue
	Samplers  sampler.Kinds
	// Experiments lists the experiments that can be run by name; nil is none.
	Experiments func() ([]experiment.Experiment, error)
	Settings    Settings
	// Program, unless nil, returns how an engine is started that a study's text brings or that is
	// known besides; nil where neither is. What it returns is shown to all who may read.
	Program func(study, name string) *export.ForeignEngine
	// Pool plays what [Service.Serve] runs; nil where nothing is served.
	Pool *arena.Pool
	// Clock is nil for the time of day.
	Clock func() time.Time
	Log   *slog.Logger // nil is none
	// Hook, unless nil, is called at named points of a study; tests kill the
	// process there.
	Hook func(point string)
}

// Settings are the user's.
type Settings struct {
	Workers        int    // games that an experiment plays at a time
	StudiesAtOnce  int    // that run side by side; 0 is 8
	BlocksDays     int    // days for which blocks are kept; 0 keeps all
	BaselineBranch string // of the benchmarks' histories
	Commit         string // of the program, kept with results
}

// Service is what can be done with one open database. The queue is worked on
// while [Service.Serve] runs, and else only changed.
type Service struct {
	o      Options
	store  *store.Store
	turns  turns // at studies whose games are played elsewhere
	daemon *daemon.Daemon
	watch  atomic.Pointer[func(daemon.Event)]
	liars  atomic.Pointer[func(map[string]int64)]
	ended  atomic.Pointer[func() error]
	games  games
	// refused is when a write was last refused because the disk is full.
	refused atomic.Pointer[time.Time]
	probes  probes
	reach   reach
	keys    tuner.CachedHost // of blocks that were played on other machines

	rankings rankings // of benchmarks
}

// Store returns the database's studies, jobs and blocks.
func (s *Service) Store() *store.Store { return s.store }

// games is the catalogue, which changes when engines are registered while the daemon runs.
type games struct {
	now atomic.Pointer[arena.Catalogue]
}

// all returns the games.
func (g *games) all() arena.Catalogue { return *g.now.Load() }

// Watch calls f with every event of the queue from now on, in place of an earlier function.
// It must not block.
func (s *Service) Watch(f func(daemon.Event)) { s.watch.Store(&f) }

// WatchLiars calls f with workers whose records differ from the games played here, and with
// the number of these blocks, in place of an earlier function. It must not block, and has
// their blocks dropped; what has met them waits for that.
func (s *Service) WatchLiars(f func(workers map[string]int64)) { s.liars.Store(&f) }

func (s *Service) tell(e daemon.Event) {
	if f := s.watch.Load(); f != nil {
		(*f)(e)
	}
}

// halted returns an error that says why the queue is not worked on any more; nil while it
// is, and if it never was.
func (s *Service) halted() error {
	if ended := s.ended.Load(); ended != nil && (*ended)() != nil {
		return errors.New("the daemon is shutting down")
	}
	return s.daemon.Damage()
}

// Open makes a service of an open database. One that is open for reading serves
// what reads.
func Open(ctx context.Context, db *sqlitedb.DB, o Options) (*Service, error) {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Experiments == nil {
		o.Experiments = func() ([]experiment.Experiment, error) { return nil, nil }
	}
	kept, err := store.New(ctx, db)
	if err != nil {
		return nil, err
	}
	s := &Service{o: o, store: kept}
	s.games.now.Store(&o.Catalogue)
	s.daemon = daemon.New(daemon.Options{
		Book: &book{s}, Run: s.Run, Pool: o.Pool, AtOnce: o.Settings.StudiesAtOnce, Full: sqlitedb.Full, Log: o.Log,
		Damaged: s.damageIn, Watch: s.tell,
	})
	return s, nil
}

// Games returns all games.
func (s *Service) Games() ([]GameInfo, error) {
	reports := []GameInfo{}
	for _, g := range s.games.all() {
		r, err := DescribeGame(g)
		if err != nil {
			return nil, err
		}
		reports = append(reports, r)
	}
	return reports, nil
}

// Strategies returns those of a game under its default rules.
func (s *Service) Strategies(game string) ([]StrategyInfo, error) {
	g, err := s.games.all().Game(game)
	if err != nil {
		return nil, Wrap(NotFound, err)
	}
	rules, err := g.OpenRules(nil)
	if err != nil {
		return nil, err
	}
	r, err := DescribeStrategies(rules, "")
	return r.Strategies, err
}

// Samplers returns the names of the searches.
func (s *Service) Samplers() []string { return s.o.Samplers.Names() }

// Benchmarks returns the benchmarks of the database.
func (s *Service) Benchmarks(ctx context.Context) (*Benchmarks, error) {
	b, err := OpenBenchmarks(ctx, s.store.DB())
	if err == nil {
		b.branch, b.kept = s.o.Settings.BaselineBranch, &s.rankings
	}
	return b, err
}

// Serve works on the queue until ctx ends, and then lets what runs stop after the
// games that are being played. Old blocks go once a day, as the settings say. When it
// returns nothing of it uses the database any more.
func (s *Service) Serve(ctx context.Context) error {
	ended := ctx.Err
	s.ended.Store(&ended)
	ctx, end := context.WithCancel(ctx)
	var beside sync.WaitGroup
	beside.Go(func() {
		if err := s.store.DB().Quick(ctx); sqlitedb.Damaged(err) {
			s.daemon.Halt(err)
		}
	})
	beside.Go(func() {
		if err := s.store.DB().Watch(ctx); err != nil {
			s.daemon.Halt(err)
		}
	})
	beside.Go(func() { s.pruneDaily(ctx) })
	beside.Go(func() { s.rankBenchmarks(ctx) })
	err := s.daemon.Run(ctx)
	end()
	beside.Wait()
	return err
}

// Ready returns an error that says why the service cannot do its work now, nil where it can.
func (s *Service) Ready(ctx context.Context) error {
	if err := s.halted(); err != nil {
		return err
	}
	if err := s.store.DB().Sound(); err != nil {
		s.Failed(err)
		return err
	}
	if n := s.daemon.Waiting(); n > 0 {
		return fmt.Errorf("%d studies and jobs wait: the database cannot be written, for example because the disk is full", n)
	}
	if at := s.refused.Load(); at != nil && s.o.Clock().Sub(*at) < fullTime {
		return errors.New("the disk was full at the last write")
	}
	_, err := s.store.Studies.Find(ctx, store.Filter{Limit: 1})
	return err
}

// fullTime is how long the service is not ready after a write that found the disk
// full.
const fullTime = 30 * time.Second

// pruneDaily prunes once a day, as the settings say, until ctx ends.
func (s *Service) pruneDaily(ctx context.Context) {
	for days := s.o.Settings.BlocksDays; days > 0; {
		if s.halted() != nil {
			return
		}
		if _, err := s.Blocks().Prune(ctx, days, false); err != nil && ctx.Err() == nil {
			s.o.Log.Error("blocks cannot be pruned", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(24 * time.Hour):
		}
	}
}

// damageIn returns the damage of the database if an error is caused by it, and nil for any other
// error.
func (s *Service) damageIn(err error) error {
	if !sqlitedb.Damaged(err) {
		return nil
	}
	return sqlitedb.Damage(s.store.DB().Path(), err)
}

// Failed takes an error that a caller of the service received: if the error says that the
// database is damaged, nothing runs and nothing is written any more.
func (s *Service) Failed(err error) {
	if damage := s.damageIn(err); damage != nil {
		s.daemon.Halt(damage)
	}
	if sqlitedb.Full(err) {
		now := s.o.Clock()
		s.refused.Store(&now)
	}
}

// WaitsForDisk is the message of a running study whose record cannot be written.
const WaitsForDisk = "waits, and goes on by itself: the database cannot be written, for example because the disk is full"

// explained adds to a waiting study the reason, if the database cannot be written: the disk
// may be full.
func (t *Studies) explained(line Study) Study {
	if why := t.s.daemon.Held(daemon.StudyKey(line.Study)); why != nil && line.State == string(tuner.Running) {
		line.Message = WaitsForDisk
		if sqlitedb.Damaged(why) {
			line.Message = "waits: the database is damaged"
		}
	}
	return line
}

// Places returns the number of games that this machine plays at the same time, 0 where it
// is not known.
func (s *Service) Places() int {
	if s.o.Pool == nil {
		return 0
	}
	return s.o.Pool.Workers()
}
