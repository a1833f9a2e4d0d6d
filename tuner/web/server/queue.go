package server

import (
	"crypto/tls"
	"errors"
	"log/slog"

	"sakusen/tuner/listen"
	"sakusen/tuner/queue"
	"sakusen/tuner/service"
	"sakusen/tuner/sqlitedb"
	"sakusen/tuner/web"
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

// shown is what pages show of a queue.
func shown(q *queue.Queue) web.Elsewhere {
	all, counts := q.Workers()
	out := web.Elsewhere{Open: true, Workers: []web.Worker{}, Waiting: counts.Waiting, Replayed: counts.Replayed, Different: counts.Different}
	for _, w := range all {
		out.Workers = append(out.Workers, web.Worker(w))
	}
	return out
}
