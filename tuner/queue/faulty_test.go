package queue

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Games in which external programs failed on a worker's machine count as they come
// out here. A worker with such games in two studies gets no more work, and is in no
// quarantine; strategies built in are not tried again for a fault.
func TestFaulty(t *testing.T) {
	s := series(t, 1)
	run, err := playAll(t.Context(), arena.NewPool(1), s, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	crashed := run.Slice(0, 1)
	crashed.Values, crashed.Digests = slices.Clone(run.Values), []uint64{run.Digests[0] + 1, run.Digests[1]}
	crashed.Values[1] = 1 // the fault of the first seat
	q := claims(t, Options{})
	if got, counts := deliverOf(t, q, 1, 7, crashed, &s); got.Worker != "weak" || counts.Replayed != 0 {
		t.Errorf("built in: %q %+v", got.Worker, counts)
	}
	s.Ruleset.Game.Strategies[0].Outside = true
	q = claims(t, Options{})
	for n, want := range []string{"", "", "weak"} {
		given := crashed
		if want != "" {
			given = run
		}
		if got, _ := deliverOf(t, q, n, 7, given, &s); !equal(got, run) || got.Worker != want {
			t.Errorf("result %d: of %q, %+v", n, got.Worker, got)
		}
	}
	w, c := q.Workers()
	if w[0].State == "paused" || w[0].State == "quarantined" || c.Different != 0 || c.Unable != 2 {
		t.Errorf("%+v %+v", w[0], c)
	}
	deliverOf(t, q, 9, 8, crashed, &s)
	if w, c := q.Workers(); w[0].State != "paused" || !strings.Contains(w[0].Reason, "crash") || c.Different != 0 {
		t.Errorf("%+v %+v", w[0], c)
	}
}

// deliverOf has the worker weak deliver a job of a seed, and returns what counts.
func deliverOf(t *testing.T, q *Queue, n int, seed uint64, run *arena.Run, s *arena.Series) (*arena.Run, queueCounts) {
	t.Helper()
	a := &asked{job: &job{ID: "j", Game: "laboratory", Seed: seed, Blocks: 1}, series: s, answered: make(chan outcome, 1)}
	w := q.registry.worker("weak")
	w.lastHello = time.Now()
	given := *run
	given.Worker = "weak"
	w.trust.jobs, w.trust.blocks, w.trust.left = introduction, introduced, 100 // no job of the sample
	got, err := q.verifier.judge(w, a, &given)
	if err != nil || got == nil {
		t.Fatalf("result %d: %v", n, err)
	}
	return got, q.counts
}

// A job that is longer than the server takes, as with a large book in its rules, is played by
// the daemon, and is not tried again and again.
func TestLongJob(t *testing.T) {
	b := newBench(t, 1, nil)
	b.start(b.admit("one"), nil)
	b.await("a worker", working(1))
	s := series(t, 1)
	s.Entrants[0].Params = param.Values{{Name: "x", Text: strings.Repeat("x", mostPayload)}}
	if _, err := (slot{q: b.queue}).Play(t.Context(), &s, 0, 1); !errors.Is(err, arena.ErrHereOnly) || !strings.Contains(err.Error(), "the server takes 8388608") {
		t.Errorf("%.300v", err)
	}
}
