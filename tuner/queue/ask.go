package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"sakusen/engines/arena"
)

// mostLost is how many workers may be lost over one chunk before it counts as what kills
// them.
const mostLost = 3

// asked is a job that a desk waits for.
type asked struct {
	job    *Job
	series *arena.Series
	chunk  string // the job whatever its attempt
	since  time.Time
	holder string // the worker that plays it, as far as is known
	told   chan told

	taken bool // a result is being judged or stored
	stale bool // it was to be given back meanwhile
}

type told struct {
	run *arena.Run
	err error
}

// answer ends the wait; only the first one counts.
func (a *asked) answer(run *arena.Run, err error) {
	select {
	case a.told <- told{run, err}:
	default:
	}
}

// giveBack gives a job back to the pool, unless a result of it is being judged: then only
// where that does not count. The caller holds mu.
func (q *Queue) giveBack(a *asked) {
	if a.taken {
		a.stale = true
		return
	}
	q.redelivered(a)
	a.answer(nil, arena.ErrGivenBack)
}

// redelivered counts a job that goes to another than had it. The caller holds mu.
func (q *Queue) redelivered(a *asked) {
	q.counts.Redelivered++
	if w := q.workers[a.holder]; w != nil {
		w.redelivered++
	}
}

// held notes who has a job. The caller holds mu.
func (q *Queue) held(a *asked, name string) {
	if a.holder != "" && a.holder != name {
		q.redelivered(a)
	}
	a.holder = name
}

// desk is a worker's place at the pool.
type desk struct {
	q *Queue
}

// Play implements arena.Elsewhere.
func (d desk) Play(ctx context.Context, s *arena.Series, from int64, n int) (*arena.Run, error) {
	q := d.q
	job, err := newJob(ctx, s, from, n)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(job)
	if err != nil {
		return nil, err
	}
	a := &asked{job: job, series: s, chunk: string(text), since: time.Now(), told: make(chan told, 1)}
	q.mu.Lock()
	if lost := q.lost[a.chunk]; lost >= mostLost {
		q.mu.Unlock()
		return nil, fmt.Errorf("%d workers were lost while they played blocks %d to %d of %s with seed %d: these games may end the program that plays them",
			lost, from, from+int64(n)-1, job.Game, job.Seed)
	}
	q.number++
	job.ID = fmt.Sprintf("%d-%016x", q.number, rand.Uint64()) // two daemons never ask by the same name
	q.asked[job.ID] = a
	q.counts.Jobs++
	q.mu.Unlock()
	defer q.forget(a)
	if text, err = json.Marshal(job); err != nil {
		return nil, err
	}
	if _, err := q.stream.Publish(ctx, workRoot+job.ID, text); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		q.o.Log.Warn("a job was not taken by the queue of the workers", "error", err)
		if errors.Is(err, jetstream.ErrNoStreamResponse) {
			q.renew()
		}
		select { // not at once again
		case <-time.After(time.Second):
		case <-ctx.Done():
		}
		return nil, arena.ErrGivenBack
	}
	select {
	case t := <-a.told:
		return t.run, t.err
	case <-q.ctx.Done():
		return nil, arena.ErrGivenBack
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// forget takes a job out of the queue that nobody waits for any more.
func (q *Queue) forget(a *asked) {
	q.mu.Lock()
	_, waits := q.asked[a.job.ID]
	delete(q.asked, a.job.ID)
	q.mu.Unlock()
	if !waits {
		return
	}
	q.nats.Publish(cancelAll, []byte(a.job.ID))
	ctx, cancel := context.WithTimeout(context.WithoutCancel(q.ctx), q.o.times.patience)
	defer cancel()
	if s, err := q.stream.Stream(ctx, stream); err == nil {
		s.Purge(ctx, jetstream.WithPurgeSubject(workRoot+a.job.ID))
	}
}
