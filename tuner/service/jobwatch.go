package service

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/pace"
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
	clock func() time.Time

	mu       sync.Mutex
	now      tuner.Progress
	pace     pace.Pace
	noted    time.Time
	nextPart time.Time
	part     json.RawMessage // not noted yet
}

func (s *Service) newJobWatch(ctx context.Context, j store.Job, tell func(tuner.Progress)) *jobWatch {
	w := &jobWatch{ctx: context.WithoutCancel(ctx), store: s.store, id: j.ID, tell: tell, clock: s.o.Clock, pace: pace.New(s.o.Clock(), tellJobEvery)}
	w.now = tuner.Progress{Incumbent: -1, Phase: j.Kind, MaxBlocks: j.Of}
	return w
}

// progress counts blocks played or found, the last of them so many games.
func (w *jobWatch) progress(blocks, of, games int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now.Blocks, w.now.MaxBlocks = blocks, of
	w.now.Games += games
	now := w.clock()
	if w.pace.Due(now) {
		w.pace.Told(now)
		w.now.PerSecond = w.pace.PerSecond(now, w.now.Games)
		w.now.Left = pace.Left(of-blocks, w.pace.PerSecond(now, blocks))
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
	began := w.clock()
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
	now := w.clock()
	w.nextPart = now.Add(max(noteJobEvery, partialCost*now.Sub(began)))
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
	w.noted = w.clock()
	if w.store.SetJobProgress(w.ctx, w.id, w.now.Blocks, w.now.MaxBlocks, w.now.Games, w.part) == nil {
		w.part = nil
	}
}
