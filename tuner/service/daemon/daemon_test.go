package daemon

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/suite"
	"sakusen/tuner"
)

// memoryBook is a book in memory.
type memoryBook struct {
	mu      sync.Mutex
	entries []Item
	full    bool // states cannot be written
}

var errFull = errors.New("database or disk is full")

func (s *memoryBook) at(key Key) (int, error) {
	i := slices.IndexFunc(s.entries, func(e Item) bool { return e.Key == key })
	if i < 0 {
		return i, fmt.Errorf("no study %q", key.String())
	}
	return i, nil
}

func (s *memoryBook) Waiting(context.Context) ([]Item, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Item
	for _, e := range s.entries {
		if e.State == tuner.Queued || e.State == tuner.Running {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b Item) int { return b.Priority - a.Priority })
	return out, nil
}

func (s *memoryBook) Find(_ context.Context, key Key) (Item, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, err := s.at(key)
	if err != nil {
		return Item{}, err
	}
	return s.entries[i], nil
}

func (s *memoryBook) SetState(_ context.Context, key Key, state tuner.State, _ string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.full {
		return errFull
	}
	i, err := s.at(key)
	if err == nil {
		s.entries[i].State = state
	}
	return err
}

func (s *memoryBook) SetPriority(_ context.Context, key Key, priority int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, err := s.at(key)
	if err == nil {
		s.entries[i].Priority = priority
	}
	return err
}

func (s *memoryBook) Delete(_ context.Context, key Key) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, err := s.at(key)
	if err == nil {
		s.entries = slices.Delete(s.entries, i, i+1)
	}
	return err
}

func (s *memoryBook) setFull(full bool) {
	s.mu.Lock()
	s.full = full
	s.mu.Unlock()
}

// bench is a daemon over a memoryBook whose studies run until they are let go.
type bench struct {
	t      *testing.T
	book   *memoryBook
	daemon *Daemon
	stop   func()

	mu   sync.Mutex
	runs map[Key]chan error // by study that runs
}

func newBench(t *testing.T, atOnce int, entries ...Item) *bench {
	b := &bench{t: t, book: &memoryBook{entries: entries}, runs: map[Key]chan error{}}
	b.daemon = New(Options{
		Book: b.book, Pool: arena.NewPool(1), AtOnce: atOnce, Retry: 20 * time.Millisecond,
		Full: func(err error) bool { return errors.Is(err, errFull) },
		Damaged: func(err error) error {
			if errors.Is(err, errDamaged) {
				return err
			}
			return nil
		},
		Run: func(ctx context.Context, key Key, _ arena.Host, tell func(tuner.Progress)) error {
			end := make(chan error)
			b.mu.Lock()
			b.runs[key] = end
			b.mu.Unlock()
			defer func() {
				b.mu.Lock()
				delete(b.runs, key)
				b.mu.Unlock()
			}()
			tell(tuner.Progress{})
			select {
			case err := <-end:
				if err == nil {
					err = b.book.SetState(ctx, key, tuner.Done, "")
				}
				return err
			case <-ctx.Done():
				return ctx.Err()
			}
		},
	})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		b.daemon.Run(ctx)
		close(done)
	}()
	b.stop = func() { cancel(); <-done }
	t.Cleanup(b.stop)
	return b
}

// eventually waits for a condition.
func (b *bench) eventually(what string, ok func() bool) {
	b.t.Helper()
	for end := suite.Deadline(b.t); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if ok() {
			return
		}
	}
	b.t.Fatalf("it does not come to this: %s", what)
}

func (b *bench) running(names ...string) {
	b.t.Helper()
	b.eventually(fmt.Sprint("these run: ", names), func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, n := range names {
			if b.runs[StudyKey(n)] == nil {
				return false
			}
		}
		return len(b.runs) == len(names)
	})
}

func (b *bench) in(state tuner.State, name string) {
	b.t.Helper()
	b.eventually(fmt.Sprintf("%s is %s", name, state), func() bool {
		e, err := b.book.Find(context.Background(), StudyKey(name))
		return err == nil && e.State == state
	})
}

func (b *bench) end(name string, err error) {
	b.mu.Lock()
	end := b.runs[StudyKey(name)]
	b.mu.Unlock()
	end <- err
}

// resume puts a study back into the queue. What it says of that is not what the daemon does next.
func (b *bench) resume(name string) {
	b.t.Helper()
	if state, err := b.daemon.Resume(b.t.Context(), StudyKey(name)); err != nil || state != tuner.Queued {
		b.t.Fatalf("%s, %v", state, err)
	}
}

// only returns the error of a call that returns a state as well.
func only(_ tuner.State, err error) error { return err }

func (b *bench) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// Studies run in order of urgency and age, as many as may at once.
func TestQueue(t *testing.T) {
	b := newBench(t, 2, Item{StudyKey("a"), tuner.Queued, 0}, Item{StudyKey("b"), tuner.Running, 0}, Item{StudyKey("c"), tuner.Queued, 2}, Item{StudyKey("d"), tuner.Paused, 5})
	b.running("c", "a")
	b.end("c", nil)
	b.in(tuner.Done, "c")
	b.running("a", "b")
	b.end("a", errors.New("broken"))
	b.in(tuner.Failed, "a")
	b.running("b")
	b.resume("a")
	b.running("a", "b")
	b.resume("d") // more urgent: one of the others waits
	b.eventually("d runs", func() bool { _, ok := b.daemon.Progress(StudyKey("d")); return ok })
	if n := b.daemon.Running(); n != 2 {
		t.Errorf("%d run, want 2", n)
	}
	b.stop()
	for _, name := range []string{"a", "b", "d"} {
		b.in(tuner.Queued, name)
	}
}

// Pausing and stopping return when the study no longer runs, and what cannot be
// done says why.
func TestHold(t *testing.T) {
	ctx := t.Context()
	b := newBench(t, 2, Item{StudyKey("a"), tuner.Queued, 0}, Item{StudyKey("b"), tuner.Queued, 0}, Item{StudyKey("c"), tuner.Queued, 0}, Item{StudyKey("d"), tuner.Done, 0})
	b.running("a", "b")
	b.must(only(b.daemon.Pause(ctx, StudyKey("a"))))
	b.in(tuner.Paused, "a")
	b.running("b", "c")
	b.must(only(b.daemon.Pause(ctx, StudyKey("a"))))
	b.must(only(b.daemon.Stop(ctx, StudyKey("a"))))
	b.in(tuner.Stopped, "a")
	b.must(only(b.daemon.Stop(ctx, StudyKey("b"))))
	b.in(tuner.Stopped, "b")
	b.running("c")
	var state *StateError
	for what, err := range map[string]error{
		"pause a done study": only(b.daemon.Pause(ctx, StudyKey("d"))), "resume a done study": only(b.daemon.Resume(ctx, StudyKey("d"))),
		"delete a running study": b.daemon.Delete(ctx, StudyKey("c")),
	} {
		if !errors.As(err, &state) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := b.daemon.Pause(ctx, StudyKey("nobody")); err == nil {
		t.Error("a study that is not there was paused")
	}
	b.must(b.daemon.Delete(ctx, StudyKey("d")))
	b.must(b.daemon.Prioritise(ctx, StudyKey("c"), 3))
	b.eventually("c runs with its new priority", func() bool {
		j := b.daemon.scheduler.job(StudyKey("c"))
		return j != nil && j.entry.Priority == 3
	})
}

// A record that cannot be written keeps a study from going on and loses
// nothing.
func TestFull(t *testing.T) {
	b := newBench(t, 2, Item{StudyKey("a"), tuner.Queued, 0})
	b.running("a")
	b.book.setFull(true)
	b.end("a", fmt.Errorf("study log: %w", errFull))
	b.running()
	b.in(tuner.Running, "a") // as the file has it
	time.Sleep(50 * time.Millisecond)
	b.running()
	b.book.setFull(false)
	b.running("a")
	b.end("a", nil)
	b.in(tuner.Done, "a")
}

// Many hands at the same study leave it in one of the states they asked for.
func TestManyHands(t *testing.T) {
	b := newBench(t, 3, Item{StudyKey("a"), tuner.Queued, 0}, Item{StudyKey("b"), tuner.Queued, 0})
	var group sync.WaitGroup
	for i := range 60 {
		group.Go(func() {
			name := StudyKey([]string{"a", "b"}[i%2])
			switch i % 3 {
			case 0:
				b.daemon.Pause(context.Background(), name)
			case 1:
				b.daemon.Resume(context.Background(), name)
			default:
				b.daemon.Prioritise(context.Background(), name, i%5)
			}
		})
	}
	group.Wait()
	b.must(only(b.daemon.Pause(t.Context(), StudyKey("a"))))
	b.must(only(b.daemon.Resume(t.Context(), StudyKey("b")))) // it may run already
	b.running("b")
	b.in(tuner.Paused, "a")
}
