package queue

import (
	"context"
	"log/slog"

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
	q := &Queue{o: o, roll: o.Roll, asked: map[string]*asked{}, lost: map[string]int{}, results: make(chan struct{}, mostResults)}
	q.ctx, q.end = context.WithCancel(context.Background())
	q.broker = &broker{o: &q.o, ctx: q.ctx, lines: map[string]bool{general: true}}
	q.roster = &roster{q: q, workers: map[string]*state{}}
	q.referee = &referee{q: q, own: arena.NewPool(o.Pool.Workers())}
	q.roster.quarantine(o.Roll.Quarantined)
	return q
}

// connect starts or finds the server, and takes results and hellos from it.
func (q *Queue) connect() error {
	err := q.broker.connect(q.refused, q.renew)
	if err == nil {
		_, err = q.nats.Subscribe(doneRoot+"*", q.done)
	}
	if err == nil {
		_, err = q.nats.Subscribe(helloRoot+"*", q.roster.hello)
	}
	if err != nil {
		return err
	}
	return q.nats.FlushTimeout(q.o.times.server)
}

// renew makes the queue again where its server has lost it, and gives back what was in it.
func (q *Queue) renew() {
	if !q.broker.renew() {
		return
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
	for name, w := range q.roster.workers {
		if q.server != nil && !may[name] && w.detach != nil {
			q.roster.leave(w, "it is not allowed to connect any more", false)
		}
		if w.quarantined && !w.reporting && !roll.Holds(name) {
			w.quarantined, w.quarantineReason, w.refusal, w.trust = false, "", "", trust{}
			q.o.Log.Info("a worker is out of quarantine", "worker", name)
		}
	}
	q.roster.quarantine(roll.Quarantined)
	return nil
}

// Close ends the queue. What is still asked for is given back to the pool.
func (q *Queue) Close() {
	q.mu.Lock()
	q.end()
	q.mu.Unlock()
	q.group.Wait()
	q.mu.Lock()
	for _, w := range q.roster.workers {
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
