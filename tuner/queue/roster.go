package queue

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	hello            hello
	lastHello        time.Time
	detach           func() // nil while it has no slots
	games            int64
	rate             fleet.Rate // of games
	redelivered      int64      // of its jobs, given to another
	refusal          string
	paused           string // why it gets no work until it is started again
	quarantined      bool
	quarantineReason string // why
	reporting        bool   // its quarantine is being told
	trust            trust
	offered          string // what it said of its engines and is compared, empty for nothing
	compared         bool
	line             string          // that it is to fetch from
	programs         []arena.Program // that it has as the daemon has them
	unlike           []string        // why others play nothing here
	takes            sync.WaitGroup  // results that are being judged or stored
}

// roster is the workers that have said hello, by name: who has slots at the pool, who is trusted.
// Its workers are guarded by the queue's mu.
type roster struct {
	q       *Queue
	workers map[string]*state
}

// Worker is what is shown of a worker.
type Worker = fleet.Worker

// hello takes what a worker says of itself.
func (r *roster) hello(m *nats.Msg) {
	var h hello
	answer, name := helloAnswer{Refused: "the hello is malformed"}, m.Subject[len(helloRoot):]
	if err := json.Unmarshal(m.Data, &h); err == nil && len(m.Data) <= mostHello && h.Cores >= 1 && h.Cores <= mostCores && h.bounded() && workerName.MatchString(name) {
		answer = r.greet(name, h)
	} else {
		r.q.count(func(c *queueCounts) { c.Malformed++ })
		r.q.o.Log.Warn("the hello of a worker is malformed", "worker", name, "bytes", len(m.Data))
	}
	if text, err := json.Marshal(answer); err == nil && m.Reply != "" {
		m.Respond(text)
	}
}

// greet admits a worker or says why not.
func (r *roster) greet(name string, h hello) helloAnswer {
	r.q.mu.Lock()
	defer r.q.mu.Unlock()
	now := time.Now()
	w := r.workers[name]
	if w == nil {
		w = &state{name: name}
		r.workers[name] = w
	}
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
		for _, id := range h.Holds {
			if a := r.q.asked[id]; a != nil {
				r.q.giveBack(a)
			}
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
	w.hello, w.lastHello, w.refusal = h, now, ""
	for _, id := range h.Holds {
		if a := r.q.asked[id]; a != nil {
			r.q.noteHolder(a, name)
		}
	}
	if !r.offers(w, &h) {
		return helloAnswer{}
	}
	switch {
	case h.Leaving && w.detach != nil:
		r.leave(w, "it was told to end", false)
	case !h.Leaving && w.detach == nil && cmp.Or(h.Line, general) == w.line:
		w.detach = r.q.o.Pool.Attach(slot{r.q, w.line, w.programs}, h.Cores*slotsPerCore)
		r.q.o.Log.Info("a worker has come", "worker", name, "cores", h.Cores, "commit", h.Commit)
	}
	return helloAnswer{Line: w.line, Unlike: w.unlike[len(h.Lacks):]}
}

// offers begins to compare a worker's engines with the daemon's where they have not been, and
// reports whether that is done. The caller holds mu.
func (r *roster) offers(w *state, h *hello) bool {
	offered := fmt.Sprint(h.Session, h.Engines, h.Lacks)
	if len(h.Engines)+len(h.Lacks) == 0 {
		if w.offered != "" && w.detach != nil {
			r.leave(w, "its engines have changed", false)
		}
		w.offered, w.line, w.programs, w.unlike, w.compared = "", general, nil, nil, true
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

// match compares a worker's engines with the daemon's. Those that are the same decide its
// line.
func (r *roster) match(w *state, offered string, engines []arena.Program, lacks []string) {
	var same []arena.Program
	unlike := slices.Clone(lacks)
	for _, p := range engines {
		if why := r.differs(p); why != "" {
			unlike = append(unlike, why)
		} else {
			same = append(same, p)
		}
	}
	line := lineOf(same)
	if line != general {
		ctx, cancel := context.WithTimeout(r.q.ctx, r.q.o.times.server)
		defer cancel()
		if err := r.q.makeLine(ctx, line); err != nil {
			r.q.o.Log.Error("a worker gets no games of engines, since the queue takes no line for them", "worker", w.name, "error", err)
			same, line = nil, general
		}
	}
	r.q.mu.Lock()
	defer r.q.mu.Unlock()
	if w.offered == offered {
		w.line, w.programs, w.unlike, w.compared = line, same, unlike, true
		r.q.o.Log.Info("the engines of a worker", "worker", w.name, "plays", names(same), "not", unlike)
	}
}

// leave takes a worker's slots away, and gives its jobs back to the pool; all jobs of a
// line in which no worker is left. Where it was lost, what it was playing may be the
// reason. The caller holds mu.
func (r *roster) leave(w *state, why string, lost bool) {
	if w.detach != nil {
		w.detach()
		w.detach = nil
	}
	r.q.o.Log.Info("a worker has gone", "worker", w.name, "reason", why)
	left := map[string]bool{}
	for _, other := range r.workers {
		left[other.line] = left[other.line] || other.detach != nil
	}
	for _, a := range r.q.asked {
		if a.holder != w.name && left[a.line] {
			continue
		}
		if lost && a.holder == w.name && !a.taken {
			r.q.lost[a.chunk]++
		}
		r.q.giveBack(a)
	}
}

// withdrawPermission takes the permission to fetch jobs from a worker in quarantine.
func (r *roster) withdrawPermission(h Quarantine) {
	r.q.rolling.Lock()
	defer r.q.rolling.Unlock()
	if r.q.server == nil || r.q.roll.holds(h.Name) {
		return
	}
	r.q.roll.Quarantined = append(slices.Clone(r.q.roll.Quarantined), h)
	err := r.q.server.reload(r.q.roll)
	for _, k := range r.q.roll.Known {
		if k.Name == h.Name {
			err = errors.Join(err, r.q.server.disconnect(k.Key))
		}
	}
	if err != nil {
		r.q.o.Log.Error("the permissions of a worker in quarantine cannot be changed", "worker", h.Name, "error", err)
	}
}

// quarantine puts workers into quarantine. The caller holds mu, or is alone.
func (r *roster) quarantine(all []Quarantine) {
	for _, h := range all {
		w := r.workers[h.Name]
		if w == nil {
			w = &state{name: h.Name, lastHello: h.Since}
			r.workers[h.Name] = w
		}
		if !w.quarantined {
			w.quarantined, w.quarantineReason, w.refusal = true, h.Reason, h.Reason
			if w.detach != nil {
				r.leave(w, h.Reason, false)
			}
		}
	}
}
