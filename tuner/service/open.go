package service

import (
	"context"
	"log/slog"
	"time"

	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store"
	"sakusen/tuner/store/sqlitedb"
)

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
	kept, err := store.New(ctx, db, store.Options{Point: o.Hook})
	if err != nil {
		return nil, err
	}
	s := &Service{o: o, store: kept}
	s.daemon = daemon.New(daemon.Options{
		Book: &queue{s}, Run: s.Run, Pool: o.Pool, AtOnce: o.Settings.StudiesAtOnce, Full: sqlitedb.Full, Log: o.Log,
		Damaged: s.damageIn, Watch: s.tell,
	})
	return s, nil
}
