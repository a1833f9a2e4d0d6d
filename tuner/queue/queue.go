package queue

import (
	"cmp"
	"context"
	"crypto/tls"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"sakusen/engines/arena"
	"sakusen/tuner/queue/enginestore"
	"sakusen/tuner/queue/fleet"
	"sakusen/tuner/stats"
)

// Options are those of a daemon's queue.
type Options struct {
	Pool  *arena.Pool
	Build Build // of the daemon
	// Listen is the address for workers of the embedded server, empty for none; TLS is
	// needed beyond the loopback interface.
	Listen string
	TLS    *tls.Config
	// Roll is who may speak as a worker, and who is in quarantine.
	Roll Roll
	// URL is a NATS server that runs already, in place of the embedded one. The queue is not
	// opened where that lets a worker speak or hear in another's name.
	URL string
	// Keep, unless nil, stores what was played before its job is acknowledged.
	Keep func(context.Context, *arena.Series, *arena.Run) error
	// Stored returns blocks that are stored, nil where one of them is not. Of a block by the
	// clock that was played twice the one that is stored counts; nil is none.
	Stored func(ctx context.Context, s *arena.Series, from int64, n int) (*arena.Run, error)
	// Records returns who has played what of a series, by worker, "" for the daemon itself;
	// nil has no worker set aside for how its games by the clock end.
	Records func(ctx context.Context, s *arena.Series) (map[string]stats.Record, error)
	// Conflict, unless nil, reports whether an error of Keep says that other blocks are stored.
	Conflict func(error) bool
	// Quarantined, unless nil, is called for a worker whose games are not trusted, when none of
	// them are stored any more; Paused for one that cannot play games that this machine can play.
	Quarantined func(context.Context, Quarantine)
	Paused      func(name, reason string)
	// Engines, unless nil, are the daemon's own; workers that have the same play games with
	// them.
	Engines Engines
	// Store, unless nil, has the engines that are handed out to workers.
	Store *enginestore.Store
	Log   *slog.Logger // nil is none
	// Replay is the share of the jobs that are played again here, of a new worker's twice
	// as many; negative is none, 0 is 1 in 100.
	Replay float64

	times times // none are the usual ones
}

// Queue hands chunks of the pool's series to workers.
type Queue struct {
	o Options
	*broker
	registry  *registry
	verifier  *verifier
	handout   handout
	residuals *residuals
	ctx       context.Context // until Close
	end       context.CancelFunc
	group     sync.WaitGroup
	results   chan struct{} // bounds the results that are worked on at a time
	unpacked  chan struct{} // and those that are unpacked

	rolling sync.Mutex // taken before mu
	roll    Roll

	mu       sync.Mutex
	lost     map[string]int // workers that were lost over a chunk, by chunk
	number   int64
	counts   queueCounts
	hereRate fleet.Rate // of games that the pool's own slots play
}

// queueCounts are what has happened since the queue was opened.
type queueCounts struct {
	Jobs        int64 `json:"jobs"`         // handed out
	Results     int64 `json:"results"`      // counted
	Late        int64 `json:"late"`         // that came when the job was answered
	Redelivered int64 `json:"redelivered"`  // given back
	Malformed   int64 `json:"malformed"`    // results and hellos that were refused
	Unable      int64 `json:"unable"`       // jobs that a worker could not play, played here
	Refused     int64 `json:"refused"`      // hellos
	Connections int64 `json:"connections"`  // that were refused or cut: wrong keys, no TLS, silence, too long messages
	Replayed    int64 `json:"replayed"`     // jobs that were played again
	Different   int64 `json:"different"`    // of these
	Waiting     int   `json:"jobs_waiting"` // now, handed out and unanswered
	Queued      int   `json:"jobs_queued"`  // now, of these those that no worker has begun with
}

// refusals returns the counts of refused messages, by reason.
func (c queueCounts) refusals() map[string]int64 {
	return map[string]int64{"hello": c.Refused, "connection": c.Connections, "malformed": c.Malformed, "unable": c.Unable}
}

// refused counts a connection that the server has refused or cut, and says so.
func (q *Queue) refused(why string) {
	q.o.Log.Warn("a connection to the workers' address was refused or cut", "reason", why)
	q.count(func(c *queueCounts) { c.Connections++ })
}

// Address returns where workers of the embedded server connect, empty for none.
func (q *Queue) Address() string {
	if q.server == nil || q.o.Listen == "" {
		return ""
	}
	return q.server.ClientURL()
}

// count changes the counts.
func (q *Queue) count(f func(*queueCounts)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	f(&q.counts)
}

// Open starts a queue.
func Open(o Options) (*Queue, error) {
	q := newQueue(o)
	if err := q.connect(); err != nil {
		q.Close()
		return nil, err
	}
	q.group.Go(q.watch)
	return q, nil
}

// newQueue returns a queue that is not connected.
func newQueue(o Options) *Queue {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Log = calmed(o.Log)
	if o.Replay == 0 {
		o.Replay = .01
	}
	o.times = cmp.Or(o.times, usualTimes)
	q := &Queue{o: o, roll: o.Roll, lost: map[string]int{}, results: make(chan struct{}, mostResults), unpacked: make(chan struct{}, mostUnpacked)}
	q.ctx, q.end = context.WithCancel(context.Background())
	q.broker = &broker{o: &q.o}
	q.registry = &registry{q: q, workers: map[string]*state{}, keys: o.Roll.keys()}
	q.residuals = &residuals{}
	if o.Keep != nil {
		o.Pool.Keep = q.keepFirst
	}
	o.Pool.Open()
	q.verifier = &verifier{q: q, own: arena.NewPool(o.Pool.Workers())}
	q.handout = handout{q}
	q.registry.quarantine(o.Roll.Quarantined)
	return q
}

// connect starts or finds the server, and takes results and hellos from it.
func (q *Queue) connect() error {
	err := q.broker.connect(q.refused)
	if err == nil {
		err = q.listen(q.roll, q.done, q.registry.hello, q.handout.take)
	}
	if err != nil {
		return err
	}
	return q.nats.FlushTimeout(q.o.times.server)
}

// SetRoll changes who may speak as a worker, and who is in quarantine.
func (q *Queue) SetRoll(roll Roll) error {
	q.rolling.Lock()
	defer q.rolling.Unlock()
	q.roll = roll
	if q.server != nil {
		if err := q.server.reload(roll); err != nil {
			return err
		}
	}
	if err := q.listen(roll, q.done, q.registry.hello, q.handout.take); err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.registry.keys = roll.keys()
	for name, w := range q.registry.workers {
		if k := q.registry.keys[name]; k != w.known && w.detach != nil {
			q.registry.leave(w, "who may connect, or is trusted, has changed", false)
		}
		if w.quarantined && !w.reporting && !roll.holds(name) {
			w.quarantined, w.quarantineReason, w.refusal, w.trust = false, "", "", trust{}
			q.o.Log.Info("a worker is out of quarantine", "worker", name)
		}
	}
	q.registry.quarantine(roll.Quarantined)
	return nil
}

// Close ends the queue. Jobs that are still open are given back to the pool.
func (q *Queue) Close() {
	q.mu.Lock()
	q.end()
	q.mu.Unlock()
	q.group.Wait()
	q.mu.Lock()
	for _, w := range q.registry.workers {
		if w.detach != nil {
			w.detach()
			w.detach = nil
		}
	}
	for a := range q.registry.asked() {
		a.answer(nil, arena.ErrGivenBack)
	}
	q.mu.Unlock()
	if q.nats != nil {
		q.nats.Close()
	}
	if q.server != nil {
		q.server.close()
	}
}

// Workers returns the workers that have said hello, by name, with what has happened.
func (q *Queue) Workers() ([]fleet.Worker, queueCounts) {
	q.mu.Lock()
	defer q.mu.Unlock()
	all, now, playing, waiting := []fleet.Worker{}, time.Now(), map[string]int{}, 0
	for a := range q.registry.asked() {
		waiting++
		if a.begun {
			playing[a.worker.name]++
			waiting--
		}
	}
	for _, w := range q.registry.workers {
		if w.lastHello.IsZero() && w.hello.Session == "" { // it has sent something else only
			continue
		}
		s := fleet.Worker{Name: w.name, State: "gone", Cores: w.hello.Cores, Games: w.games, Second: w.rate.Second(now, w.games), Playing: playing[w.name],
			Heard: w.lastHello, Commit: w.hello.Commit, Different: w.trust.different, Redelivered: w.redelivered, Engines: names(w.programs), Slots: w.hello.Slots, Speeds: w.hello.Speeds, Scale: w.scale, Trusted: w.known.Trusted, Reason: w.refusal}
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
	slices.SortFunc(all, func(a, b fleet.Worker) int { return strings.Compare(a.Name, b.Name) })
	counts := q.counts
	counts.Waiting, counts.Queued = waiting, waiting
	for _, n := range playing {
		counts.Waiting += n
	}
	return all, counts
}

// Fleet returns what there is to be seen: the workers by name, and what has happened.
func (q *Queue) Fleet() fleet.Fleet {
	all, c := q.Workers()
	now, games := time.Now(), q.o.Pool.Played()
	f := fleet.Fleet{Open: true, Address: q.Address(), Workers: all, Waiting: c.Waiting, Queued: c.Queued, Redelivered: c.Redelivered, Replayed: c.Replayed, Different: c.Different, Refused: c.refusals()}
	q.mu.Lock()
	f.Here = fleet.Here{Cores: q.o.Pool.Workers(), Games: games, Second: q.hereRate.Second(now, games)}
	q.mu.Unlock()
	f.Shares()
	return f
}

// watch lets workers go that say hello no more.
func (q *Queue) watch() {
	for {
		select {
		case <-q.ctx.Done():
			return
		case <-time.After(min(q.o.times.silence, q.o.times.answer) / 10):
		}
		now, games := time.Now(), q.o.Pool.Played()
		q.mu.Lock()
		q.hereRate.Look(now, games)
		for _, w := range q.registry.workers {
			w.rate.Look(now, w.games)
			if w.detach != nil && time.Since(w.lastHello) > q.o.times.silence {
				q.registry.leave(w, "nothing was heard of it for "+q.o.times.silence.String(), true)
			}
		}
		q.mu.Unlock()
	}
}
