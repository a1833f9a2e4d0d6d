package queue

import (
	"context"
	"errors"
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
	w := q.roster.worker("slow")
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
	run, err := q.verifier.keep(q.roster.worker("w"), &asked{job: &job{Clock: &clockTerms{}}}, &arena.Run{Blocks: 1, Worker: "w"})
	if run != first || err != nil {
		t.Errorf("%+v, %v", run, err)
	}
}
