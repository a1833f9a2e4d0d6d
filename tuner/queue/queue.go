package queue

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sakusen/engines/arena"
)

// Options are those of a daemon's queue.
type Options struct {
	Pool  *arena.Pool
	Build Build // of the daemon
	// Listen is the address for workers of the embedded server, empty for none; TLS is
	// needed beyond the loopback interface.
	Listen string
	TLS    *tls.Config
	// Roll is who may connect to the embedded server, and who is in quarantine.
	Roll Roll
	// URL is a NATS server that runs already, in place of the embedded one.
	URL string
	// Keep, unless nil, stores what was played before its job is acknowledged.
	Keep func(context.Context, *arena.Series, *arena.Run) error
	// Conflict, unless nil, tells whether an error of Keep says that other blocks are stored.
	Conflict func(error) bool
	// Quarantined, unless nil, is told of a worker whose games are not to be trusted, when
	// none of them are stored any more; Paused of one that cannot play what is played here.
	Quarantined func(context.Context, Quarantine)
	Paused      func(name, reason string)
	Log         *slog.Logger // nil is none
	// Replay is the share of the jobs that are played again here, of a new worker's twice
	// as many; negative is none, 0 is 1 in 100.
	Replay float64
}

// Times of the queue.
const (
	ackWait  = 30 * time.Second // after which a job without a sign of life is delivered again
	alive    = 10 * time.Second // between signs of life of a job
	greet    = 3 * time.Second  // between two hellos of a worker
	silence  = 10 * time.Second // without a hello, after which a worker is gone
	patience = 5 * time.Second  // for the server's answers
)

// Queue hands chunks of the pool's series to workers.
type Queue struct {
	o      Options
	server *embedded // nil with a server that runs already
	nats   *nats.Conn
	stream jetstream.JetStream
	ctx    context.Context // until Close
	end    context.CancelFunc
	group  sync.WaitGroup
	turns  chan struct{} // bounds the results that are worked on at a time
	own    *arena.Pool   // plays jobs again

	rolling sync.Mutex // taken before mu
	roll    Roll

	mu      sync.Mutex
	asked   map[string]*asked
	lost    map[string]int // workers that were lost over a chunk, by chunk
	workers map[string]*worker
	number  int64
	counts  Counts
}

// Counts are what has happened since the queue was opened.
type Counts struct {
	Jobs        int64 `json:"jobs"`         // handed out
	Results     int64 `json:"results"`      // counted
	Late        int64 `json:"late"`         // for which nobody waited any more
	Redelivered int64 `json:"redelivered"`  // given back or delivered again
	Malformed   int64 `json:"malformed"`    // results and hellos that were refused
	Unable      int64 `json:"unable"`       // jobs that a worker could not play, played here
	Refused     int64 `json:"refused"`      // hellos
	Connections int64 `json:"connections"`  // that were refused or cut: wrong keys, no TLS, silence, too long messages
	Replayed    int64 `json:"replayed"`     // jobs that were played again
	Different   int64 `json:"different"`    // of these
	Waiting     int   `json:"jobs_waiting"` // now, handed out and unanswered
}

// Refusals are those by reason.
func (c Counts) Refusals() map[string]int64 {
	return map[string]int64{"hello": c.Refused, "connection": c.Connections, "malformed": c.Malformed, "unable": c.Unable}
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

// newQueue is a queue that is not connected.
func newQueue(o Options) *Queue {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Replay == 0 {
		o.Replay = .01
	}
	q := &Queue{
		o: o, roll: o.Roll, asked: map[string]*asked{}, lost: map[string]int{}, workers: map[string]*worker{},
		turns: make(chan struct{}, mostTurns), own: arena.NewPool(o.Pool.Workers()),
	}
	q.ctx, q.end = context.WithCancel(context.Background())
	q.hold(o.Roll.Quarantined)
	return q
}

// connect starts or finds the server and makes the work queue on it.
func (q *Queue) connect() (err error) {
	options := []nats.Option{
		nats.Name("sakusen daemon"), nats.MaxReconnects(-1), nats.CustomReconnectDelay(backOff),
		nats.ReconnectHandler(func(*nats.Conn) { q.renew() }),
	}
	if q.o.URL != "" {
		q.nats, err = nats.Connect(q.o.URL, options...)
	} else if q.server, err = startEmbedded(q.o.Listen, q.o.TLS, q.o.Roll, q.refused); err == nil {
		q.nats, err = q.server.connect(options...)
	}
	if err != nil {
		return fmt.Errorf("the queue of the workers: %w", err)
	}
	if q.stream, err = jetstream.New(q.nats); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(q.ctx, patience)
	defer cancel()
	q.stream.DeleteStream(ctx, stream) // of a daemon before this one: what it asked for nobody waits for
	if err := q.make(ctx); err != nil {
		return fmt.Errorf("the queue of the workers at %s, NATS %s: %w", q.nats.ConnectedUrlRedacted(), q.nats.ConnectedServerVersion(), err)
	}
	if _, err = q.nats.Subscribe(doneRoot+"*", q.done); err != nil {
		return err
	}
	if _, err = q.nats.Subscribe(helloRoot+"*", q.hello); err != nil {
		return err
	}
	return q.nats.FlushTimeout(patience)
}

// make makes the stream and its consumer.
func (q *Queue) make(ctx context.Context) error {
	s, err := q.stream.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: stream, Subjects: []string{workRoot + ">"}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.MemoryStorage, Discard: jetstream.DiscardNew,
	})
	if err != nil {
		return err
	}
	_, err = s.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: consumer, AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait, MaxDeliver: -1, MaxAckPending: -1, MaxWaiting: 16384,
	})
	return err
}

// renew makes the stream again after the server was away, and gives back what was in it.
func (q *Queue) renew() {
	ctx, cancel := context.WithTimeout(q.ctx, patience)
	defer cancel()
	if err := q.make(ctx); err != nil {
		q.o.Log.Error("the queue of the workers cannot be made again", "error", err)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, a := range q.asked {
		q.giveBack(a)
	}
}

// SetRoll changes who may connect to the embedded server, and who is in quarantine.
func (q *Queue) SetRoll(roll Roll) error {
	q.rolling.Lock()
	defer q.rolling.Unlock()
	q.roll = roll
	if q.server != nil {
		if err := q.server.reload(roll); err != nil {
			return err
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	may := map[string]bool{}
	for _, w := range roll.Known {
		may[w.Name] = true
	}
	for name, w := range q.workers {
		if q.server != nil && !may[name] && w.detach != nil {
			q.leave(w, "it is not allowed to connect any more", false)
		}
		if w.quarantined && !w.telling && !roll.Holds(name) {
			w.quarantined, w.held, w.refused, w.trust = false, "", "", trust{}
			q.o.Log.Info("a worker is out of quarantine", "worker", name)
		}
	}
	q.hold(roll.Quarantined)
	return nil
}

// refused counts a connection that the server has refused or cut, and says so.
func (q *Queue) refused(why string) {
	q.o.Log.Warn("a connection to the workers' address was refused or cut", "reason", why)
	q.count(func(c *Counts) { c.Connections++ })
}

// shut takes the permission to fetch jobs from a worker in quarantine.
func (q *Queue) shut(h Quarantine) {
	q.rolling.Lock()
	defer q.rolling.Unlock()
	if q.server == nil || q.roll.Holds(h.Name) {
		return
	}
	q.roll.Quarantined = append(slices.Clone(q.roll.Quarantined), h)
	err := q.server.reload(q.roll)
	for _, k := range q.roll.Known {
		if k.Name == h.Name {
			err = errors.Join(err, q.server.disconnect(k.Key))
		}
	}
	if err != nil {
		q.o.Log.Error("the permissions of a worker in quarantine cannot be changed", "worker", h.Name, "error", err)
	}
}

// hold puts workers into quarantine. The caller holds mu, or is alone.
func (q *Queue) hold(all []Quarantine) {
	for _, h := range all {
		w := q.workers[h.Name]
		if w == nil {
			w = &worker{name: h.Name, heard: h.Since}
			q.workers[h.Name] = w
		}
		if !w.quarantined {
			w.quarantined, w.held, w.refused = true, h.Reason, h.Reason
			if w.detach != nil {
				q.leave(w, h.Reason, false)
			}
		}
	}
}

// Address is where workers of the embedded server connect, empty for none.
func (q *Queue) Address() string {
	if q.server == nil || q.o.Listen == "" {
		return ""
	}
	return q.server.ClientURL()
}

// Close ends the queue. What is still asked for is given back to the pool.
func (q *Queue) Close() {
	q.mu.Lock()
	q.end()
	q.mu.Unlock()
	q.group.Wait()
	q.mu.Lock()
	for _, w := range q.workers {
		if w.detach != nil {
			w.detach()
			w.detach = nil
		}
	}
	for _, a := range q.asked {
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
