package queue

import (
	"fmt"

	"sakusen/engines/arena"
)

// faulty.go is about games in which a program of somebody else failed. One that crashes or
// does not answer in time may do so for want of memory or of speed where it was played, and
// plays on elsewhere: such games count as they come out on the daemon's machine.

// faulty tells whether a program of somebody else plays in a series, and a player failed in a
// game of the run, or a block of it was void.
func faulty(s *arena.Series, run *arena.Run) bool {
	outside := false
	for _, e := range s.Entrants {
		outside = outside || s.Ruleset.Game.Outside(e.Strategy)
	}
	void := s.Ruleset.Component(arena.VoidComponent)
	for block := range run.Blocks {
		for rotation := range run.Rotations {
			for seat := range run.Seats {
				if g := run.Game(block, rotation, seat); outside && (g[1] != 0 || void >= 0 && g[2+void] != 0) {
					return true
				}
			}
		}
	}
	return false
}

// mend plays a job with faults again: what comes out here counts. Where that has other
// faults than the worker's, its machine fails the programs, as one does that cannot play.
func (q *Queue) mend(w *worker, a *asked, run *arena.Run) (*arena.Run, error) {
	own, err := q.again(a)
	if err != nil || equal(run, own) {
		return run, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.o.Log.Warn("programs failed at a worker, and not alike here: what was played here counts", "worker", w.name, "game", a.job.Game, "seed", a.job.Seed, "from", a.job.From, "blocks", a.job.Blocks)
	q.counts.Unable++
	q.fails(w, a, "programs crash there or do not answer in time, and here they do not")
	return own, nil
}

// fails counts a job that a worker cannot play and that is played here. A worker that fails in
// two studies, or often in one, is given no more work until it is started again. The caller
// holds mu.
func (q *Queue) fails(w *worker, a *asked, why string) {
	if w.trust.unable == nil {
		w.trust.unable = map[string]int{}
	}
	study := fmt.Sprintf("%s %s %d", a.job.Game, a.job.RulesHash, a.job.Seed)
	w.trust.unable[study]++
	if (len(w.trust.unable) <= 1 && w.trust.unable[study] < mostUnable) || w.paused != "" {
		return
	}
	w.paused = fmt.Sprintf("it cannot play jobs that are played here: start it again when this is mended: %s", why)
	q.leave(w, w.paused, false)
	if name, reason := w.name, w.paused; q.o.Paused != nil && q.ctx.Err() == nil {
		q.group.Go(func() { q.o.Paused(name, reason) })
	}
}
