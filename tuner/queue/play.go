package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"sakusen/engines/arena"
)

// fetchWait is how long a core waits for a job before it asks again. Each time costs the server a
// look at all that wait; from 10 s on it would send signs of life to each of them, and nats.go
// has the server wait for a second less than this.
const fetchWait = 10 * time.Second

// work is the loop of one core: one job at a time.
func (l *worker) work(ctx context.Context) {
	select {
	case <-l.welcome:
	case <-ctx.Done():
		return
	}
	pool := arena.NewPool(1)
	for failed := 0; ctx.Err() == nil; {
		m, err := l.fetch(ctx)
		switch {
		case err != nil: // the daemon is away, or its queue is being made
			failed++
			select {
			case <-time.After(l.o.times.backOff(min(failed, 4))):
			case <-ctx.Done():
			}
		case m != nil:
			failed = 0
			l.play(ctx, pool, m)
		}
	}
}

// fetch takes one job, nil where there is none for a while. What it has asked for over a
// connection that is lost it does not take over the next one.
func (l *worker) fetch(ctx context.Context) (jetstream.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchWait)
	defer cancel()
	l.mu.Lock()
	line := l.connection
	l.mu.Unlock()
	defer context.AfterFunc(line, cancel)()
	c, err := l.consumer(ctx)
	if err != nil {
		return nil, err
	}
	batch, err := c.Fetch(1, jetstream.FetchContext(ctx))
	if err != nil {
		return nil, err
	}
	m := <-batch.Messages()
	if m != nil {
		return m, nil
	}
	if err := batch.Error(); err != nil && ctx.Err() == nil {
		l.mu.Lock()
		l.jobs = nil // it may have been made anew
		l.mu.Unlock()
		return nil, err
	}
	return nil, nil
}

// consumer returns where jobs are fetched from.
func (l *worker) consumer(ctx context.Context) (jetstream.Consumer, error) {
	l.mu.Lock()
	c, place := l.jobs, l.line
	l.mu.Unlock()
	if c != nil {
		return c, nil
	}
	c, err := l.stream.Consumer(ctx, stream, consumerOf(place))
	if err == nil {
		l.mu.Lock()
		if l.line == place {
			l.jobs = c
		}
		l.mu.Unlock()
	}
	return c, err
}

// play plays one job and delivers its result.
func (l *worker) play(ctx context.Context, pool *arena.Pool, m jetstream.Msg) {
	var j job
	if err := json.Unmarshal(m.Data(), &j); err != nil {
		l.o.Log.Error("a job is malformed", "error", err)
		m.Term()
		return
	}
	run, cancel := context.WithCancel(ctx)
	defer cancel()
	l.mu.Lock()
	l.holds[j.ID] = cancel
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		delete(l.holds, j.ID)
		l.mu.Unlock()
	}()
	l.nats.Publish(helloRoot+l.o.Credentials.Name, l.text(false)) // whose job it is, should this process end
	stop := l.keepAlive(run, m)
	r := jobResult{ID: j.ID}
	err := l.offers(&j)
	var s arena.Series
	if err == nil {
		s, err = j.series(run, l.o.Catalogue)
	}
	if err == nil {
		r.Run, err = playAll(run, pool, s, j.From, j.Blocks)
	}
	defer stop()
	if err == nil && l.o.Corrupt != nil {
		l.o.Corrupt(r.Run)
	}
	if run.Err() != nil {
		if ctx.Err() != nil {
			m.Nak() // another may play it
		} else {
			m.Ack() // it was called off
		}
		return
	}
	if err != nil {
		if len(j.Programs) > 0 {
			l.withdraw(run, &j, err)
		}
		r.Run, r.Error = nil, err.Error()
	}
	if l.deliver(ctx, &r) {
		if r.Run != nil {
			l.games.Add(int64(len(r.Run.Digests)))
		}
		m.Ack()
	}
}

// offers says which engine of a job is not offered.
func (l *worker) offers(j *job) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range j.Programs {
		if !slices.Contains(l.programs, p) {
			return fmt.Errorf("engine %s is not offered here as the daemon has it", p.Name)
		}
	}
	return nil
}

// withdraw offers the engines of a job no more that failed: those that are not what they
// were, or all of them where that cannot be told. The daemon hears of it.
func (l *worker) withdraw(ctx context.Context, j *job, err error) {
	gone := slices.DeleteFunc(slices.Clone(j.Programs), func(p arena.Program) bool {
		now, err := l.o.Engines.Program(p.Name)
		return err == nil && now == p
	})
	if len(gone) == 0 {
		gone = j.Programs
	}
	l.mu.Lock()
	for _, p := range gone {
		if slices.Contains(l.programs, p) {
			l.addLack(fmt.Sprintf("engine %s, until the worker is started again: %v", p.Name, err))
		}
	}
	l.programs = slices.DeleteFunc(slices.Clone(l.programs), func(p arena.Program) bool { return slices.Contains(gone, p) })
	l.mu.Unlock()
	l.say(ctx, false)
}

// keepAlive tells the queue that a job is being played until it is stopped.
func (l *worker) keepAlive(ctx context.Context, m jetstream.Msg) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		for {
			select {
			case <-time.After(l.o.times.sign):
				m.InProgress()
			case <-ctx.Done():
				return
			}
		}
	}()
	return cancel
}

// deliver sends a result until the daemon has it.
func (l *worker) deliver(ctx context.Context, r *jobResult) bool {
	text, err := json.Marshal(r)
	if most := l.nats.MaxPayload(); err == nil && most > 0 && int64(len(text)) > most {
		text, err = json.Marshal(&jobResult{ID: r.ID, Error: fmt.Sprintf("the result has %d bytes, and the server takes %d", len(text), most)})
	}
	if err != nil {
		l.o.Log.Error("a result cannot be written", "error", err)
		return false
	}
	for n := 1; ; n++ {
		wait, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.o.times.ack)
		stop := context.AfterFunc(ctx, func() { time.AfterFunc(time.Second, cancel) })
		m, err := l.nats.RequestWithContext(wait, doneRoot+l.o.Credentials.Name, text)
		stop()
		cancel()
		switch {
		case err == nil && string(m.Data) == replyCounted, err == nil && string(m.Data) == replyLate:
			return true
		case err == nil:
			l.o.Log.Warn("a result was not taken", "answer", string(m.Data))
			if len(m.Data) >= len(replyRefused) && string(m.Data[:len(replyRefused)]) == replyRefused {
				return true
			}
		}
		select {
		case <-time.After(l.o.times.backOff(n)):
		case <-ctx.Done():
			return false
		}
	}
}
