package queue

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"sakusen/engines/arena"
)

// clockTerms are what a job by the clock says beside its games.
type clockTerms struct {
	// Reference is how fast the machine is for which the clocks are meant: nodes a second of
	// each engine. Clocks are not scaled where it is empty.
	Reference arena.Speeds `json:"reference,omitempty"`
	// Threads is how many threads think at a time in a game, and Memory what its programs may
	// take, bytes.
	Threads int   `json:"threads"`
	Memory  int64 `json:"memory,omitempty"`
}

// needs returns what a job takes of the machine that plays it.
func (c *clockTerms) needs(slots int) (n arena.Needs) {
	if c != nil {
		n = arena.Needs{Timed: true, Threads: min(max(1, c.Threads), slots), Memory: c.Memory}
	}
	return n
}

// clock returns the factor of the clocks of a job, and the speeds from which it follows.
func (l *worker) clock(ctx context.Context, j *job) (scale float64, speeds arena.Speeds, err error) {
	if j.Clock == nil || len(j.Clock.Reference) == 0 {
		return 1, nil, nil
	}
	before := l.speeds.Known()
	programs := slices.DeleteFunc(slices.Clone(j.Programs), func(p arena.Program) bool { return j.Clock.Reference[p.Name] == 0 })
	if speeds, err = l.speeds.Of(ctx, programs); err != nil {
		return 0, nil, err
	}
	if !maps.Equal(before, l.speeds.Known()) {
		l.say(ctx, false) // it may have become too slow or too fast for a job
	}
	scale, err = j.Clock.Reference.Scale(speeds)
	return scale, speeds, err
}

// playElsewhere gives a job by the clock that a worker cannot play to another. The worker
// is asked for games of these engines again when it reports other speeds, has been
// restarted, or has had time to measure them anew.
func (q *Queue) playElsewhere(w *state, a *asked, why string) string {
	q.o.Log.Warn("a worker cannot play games by the clock, which others play", "worker", w.name, "game", a.job.Game, "error", why)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.counts.Unable++
	a.stale = true
	w.wants.refuse(a.job.Programs, q.o.times.again)
	q.release(a)
	return replyCounted
}

// checkClock returns the factor of the clocks, and the run of a job by the clock as this program's referee tells it from what
// the players answered there; an error where that is not what the worker says. Where the rules are
// not known here the run is what the worker says.
func (a *asked) checkClock(r *jobResult) (run *arena.Run, scale float64, err error) {
	if scale, err = a.job.Clock.Reference.Scale(r.Speeds); err != nil || !a.series.Ruleset.Taped() {
		r.Run.Tapes = nil
		return r.Run, scale, err
	}
	if len(r.Run.Tapes) != len(r.Run.Digests) {
		return nil, 0, errors.New("expected what the players answered in each game")
	}
	for _, tape := range r.Run.Tapes {
		if got, err := arena.TapeScale(tape); err != nil || got != scale {
			return nil, 0, fmt.Errorf("the clocks were scaled by %g, expected %g by the speeds of that machine", got, scale)
		}
	}
	watched := *a.series
	watched.Watch = nil
	run, err = watched.ReplayTapes(a.job.From, a.job.Blocks, r.Run.Tapes)
	if err == nil && !equal(run, r.Run) {
		err = errors.New("by the reported moves and times, the games have other results than reported")
	}
	return run, scale, err
}
