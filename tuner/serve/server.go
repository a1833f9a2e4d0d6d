package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/arena/catalogue"
	"sakusen/tuner/config"
	"sakusen/tuner/queue"
	"sakusen/tuner/queue/enginestore"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/web"
	"sakusen/tuner/web/films"
)

// Options are those of a daemon.
type Options struct {
	Settings *config.Config
	// Reload reads the settings again, as SIGHUP asks for.
	Reload  func() (*config.Config, error)
	Open    func(ctx context.Context, db *sqlitedb.DB, log *slog.Logger) (*service.Service, error)
	Games   catalogue.Games // with what draws them
	Workers int             // games played at a time, for the log
	Commit  string          // of the build
	Log     io.Writer
	// Pool is that of the service; WorkersListen is the address for workers on other
	// machines and WorkersNATS a NATS server that runs already, both empty for none.
	Pool *arena.Pool
	// Engines are the daemon's programs of other people; workers that have the same play
	// games with them. Nil is none.
	Engines queue.Engines
	// Store has the engines that are handed out to workers; nil hands out none.
	Store *enginestore.Store
	// Registered, unless nil, reads the store again, as SIGHUP asks for, and returns the games
	// with its engines.
	Registered                 func() (arena.Catalogue, error)
	WorkersListen, WorkersNATS string
	// WorkersReplay is the share of the workers' jobs that are played again; 0 is 1 in 100.
	WorkersReplay float64
}

// Serve serves an open database until the context ends, and ends in order then.
func Serve(ctx context.Context, l net.Listener, f *Endpoint, db *sqlitedb.DB, o Options) error {
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP) // caught before any process can send it and to the end, since it would end the process
	defer signal.Stop(hangup)
	cert, err := loadCertificate(f)
	if err != nil {
		return service.Wrap(service.Invalid, err)
	}
	level := new(slog.LevelVar)
	log := logger(&o, level)
	s, err := o.Open(ctx, db, log)
	if err != nil {
		return err
	}
	if _, err := s.Benchmarks(ctx); err != nil {
		return err
	}
	for _, w := range f.Warnings {
		log.Warn(w)
	}
	closeProfile, err := serveProfile(ctx, f, log)
	if err != nil {
		return service.Wrap(service.Invalid, err)
	}
	defer closeProfile()
	run, end := context.WithCancelCause(ctx)
	defer end(nil)
	server, err := New(s, f, l.Addr(), log, o)
	if err != nil {
		return err
	}
	hook, err := openHook(o.Settings, log)
	if err != nil {
		return service.Wrap(service.Invalid, err)
	}
	if hook != nil {
		s.Watch(func(e daemon.Event) {
			publish(server.Hub, e)
			tellHook(hook, s, e)
		})
		defer func() {
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer cancel()
			hook.Close(last)
		}()
	}
	workers, err := openQueue(ctx, &o, f, cert, db, s, hook, log)
	if err != nil {
		return service.Wrap(service.Invalid, err)
	}
	if workers != nil {
		defer workers.Close()
		server.SetFleet(workers.Fleet)
	}
	conns := Limit(l, f.Proxied)
	h := &http.Server{
		Handler: server, ConnState: conns.State, ConnContext: conns.Context, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: 2 * time.Minute, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 1 << 16, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug), TLSConfig: cert.Config(),
	}
	h.RegisterOnShutdown(server.Close)
	go func() {
		serve := h.Serve
		if f.Cert != "" {
			serve = func(l net.Listener) error { return h.ServeTLS(l, "", "") }
		}
		if err := serve(conns); !errors.Is(err, http.ErrServerClosed) {
			end(fmt.Errorf("the API stopped: %w", err))
		}
	}()
	log.Info("listening", "address", l.Addr().String(), "database", db.Path(), "workers", o.Workers, "pid", os.Getpid())
	ready()
	alive, quiet := context.WithCancel(context.WithoutCancel(ctx))
	defer quiet()
	go watchdog(alive, s.Queue().Alive)
	reload := &reloading{read: o.Reload, log: log, level: level, server: server, service: s, cert: cert, address: l.Addr(), queue: workers, database: db.Path(), registered: o.Registered}
	go follow(alive, hangup, log, reload.again)
	context.AfterFunc(run, func() {
		stopping()
		log.Info("shutting down: studies stop after the games that are being played")
	})
	err = s.Serve(run)
	log.Info("stopped")
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if h.Shutdown(last) != nil {
		h.Close() // askers that do not end are cut off
	}
	if ctx.Err() == nil {
		err = errors.Join(err, context.Cause(run))
	}
	return err
}

// New returns the HTTP handler of a service at an address.
func New(s *service.Service, f *Endpoint, address net.Addr, log *slog.Logger, o Options) (*web.Server, error) {
	server, err := web.New(web.Options{
		Service: s, Studio: films.New(s.Store(), o.Games), Tokens: f.Tokens, Hosts: f.Hosts(address), Secure: f.Secure(), Proxied: f.Proxied, Proxies: f.Proxies,
		Base: f.Base, Log: log, Commit: o.Commit,
	})
	if err == nil {
		s.Watch(func(e daemon.Event) { publish(server.Hub, e) })
	}
	return server, err
}

// serveProfile serves Go's profiles on an address of their own, if the settings name one.
func serveProfile(ctx context.Context, f *Endpoint, log *slog.Logger) (end func() error, err error) {
	if f.Profile == "" {
		return func() error { return nil }, nil
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", f.Profile)
	if err != nil {
		return nil, fmt.Errorf("pprof_listen: %w", err)
	}
	h := &http.Server{Handler: web.Profile(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 1 << 16}
	go h.Serve(l) // until it is closed; the daemon goes on if profiles fail
	log.Info("listening for profiles", "address", l.Addr().String())
	return h.Close, nil
}

// publish sends an event to the subscribers of the API.
func publish(h *web.Hub, e daemon.Event) {
	about := map[string]any{"study": e.Key.String()}
	progress := any(service.ProgressOf(e.Progress))
	if e.Key.Kind != daemon.Study {
		about = map[string]any{"job": e.Key.String()}
		progress = service.JobProgressOf(e.Progress)
	}
	switch e.Kind {
	case "progress":
		about["progress"] = progress
	case "state":
		about["state"], about["message"] = e.State, e.Why
	}
	h.Publish(e.Kind, about)
}

// logger returns the daemon's log, whose level can be changed while it runs.
func logger(x *Options, level *slog.LevelVar) *slog.Logger {
	setLevel(level, x.Settings)
	o := &slog.HandlerOptions{Level: level}
	if x.Settings.Text("log.format") == "json" {
		return slog.New(slog.NewJSONHandler(x.Log, o))
	}
	return slog.New(slog.NewTextHandler(x.Log, o))
}

// setLevel sets the level that the settings name; they have been checked.
func setLevel(level *slog.LevelVar, settings *config.Config) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(settings.Text("log.level"))); err == nil {
		level.Set(l)
	}
}

// reloading is the parts of the daemon that change when the settings are read again.
type reloading struct {
	read     func() (*config.Config, error)
	log      *slog.Logger
	level    *slog.LevelVar
	server   *web.Server
	service  *service.Service
	cert     *certificate
	address  net.Addr
	queue    *queue.Queue // nil for none
	database string
	// registered reads the engines of the store again, nil for none.
	registered func() (arena.Catalogue, error)
}

// again reads the settings again. If they have mistakes it returns them and changes nothing.
func (r *reloading) again() error {
	settings, err := r.read()
	if err != nil {
		return err
	}
	f, err := NewEndpoint(settings, r.address.String())
	if err != nil {
		return err
	}
	if len(f.Tokens) == 0 && r.server.Guarded() {
		return errors.New("token_file: expected a file, got none: a running daemon cannot stop asking for tokens; start it again")
	}
	if err := r.cert.Load(f); err != nil {
		return err
	}
	for _, w := range append(settings.Warnings, f.Warnings...) {
		r.log.Warn(w)
	}
	if r.queue != nil {
		roll, err := queue.RegisterOf(r.database).Read()
		if err != nil {
			return err
		}
		if err := r.queue.SetRoll(roll); err != nil {
			return err
		}
	}
	if r.registered != nil {
		games, err := r.registered()
		if err != nil {
			return err
		}
		r.service.Queue().SetCatalogue(games)
	}
	setLevel(r.level, settings)
	r.server.SetAccess(web.Access{Tokens: f.Tokens, Hosts: f.Hosts(r.address)})
	r.service.Queue().SetAtOnce(settings.Integer("studies_at_once"))
	return nil
}

// openQueue opens the queue of workers on other machines; it returns nil where the options
// name no address. Quarantines and pauses of workers are reported to the webhook.
func openQueue(ctx context.Context, o *Options, f *Endpoint, cert *certificate, db *sqlitedb.DB, s *service.Service, hook *Hook, log *slog.Logger) (*queue.Queue, error) {
	if o.WorkersListen == "" && o.WorkersNATS == "" {
		s.WatchLiars(func(workers map[string]int64) {
			for name := range workers {
				go dropStubbornly(ctx, s, hook, liar(name), log)
			}
		})
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
	for _, h := range roll.Quarantined { // again: an earlier daemon may have ended before it had dropped all blocks
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
		Pool: o.Pool, Engines: o.Engines, Store: o.Store, Build: queue.NewBuild(o.Commit), Listen: o.WorkersListen, URL: o.WorkersNATS, TLS: config, Roll: roll, Keep: s.Blocks().Keep, Stored: s.Blocks().Stored, Records: s.Blocks().Records, Conflict: service.Impure, Log: log, Replay: o.WorkersReplay,
		Quarantined: func(ctx context.Context, h queue.Quarantine) {
			if err := register.Quarantine(h); err != nil {
				log.Error("a worker's quarantine cannot be stored and ends with this daemon", "worker", h.Name, "error", err)
			}
			dropStubbornly(ctx, s, hook, h, log)
		},
		Paused: func(name, reason string) {
			log.Error("a worker gets no more work", "worker", name, "reason", reason)
			tellWorker(hook, workerNews{State: "paused", Name: name, Message: reason})
		},
	})
	if err == nil {
		s.WatchLiars(func(workers map[string]int64) {
			for name, blocks := range workers {
				q.Accuse(name, blocks, func(ctx context.Context) { dropStubbornly(ctx, s, hook, liar(name), log) })
			}
		})
		log.Info("listening for workers", "address", q.Address(), "nats", o.WorkersNATS != "", "allowed", len(roll.Known), "quarantined", len(roll.Quarantined))
	}
	return q, err
}

// liar returns a worker whose stored blocks are not what is played here, and that stays at work.
func liar(name string) queue.Quarantine {
	return queue.Quarantine{Name: name, Reason: "stored blocks of it differ from those played here"}
}

// dropStubbornly deletes the blocks of a worker, and tries again until that succeeds.
func dropStubbornly(ctx context.Context, s *service.Service, hook *Hook, h queue.Quarantine, log *slog.Logger) {
	for dropWorker(ctx, s, hook, h, log) != nil && ctx.Err() == nil {
		select {
		case <-time.After(5 * time.Second):
		case <-ctx.Done():
		}
	}
}

// dropWorker deletes the blocks of a worker that is not trusted from the database; one in quarantine
// has been there since some time.
func dropWorker(ctx context.Context, s *service.Service, hook *Hook, h queue.Quarantine, log *slog.Logger) error {
	out, err := s.Blocks().DropWorker(ctx, h.Name)
	if err != nil {
		log.Error("the blocks of a worker cannot be deleted", "worker", h.Name, "error", err)
		return err
	}
	state := "quarantined"
	if h.Since.IsZero() {
		state = "distrusted"
	}
	log.Error("the blocks of a worker were deleted", "state", state, "worker", h.Name, "reason", h.Reason, "blocks_dropped", out.Blocks, "played_again", out.Again, "to_be_resumed", out.Held)
	tellWorker(hook, workerNews{State: state, Name: h.Name, Message: h.Reason, Blocks: out.Blocks, Again: out.Again, Held: out.Held})
	return nil
}

// workerNews is the body of a webhook's request about a worker.
type workerNews struct {
	Event   string   `json:"event"` // worker
	State   string   `json:"state"` // quarantined, paused, or distrusted: its blocks are dropped and it works on
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
