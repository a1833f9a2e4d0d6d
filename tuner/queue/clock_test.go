package queue

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"sakusen/engines/arena"
	"sakusen/tuner/stats"
)

// A worker whose games by the clock are lost on time, or end otherwise than those of others on the same
// entrants, is named with the reason; of two machines none is, unless one is the daemon's.
func TestResiduals(t *testing.T) {
	sound := func(n int64) stats.Record {
		return stats.Record{Scores: []int64{n / 10, n / 5, 2 * n / 5, n / 5, n / 10}, Blocks: n, Games: 2 * n, Late: n / 1000}
	}
	late, liar := sound(500), sound(500)
	late.Late = 30
	liar.Scores = []int64{30, 70, 180, 130, 90}
	for name, c := range map[string]struct {
		of   map[string]stats.Record
		want string
		why  string
	}{
		"sound":     {map[string]stats.Record{"a": sound(500), "b": sound(2000), "": sound(300)}, "", ""},
		"late":      {map[string]stats.Record{"a": late, "b": sound(2000)}, "a", "3.0 % of its 1000 games"},
		"few":       {map[string]stats.Record{"a": {Blocks: 50, Games: 100, Late: 10, Scores: []int64{5, 10, 20, 10, 5}}, "b": sound(2000)}, "", ""},
		"liar":      {map[string]stats.Record{"a": sound(800), "b": liar, "c": sound(800)}, "b", "its 500 blocks score +0."},
		"two":       {map[string]stats.Record{"a": sound(2000), "b": liar}, "", ""},
		"one":       {map[string]stats.Record{"": sound(2000), "b": liar}, "b", "its 500 blocks score +0."},
		"the owner": {map[string]stats.Record{"": liar, "a": sound(2000), "b": sound(2000)}, "", ""},
	} {
		r := &residuals{series: map[string]*stratum{"x": {records: c.of}}}
		if got, why := r.worst(); got != c.want || !strings.HasPrefix(why, c.why) {
			t.Errorf("%s: %q, %q", name, got, why)
		}
	}
}

// A worker that cannot play games of some engines is not asked for them again at once, and is
// asked for others; with other speeds it is.
func TestUnableByTheClock(t *testing.T) {
	q := claims(t, Options{})
	w := q.registry.worker("slow")
	w.lastHello = time.Now()
	two := []arena.Program{{Name: "a", Identity: "1"}, {Name: "b", Identity: "2"}}
	a := &asked{job: &job{ID: "x", Blocks: 1, Clock: &clockTerms{}, Programs: two}, answered: make(chan outcome, 1), worker: w}
	w.jobs["x"] = a
	if !w.wants.plays(two) {
		t.Error("a worker that has refused nothing is not asked")
	}
	if said := q.take("slow", "x", []byte(`{"id":"x","error":"too slow"}`)); said != replyCounted {
		t.Error(said)
	}
	if out := <-a.answered; !errors.Is(out.err, arena.ErrGivenBack) {
		t.Error(out.err)
	}
	if w.wants.plays(two) || !w.wants.plays(two[:1]) {
		t.Error("it is asked again at once, or not for other engines")
	}
	w.wants.forgive()
	if !w.wants.plays(two) {
		t.Error("it is not asked with other speeds")
	}
}

// Games by the clock whose rules the daemon does not know go to workers that are marked trusted, and to
// those alone; also where that changes.
func TestTrustedAlone(t *testing.T) {
	t.Parallel()
	here := toysOf("a=1", "b=1")
	here.timed = true
	b := newBench(t, 0, func(o *Options) { o.Engines, o.times = here, hasty })
	known, other := toysOf("a=1", "b=1"), toysOf("a=1", "b=1")
	known.timed, other.timed = true, true
	b.startWith("other", other, nil)
	c, err := b.register.Add("known", true)
	if err != nil {
		t.Fatal(err)
	}
	b.reload()
	b.start(c, func(o *WorkOptions) {
		o.Engines, o.times, o.Catalogue = known, hasty, append(o.Catalogue, known.catalogue()...)
	})
	b.await("both", working(2))
	if got, err := b.pool.Play(t.Context(), here.series(t, 40, "a", "b"), nil); err != nil || got.Blocks != 40 {
		t.Fatalf("%+v, %v", got, err)
	}
	if known.played.Load() < 80 || other.played.Load() > 0 {
		t.Errorf("the trusted one has played %d games, the other %d", known.played.Load(), other.played.Load())
	}
	roll, err := b.register.Read()
	if err != nil || !slices.Equal(roll.Names(), []string{"known", "other"}) || !roll.Known[0].Trusted || roll.Known[1].Trusted {
		t.Fatalf("%+v, %v", roll, err)
	}
	roll.Known[0].Trusted, roll.Known[1].Trusted = false, true
	before := known.played.Load()
	if err := b.queue.SetRoll(roll); err != nil {
		t.Fatal(err)
	}
	s := here.series(t, 40, "a", "b")
	s.Seed++
	if got, err := b.pool.Play(t.Context(), s, nil); err != nil || got.Blocks != 40 || known.played.Load() > before || other.played.Load() < 80 {
		t.Errorf("%+v, %v: the one that was trusted has played %d games more, the other %d", got, err, known.played.Load()-before, other.played.Load())
	}
}

// Blocks by the clock that two slots have played count as they were stored first, in both.
func TestFirstIsKept(t *testing.T) {
	impure := errors.New("others are stored")
	first := &arena.Run{Blocks: 1, Worker: "first"}
	q := claims(t, Options{
		Keep:     func(context.Context, *arena.Series, *arena.Run) error { return impure },
		Conflict: func(err error) bool { return errors.Is(err, impure) },
		Stored:   func(context.Context, *arena.Series, int64, int) (*arena.Run, error) { return first, nil },
	})
	if run, err := q.keepFirst(t.Context(), &arena.Series{}, &arena.Run{Blocks: 1}); run != first || err != nil {
		t.Errorf("%+v, %v", run, err)
	}
	run, err := q.verifier.keep(q.registry.worker("w"), &asked{job: &job{Clock: &clockTerms{}}}, &arena.Run{Blocks: 1, Worker: "w"})
	if run != first || err != nil {
		t.Errorf("%+v, %v", run, err)
	}
}
