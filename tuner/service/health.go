package service

import (
	"sakusen/tuner"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store/sqlitedb"
)

// damageIn is the damage of the database if an error is caused by it, and nil for any other
// error.
func (s *Service) damageIn(err error) error {
	if !sqlitedb.Damaged(err) {
		return nil
	}
	return sqlitedb.Damage(s.store.DB().Path(), err)
}

// Failed hears of an error that somebody met who used the service: where it tells
// of a damaged database, nothing runs and nothing is written any more.
func (s *Service) Failed(err error) {
	if damage := s.damageIn(err); damage != nil {
		s.daemon.Halt(damage)
	}
	if sqlitedb.Full(err) {
		now := s.o.Clock()
		s.refused.Store(&now)
	}
}

// Damage is the damage for which nothing runs any more, nil where there is none.
func (s *Service) Damage() error { return s.daemon.Damage() }

// Alive returns at once, unless the queue hangs.
func (s *Service) Alive() { s.daemon.Alive() }

// Running is the number of studies and jobs that run now.
func (s *Service) Running() int { return s.daemon.Running() }

// Waiting is the number of studies and jobs that wait because the database cannot
// be written.
func (s *Service) Waiting() int { return s.daemon.Waiting() }

// explained adds to a waiting study the reason, if the database cannot be written: the disk
// may be full.
func (t *Studies) explained(line Study) Study {
	if why := t.s.daemon.Held(daemon.StudyKey(line.Study)); why != nil && line.State == string(tuner.Running) {
		line.Message = "waits, and goes on by itself: the database cannot be written, as when the disk is full"
		if sqlitedb.Damaged(why) {
			line.Message = "waits: the database is damaged"
		}
	}
	return line
}

// Places is the number of games that this machine plays at the same time, 0 where it is
// not known.
func (s *Service) Places() int {
	if s.o.Pool == nil {
		return 0
	}
	return s.o.Pool.Workers()
}
