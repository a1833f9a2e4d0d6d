package queue

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"sakusen/engines/arena"
	"sakusen/tuner/queue/fleet"
)

// mostCores bounds the cores that a worker may name.
const mostCores = 1024

// mostHello bounds a hello, bytes: a worker of so many cores names what each plays, and its engines.
const mostHello = 128 << 10

// slotsPerCore is how many jobs a core is given at a time: one that it plays and one
// that waits for it.
const slotsPerCore = 2

// state is what the daemon knows of a worker that has said hello.
type state struct {
	name             string
	known            Known // when it got its slots
	hello            hello
	lastHello        time.Time
	detach           func() // nil while it has no slots
	games            int64
	rate             fleet.Rate // of games
	scale            float64    // of its last clocks, 0 before that
	redelivered      int64      // of its jobs, given to another
	refusal          string
	paused           string // why it gets no work until it is started again
	quarantined      bool
	quarantineReason string // why
	reporting        bool   // its quarantine is being told
	trust            trust
	offered          string // what it said of its engines and is compared, empty for nothing
	compared         bool
	programs         []arena.Program   // that it has as the daemon has them
	unlike           []string          // why others play nothing here
	jobs             map[string]*asked // that it was given and that are waited for, by id
	takes            sync.WaitGroup    // results that are being judged or stored
	unasked          allowance
	wants            *wants // what it lacks or cannot play
}

// registry is the workers that have said hello, by name: who has slots at the pool, who is trusted.
// Its workers are guarded by the queue's mu.
type registry struct {
	q       *Queue
	workers map[string]*state
	keys    map[string]Known // of those that may connect
}

// worker returns the record of a worker, and begins one if there is none. The caller holds
// mu, or is alone.
func (r *registry) worker(name string) *state {
	w := r.workers[name]
	if w == nil {
		w = &state{name: name, jobs: map[string]*asked{}, wants: &wants{}}
		r.workers[name] = w
	}
	return w
}

// asked yields the jobs that are waited for. The caller holds mu.
func (r *registry) asked() iter.Seq[*asked] {
	return func(yield func(*asked) bool) {
		for _, w := range r.workers {
			for _, a := range w.jobs {
				if !yield(a) {
					return
				}
			}
		}
	}
}

// idlest returns the worker that has least to do for its cores, of those at work that have these
// programs; nil where there is none. The caller holds mu.
func (r *registry) idlest(programs []arena.Program) (best *state) {
	for _, w := range r.workers {
		if w.detach != nil && has(w.programs, programs) && (best == nil || len(w.jobs)*best.hello.Cores < len(best.jobs)*w.hello.Cores) {
			best = w
		}
	}
	return best
}

// has reports whether all of some programs are among others.
func has(all, programs []arena.Program) bool {
	return !slices.ContainsFunc(programs, func(p arena.Program) bool { return !slices.Contains(all, p) })
}

// allowance bounds bytes over time.
type allowance struct {
	used  float64
	since time.Time
}

// A worker may send so many bytes unasked at once, more for each core, and so many a second:
// results of jobs that are not waited for any more are no fault, and many that never were are.
const unaskedAtOnce, unaskedPerCore, unaskedPerSecond = 64 << 20, 256 << 10, 1 << 20

// exceeded counts bytes and reports whether they are too many, where at most so many are allowed at
// once, and so many a second come back.
func (a *allowance) exceeded(now time.Time, bytes, most, perSecond float64) bool {
	a.used = max(0, a.used-perSecond*now.Sub(a.since).Seconds())
	a.since = now
	if a.used+bytes > most {
		return true
	}
	a.used += bytes
	return false
}

// hello takes what a worker says of itself.
func (r *registry) hello(m *nats.Msg) {
	name := m.Subject[len(helloRoot):]
	var h hello
	err := errors.New("it is too long")
	if len(m.Data) <= mostHello {
		err = r.prove(name, m)
	}
	if err == nil {
		if err = json.Unmarshal(m.Data, &h); err == nil && (!h.bounded() || h.Session != m.Header.Get(idHeader)) {
			err = errors.New("expected 1 to 1024 cores, a session, and no more than 100 engines")
		}
	}
	answer := helloAnswer{Refused: "the hello is malformed"}
	if err != nil {
		r.junk(name, "hello", len(m.Data), err)
	} else {
		answer = r.greet(name, h)
	}
	if text, err := json.Marshal(answer); err == nil && ownInbox(m.Reply, name) {
		m.Respond(text)
	}
}

// prove returns an error where it is not proved that a worker has sent a message, or where an
// answer would go to another worker.
func (r *registry) prove(name string, m *nats.Msg) error {
	r.q.mu.Lock()
	key := r.keys[name].Key
	r.q.mu.Unlock()
	switch {
	case m.Reply != "" && !ownInbox(m.Reply, name):
		return fmt.Errorf("the answer is to go to %.80q, which is not in the worker's inbox", m.Reply)
	case !signed(m, key):
		return errors.New("it is not signed by the worker's key")
	}
	return nil
}

// junk counts a message that is nothing that a worker says, and names the subject that it came
// on. The server inside lets that worker alone publish there, and loses its connections.
func (r *registry) junk(name, what string, size int, why error) {
	r.q.count(func(c *queueCounts) { c.Malformed++ })
	r.q.o.Log.Warn("a message to the workers' address is refused", "worker", name, "what", what, "bytes", size, "reason", why)
	r.q.rolling.Lock()
	defer r.q.rolling.Unlock()
	for _, k := range r.q.roll.Known {
		if k.Name == name && r.q.server != nil {
			if err := r.q.server.disconnect(k.Key); err != nil {
				r.q.o.Log.Error("the connections of a worker cannot be ended", "worker", name, "error", err)
			}
		}
	}
}

// greet admits a worker or says why not.
func (r *registry) greet(name string, h hello) helloAnswer {
	r.q.mu.Lock()
	defer r.q.mu.Unlock()
	now := time.Now()
	w := r.worker(name)
	if w.detach != nil && w.hello.Session != h.Session && now.Sub(w.lastHello) < r.q.o.times.silence {
		r.q.counts.Refused++
		return helloAnswer{Refused: "a worker named " + name + " is at work already: each needs credentials of its own", Again: true}
	}
	refused, differs := "", []string(nil)
	if w.quarantined {
		refused = "it is in quarantine, until sakusen worker readmit on the daemon's machine: " + w.quarantineReason
	} else if differs = r.q.o.Build.Differences(h.Build); len(differs) > 0 {
		refused = "it is another build of the program: " + strings.Join(differs, "; ")
	}
	if refused != "" {
		r.q.counts.Refused++
		if refused != w.refusal {
			r.q.o.Log.Warn("a worker is refused", "worker", name, "reason", refused)
		}
		if w.detach != nil {
			r.leave(w, refused, false)
		}
		w.refusal, w.hello, w.lastHello = refused, h, now
		return helloAnswer{Refused: refused, Differs: differs}
	}
	if w.detach != nil && w.hello.Session != h.Session {
		r.leave(w, "it was started again", true)
	}
	if w.paused != "" {
		if w.hello.Session == h.Session {
			w.hello, w.lastHello = h, now
			return helloAnswer{Refused: w.paused, Again: true}
		}
		w.paused, w.trust.unable = "", nil
	}
	if w.hello.Session != h.Session || !maps.Equal(w.hello.Speeds, h.Speeds) {
		w.wants.forgive()
	}
	w.hello, w.lastHello, w.refusal = h, now, ""
	answer := helloAnswer{Off: r.compareJobs(w, &h), Try: r.q.o.URL != ""}
	if answer.Comparing = !r.offers(w, &h); answer.Comparing {
		return answer
	}
	switch {
	case h.Leaving && w.detach != nil:
		r.leave(w, "it was told to end", false)
	case !h.Leaving && w.detach == nil:
		w.known = r.keys[name]
		w.detach = r.q.o.Pool.Attach(slot{r.q, w, w.programs, w.known.Trusted}, h.Cores*slotsPerCore, h.Slots+1) // one waits
		r.q.o.Log.Info("a worker has come", "worker", name, "cores", h.Cores, "commit", h.Commit)
	}
	answer.Unlike = w.unlike[len(h.Lacks):]
	answer.Wanted = r.q.handout.wanted(w)
	return answer
}

// compareJobs compares the jobs that a worker has with those that it was given: one that has not
// reached it is given back. It returns those that are not waited for. The caller holds mu.
func (r *registry) compareJobs(w *state, h *hello) (off []string) {
	named := map[string]bool{}
	for begun, ids := range map[bool][]string{true: h.Holds, false: h.Waits} {
		for _, id := range ids {
			named[id] = true
			if a := w.jobs[id]; a == nil {
				off = append(off, id)
			} else if begun {
				a.begun = true
			}
		}
	}
	for id, a := range w.jobs {
		if !named[id] && time.Since(a.since) > r.q.o.times.arrive {
			r.q.giveBack(a)
		}
	}
	return off
}

// offers begins to compare a worker's engines with the daemon's where they have not been, and
// reports whether that is done. The caller holds mu.
func (r *registry) offers(w *state, h *hello) bool {
	offered := fmt.Sprint(h.Session, h.Engines, h.Lacks)
	if len(h.Engines)+len(h.Lacks) == 0 {
		if w.offered != "" && w.detach != nil {
			r.leave(w, "its engines have changed", false)
		}
		w.offered, w.programs, w.unlike, w.compared = "", nil, nil, true
		return true
	}
	if offered != w.offered {
		if w.detach != nil {
			r.leave(w, "its engines have changed", false)
		}
		w.offered, w.programs, w.unlike, w.compared = offered, nil, nil, false
		if r.q.ctx.Err() == nil { // Close waits for those that there are
			r.q.group.Go(func() { r.match(w, offered, slices.Clone(h.Engines), h.Lacks) })
		}
	}
	return w.compared
}

// match compares a worker's engines with the daemon's.
func (r *registry) match(w *state, offered string, engines []arena.Program, lacks []string) {
	var same []arena.Program
	unlike := slices.Clone(lacks)
	for _, p := range engines {
		if why := r.differs(p); why != "" {
			unlike = append(unlike, why)
		} else {
			same = append(same, p)
		}
	}
	r.q.mu.Lock()
	defer r.q.mu.Unlock()
	if w.offered == offered {
		w.programs, w.unlike, w.compared = same, unlike, true
		r.q.o.Log.Info("the engines of a worker", "worker", w.name, "plays", names(same), "not", unlike)
	}
}

// leave takes a worker's slots away, and gives its jobs back to the pool. If it was lost,
// the job that it was playing may be the reason. The caller holds mu.
func (r *registry) leave(w *state, why string, lost bool) {
	if w.detach != nil {
		w.detach()
		w.detach = nil
	}
	r.q.o.Log.Info("a worker has gone", "worker", w.name, "reason", why)
	for _, a := range w.jobs {
		if lost && a.begun && !a.taken && len(a.job.Programs) == 0 { // a program of its own ends no worker
			r.q.lost[a.chunk]++
		}
		r.q.giveBack(a)
	}
}

// withdrawPermission takes the permission to fetch jobs from a worker in quarantine.
func (r *registry) withdrawPermission(h Quarantine) {
	r.q.rolling.Lock()
	defer r.q.rolling.Unlock()
	if r.q.server == nil || r.q.roll.holds(h.Name) {
		return
	}
	r.q.roll.Quarantined = append(slices.Clone(r.q.roll.Quarantined), h)
	if err := r.q.server.reload(r.q.roll); err != nil {
		r.q.o.Log.Error("the permissions of a worker in quarantine cannot be changed", "worker", h.Name, "error", err)
	}
}

// quarantine puts workers into quarantine. The caller holds mu, or is alone.
func (r *registry) quarantine(all []Quarantine) {
	for _, h := range all {
		w := r.worker(h.Name)
		if w.lastHello.IsZero() {
			w.lastHello = h.Since
		}
		if !w.quarantined {
			w.quarantined, w.quarantineReason, w.refusal = true, h.Reason, h.Reason
			if w.detach != nil {
				r.leave(w, h.Reason, false)
			}
		}
	}
}
