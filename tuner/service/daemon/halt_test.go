package daemon

import (
	"context"
	"errors"
	"testing"

	"sakusen/engines/arena"
	"sakusen/tuner"
)

var errDamaged = errors.New("x.db: the database is damaged")

// One damaged page ends every study, and nothing is written any more.
func TestHalt(t *testing.T) {
	b := newBench(t, 2, Item{Key: StudyKey("a"), State: tuner.Queued}, Item{Key: StudyKey("b"), State: tuner.Queued}, Item{Key: StudyKey("c"), State: tuner.Queued})
	b.running("a", "b")
	b.end("a", errDamaged)
	b.running()
	b.eventually("the damage is known", func() bool { return errors.Is(b.daemon.Damage(), errDamaged) })
	for _, name := range []string{"a", "b"} {
		b.in(tuner.Running, name)
	}
	b.in(tuner.Queued, "c")
	for what, err := range map[string]error{
		"pause": only(b.daemon.Pause(t.Context(), StudyKey("b"))), "stop": only(b.daemon.Stop(t.Context(), StudyKey("b"))), "resume": only(b.daemon.Resume(t.Context(), StudyKey("b"))),
	} {
		if !errors.Is(err, errDamaged) {
			t.Errorf("%s: %v", what, err)
		}
	}
	b.running()
}

// A study that panics fails alone.
func TestPanics(t *testing.T) {
	book := &memoryBook{entries: []Item{{Key: StudyKey("a"), State: tuner.Queued}, {Key: StudyKey("b"), State: tuner.Queued}}}
	d := New(Options{Book: book, Pool: arena.NewPool(1), Run: func(ctx context.Context, key Key, _ arena.Host, _ func(tuner.Progress)) error {
		if key == StudyKey("a") {
			panic("index out of range")
		}
		return book.SetState(ctx, key, tuner.Done, "")
	}})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- d.Run(ctx) }()
	b := &bench{t: t, book: book}
	b.in(tuner.Failed, "a")
	b.in(tuner.Done, "b")
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
