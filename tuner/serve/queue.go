package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"time"

	"sakusen/tuner/queue"
	"sakusen/tuner/service"
	"sakusen/tuner/store/sqlitedb"
)

// openQueue opens the queue of workers on other machines, nil where none are wanted. What
// it has to say of one is told to a webhook.
func openQueue(ctx context.Context, o *Options, f *Front, cert *certificate, db *sqlitedb.DB, s *service.Service, hook *Hook, log *slog.Logger) (*queue.Queue, error) {
	if o.WorkersListen == "" && o.WorkersNATS == "" {
		return nil, nil
	}
	if o.WorkersListen != "" && o.WorkersNATS != "" {
		return nil, errors.New("expected --workers-listen or --nats, got both")
	}
	register := queue.RegisterOf(db.Path())
	roll, err := register.Read()
	if err != nil {
		return nil, err
	}
	for _, h := range roll.Quarantined { // as it may have ended before all was taken out
		if err := dropWorker(ctx, s, hook, h, log); err != nil {
			return nil, err
		}
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
		Pool: o.Pool, Engines: o.Engines, Build: queue.NewBuild(o.Commit), Listen: o.WorkersListen, URL: o.WorkersNATS, TLS: config, Roll: roll, Keep: s.Blocks().Keep, Conflict: service.Impure, Log: log, Replay: o.WorkersReplay,
		Quarantined: func(ctx context.Context, h queue.Quarantine) {
			if err := register.Quarantine(h); err != nil {
				log.Error("a quarantine cannot be noted and ends with this daemon", "worker", h.Name, "error", err)
			}
			for dropWorker(ctx, s, hook, h, log) != nil && ctx.Err() == nil {
				select { // as when the disk is full
				case <-time.After(5 * time.Second):
				case <-ctx.Done():
				}
			}
		},
		Paused: func(name, reason string) {
			log.Error("a worker gets no more work", "worker", name, "reason", reason)
			tellWorker(hook, workerNews{State: "paused", Name: name, Message: reason})
		},
	})
	if err == nil {
		log.Info("listening for workers", "address", q.Address(), "nats", o.WorkersNATS != "", "allowed", len(roll.Known), "quarantined", len(roll.Quarantined))
	}
	return q, err
}

// dropWorker takes what a worker in quarantine has played out of the database.
func dropWorker(ctx context.Context, s *service.Service, hook *Hook, h queue.Quarantine, log *slog.Logger) error {
	out, err := s.Blocks().DropWorker(ctx, h.Name)
	if err != nil {
		log.Error("the blocks of a worker in quarantine cannot be taken out", "worker", h.Name, "error", err)
		return err
	}
	log.Error("a worker is in quarantine", "worker", h.Name, "reason", h.Reason, "blocks_dropped", out.Blocks, "played_again", out.Again, "to_be_resumed", out.Held)
	tellWorker(hook, workerNews{State: "quarantined", Name: h.Name, Message: h.Reason, Blocks: out.Blocks, Again: out.Again, Held: out.Held})
	return nil
}

// workerNews is what a webhook is told of a worker.
type workerNews struct {
	Event   string   `json:"event"` // worker
	State   string   `json:"state"` // quarantined or paused
	Name    string   `json:"name"`
	Message string   `json:"message"`
	Blocks  int64    `json:"blocks_dropped,omitempty"`
	Again   []string `json:"played_again,omitempty"`  // studies
	Held    []string `json:"to_be_resumed,omitempty"` // studies
	Path    string   `json:"path"`
	At      string   `json:"at"` // RFC 3339
}

func tellWorker(hook *Hook, n workerNews) {
	if hook != nil {
		n.Event, n.Path, n.At = "worker", "/workers", time.Now().UTC().Format(time.RFC3339)
		hook.Tell(n)
	}
}
