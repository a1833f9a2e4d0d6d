package queue

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"sakusen/engines/arena"
)

const (
	// mostDifferent is how many jobs that come out differently put a worker into quarantine.
	mostDifferent = 2
	// introduction is how many jobs of a new worker are played again, one and all, and
	// introduced how many blocks at least: one that lies in a tenth of them is found by these
	// with a chance of 95 %. In probation, so many jobs, twice as many are as later.
	introduction, introduced, probation = 4, 29, 2000
	// replayedAfter is how many jobs of a worker are played again, one and all, after one came out
	// differently.
	replayedAfter = 200
	// ownTries is how often a job of other people's programs that came out differently is
	// played once more here.
	ownTries = 2
	// mostUnable is how many jobs of one study a worker may fail to play; where it fails in
	// a second study, one is enough.
	mostUnable = 20
)

// trust decides which jobs of a worker are played again here. Between two such jobs lies a
// number of jobs that is drawn anew each time, evenly from none to twice the mean: which
// job is next cannot be known, and none of many false ones stays unseen for long.
type trust struct {
	jobs      int            // results so far
	blocks    int            // of the introduction
	left      int            // results up to the next one that is played again, 0 before it is drawn
	replayAll int            // results all of which are played again, after a false one
	different int            // malformed, or came out differently
	unable    map[string]int // jobs that could not be played, by study
}

// replays reports whether this result, of so many blocks, is played again, when a share of all
// shall be.
func (t *trust) replays(share float64, blocks int) bool {
	t.jobs++
	switch {
	case share <= 0:
		return false
	case t.jobs <= introduction || t.blocks < introduced:
		t.blocks += blocks
		return true
	case t.replayAll > 0:
		t.replayAll--
		return true
	case t.left == 0:
		if t.jobs <= probation {
			share *= 2
		}
		t.left = 1 + rand.N(max(1, int(2/share)-1))
	}
	t.left--
	return t.left == 0
}

// recordMismatch counts a wrong result and reports whether the worker must be quarantined.
func (t *trust) recordMismatch() bool {
	t.different++
	t.replayAll = replayedAfter
	return t.different >= mostDifferent
}

// verifier decides which results of workers count, and plays a share of their jobs again.
type verifier struct {
	q   *Queue
	own *arena.Pool
}

// judge returns what of a result counts: the result, or where it is played again what comes out
// here; nil where the worker has been quarantined.
func (j *verifier) judge(w *state, a *asked, run *arena.Run) (*arena.Run, error) {
	if a.job.Clock != nil { // its games are checked, and never played again
		return run, nil
	}
	j.q.mu.Lock()
	look := w.trust.replays(j.q.o.Replay, a.job.Blocks)
	j.q.mu.Unlock()
	if faulty(a.series, run) {
		if own, err := j.judgeFaults(w, a, run); err != nil || own != run {
			return own, err
		}
	} else if look {
		own, err := j.replay(a)
		if err != nil {
			return nil, err
		}
		if same, err := j.compare(w, a, run, own); err != nil || !same {
			return own, err
		}
	}
	j.q.mu.Lock()
	defer j.q.mu.Unlock()
	if w.quarantined {
		return nil, nil
	}
	return run, nil
}

// faulty reports whether a program of other people plays in a series, and a player failed in a
// game of the run, or a block of it was void.
func faulty(s *arena.Series, run *arena.Run) bool {
	if !slices.ContainsFunc(s.Entrants, func(e arena.Entrant) bool { return s.Ruleset.Game.Outside(e.Strategy) }) {
		return false
	}
	void := s.Ruleset.Component(arena.VoidComponent)
	for block := range run.Blocks {
		for rotation := range run.Rotations {
			for seat := range run.Seats {
				if g := run.Game(block, rotation, seat); g[1] != 0 || void >= 0 && g[2+void] != 0 {
					return true
				}
			}
		}
	}
	return false
}

// judgeFaults plays a job with faults again: what comes out here counts, since a program may crash or
// be late for want of memory or of speed on the worker alone. Where that has other
// faults than the worker's, its machine fails the programs, as one does that cannot play.
func (j *verifier) judgeFaults(w *state, a *asked, run *arena.Run) (*arena.Run, error) {
	own, err := j.replay(a)
	if err != nil || equal(run, own) {
		return run, err
	}
	j.q.mu.Lock()
	defer j.q.mu.Unlock()
	j.q.o.Log.Warn("programs failed at a worker and not in the same way here: the games played here count", "worker", w.name, "game", a.job.Game, "seed", a.job.Seed, "from", a.job.From, "blocks", a.job.Blocks)
	j.q.counts.Unable++
	j.q.registry.recordFailure(w, a, "programs crash there or do not answer in time, and here they do not")
	return own, nil
}

// recordFailure counts a job that a worker cannot play and that is played here. A worker that fails in
// two studies, or often in one, is given no more work until it is started again. The caller
// holds mu.
func (r *registry) recordFailure(w *state, a *asked, why string) {
	if w.trust.unable == nil {
		w.trust.unable = map[string]int{}
	}
	study := fmt.Sprintf("%s %s %d", a.job.Game, a.job.RulesHash, a.job.Seed)
	w.trust.unable[study]++
	if (len(w.trust.unable) <= 1 && w.trust.unable[study] < mostUnable) || w.paused != "" {
		return
	}
	w.paused = fmt.Sprintf("it cannot play jobs that are played here: start it again when this is mended: %s", why)
	r.leave(w, w.paused, false)
	if name, reason := w.name, w.paused; r.q.o.Paused != nil && r.q.ctx.Err() == nil {
		r.q.group.Go(func() { r.q.o.Paused(name, reason) })
	}
}

// unsteadyError says that games of other people's programs, which were taken to be the same
// each time, are not. No worker is to blame.
type unsteadyError struct {
	job *job
}

func (e *unsteadyError) Error() string {
	return fmt.Sprintf("%s of %s: played twice on the daemon's own machine, the blocks %d to %d with seed %d came out differently: one of these programs draws by chance or carries something over from one game to the next; register it with fresh: true, and if that does not mend it with recorded: true",
		strings.Join(names(e.job.Programs), ", "), e.job.Game, e.job.From, e.job.From+int64(e.job.Blocks)-1, e.job.Seed)
}

// compare reports whether a result is what comes out here. A second difference puts the
// worker into quarantine. Where programs of other people play, it is first tried whether
// they play the same twice here.
func (j *verifier) compare(w *state, a *asked, run, own *arena.Run) (same bool, err error) {
	if equal(run, own) {
		return true, nil
	}
	if len(a.job.Programs) > 0 {
		for range ownTries {
			second, err := j.replay(a)
			if err != nil {
				return false, err
			}
			if !equal(own, second) {
				return false, &unsteadyError{a.job}
			}
		}
	}
	j.q.mu.Lock()
	defer j.q.mu.Unlock()
	j.q.counts.Different++
	j.q.o.Log.Error("a worker has played blocks differently", "worker", w.name, "game", a.job.Game, "seed", a.job.Seed, "from", a.job.From, "blocks", a.job.Blocks)
	j.q.registry.recordMismatch(w)
	return false, nil
}

// recordMismatch counts a wrong result. The second puts the worker into quarantine: it gets no more
// work, and Quarantined is called when all its results are stored or refused. The caller holds mu.
func (r *registry) recordMismatch(w *state) {
	if !w.trust.recordMismatch() || w.quarantined {
		return
	}
	r.setAside(w, fmt.Sprintf("%d of its jobs came out differently when they were played again, or were malformed", w.trust.different))
}

// setAside puts a worker into quarantine. The caller holds mu.
func (r *registry) setAside(w *state, reason string) {
	w.quarantined, w.reporting, w.quarantineReason, w.refusal = true, true, reason, reason
	r.leave(w, reason, false)
	if r.q.ctx.Err() != nil {
		return
	}
	r.q.group.Go(func() {
		h := Quarantine{Name: w.name, Since: time.Now(), Reason: reason}
		r.withdrawPermission(h)
		w.takes.Wait()
		if r.q.o.Quarantined != nil {
			r.q.o.Quarantined(r.q.ctx, h)
		}
		r.q.mu.Lock()
		w.reporting = false
		r.q.mu.Unlock()
	})
}

// Accuse counts blocks of a worker that were stored and are not what is played here, as jobs that
// came out differently. Where that does not put the worker into quarantine, otherwise is called.
func (q *Queue) Accuse(name string, blocks int64, otherwise func(context.Context)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	w := q.registry.worker(name)
	q.o.Log.Error("stored blocks of a worker are not what is played here", "worker", name, "blocks", blocks)
	for range min(blocks, mostDifferent) {
		q.counts.Different++
		q.registry.recordMismatch(w)
	}
	if !w.reporting && q.ctx.Err() == nil {
		q.group.Go(func() { otherwise(q.ctx) })
	}
}

// equal reports whether two runs have the same results.
func equal(a, b *arena.Run) bool {
	return a.Rotations == b.Rotations && a.From == b.From && a.Blocks == b.Blocks && slices.Equal(a.Digests, b.Digests) && slices.Equal(a.Values, b.Values)
}

// replay plays a job on slots of the daemon's own.
func (j *verifier) replay(a *asked) (*arena.Run, error) {
	run, err := playAll(j.q.ctx, j.own, *a.series, a.job.From, a.job.Blocks)
	j.q.count(func(c *queueCounts) { c.Replayed++ })
	return run, err
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
