package queue

import (
	"time"

	"sakusen/engines/arena"
)

// asked is a job that a desk waits for.
type asked struct {
	job      *Job
	series   *arena.Series
	line     string
	chunk    string // the job whatever its attempt
	since    time.Time
	holder   string // the worker that plays it, as far as is known
	answered chan answer

	taken bool // a result is being judged or stored
	stale bool // it was to be given back meanwhile
	over  bool // it is answered: no result of it counts any more
}

type answer struct {
	run *arena.Run
	err error
}

// answer ends the wait; only the first one counts. The caller holds mu.
func (a *asked) answer(run *arena.Run, err error) {
	if !a.over {
		a.over = true
		a.answered <- answer{run, err}
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

// held notes who has a job. The caller holds mu.
func (q *Queue) noteHolder(a *asked, name string) {
	if a.holder != "" && a.holder != name {
		q.redelivered(a)
	}
	a.holder = name
}
