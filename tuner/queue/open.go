package queue

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sakusen/engines/arena"
)

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
	o.times = o.times.orUsual()
	q := &Queue{
		o: o, roll: o.Roll, asked: map[string]*asked{}, lines: map[string]bool{general: true}, lost: map[string]int{}, workers: map[string]*worker{},
		turns: make(chan struct{}, mostTurns), own: arena.NewPool(o.Pool.Workers()),
	}
	q.ctx, q.end = context.WithCancel(context.Background())
	q.hold(o.Roll.Quarantined)
	return q
}

// connect starts or finds the server and makes the work queue on it.
func (q *Queue) connect() (err error) {
	options := []nats.Option{
		nats.Name("sakusen daemon"), nats.MaxReconnects(-1), nats.PingInterval(pulse), nats.CustomReconnectDelay(backOff),
		nats.ReconnectHandler(func(*nats.Conn) { q.renew() }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			q.o.Log.Warn("the server of the workers says", "error", err)
		}),
	}
	if q.o.URL != "" {
		q.nats, err = nats.Connect(q.o.URL, options...)
	} else if q.server, err = startEmbedded(&q.o, q.refused); err == nil {
		q.nats, err = q.server.connect(options...)
	}
	if err != nil {
		return fmt.Errorf("the queue of the workers: %w", err)
	}
	if q.stream, err = jetstream.New(q.nats); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(q.ctx, q.o.times.patience)
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
	return q.nats.FlushTimeout(q.o.times.patience)
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
