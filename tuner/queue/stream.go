package queue

import (
	"context"
	"maps"
	"slices"
	"time"

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
	if whole(ctx, q.stream, q.made, q.allLines()) || q.ctx.Err() != nil {
		return
	}
	before := q.made
	if err := q.make(ctx); err != nil {
		q.o.Log.Error("the queue of the workers cannot be made again and is tried again", "error", err)
		return
	}
	if q.made.Equal(before) {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, a := range q.asked {
		q.giveBack(a)
	}
}

// whole tells whether the stream that was made is there, and what the workers of all lines
// fetch through.
func whole(ctx context.Context, server jetstream.JetStream, made time.Time, lines []string) bool {
	s, err := server.Stream(ctx, stream)
	if err != nil || !s.CachedInfo().Created.Equal(made) {
		return false
	}
	for _, line := range lines {
		if _, err := s.Consumer(ctx, consumerOf(line)); err != nil {
			return false
		}
	}
	return true
}
