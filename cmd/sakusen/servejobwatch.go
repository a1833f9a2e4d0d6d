package main

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/store"
)

const (
	// tellJobEvery bounds how often watchers hear of a job.
	tellJobEvery = 200 * time.Millisecond
	// noteJobEvery bounds how often the record hears of it.
	noteJobEvery = time.Second
	// partialCost is how many times as long as a partial result takes the next one
	// waits, so that large tournaments do not spend their time on them.
	partialCost = 20
)

// jobWatch tells how far a job is: watchers often, the record now and then.
type jobWatch struct {
	ctx   context.Context // what is noted is noted even where the job is interrupted
	store *store.Store
	id    int
	tell  func(tuner.Progress)

	mu       sync.Mutex
	now      tuner.Progress
	began    time.Time
	told     time.Time
	noted    time.Time
	nextPart time.Time
	part     json.RawMessage // not noted yet
}

func newJobWatch(ctx context.Context, s *store.Store, j store.Job, tell func(tuner.Progress)) *jobWatch {
	w := &jobWatch{ctx: context.WithoutCancel(ctx), store: s, id: j.ID, tell: tell, began: time.Now()}
	w.now = tuner.Progress{Incumbent: -1, Phase: j.Kind, MaxBlocks: j.Of}
	return w
}

// progress counts blocks played or found, the last of them so many games.
func (w *jobWatch) progress(blocks, of, games int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now.Blocks, w.now.MaxBlocks = blocks, of
	w.now.Games += games
	now := time.Now()
	if now.Sub(w.told) >= tellJobEvery {
		w.told = now
		elapsed := now.Sub(w.began).Seconds()
		w.now.PerSecond, w.now.Left = float64(w.now.Games)/elapsed, 0
		if blocks > 0 && of >= blocks {
			w.now.Left = time.Duration(elapsed * float64(of-blocks) / float64(blocks) * float64(time.Second))
		}
		w.tell(w.now)
	}
	if now.Sub(w.noted) >= noteJobEvery {
		w.write()
	}
}

// partial makes and notes the result so far, if it is time for one.
func (w *jobWatch) partial(make func() (any, error)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	began := time.Now()
	if began.Before(w.nextPart) {
		return
	}
	result, err := make()
	if err != nil {
		return // the whole result will say so
	}
	if text, err := json.Marshal(result); err == nil {
		w.part = text
	}
	w.write()
	w.tell(w.now)
	w.nextPart = time.Now().Add(max(noteJobEvery, partialCost*time.Since(began)))
}

// note writes how far the job came.
func (w *jobWatch) note() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.write()
}

// write notes what is to be noted. What cannot be written now is written later,
// or not at all: nothing depends on it, and blocks that cannot be written say
// why. The caller holds mu.
func (w *jobWatch) write() {
	w.noted = time.Now()
	if w.store.SetJobProgress(w.ctx, w.id, w.now.Blocks, w.now.MaxBlocks, w.now.Games, w.part) == nil {
		w.part = nil
	}
}
