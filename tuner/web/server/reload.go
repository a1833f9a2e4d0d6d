package server

import (
	"errors"
	"log/slog"
	"net"

	"sakusen/tuner/config"
	"sakusen/tuner/queue"
	"sakusen/tuner/serve/listen"
	"sakusen/tuner/service"
	"sakusen/tuner/web"
)

// logger writes the daemon's log; its level can be changed while it runs.
func logger(x *Options, level *slog.LevelVar) *slog.Logger {
	setLevel(level, x.Settings)
	o := &slog.HandlerOptions{Level: level}
	if x.Settings.Text("log.format") == "json" {
		return slog.New(slog.NewJSONHandler(x.Log, o))
	}
	return slog.New(slog.NewTextHandler(x.Log, o))
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
	read     func() (*config.Config, error)
	log      *slog.Logger
	level    *slog.LevelVar
	server   *web.Server
	service  *service.Service
	cert     *listen.Certificate
	address  net.Addr
	queue    *queue.Queue // nil for none
	database string
}

// again reads the settings again. If they have mistakes nothing changes.
func (r *reloading) again() error {
	settings, err := r.read()
	if err != nil {
		return err
	}
	f, err := listen.NewFront(settings, r.address.String())
	if err != nil {
		return err
	}
	if len(f.Tokens) == 0 && r.server.Guarded() {
		return errors.New("token_file: expected a file, got none: a daemon that has asked for a token goes on asking for it until it is started again")
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
	setLevel(r.level, settings)
	r.server.SetAccess(web.Access{Tokens: f.Tokens, Hosts: f.Hosts(r.address)})
	r.service.SetStudiesAtOnce(settings.Integer("studies_at_once"))
	return nil
}
