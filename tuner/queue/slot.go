package queue

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sakusen/engines/arena"
)

// asked is a job that a slot waits for.
type asked struct {
	job      *job
	series   *arena.Series
	line     string
	chunk    string // the job whatever its attempt
	since    time.Time
	holder   string // the worker that plays it, as far as is known
	answered chan outcome

	taken bool // a result is being judged or stored
	stale bool // it is given back when that is done
	over  bool // it is answered: no result of it counts any more
}

type outcome struct {
	run *arena.Run
	err error
}

// answer ends the wait; only the first one counts. The caller holds mu.
func (a *asked) answer(run *arena.Run, err error) {
	if !a.over {
		a.over = true
		a.answered <- outcome{run, err}
	}
}

// giveBack gives a job back to the pool, unless a result of it is being judged: then only
// where that does not count. The caller holds mu.
func (q *Queue) giveBack(a *asked) {
	if a.over {
		return
	}
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
	if w := q.roster.workers[a.holder]; w != nil {
		w.redelivered++
	}
}

// noteHolder notes which worker has a job. The caller holds mu.
func (q *Queue) noteHolder(a *asked, name string) {
	if a.holder != "" && a.holder != name {
		q.redelivered(a)
	}
	a.holder = name
}

// mostLost is how many workers may be lost over one chunk before it counts as what kills
// them.
const mostLost = 3

// slot is a worker's place at the pool.
type slot struct {
	q        *Queue
	line     string // empty for the general one
	programs []arena.Program
}

// Has implements arena.Elsewhere.
func (d slot) Has(programs []arena.Program) bool {
	for _, p := range programs {
		if !slices.Contains(d.programs, p) {
			return false
		}
	}
	return true
}

// Play implements arena.Elsewhere.
func (d slot) Play(ctx context.Context, s *arena.Series, from int64, n int) (*arena.Run, error) {
	q := d.q
	job, err := newJob(ctx, s, from, n)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(job)
	if err != nil {
		return nil, err
	}
	a := &asked{job: job, series: s, line: cmp.Or(d.line, general), chunk: string(text), since: time.Now(), answered: make(chan outcome, 1)}
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
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	published := make(chan error, 1)
	go func() { published <- d.publish(ctx, a, text) }()
	for {
		select {
		case err := <-published: // without one the job is in the queue
			if err != nil {
				return nil, err
			}
		case t := <-a.answered: // also before the server has said that it has the job: its word may be lost
			return t.run, t.err
		case <-q.ctx.Done():
			return nil, arena.ErrGivenBack
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// publish puts a job into the queue. Where that is not known to have been done, the job is given
// back, unless its result has come; an error is one that ends it.
func (d slot) publish(ctx context.Context, a *asked, text []byte) error {
	q := d.q
	// The server is not waited for as long as the games: its word may be lost with a connection.
	patient, cancel := context.WithTimeout(ctx, q.o.times.server)
	defer cancel()
	_, err := q.js.Publish(patient, a.subject(), text)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, nats.ErrMaxPayload): // as with a large book in its rules
		q.o.Log.Warn("a study's jobs are too long for the queue of the workers and are played here", "game", a.job.Game, "bytes", len(text), "most", q.nats.MaxPayload())
		return fmt.Errorf("%w: a job has %d bytes, and the server takes %d", arena.ErrHereOnly, len(text), q.nats.MaxPayload())
	}
	q.o.Log.Warn("a job was not taken by the queue of the workers", "error", err)
	if errors.Is(err, jetstream.ErrNoStreamResponse) {
		q.renew()
	}
	select { // not at once again
	case <-time.After(q.o.times.retry):
	case <-ctx.Done():
		return ctx.Err()
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.giveBack(a)
	return nil
}

// forget takes a job out of the queue whose result is not waited for any more.
func (q *Queue) forget(a *asked) {
	q.mu.Lock()
	_, waits := q.asked[a.job.ID]
	delete(q.asked, a.job.ID)
	q.mu.Unlock()
	if waits {
		q.withdraw(a)
	}
}
