package queue

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"

	"sakusen/engines/arena"
)

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
	run, err := q.referee.judge(w, a, r.Run)
	if err == nil && q.o.Keep != nil {
		run, err = q.referee.keep(w, a, run)
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
func (j *referee) keep(w *state, a *asked, run *arena.Run) (*arena.Run, error) {
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
	own, err := q.referee.replay(a)
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
