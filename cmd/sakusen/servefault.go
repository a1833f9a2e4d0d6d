package main

import (
	"sakusen/tuner/daemon"
	"sakusen/tuner/service"
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

// held says of a study that waits because the database cannot be written that it
// does: the file may have no room for that.
func (l *library) held(s service.Study) service.Study {
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
