package daemon

import (
	"context"
	"sync"

	"sakusen/tuner"
)

// job is a study that runs.
type job struct {
	entry  Item
	number int // jobs that ran when it began
	ctx    context.Context
	cancel context.CancelCauseFunc
	done   chan struct{} // closed when its state is written

	mu  sync.Mutex
	now *tuner.Progress
}

func newJob(e Item, number int) *job {
	j := &job{entry: e, number: number, done: make(chan struct{})}
	j.ctx, j.cancel = context.WithCancelCause(context.Background())
	return j
}

// interrupt ends the job for a reason; the first one counts.
func (j *job) interrupt(why error) { j.cancel(why) }

// why is the reason for which the job was interrupted, nil if it was not.
func (j *job) why() error {
	if j.ctx.Err() == nil {
		return nil
	}
	return context.Cause(j.ctx)
}

// told keeps how far the study is.
func (j *job) told(p tuner.Progress) {
	j.mu.Lock()
	j.now = &p
	j.mu.Unlock()
}

// progress is how far the study is, nil before it was told.
func (j *job) progress() *tuner.Progress {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.now
}
