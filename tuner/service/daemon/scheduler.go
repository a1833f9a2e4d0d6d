package daemon

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"sakusen/tuner"
)

// scheduler is which studies run, which rest after a full disk, and the damage for which none may
// run. Its methods may be called at any time.
type scheduler struct {
	mu      sync.Mutex
	atOnce  int // places: studies that may run side by side
	jobs    map[Key]*job
	resting map[Key]rest
	damage  error // of the record; then nothing runs
}

// rest is why a study is not tried again before some time.
type rest struct {
	until time.Time
	why   error
}

// places returns how many studies may run side by side.
func (r *scheduler) places() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.atOnce
}

func (r *scheduler) setPlaces(n int) {
	r.mu.Lock()
	r.atOnce = n
	r.mu.Unlock()
}

// next gives free places to the most urgent of the waiting studies and returns their jobs, which
// the caller begins. If a more urgent one has no place, yield is the running job that gives way.
func (r *scheduler) next(waiting []Item, now time.Time) (begin []*job, yield *job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.damage != nil {
		return nil, nil
	}
	for i, e := range waiting {
		if r.jobs[e.Key] != nil || now.Before(r.resting[e.Key].until) {
			continue
		}
		if len(r.jobs) < r.atOnce {
			j := newJob(e, len(r.jobs))
			delete(r.resting, e.Key)
			r.jobs[e.Key] = j
			begin = append(begin, j)
			continue
		}
		if last := r.leastUrgent(); i < r.atOnce && last != nil && last.entry.Priority < e.Priority {
			yield = last
		}
		break
	}
	return begin, yield
}

// leastUrgent returns the running study that should give way first; nil if one is being
// interrupted already. The caller holds mu.
func (r *scheduler) leastUrgent() *job {
	var last *job
	for _, j := range r.jobs {
		if j.why() != nil {
			return nil
		}
		if last == nil || j.entry.Priority < last.entry.Priority || j.entry.Priority == last.entry.Priority && j.number > last.number {
			last = j
		}
	}
	return last
}

// job returns the job of a study that runs, nil for any other.
func (r *scheduler) job(key Key) *job {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.jobs[key]
}

// end frees the place of a study.
func (r *scheduler) end(key Key) {
	r.mu.Lock()
	delete(r.jobs, key)
	r.mu.Unlock()
}

// interruptAll interrupts every running study, and returns their jobs.
func (r *scheduler) interruptAll(why error) []*job {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, j := range r.jobs {
		j.interrupt(why)
	}
	return slices.Collect(maps.Values(r.jobs))
}

// running returns the number of studies that run.
func (r *scheduler) running() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.jobs)
}

// rest keeps a study from being tried again at once.
func (r *scheduler) rest(key Key, until time.Time, why error) {
	r.mu.Lock()
	r.resting[key] = rest{until, why}
	r.mu.Unlock()
}

// forget removes the reason why a study waited, once it waits no longer.
func (r *scheduler) forget(key Key) {
	r.mu.Lock()
	delete(r.resting, key)
	r.mu.Unlock()
}

// held returns why a study recorded as running does not run, nil if it is tried again.
func (r *scheduler) held(key Key) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.jobs[key] != nil:
		return nil
	case r.damage != nil:
		return r.damage
	}
	return r.resting[key].why
}

// waiting returns the number of studies that rest.
func (r *scheduler) waiting() (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for key := range r.resting {
		if r.jobs[key] == nil {
			n++
		}
	}
	return n
}

// close lets no study begin any more. It reports whether this is the first damage, which counts.
func (r *scheduler) close(damage error) (first bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if first = r.damage == nil; first {
		r.damage = damage
	}
	return first
}

// closed returns the damage for which no study may run, nil where there is none.
func (r *scheduler) closed() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.damage
}

// job is a study that runs.
type job struct {
	entry  Item
	number int // jobs that ran when it began
	ctx    context.Context
	cancel context.CancelCauseFunc
	done   chan struct{} // closed when its state is written

	mu  sync.Mutex
	now *tuner.Progress
}

func newJob(e Item, number int) *job {
	j := &job{entry: e, number: number, done: make(chan struct{})}
	j.ctx, j.cancel = context.WithCancelCause(context.Background())
	return j
}

// interrupt ends the job for a reason; the first one counts.
func (j *job) interrupt(why error) { j.cancel(why) }

// why returns the reason for which the job was interrupted, nil if it was not.
func (j *job) why() error {
	if j.ctx.Err() == nil {
		return nil
	}
	return context.Cause(j.ctx)
}

// told keeps how far the study is.
func (j *job) told(p tuner.Progress) {
	j.mu.Lock()
	j.now = &p
	j.mu.Unlock()
}

// progress returns how far the study is, nil before it was told.
func (j *job) progress() *tuner.Progress {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.now
}
