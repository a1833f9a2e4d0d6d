package server

import (
	"crypto/tls"
	"errors"
	"log/slog"

	"sakusen/tuner/listen"
	"sakusen/tuner/queue"
	"sakusen/tuner/service"
	"sakusen/tuner/sqlitedb"
)

// openQueue opens the queue of workers on other machines, nil where none are wanted.
func openQueue(o *Options, f *listen.Front, cert *listen.Certificate, db *sqlitedb.DB, s *service.Service, log *slog.Logger) (*queue.Queue, error) {
	if o.WorkersListen == "" && o.WorkersNATS == "" {
		return nil, nil
	}
	if o.WorkersListen != "" && o.WorkersNATS != "" {
		return nil, errors.New("expected --workers-listen or --nats, got both")
	}
	known, err := queue.RegisterOf(db.Path()).Read()
	if err != nil {
		return nil, err
	}
	if o.WorkersNATS != "" {
		if err := queue.CheckServer(o.WorkersNATS); err != nil {
			return nil, err
		}
	}
	var config *tls.Config
	if f.Cert != "" {
		config = cert.Config()
	}
	q, err := queue.Open(queue.Options{
		Pool: o.Pool, Build: queue.NewBuild(o.Version), Listen: o.WorkersListen, URL: o.WorkersNATS, TLS: config, Workers: known, Keep: s.Blocks().Keep, Log: log,
	})
	if err == nil {
		log.Info("listening for workers", "address", q.Address(), "nats", o.WorkersNATS != "", "allowed", len(known))
	}
	return q, err
}
