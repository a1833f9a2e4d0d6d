package service

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/store"
)

const (
	// tellJobEvery is the least time between two events about a job.
	tellJobEvery = 200 * time.Millisecond
	// noteJobEvery is the least time between two notes of a job's progress in the record.
	noteJobEvery = time.Second
	// partialCost bounds the share of the time that goes into partial results: after one,
	// the next waits this many times as long as it took.
	partialCost = 20
)

// jobWatch reports a job's progress: often to watchers, now and then to the record.
type jobWatch struct {
	ctx   context.Context // a note is written even if the job is interrupted
	store *store.Store
	id    int
	tell  func(tuner.Progress)
	clock func() time.Time

	mu       sync.Mutex
	now      tuner.Progress
	pace     numeral.Pace
	noted    time.Time
	nextPart time.Time
	part     json.RawMessage // not noted yet
}

func (s execution) newJobWatch(ctx context.Context, j store.Job, tell func(tuner.Progress)) *jobWatch {
	w := &jobWatch{ctx: context.WithoutCancel(ctx), store: s.store, id: j.ID, tell: tell, clock: s.o.Clock, pace: numeral.New(s.o.Clock(), tellJobEvery)}
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
	left := w.pace.Rest(now, blocks, of)
	if w.pace.Due(now) {
		w.pace.Told(now)
		w.now.PerSecond = w.pace.PerSecond(now, w.now.Games)
		w.now.Left = left
		w.tell(w.now)
	}
	if now.Sub(w.noted) >= noteJobEvery {
		w.write()
	}
}

// partial computes and notes the result so far, if it is time for one.
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

// write writes the notes. Notes that cannot be written now are written later or never:
// nothing depends on them, and blocks that cannot be written report the reason. The caller
// holds mu.
func (w *jobWatch) write() {
	w.noted = w.clock()
	if w.store.Jobs.SetProgress(w.ctx, w.id, w.now.Blocks, w.now.MaxBlocks, w.now.Games, w.part) == nil {
		w.part = nil
	}
}
