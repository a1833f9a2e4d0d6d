package queue

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"sakusen/engines/arena"
	"sakusen/engines/suite"
	"sakusen/tuner/queue/testdata/queuetest"
)

// The server's word that it has a job is lost with the line. Where nothing else is heard the job
// is given back, once, however long there is for the games; its result counts where it comes
// before that, and not afterwards, when others play the blocks.
func TestWordIsLost(t *testing.T) {
	t.Parallel()
	c, err := RegisterOf(filepath.Join(t.TempDir(), "s.db")).Add("one")
	if err != nil {
		t.Fatal(err)
	}
	key, err := publicKey(c.Seed)
	if err != nil {
		t.Fatal(err)
	}
	address := standing(t, server.RANDOM_PORT, key).ClientURL()
	line := queuetest.NewLine(t, strings.TrimPrefix(address, "nats://"))
	var stored ledger
	b := newBench(t, 0, func(o *Options) {
		inHaste(o)
		o.times.server = time.Second
		o.Listen, o.URL, o.Keep = "", "nats://daemon:secret@"+line.Address, stored.keep
	})
	b.start(c, func(o *WorkOptions) { o.Server, o.times, o.Catalogue = address, hasty, gated(nil) })
	b.await("the worker", working(1))
	defer line.Cut()()
	s := idles(t, 1)
	run, err := playAll(t.Context(), arena.NewPool(1), s, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithDeadline(t.Context(), suite.Deadline(t))
	defer cancel()
	ask := func() (result []byte, ended chan error) {
		ended = make(chan error, 1)
		go func() { _, err := (slot{q: b.queue}).Play(ctx, &s, 0, 1); ended <- err }()
		b.await("the job", func(_ []Worker, c queueCounts) bool { return c.Waiting == 1 })
		b.queue.mu.Lock()
		defer b.queue.mu.Unlock()
		for id := range b.queue.asked {
			result, err = json.Marshal(jobResult{ID: id, Run: run})
		}
		return result, ended
	}
	result, ended := ask()
	if said := b.queue.take("one", result); said != replyCounted {
		t.Errorf("a result without the server's word: %s", said)
	}
	if err := <-ended; err != nil {
		t.Errorf("a result without the server's word: %v", err)
	}
	stored.each(t, 1)
	_, before := b.queue.Workers()
	result, ended = ask()
	if err := <-ended; !errors.Is(err, arena.ErrGivenBack) {
		t.Errorf("no word: %v", err)
	}
	if said := b.queue.take("one", result); said != replyLate {
		t.Errorf("a result of a job that was given back: %s", said)
	}
	if _, c := b.queue.Workers(); c.Redelivered != before.Redelivered+1 || c.Late != before.Late+1 {
		t.Errorf("%+v, before %+v", c, before)
	}
	stored.each(t, 1)
	// Between the giving back and the desk's leaving nothing counts either.
	a := &asked{job: &job{ID: "x", Blocks: 1}, series: &s, answered: make(chan outcome, 1)}
	b.queue.mu.Lock()
	b.queue.asked["x"] = a
	for range 3 {
		b.queue.giveBack(a)
	}
	b.queue.mu.Unlock()
	if said := b.queue.take("one", []byte(strings.Replace(string(result), `"id":"`, `"id":"x","was":"`, 1))); said != replyLate {
		t.Errorf("a result of a job that was just given back: %s", said)
	}
	b.queue.mu.Lock()
	delete(b.queue.asked, "x")
	b.queue.mu.Unlock()
	if _, c := b.queue.Workers(); c.Redelivered != before.Redelivered+2 || c.Results != before.Results {
		t.Errorf("%+v, before %+v", c, before)
	}
	stored.each(t, 1)
}
