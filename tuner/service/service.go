package service

import (
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/sampler"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store"
)

// Options are what a service works with, beside its database.
type Options struct {
	// Catalogue are the games. Their rules read no files.
	Catalogue arena.Catalogue
	Samplers  sampler.Kinds
	// Experiments lists the experiments that can be run by name; nil is none.
	Experiments func() ([]experiment.Experiment, error)
	Settings    Settings
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
	ended  atomic.Pointer[func() error]
	// refused is when a write was last refused because the disk is full.
	refused atomic.Pointer[time.Time]
	probes  probes
	reach   reach
	keys    tuner.CachedHost // of blocks that were played on other machines
}

// Store is the database's studies, jobs and blocks.
func (s *Service) Store() *store.Store { return s.store }

// Watch lets f hear of every event of the queue from now on, in place of whoever
// heard of them before. It must not block.
func (s *Service) Watch(f func(daemon.Event)) { s.watch.Store(&f) }

func (s *Service) tell(e daemon.Event) {
	if f := s.watch.Load(); f != nil {
		(*f)(e)
	}
}

// halted says why the queue is not worked on any more; nil while it is, and if it never
// was.
func (s *Service) halted() error {
	if ended := s.ended.Load(); ended != nil && (*ended)() != nil {
		return errors.New("the daemon is shutting down")
	}
	return s.daemon.Damage()
}
