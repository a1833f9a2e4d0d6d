package queue

import (
	"fmt"
	"sync"

	"context"
	"github.com/nats-io/nats.go"
	"maps"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// broker is the NATS server's side of the queue: the connection, the stream that the jobs wait
// in, and the lines of workers, each of which fetches through a consumer of its own.
type broker struct {
	o      *Options
	ctx    context.Context // until the queue is closed
	server *embedded       // nil with a server that runs already
	nats   *nats.Conn
	js     jetstream.JetStream

	renewing sync.Mutex
	made     time.Time // when the stream was, by its server; guarded by renewing once connected

	mu    sync.Mutex
	lines map[string]bool // in which workers have been
}

// connect starts or finds the server and makes the work queue on it.
func (b *broker) connect(refused func(string), renew func()) (err error) {
	options := []nats.Option{
		nats.Name("sakusen daemon"), nats.MaxReconnects(-1), nats.PingInterval(pingEvery), nats.CustomReconnectDelay(backOff),
		nats.ReconnectHandler(func(*nats.Conn) { renew() }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			b.o.Log.Warn("the server of the workers says", "error", err)
		}),
	}
	if b.o.URL != "" {
		b.nats, err = nats.Connect(b.o.URL, options...)
	} else if b.server, err = startEmbedded(b.o, refused); err == nil {
		b.nats, err = b.server.connect(options...)
	}
	if err != nil {
		return fmt.Errorf("the queue of the workers: %w", err)
	}
	if b.js, err = jetstream.New(b.nats); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(b.ctx, b.o.times.server)
	defer cancel()
	b.js.DeleteStream(ctx, stream) // of a daemon before this one, whose jobs are not waited for any more
	if err := b.make(ctx); err != nil {
		return fmt.Errorf("the queue of the workers at %s, NATS %s: %w", b.nats.ConnectedUrlRedacted(), b.nats.ConnectedServerVersion(), err)
	}
	return nil
}

// make makes the stream and what workers fetch through.
func (b *broker) make(ctx context.Context) error {
	s, err := b.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: stream, Subjects: []string{workRoot + ">"}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.MemoryStorage, Discard: jetstream.DiscardNew,
	})
	if err != nil {
		return err
	}
	b.made = s.CachedInfo().Created
	for _, line := range b.allLines() {
		if err := b.makeLine(ctx, line); err != nil {
			return err
		}
	}
	return nil
}

// allLines returns the lines in which workers have been.
func (b *broker) allLines() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(maps.Keys(b.lines))
}

// renew makes the stream again where it is gone, as after a restart of the server, and reports
// whether it is another than before, so that what was in it is lost. Where a consumer alone is
// gone, a new one delivers what the stream has.
func (b *broker) renew() (lost bool) {
	if !b.renewing.TryLock() {
		return false
	}
	defer b.renewing.Unlock()
	ctx, cancel := context.WithTimeout(b.ctx, b.o.times.server)
	defer cancel()
	if b.whole(ctx) || b.ctx.Err() != nil {
		return false
	}
	before := b.made
	if err := b.make(ctx); err != nil {
		b.o.Log.Error("the queue of the workers cannot be made again and is tried again", "error", err)
		return false
	}
	return !b.made.Equal(before)
}

// whole reports whether the stream that was made is there, and what the workers of all lines
// fetch through.
func (b *broker) whole(ctx context.Context) bool {
	s, err := b.js.Stream(ctx, stream)
	if err != nil || !s.CachedInfo().Created.Equal(b.made) {
		return false
	}
	for _, line := range b.allLines() {
		if _, err := s.Consumer(ctx, consumerOf(line)); err != nil {
			return false
		}
	}
	return true
}

// withdraw takes a job out of the queue, and calls it off at the worker that plays it.
func (b *broker) withdraw(a *asked) {
	b.nats.Publish(cancelAll, []byte(a.job.ID))
	ctx, cancel := context.WithTimeout(context.WithoutCancel(b.ctx), b.o.times.server)
	defer cancel()
	s, err := b.js.Stream(ctx, stream)
	if err != nil {
		return
	}
	// Not by a purge of its subject: after that NATS 2.9.10 hands out none of those before it.
	if m, err := s.GetLastMsgForSubject(ctx, a.subject()); err == nil {
		s.DeleteMsg(ctx, m.Sequence)
	}
}
