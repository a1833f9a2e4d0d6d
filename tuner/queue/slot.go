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

// Has reports whether the worker has all of these programs.
func (d slot) Has(programs []arena.Program) bool {
	for _, p := range programs {
		if !slices.Contains(d.programs, p) {
			return false
		}
	}
	return true
}

// Play has the worker play n blocks of a series, from the block from on.
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

// mostResults bounds the results that are worked on at a time.
const mostResults = 256

// done takes a result.
func (q *Queue) done(m *nats.Msg) {
	select {
	case q.results <- struct{}{}:
	case <-q.ctx.Done():
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.ctx.Err() != nil { // Close waits for those that there are
		return
	}
	q.group.Go(func() {
		defer func() { <-q.results }()
		m.Respond([]byte(q.take(m.Subject[len(doneRoot):], m.Data)))
	})
}

// Replies to a worker's result.
const (
	replyCounted = "counted"
	replyLate    = "late"
	replyRefused = "refused: "
	replyNotNow  = "not now: "
)

// errTaken is that another result of the same job is being judged.
var errTaken = errors.New("a result of this job is being judged")

// take counts a result, at most once, and returns the answer to the worker.
func (q *Queue) take(name string, data []byte) string {
	var r jobResult
	if err := json.Unmarshal(data, &r); err != nil {
		return q.malformed(name, nil, err)
	}
	a, w, err := q.claim(name, r.ID)
	switch {
	case err != nil:
		return replyNotNow + err.Error()
	case a == nil:
		return replyLate
	}
	defer w.takes.Done()
	if r.Run == nil {
		return q.playHere(w, a, r.Error)
	}
	if err := a.series.Fits(r.Run, a.job.From, a.job.Blocks); err != nil {
		return q.malformed(name, a, err)
	}
	r.Run.Worker = name
	run, err := q.verifier.judge(w, a, r.Run)
	if err == nil && q.o.Keep != nil {
		run, err = q.verifier.keep(w, a, run)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	switch unsteady := new(unsteadyError); {
	case errors.As(err, &unsteady): // it cannot be played at all
		q.o.Log.Error("a study is stopped", "reason", err)
		a.answer(nil, err)
		q.release(a)
		return replyLate
	case err != nil:
		q.release(a)
		q.o.Log.Error("the result of a worker cannot be judged or stored", "worker", name, "error", err)
		return replyNotNow + err.Error()
	case run == nil: // of a worker that is in quarantine since
		a.stale = true
		q.release(a)
		q.counts.Late++
		return replyLate
	}
	q.counted(w, a, run)
	return replyCounted
}

// claim finds the job of a result and keeps other results of it away while this one is judged;
// nil where the result is not waited for.
func (q *Queue) claim(name, id string) (*asked, *state, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	a, w := q.asked[id], q.roster.workers[name]
	if a == nil || a.over || w == nil || w.quarantined {
		q.counts.Late++
		if a != nil { // it has been taken out of the queue: others must play it
			q.giveBack(a)
		}
		return nil, nil, nil
	}
	if a.taken {
		return nil, nil, errTaken
	}
	q.noteHolder(a, name)
	a.taken = true
	w.takes.Add(1)
	return a, w, nil
}

// release lets another result of a job be judged. The caller holds mu.
func (q *Queue) release(a *asked) {
	a.taken = false
	if a.stale {
		a.stale = false
		q.giveBack(a)
	}
}

// counted ends a job with what was played. The caller holds mu.
func (q *Queue) counted(w *state, a *asked, run *arena.Run) {
	if q.asked[a.job.ID] != a || a.over { // it is not waited for any more, as when its study was interrupted
		q.counts.Late++
		return
	}
	delete(q.asked, a.job.ID)
	delete(q.lost, a.chunk)
	q.counts.Results++
	if run.Worker == w.name {
		w.games += int64(len(run.Digests))
	}
	a.answer(run, nil)
}

// malformed refuses what is no result. It counts against a worker as a false one does.
func (q *Queue) malformed(name string, a *asked, err error) string {
	q.o.Log.Warn("the result of a worker is malformed and does not count", "worker", name, "error", err)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.counts.Malformed++
	if a != nil {
		a.stale = true
		q.release(a)
	}
	if w := q.roster.workers[name]; w != nil {
		q.roster.recordMismatch(w)
	}
	return replyRefused + err.Error()
}

// keep stores a run. Where other blocks are stored than these, the blocks are played again
// here, and what comes out then is the run.
func (j *verifier) keep(w *state, a *asked, run *arena.Run) (*arena.Run, error) {
	if run == nil {
		return nil, nil
	}
	err := j.q.o.Keep(j.q.ctx, a.series, run)
	if err == nil || j.q.o.Conflict == nil || !j.q.o.Conflict(err) || run.Worker == "" {
		return run, err
	}
	own, failed := j.replay(a)
	if failed != nil {
		return nil, failed
	}
	if same, failed := j.compare(w, a, run, own); failed != nil {
		return nil, failed
	} else if same {
		return nil, fmt.Errorf("%w: what is stored is not what comes out here", err)
	}
	return own, j.q.o.Keep(j.q.ctx, a.series, own)
}

// playHere plays a job here that a worker cannot play.
func (q *Queue) playHere(w *state, a *asked, why string) string {
	own, err := q.verifier.replay(a)
	if err == nil && q.o.Keep != nil {
		err = q.o.Keep(q.ctx, a.series, own)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if err != nil { // it cannot be played here either: the local pool fails with the real error
		a.answer(nil, fmt.Errorf("%w: worker %s: %s", arena.ErrHereOnly, w.name, why))
		return replyCounted
	}
	q.o.Log.Warn("a worker cannot play a job, which was played here", "worker", w.name, "game", a.job.Game, "error", why)
	q.counts.Unable++
	if len(a.job.Programs) == 0 { // the engines of a job that fails are offered no more
		q.roster.recordFailure(w, a, why)
	}
	q.counted(w, a, own)
	return replyCounted
}
