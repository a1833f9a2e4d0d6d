package service

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/store"
)

// countEvery is how often a running study's number of games is written to the record, for
// lists and for what can be read after a crash.
const countEvery = 2 * time.Second

// counting writes a study's number of games to the record while it runs, and passes
// progress on to tell. stop ends it and must be called before the last number is written.
func counting(ctx context.Context, log *store.Log, tell func(tuner.Progress)) (counted func(tuner.Progress), stop func()) {
	var games atomic.Int64
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() {
		tick := time.NewTicker(countEvery)
		defer tick.Stop()
		written := int64(0)
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if n := games.Load(); n > written {
				// The loop reports a full disk; the number is written again later.
				if log.SetGames(ctx, n) == nil {
					written = n
				}
			}
		}
	})
	counted = func(p tuner.Progress) {
		games.Store(p.Games)
		if tell != nil {
			tell(p)
		}
	}
	return counted, func() { cancel(); group.Wait() }
}
