package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"sakusen/engines/arena"
)

// task is a job that this worker was given.
type task struct {
	job
	ctx   context.Context // until it is called off
	off   context.CancelFunc
	begun bool // guarded by the worker's mu
}

// accept takes a job that the daemon gives, or calls one off.
func (l *worker) accept(m *nats.Msg) {
	t := &task{}
	if err := json.Unmarshal(m.Data, &t.job); err != nil {
		l.o.Log.Error("a job is malformed", "error", err)
		return
	}
	if t.Off {
		l.callOff(t.ID)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.tasks[t.ID] != nil {
		return
	}
	t.ctx, t.off = context.WithCancel(context.Background())
	select {
	case l.queue <- t:
		l.tasks[t.ID] = t
	default: // the daemon sees that it is not here
		l.o.Log.Error("too many jobs", "job", t.ID)
	}
}

// callOff ends a job whose result is not waited for any more.
func (l *worker) callOff(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if t := l.tasks[id]; t != nil {
		t.off()
		if !t.begun {
			delete(l.tasks, id)
		}
	}
}

// work plays jobs on one core, one at a time, until it is stopped.
func (l *worker) work(ctx context.Context) {
	select {
	case <-l.welcome:
	case <-ctx.Done():
		return
	}
	pool := arena.NewPool(1)
	for {
		select {
		case <-ctx.Done():
			return
		case t := <-l.queue:
			if t.ctx.Err() == nil {
				l.play(ctx, pool, t)
			}
		}
	}
}

// play plays one job and delivers its result.
func (l *worker) play(ctx context.Context, pool *arena.Pool, t *task) {
	j := &t.job
	defer func() {
		t.off()
		l.mu.Lock()
		delete(l.tasks, j.ID)
		l.mu.Unlock()
	}()
	run, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(t.ctx, cancel)()
	r := jobResult{ID: j.ID}
	l.travel.touch(j)
	err := l.offers(j)
	var s arena.Series
	if err == nil {
		s.Scale, r.Speeds, err = l.clock(run, j)
	}
	if err == nil {
		give, failed := l.pool.Hold(run, j.Clock.needs(l.slots))
		if failed != nil {
			return
		}
		defer give()
	}
	l.mu.Lock()
	t.begun = true
	l.mu.Unlock()
	l.nats.PublishMsg(l.voice.sign(helloRoot+l.voice.name, l.session, l.text(false))) // whose job it is, should this process end
	if err == nil {
		s, err = j.series(run, l.travel.games(), s.Scale)
	}
	if err == nil {
		r.Run, err = playAll(run, pool, s, j.From, j.Blocks)
	}
	if err == nil && l.o.Corrupt != nil {
		l.o.Corrupt(r.Run)
	}
	if run.Err() != nil { // it was called off, or others play it
		return
	}
	if err != nil {
		if len(j.Programs) > 0 && !errors.Is(err, arena.ErrBeyond) {
			l.withdraw(run, j, err)
		}
		r.Run, r.Error = nil, err.Error()
	}
	if l.deliver(ctx, &r) && r.Run != nil {
		l.games.Add(int64(len(r.Run.Digests)))
	}
}

// offers returns an error that says which engine of a job is not offered.
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
		l.travel.settle(p.Package, ever)
		if slices.Contains(l.programs, p) {
			l.addLack(fmt.Sprintf("engine %s, until the worker is started again: %v", p.Name, err))
		}
	}
	l.programs = slices.DeleteFunc(slices.Clone(l.programs), func(p arena.Program) bool { return slices.Contains(gone, p) })
	l.mu.Unlock()
	l.say(ctx, false)
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
		wait, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.o.times.answer)
		stop := context.AfterFunc(ctx, func() { time.AfterFunc(time.Second, cancel) })
		m, err := l.nats.RequestMsgWithContext(wait, l.voice.sign(doneRoot+l.voice.name, r.ID, text))
		stop()
		cancel()
		switch {
		case err == nil && string(m.Data) == replyCounted, err == nil && string(m.Data) == replyLate:
			return true
		case err == nil:
			l.o.Log.Warn("a result was not taken", "answer", string(m.Data))
			if strings.HasPrefix(string(m.Data), replyRefused) {
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
