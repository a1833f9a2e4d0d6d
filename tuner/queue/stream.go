package queue

import (
	"context"
	"maps"
	"slices"

	"github.com/nats-io/nats.go/jetstream"
)

// make makes the stream and what workers fetch through.
func (q *Queue) make(ctx context.Context) error {
	s, err := q.stream.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: stream, Subjects: []string{workRoot + ">"}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.MemoryStorage, Discard: jetstream.DiscardNew,
	})
	if err != nil {
		return err
	}
	q.made = s.CachedInfo().Created
	for _, line := range q.allLines() {
		if err := q.makeLine(ctx, line); err != nil {
			return err
		}
	}
	return nil
}

// allLines are those in which workers have been.
func (q *Queue) allLines() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Sorted(maps.Keys(q.lines))
}

// renew makes the stream again where it is gone, as after a restart of the server, and gives
// back what was in it. Where the stream is another than was made, so is what it holds. Where
// a consumer alone is gone, a new one delivers what the stream has.
func (q *Queue) renew() {
	if !q.renewing.TryLock() {
		return
	}
	defer q.renewing.Unlock()
	ctx, cancel := context.WithTimeout(q.ctx, q.o.times.patience)
	defer cancel()
	s, err := q.stream.Stream(ctx, stream)
	if q.ctx.Err() != nil {
		return
	}
	same := err == nil && s.CachedInfo().Created.Equal(q.made)
	if same {
		missing := false
		for _, line := range q.allLines() {
			_, err := s.Consumer(ctx, consumerOf(line))
			missing = missing || err != nil
		}
		if !missing {
			return
		}
	}
	if err := q.make(ctx); err != nil {
		q.o.Log.Error("the queue of the workers cannot be made again and is tried again", "error", err)
		return
	}
	if same {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, a := range q.asked {
		q.giveBack(a)
	}
}
