package service

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/store"
)

// countEvery is how often the record of a running study is told how many games
// it has played: what lists show, and what is left to read after a crash.
const countEvery = 2 * time.Second

// counting tells the record of a study's games while it runs. tell is handed on
// to; stop ends the counting, and is to be called before the last number is
// written.
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
				// A full disk is for the loop to report; the number is written again.
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
