package main

import (
	"context"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"

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

// reload reads the settings again at every SIGHUP. Settings with mistakes change
// nothing.
func (a *app) reload(ctx context.Context, log *slog.Logger, level *slog.LevelVar, server *web.Server, d *daemon.Daemon, address net.Addr) {
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	defer signal.Stop(hangup)
	for {
		select {
		case <-ctx.Done():
			return
		case <-hangup:
		}
		settings, err := config.Load(config.Source{File: a.flags.config, Env: a.env, Flags: a.given})
		if err != nil {
			log.Error("the settings have mistakes and stay as they were", "error", err)
			continue
		}
		next := *a
		next.settings = settings
		f, err := next.front(address.String())
		if err != nil {
			log.Error("the settings have mistakes and stay as they were", "error", err)
			continue
		}
		setLevel(level, settings)
		server.SetAccess(web.Access{Token: f.token, Hosts: f.hosts(address)})
		d.SetAtOnce(settings.Integer("studies_at_once"))
		log.Info("the settings are read again")
	}
}
