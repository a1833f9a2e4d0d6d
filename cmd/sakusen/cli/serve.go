package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"sakusen/tuner/daemon"
	"sakusen/tuner/listen"
	"sakusen/tuner/service"
	"sakusen/tuner/sqlitedb"
	"sakusen/tuner/theatre"
	"sakusen/tuner/web"
)

func (a *app) serveCommand() *cobra.Command {
	var address string
	c := &cobra.Command{
		Use:   "serve",
		Short: "Run the daemon: studies, tournaments and experiments side by side, with an HTTP API",
		Long: `Runs the studies, tournaments and experiments of the database side by side, and
serves web pages and the API (under /api/v1). The more urgent ones get the larger
share of the workers. After a crash it goes on with what it was running. While it
runs, only the daemon writes to the database: tune, tournament, experiment run and
the commands that change a study ask it to do their work.

It listens on the loopback interface. Any other address needs a token
(setting token_file) and TLS (tls_cert and tls_key, or behind_proxy where a
proxy in front of it handles TLS).

At the first SIGTERM or Ctrl-C the daemon finishes the games that are being
played, for three seconds at most, and ends; at the second it ends at once.
Nothing is lost either way. At SIGHUP it reads the settings again: log.level,
token_file, tls_cert, tls_key, hosts and studies_at_once change at once, any other
at the next start. If the new settings have mistakes, nothing changes.`,
		Example: `  sakusen serve
  sakusen serve --listen 127.0.0.1:8080 --db studies.db`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return a.serve(c.Context(), c, address) },
	}
	c.Flags().StringVar(&address, "listen", "", "address of the API (default: the settings' listen)")
	return c
}

// serve runs the daemon until it is told to end.
func (a *app) serve(ctx context.Context, c *cobra.Command, address string) error {
	if !c.Flags().Changed("listen") {
		address = a.settings.Text("listen")
	}
	f, err := listen.NewFront(a.settings, address)
	if err != nil {
		return usage(err)
	}
	path := a.settings.Text("database")
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		if held, ok := sqlitedb.Writer(path); ok && held.Address != "" {
			return held // most likely it has that address
		}
		return usage(fmt.Errorf("listen: %w", err))
	}
	defer l.Close()
	db, err := sqlitedb.Open(ctx, path, sqlitedb.Options{Address: f.Scheme() + "://" + listen.Reachable(address, l.Addr()), Point: a.point})
	if err != nil {
		return err
	}
	return errors.Join(a.serveOn(ctx, l, f, db), db.Close())
}

// serveOn serves on an open database.
func (a *app) serveOn(ctx context.Context, l net.Listener, f *listen.Front, db *sqlitedb.DB) error {
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP) // caught before anybody can send it and to the end, since it would end the process
	defer signal.Stop(hangup)
	cert, err := listen.LoadCertificate(f)
	if err != nil {
		return usage(err)
	}
	level := new(slog.LevelVar)
	log := a.logger(level)
	s, err := service.Open(ctx, db, a.options(a.pool(), log))
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
		return usage(err)
	}
	defer closeProfile()
	run, end := context.WithCancelCause(ctx)
	defer end(nil)
	server, err := a.newServer(s, f, l.Addr(), log)
	if err != nil {
		return err
	}
	h := &http.Server{
		Handler: server, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: 2 * time.Minute, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 1 << 16, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug), TLSConfig: cert.Config(),
	}
	h.RegisterOnShutdown(server.Close)
	go func() {
		serve := h.Serve
		if f.Cert != "" {
			serve = func(l net.Listener) error { return h.ServeTLS(l, "", "") }
		}
		if err := serve(listen.Limit(l)); !errors.Is(err, http.ErrServerClosed) {
			end(fmt.Errorf("the API stopped: %w", err))
		}
	}()
	log.Info("listening", "address", l.Addr().String(), "database", db.Path(), "workers", a.workers(), "pid", os.Getpid())
	listen.Ready()
	alive, quiet := context.WithCancel(context.WithoutCancel(ctx))
	defer quiet()
	go listen.Watchdog(alive, s.Alive)
	reload := &reloading{app: a, log: log, level: level, server: server, service: s, cert: cert, address: l.Addr()}
	go listen.Follow(alive, hangup, log, reload.again)
	context.AfterFunc(run, func() {
		listen.Stopping()
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

// newServer makes what serves a service at an address.
func (a *app) newServer(s *service.Service, f *listen.Front, address net.Addr, log *slog.Logger) (*web.Server, error) {
	server, err := web.New(web.Options{
		Service: s, Theatre: theatre.New(s.Store(), a.games), Token: f.Token, Hosts: f.Hosts(address), Secure: f.Secure(), Proxied: f.Proxied,
		Log: log, Version: commit(),
	})
	if err == nil {
		s.Watch(func(e daemon.Event) { publish(server.Hub, e) })
	}
	return server, err
}

// serveProfile serves Go's profiles on an address of their own, if the settings name one.
func serveProfile(ctx context.Context, f *listen.Front, log *slog.Logger) (end func() error, err error) {
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

// publish tells watchers of an event.
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
