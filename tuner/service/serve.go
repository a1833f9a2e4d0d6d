package service

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"sakusen/tuner/store/sqlitedb"
)

// Serve works on the queue until ctx ends, and then lets what runs stop after the
// games that are being played. Old blocks go once a day, as the settings say. When it
// returns nothing of it uses the database any more.
func (s *Service) Serve(ctx context.Context) error {
	ended := ctx.Err
	s.ended.Store(&ended)
	ctx, end := context.WithCancel(ctx)
	var beside sync.WaitGroup
	beside.Go(func() {
		if err := s.store.DB().Quick(ctx); sqlitedb.Damaged(err) {
			s.daemon.Halt(err)
		}
	})
	beside.Go(func() {
		if err := s.store.DB().Watch(ctx); err != nil {
			s.daemon.Halt(err)
		}
	})
	beside.Go(func() { s.pruneDaily(ctx) })
	err := s.daemon.Run(ctx)
	end()
	beside.Wait()
	return err
}

// SetStudiesAtOnce changes how many studies run side by side.
func (s *Service) SetStudiesAtOnce(n int) { s.daemon.SetAtOnce(n) }

// Ready says why the service cannot do its work now, nil where it can.
func (s *Service) Ready(ctx context.Context) error {
	if err := s.halted(); err != nil {
		return err
	}
	if err := s.store.DB().Sound(); err != nil {
		s.Failed(err)
		return err
	}
	if n := s.Waiting(); n > 0 {
		return fmt.Errorf("%d studies and jobs wait: the database cannot be written, as when the disk is full", n)
	}
	if at := s.refused.Load(); at != nil && s.o.Clock().Sub(*at) < fullTime {
		return errors.New("the disk was full at the last write")
	}
	_, err := s.store.Studies.After(ctx, 0, 1)
	return err
}

// fullTime is how long the service is not ready after a write that found the disk
// full.
const fullTime = 30 * time.Second

// pruneDaily prunes once a day, as the settings say, until ctx ends.
func (s *Service) pruneDaily(ctx context.Context) {
	for days := s.o.Settings.BlocksDays; days > 0; {
		if s.halted() != nil {
			return
		}
		if _, err := s.Blocks().Prune(ctx, days, false); err != nil && ctx.Err() == nil {
			s.o.Log.Error("blocks cannot be pruned", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(24 * time.Hour):
		}
	}
}
