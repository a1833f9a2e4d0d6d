package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/nats-io/nats.go"
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
	holder string // the worker that plays it, as far as is known
	told   chan told
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
	a := &asked{job: job, series: s, chunk: string(text), told: make(chan told, 1)}
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
	ctx, cancel := context.WithTimeout(context.WithoutCancel(q.ctx), patience)
	defer cancel()
	if s, err := q.stream.Stream(ctx, stream); err == nil {
		s.Purge(ctx, jetstream.WithPurgeSubject(workRoot+a.job.ID))
	}
}

// done takes a result.
func (q *Queue) done(m *nats.Msg) {
	select {
	case q.turns <- struct{}{}:
	case <-q.ctx.Done():
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.ctx.Err() != nil { // Close waits for those that there are
		return
	}
	q.group.Go(func() {
		defer func() { <-q.turns }()
		m.Respond([]byte(q.take(m.Subject[len(doneRoot):], m.Data)))
	})
}

// Words that a worker hears about its result.
const (
	saidCounted = "counted"
	saidLate    = "late"
	saidRefused = "refused: "
	saidNot     = "not now: "
)

// take counts a result, at most once.
func (q *Queue) take(name string, data []byte) string {
	var r Result
	err := json.Unmarshal(data, &r)
	q.mu.Lock()
	a, w := q.asked[r.ID], q.workers[name]
	quarantined := w == nil || w.quarantined
	q.mu.Unlock()
	if err == nil && a != nil && r.Run != nil {
		err = a.series.Fits(r.Run, a.job.From, a.job.Blocks)
	}
	switch {
	case err != nil:
		q.count(func(c *Counts) { c.Malformed++ })
		q.o.Log.Warn("the result of a worker is malformed and does not count", "worker", name, "error", err)
		if a != nil {
			a.answer(nil, arena.ErrHereOnly)
		}
		return saidRefused + err.Error()
	case a == nil || quarantined:
		q.count(func(c *Counts) { c.Late++ })
		return saidLate
	case r.Run == nil:
		q.o.Log.Warn("a worker cannot play a job, which is played here", "worker", name, "game", a.job.Game, "error", r.Error)
		a.answer(nil, fmt.Errorf("%w: worker %s: %s", arena.ErrHereOnly, name, r.Error))
		return saidCounted
	}
	r.Run.Worker = name
	if rand.Float64() < q.o.Replay {
		if r.Run, err = q.replay(w, a, r.Run); err != nil {
			return saidNot + err.Error()
		}
	}
	if q.o.Keep != nil {
		if err := q.o.Keep(q.ctx, a.series, r.Run); err != nil {
			q.o.Log.Error("the result of a worker cannot be stored", "worker", name, "error", err)
			return saidNot + err.Error()
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.asked[r.ID] != a { // answered in the meantime
		q.counts.Late++
		return saidLate
	}
	delete(q.asked, r.ID)
	delete(q.lost, a.chunk)
	q.counts.Results++
	w.games += int64(len(r.Run.Digests))
	a.answer(r.Run, nil)
	return saidCounted
}

// replay plays a job again here; its result here is the one that counts.
func (q *Queue) replay(w *worker, a *asked, run *arena.Run) (*arena.Run, error) {
	again, err := playAll(q.ctx, arena.NewPool(1), *a.series, a.job.From, a.job.Blocks)
	if err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.counts.Replayed++
	if equal(run, again) {
		return run, nil
	}
	q.counts.Different++
	w.different++
	q.o.Log.Error("a worker has played blocks differently", "worker", w.name, "game", a.job.Game, "seed", a.job.Seed, "from", a.job.From, "blocks", a.job.Blocks)
	if w.different >= mostDifferent {
		w.quarantined = true
		q.leave(w, fmt.Sprintf("%d of its jobs came out differently when they were played again", w.different))
	}
	return again, nil
}

func (q *Queue) count(f func(*Counts)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	f(&q.counts)
}

// playAll plays n blocks of a series as one run.
func playAll(ctx context.Context, pool *arena.Pool, s arena.Series, from int64, n int) (*arena.Run, error) {
	s.From, s.To = from, from+int64(n)
	var all *arena.Run
	_, err := pool.Play(ctx, s, func(r *arena.Run) error {
		if all == nil {
			all = arena.NewRun(r.Seats, r.Components, r.Rotations, r.From, n)
		}
		all.Join(r)
		return nil
	})
	if err == nil && all == nil {
		err = errors.New("nothing was played")
	}
	return all, err
}
