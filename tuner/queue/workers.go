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
	"github.com/nats-io/nats.go/jetstream"

	"sakusen/engines/arena"
	"sakusen/tuner/queue/fleet"
)

// mostCores bounds the cores that a worker may name.
const mostCores = 1024

// mostHello bounds a hello, bytes: a worker of so many cores names what each plays, and its engines.
const mostHello = 128 << 10

// desksPerCore is how many jobs of a core are out at a time: one that it plays and one
// that waits for it.
const slotsPerCore = 2

// worker is one that has said hello.
type state struct {
	name             string
	hello            Hello
	lastHello        time.Time
	detach           func() // nil while it has no desks
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

// Fleet is what there is to be seen: the workers by name, and what has happened.
func (q *Queue) Fleet() fleet.Fleet {
	all, c := q.Workers()
	now, games := time.Now(), q.o.Pool.Played()
	f := fleet.Fleet{Open: true, Address: q.Address(), Workers: all, Waiting: c.Waiting, Queued: c.Queued, Redelivered: c.Redelivered, Replayed: c.Replayed, Different: c.Different, Refused: c.Refusals()}
	q.mu.Lock()
	f.Here = fleet.Here{Cores: q.o.Pool.Workers(), Games: games, Second: q.hereRate.Second(now, games)}
	q.mu.Unlock()
	f.Shares()
	return f
}

// Workers are those that have said hello, by name, with what has happened.
func (q *Queue) Workers() ([]Worker, Counts) {
	q.mu.Lock()
	defer q.mu.Unlock()
	all, now, playing := []Worker{}, time.Now(), map[string]int{}
	for _, a := range q.asked {
		playing[a.holder]++
	}
	for _, w := range q.roster.workers {
		s := Worker{Name: w.name, State: "gone", Cores: w.hello.Cores, Games: w.games, Second: w.rate.Second(now, w.games), Playing: playing[w.name],
			Heard: w.lastHello, Commit: w.hello.Commit, Different: w.trust.different, Redelivered: w.redelivered, Engines: names(w.programs), Reason: w.refusal}
		switch {
		case w.quarantined:
			s.State, s.Reason = "quarantined", w.quarantineReason
		case w.paused != "":
			s.State, s.Reason = "paused", w.paused
		case w.refusal != "":
			s.State = "refused"
		case w.detach != nil:
			s.State, s.Reason = "working", strings.Join(w.unlike, "; ")
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b Worker) int { return strings.Compare(a.Name, b.Name) })
	counts := q.counts
	counts.Waiting, counts.Queued = len(q.asked), playing[""]
	return all, counts
}

// hello takes what a worker says of itself.
func (r *roster) hello(m *nats.Msg) {
	var h Hello
	answer, name := Answer{Refused: "the hello is malformed"}, m.Subject[len(helloRoot):]
	if err := json.Unmarshal(m.Data, &h); err == nil && len(m.Data) <= mostHello && h.Cores >= 1 && h.Cores <= mostCores && h.bounded() && workerName.MatchString(name) {
		answer = r.greet(name, h)
	} else {
		r.q.count(func(c *Counts) { c.Malformed++ })
		r.q.o.Log.Warn("the hello of a worker is malformed", "worker", name, "bytes", len(m.Data))
	}
	if text, err := json.Marshal(answer); err == nil && m.Reply != "" {
		m.Respond(text)
	}
}

// greet admits a worker or says why not.
func (r *roster) greet(name string, h Hello) Answer {
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
		return Answer{Refused: "a worker named " + name + " is at work already: each needs credentials of its own", Again: true}
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
		return Answer{Refused: refused, Differs: differs}
	}
	if w.detach != nil && w.hello.Session != h.Session {
		r.leave(w, "it was started again", true)
	}
	if w.paused != "" {
		if w.hello.Session == h.Session {
			w.hello, w.lastHello = h, now
			return Answer{Refused: w.paused, Again: true}
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
		return Answer{}
	}
	switch {
	case h.Leaving && w.detach != nil:
		r.leave(w, "it was told to end", false)
	case !h.Leaving && w.detach == nil && cmp.Or(h.Line, general) == w.line:
		w.detach = r.q.o.Pool.Attach(slot{r.q, w.line, w.programs}, h.Cores*slotsPerCore)
		r.q.o.Log.Info("a worker has come", "worker", name, "cores", h.Cores, "commit", h.Commit)
	}
	return Answer{Line: w.line, Unlike: w.unlike[len(h.Lacks):]}
}

// offers begins to compare a worker's engines with the daemon's where they have not been, and
// tells whether that is done. The caller holds mu.
func (r *roster) offers(w *state, h *Hello) bool {
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

// leave takes a worker's desks away, and gives its jobs back to the pool; all jobs of a
// line where nobody is left who could play them. Where it was lost, what it was playing may be the
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

// watch lets workers go that are not heard of any more, and looks for jobs that nobody has.
func (q *Queue) watch() {
	searched := time.Now()
	for {
		select {
		case <-q.ctx.Done():
			return
		case <-time.After(q.o.times.silence / 10):
		}
		now, games := time.Now(), q.o.Pool.Played()
		q.mu.Lock()
		q.hereRate.Look(now, games)
		for _, w := range q.roster.workers {
			w.rate.Look(now, w.games)
			if w.detach != nil && time.Since(w.lastHello) > q.o.times.silence {
				q.roster.leave(w, "nothing was heard of it for "+q.o.times.silence.String(), true)
			}
		}
		q.mu.Unlock()
		if time.Since(searched) > q.o.times.sign {
			q.search()
			searched = time.Now()
		}
	}
}

// tooLong is how many times a job's time without a sign of life it may lie in the queue.
const queuedTooLong = 10

// search gives jobs back that have been out for long, that no worker says it plays, and
// that are not in the queue: somebody has taken them and will not deliver. So it does with
// those that lie in the queue for too long, as a server may not hand them out.
func (q *Queue) search() {
	q.mu.Lock()
	old := map[string]*asked{}
	for id, a := range q.asked {
		if time.Since(a.since) > q.o.times.ack {
			old[id] = a
		}
	}
	for _, w := range q.roster.workers {
		for _, id := range w.hello.Holds {
			if w.detach != nil {
				delete(old, id)
			}
		}
	}
	q.mu.Unlock()
	if len(old) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(q.ctx, q.o.times.server)
	defer cancel()
	q.renew()
	s, err := q.js.Stream(ctx, stream)
	if err != nil {
		return
	}
	for id, a := range old {
		_, err := s.GetLastMsgForSubject(ctx, a.subject())
		if !errors.Is(err, jetstream.ErrMsgNotFound) && (err != nil || time.Since(a.since) < queuedTooLong*q.o.times.ack) {
			continue
		}
		q.mu.Lock()
		if q.asked[id] == a {
			q.giveBack(a)
		}
		q.mu.Unlock()
	}
}

// shut takes the permission to fetch jobs from a worker in quarantine.
func (r *roster) withdrawPermission(h Quarantine) {
	r.q.rolling.Lock()
	defer r.q.rolling.Unlock()
	if r.q.server == nil || r.q.roll.Holds(h.Name) {
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

// hold puts workers into quarantine. The caller holds mu, or is alone.
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
