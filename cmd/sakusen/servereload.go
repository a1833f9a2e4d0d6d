package main

import (
	"context"
	"log/slog"
	"net"
	"os"

	"sakusen/tuner/config"
	"sakusen/tuner/daemon"
	"sakusen/tuner/web"
)

// logger writes the daemon's log to standard error, from a level on that can be
// changed.
func (a *app) logger(level *slog.LevelVar) *slog.Logger {
	setLevel(level, a.settings)
	o := &slog.HandlerOptions{Level: level}
	if a.settings.Text("log.format") == "json" {
		return slog.New(slog.NewJSONHandler(a.err, o))
	}
	return slog.New(slog.NewTextHandler(a.err, o))
}

// setLevel takes the level of the settings, which are checked.
func setLevel(level *slog.LevelVar, settings *config.Config) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(settings.Text("log.level"))); err == nil {
		level.Set(l)
	}
}

// reloading is what changes when the settings are read again.
type reloading struct {
	*app
	log     *slog.Logger
	level   *slog.LevelVar
	server  *web.Server
	daemon  *daemon.Daemon
	cert    *certificate
	address net.Addr
}

// follow reads the settings again at every SIGHUP.
func (r *reloading) follow(ctx context.Context, hangup <-chan os.Signal) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-hangup:
		}
		notify("RELOADING=1")
		if err := r.again(); err != nil {
			r.log.Error("the settings have mistakes and stay as they were", "error", err)
		} else {
			r.log.Info("the settings are read again")
		}
		notify("READY=1")
	}
}

// again reads the settings. With mistakes in them nothing changes.
func (r *reloading) again() error {
	settings, err := config.Load(config.Source{File: r.flags.config, Env: r.env, Flags: r.given})
	if err != nil {
		return err
	}
	next := *r.app
	next.settings = settings
	f, err := next.front(r.address.String())
	if err != nil {
		return err
	}
	if err := r.cert.load(f); err != nil {
		return err
	}
	for _, w := range f.warnings {
		r.log.Warn(w)
	}
	setLevel(r.level, settings)
	r.server.SetAccess(web.Access{Token: f.token, Hosts: f.hosts(r.address)})
	r.daemon.SetAtOnce(settings.Integer("studies_at_once"))
	return nil
}
