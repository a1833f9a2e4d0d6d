package main

import (
	"net/http"

	"sakusen/tuner/daemon"
	"sakusen/tuner/sqlitedb"
	"sakusen/tuner/web"
)

// damageIn names the damage of the database at path where an error tells of it,
// and is nil for any other.
func damageIn(path string) func(error) error {
	return func(err error) error {
		if !sqlitedb.Damaged(err) {
			return nil
		}
		return sqlitedb.Damage(path, err)
	}
}

// faultOf is what the API says of an error of the database; nil where it is not
// one that the asker is helped by. Paths stay in the log.
func faultOf(err error) *web.Problem {
	switch {
	case sqlitedb.Damaged(err):
		return web.NewProblem(http.StatusServiceUnavailable, "the database is damaged: no study runs and nothing is written until a backup is put in its place; the server's log names the file and what is wrong")
	case sqlitedb.Full(err):
		return web.NewProblem(http.StatusInsufficientStorage, "the database cannot be written, as when the disk is full; nothing is lost, try again when there is space")
	}
	return nil
}

// fault is faultOf as an error.
func fault(err error) error {
	if p := faultOf(err); p != nil {
		return p
	}
	return nil
}

// held says of a study that waits because the database cannot be written that it
// does: the file may have no room for that.
func (l *library) held(s web.Study) web.Study {
	if l.daemon == nil { // nothing runs
		return s
	}
	if why := l.daemon.Held(s.Study); why != nil && s.State == string(daemon.Running) {
		s.Message = "waits, and goes on by itself: the database cannot be written, as when the disk is full"
		if sqlitedb.Damaged(why) {
			s.Message = "waits: the database is damaged"
		}
	}
	return s
}

// metricsOf are the numbers of a daemon beside those of its server.
func metricsOf(d *daemon.Daemon) func() []web.Metric {
	return func() []web.Metric {
		damaged := 0.0
		if d.Damage() != nil {
			damaged = 1
		}
		return []web.Metric{
			{Name: "sakusen_studies_held", Help: "Studies that wait because the database cannot be written.", Kind: "gauge", Value: float64(d.Waiting())},
			{Name: "sakusen_database_damaged", Help: "1 where the database was found damaged.", Kind: "gauge", Value: damaged},
		}
	}
}
