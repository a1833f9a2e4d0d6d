package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"sakusen/engines/arena"
)

// asked is a job that a slot waits for.
type asked struct {
	job      *job
	series   *arena.Series
	chunk    string // the job whatever its attempt
	since    time.Time
	worker   *state // that it was given to
	subject  string // of its session
	answered chan outcome

	begun bool // as far as is known
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
	q.counts.Redelivered++
	a.worker.redelivered++
	a.answer(nil, arena.ErrGivenBack)
}

// mostLost is how many workers may be lost over one chunk before it counts as what kills
// them.
const mostLost = 3

// slot is a worker's place at the pool.
type slot struct {
	q        *Queue
	worker   *state          // plays what is by the clock
	programs []arena.Program // that the worker has
	trusted  bool
}

// Has reports whether the worker has all programs that a series needs, and has not said that it cannot
// play them by a clock, and is trusted where that is needed. What it lacks of them and may be handed out is noted.
func (d slot) Has(needs *arena.Needs) bool {
	if !has(d.programs, needs.Programs) {
		d.worker.wants.note(d.programs, needs.Programs)
		return false
	}
	return !needs.Timed || (d.trusted || !needs.Trusted) && d.worker.wants.plays(needs.Programs)
}

// Play has a worker play n blocks of a series, from the block from on: the one that has least to
// do of those that can, which have as many slots.
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
	a := &asked{job: job, series: s, chunk: string(text), since: time.Now(), answered: make(chan outcome, 1)}
	q.mu.Lock()
	if lost := q.lost[a.chunk]; lost >= mostLost {
		q.mu.Unlock()
		return nil, fmt.Errorf("%d workers were lost while they played blocks %d to %d of %s with seed %d: these games may end the program that plays them",
			lost, from, from+int64(n)-1, job.Game, job.Seed)
	}
	a.worker = q.registry.idlest(job.Programs)
	if job.Clock != nil { // its clocks are those of the slot's machine
		a.worker = d.worker
	}
	if a.worker == nil || a.worker.detach == nil || !has(a.worker.programs, job.Programs) || q.ctx.Err() != nil {
		q.mu.Unlock()
		return nil, arena.ErrGivenBack
	}
	q.number++
	job.ID = fmt.Sprintf("%d-%016x", q.number, rand.Uint64()) // two daemons never ask by the same name
	a.worker.jobs[job.ID] = a
	q.counts.Jobs++
	a.subject = jobsOf(a.worker.name, a.worker.hello.Session)
	q.mu.Unlock()
	defer q.forget(a)
	switch err := q.send(a.subject, job); {
	case errors.Is(err, arena.ErrHereOnly):
		q.o.Log.Warn("a study's jobs are too long for the queue of the workers and are played here", "game", job.Game, "error", err)
		return nil, err
	case err != nil:
		q.o.Log.Warn("a job was not taken by the server of the workers", "error", err)
		select { // not at once again
		case <-time.After(q.o.times.retry):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return nil, arena.ErrGivenBack
	}
	select {
	case t := <-a.answered:
		if t.err == nil && s.Watch != nil && len(t.run.Tapes) > 0 { // the games are seen here
			_, t.err = s.ReplayTapes(from, n, t.run.Tapes)
		}
		return t.run, t.err
	case <-q.ctx.Done():
		return nil, arena.ErrGivenBack
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// forget calls a job off whose result is not waited for any more.
func (q *Queue) forget(a *asked) {
	q.mu.Lock()
	waits := a.worker.jobs[a.job.ID] == a
	delete(a.worker.jobs, a.job.ID)
	q.mu.Unlock()
	if waits {
		q.send(a.subject, &job{ID: a.job.ID, Off: true})
	}
}

// mostResults bounds the results that are worked on at a time, and mostUnpacked those of them
// that are being unpacked.
const mostResults, mostUnpacked = 256, 8

// done takes a result. It checks only cheap things before it is known that a job of this id
// was given to this worker, how long its result may be, and that the worker has sent it.
func (q *Queue) done(m *nats.Msg) {
	name, id := m.Subject[len(doneRoot):], m.Header.Get(idHeader)
	q.mu.Lock()
	w := q.registry.worker(name)
	a, unasked, most := w.jobs[id], false, unaskedAtOnce+w.hello.Cores*unaskedPerCore
	if a == nil {
		unasked = w.unasked.exceeded(time.Now(), float64(len(m.Data)), float64(most), unaskedPerSecond)
	}
	q.mu.Unlock()
	var err error
	switch {
	case a == nil && !unasked:
		if ownInbox(m.Reply, name) {
			q.count(func(c *queueCounts) { c.Late++ })
			m.Respond([]byte(replyLate))
			return
		}
	case a == nil:
		err = fmt.Errorf("expected at most %d bytes of results that nobody has asked for", most)
	case len(m.Data) > a.longest():
		err = fmt.Errorf("expected at most %d bytes for its job, got %d", a.longest(), len(m.Data))
	}
	if unproved := q.registry.prove(name, m); unproved != nil {
		q.registry.junk(name, "result", len(m.Data), unproved)
		return
	}
	if err != nil {
		m.Respond([]byte(q.malformed(name, nil, err)))
		if a != nil {
			q.mu.Lock()
			q.giveBack(a)
			q.mu.Unlock()
		}
		return
	}
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
		m.Respond([]byte(q.take(name, id, m.Data)))
	})
}

// longest returns how long the result of a job may be, bytes: its numbers have at most 20 digits.
func (a *asked) longest() int {
	r := a.series.Ruleset
	each := (1 + r.Seats*(2+len(r.Components))) * 21
	if a.job.Clock != nil {
		each += arena.MostTape*4/3 + 100
	}
	return 4096 + a.job.Blocks*r.Seats*each
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
func (q *Queue) take(name, id string, data []byte) string {
	a, w, err := q.claim(name, id)
	switch {
	case err != nil:
		return replyNotNow + err.Error()
	case a == nil:
		return replyLate
	}
	defer w.takes.Done()
	r, err := q.unpack(id, data)
	if err != nil {
		return q.malformed(name, a, err)
	}
	if r.Run == nil && a.job.Clock != nil {
		return q.playElsewhere(w, a, r.Error)
	}
	if r.Run == nil {
		return q.playHere(w, a, r.Error)
	}
	if err := a.series.Fits(r.Run, a.job.From, a.job.Blocks); err != nil {
		return q.malformed(name, a, err)
	}
	r.Run.Worker = name
	if a.job.Clock == nil {
		r.Run.Tapes = nil
	} else {
		own, scale, err := a.checkClock(&r)
		if err != nil {
			return q.malformed(name, a, err)
		}
		r.Run.Tapes = own.Tapes
		q.mu.Lock()
		w.scale = scale
		q.mu.Unlock()
	}
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
	if a.job.Clock != nil && q.o.Records != nil && q.ctx.Err() == nil {
		if key, due := q.residuals.due(a.series, a.job.Blocks); due {
			q.group.Go(func() { q.look(q.ctx, a.series, key) })
		}
	}
	return replyCounted
}

// unpack reads the result of a job.
func (q *Queue) unpack(id string, data []byte) (r jobResult, err error) {
	q.unpacked <- struct{}{}
	defer func() { <-q.unpacked }()
	if err = json.Unmarshal(data, &r); err == nil && r.ID != id {
		err = fmt.Errorf("expected the result of job %s, got that of %.40q", id, r.ID)
	}
	r.Error = strings.ToValidUTF8(r.Error[:min(len(r.Error), mostReason)], "")
	return r, err
}

// mostReason bounds the bytes of why a worker cannot play a job.
const mostReason = 2000

// claim finds the job of a result and keeps other results of it away while this one is judged;
// nil where the result is not waited for.
func (q *Queue) claim(name, id string) (*asked, *state, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	w := q.registry.worker(name)
	a := w.jobs[id]
	if a == nil || a.over || w.quarantined {
		q.counts.Late++
		if a != nil { // others must play it
			q.giveBack(a)
		}
		return nil, nil, nil
	}
	if a.taken {
		return nil, nil, errTaken
	}
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

// counted ends a job with its result. The caller holds mu.
func (q *Queue) counted(w *state, a *asked, run *arena.Run) {
	if w.jobs[a.job.ID] != a || a.over { // it is not waited for any more, as when its study was interrupted
		q.counts.Late++
		return
	}
	delete(w.jobs, a.job.ID)
	delete(q.lost, a.chunk)
	q.counts.Results++
	if run.Worker == w.name {
		w.games += int64(len(run.Digests))
	}
	a.answer(run, nil)
}

// malformed refuses a message that is no result. It counts against a worker as a false one does.
func (q *Queue) malformed(name string, a *asked, err error) string {
	q.o.Log.Warn("the result of a worker is malformed and does not count", "worker", name, "error", err)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.counts.Malformed++
	if a != nil {
		a.stale = true
		q.release(a)
	}
	if w := q.registry.workers[name]; w != nil {
		q.registry.recordMismatch(w)
	}
	return replyRefused + err.Error()
}

// keepFirst stores a run of games by a clock, and returns what counts: where another slot was faster,
// what that has played.
func (q *Queue) keepFirst(ctx context.Context, s *arena.Series, run *arena.Run) (*arena.Run, error) {
	err := q.o.Keep(ctx, s, run)
	if err != nil && q.o.Stored != nil && q.o.Conflict != nil && q.o.Conflict(err) {
		return q.o.Stored(ctx, s, run.From, run.Blocks)
	}
	return run, err
}

// keep stores a run. Where other blocks are stored than these, the blocks are played again
// here, and what comes out then is the run.
func (j *verifier) keep(w *state, a *asked, run *arena.Run) (*arena.Run, error) {
	if run == nil {
		return nil, nil
	}
	if a.job.Clock != nil {
		return j.q.keepFirst(j.q.ctx, a.series, run)
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
		q.registry.recordFailure(w, a, why)
	}
	q.counted(w, a, own)
	return replyCounted
}
