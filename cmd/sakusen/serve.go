package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sakusen/bench/ledger"
	"sakusen/tuner/daemon"
	"sakusen/tuner/sqlitedb"
	"sakusen/tuner/store"
	"sakusen/tuner/web"
)

func (a *app) serveCommand() *cobra.Command {
	var listen string
	c := &cobra.Command{
		Use:   "serve",
		Short: "Run the daemon: studies side by side, with an HTTP API",
		Long: `Runs the studies of the database side by side, the more urgent with the larger
share of the workers, and serves the API under /api/v1. It takes up by itself
what any death of it left. While it runs it is the database's only writer:
study submit, pause, resume, stop and delete, and tune, go through it.

It listens on the loopback interface. Any other address needs a token
(setting token_file) and TLS (tls_cert and tls_key, or behind_proxy where a
proxy in front of it ends TLS).

The first SIGTERM or Ctrl-C lets every study stop after the games that are
being played and ends; the second ends at once. Nothing is lost either way.
SIGHUP reads the settings again: log.level, token_file, hosts and
studies_at_once change at once, any other with the next start.`,
		Example: `  sakusen serve
  sakusen serve --listen 127.0.0.1:8080 --db studies.db`,
		Args: exactly(0, "nothing more"),
		RunE: func(c *cobra.Command, _ []string) error { return a.serve(c.Context(), c, listen) },
	}
	c.Flags().StringVar(&listen, "listen", "", "address of the API (default: the settings' listen)")
	return c
}

// serve runs the daemon until it is told to end.
func (a *app) serve(ctx context.Context, c *cobra.Command, listen string) error {
	if !c.Flags().Changed("listen") {
		listen = a.settings.Text("listen")
	}
	f, err := a.front(listen)
	if err != nil {
		return usage(err)
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", listen)
	if err != nil {
		return usage(fmt.Errorf("listen: %w", err))
	}
	defer l.Close()
	db, err := sqlitedb.Open(ctx, a.settings.Text("database"), sqlitedb.Options{Address: f.scheme() + "://" + l.Addr().String(), Point: a.point})
	if err != nil {
		return err
	}
	return errors.Join(a.serveOn(ctx, l, f, db), db.Close())
}

// serveOn serves on an open database.
func (a *app) serveOn(ctx context.Context, l net.Listener, f *front, db *sqlitedb.DB) error {
	s, err := store.New(ctx, db, store.Options{Point: a.point})
	if err != nil {
		return err
	}
	if _, err := ledger.Open(ctx, db); err != nil {
		return err
	}
	level := new(slog.LevelVar)
	log := a.logger(level)
	var server *web.Server
	b := &book{app: a, store: s}
	d := daemon.New(daemon.Options{
		Book: b, Run: b.run, Pool: a.pool(), AtOnce: a.settings.Integer("studies_at_once"), Full: sqlitedb.Full, Log: log,
		Watch: func(e daemon.Event) { publish(server.Hub, e) },
	})
	lib := &library{book: b, log: log, queue: d.Queue}
	server, err = web.New(web.Options{
		Library: lib, Control: &control{d}, Theatre: newTheatre(b), Token: f.token, Hosts: f.hosts(l.Addr()), Secure: f.secure(),
		Log: log, Version: commit(),
	})
	if err != nil {
		return err
	}
	h := &http.Server{
		Handler: server, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 1 << 16, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	h.RegisterOnShutdown(server.Close)
	failed := make(chan error, 1)
	go func() {
		if f.cert != "" {
			failed <- h.ServeTLS(l, f.cert, f.key)
			return
		}
		failed <- h.Serve(l)
	}()
	log.Info("serves", "address", l.Addr().String(), "database", a.settings.Text("database"), "workers", a.workers())
	notify("READY=1")
	run, end := context.WithCancel(ctx)
	defer end()
	go func() {
		if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
			log.Error("the API ended", "error", err)
			end()
		}
	}()
	go lib.retain(run, a.settings.Integer("retention.blocks_days"))
	go a.reload(run, log, level, server, d, l.Addr())
	err = d.Run(run)
	notify("STOPPING=1")
	log.Info("ends", "why", "told to")
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return errors.Join(err, h.Shutdown(last))
}

// publish tells watchers of an event.
func publish(h *web.Hub, e daemon.Event) {
	switch e.Kind {
	case "progress":
		h.Publish(e.Kind, map[string]any{"study": e.Study, "progress": web.ProgressOf(e.Progress)})
	case "state":
		h.Publish(e.Kind, map[string]any{"study": e.Study, "state": e.State, "message": e.Why})
	default:
		h.Publish(e.Kind, map[string]any{"study": e.Study})
	}
}

// control is the daemon as the API drives it.
type control struct{ *daemon.Daemon }

// blame turns what the asker did wrong into a problem.
func blame(err error) error {
	if e, ok := errors.AsType[*daemon.StateError](err); ok {
		return web.NewProblem(http.StatusConflict, e.Error())
	}
	return err
}

func (c *control) Pause(ctx context.Context, name string) error {
	return blame(c.Daemon.Pause(ctx, name))
}
func (c *control) Stop(ctx context.Context, name string) error {
	return blame(c.Daemon.Stop(ctx, name))
}
func (c *control) Resume(ctx context.Context, name string) error {
	return blame(c.Daemon.Resume(ctx, name))
}
func (c *control) Delete(ctx context.Context, name string) error {
	return blame(c.Daemon.Delete(ctx, name))
}

// notify tells systemd how far the service is, where it asks for that.
func notify(state string) {
	socket := os.Getenv("NOTIFY_SOCKET")
	if socket == "" {
		return
	}
	if strings.HasPrefix(socket, "@") {
		socket = "\x00" + socket[1:]
	}
	c, err := net.Dial("unixgram", socket)
	if err != nil {
		return // a service manager that does not listen is no reason to end
	}
	defer c.Close()
	c.Write([]byte(state))
}
