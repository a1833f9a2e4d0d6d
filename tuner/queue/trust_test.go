package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sakusen/engines/arena"
)

// claims makes a queue without a server, in which a worker's results can be judged.
func claims(t *testing.T, o Options) *Queue {
	o.Pool, o.Replay = arena.NewOpenPool(1), max(o.Replay, .01)
	q := newQueue(o)
	t.Cleanup(q.Close)
	return q
}

// deliver has a worker deliver its n-th job, false or not, and returns what it hears.
func deliver(t *testing.T, q *Queue, w string, n int, run *arena.Run, lie bool, s *arena.Series) (string, outcome) {
	id := fmt.Sprint(n)
	q.mu.Lock()
	a := &asked{job: &job{ID: id, Game: "laboratory", Blocks: 1}, series: s, chunk: id, answered: make(chan outcome, 1), worker: q.registry.worker(w)}
	a.worker.jobs[id] = a
	a.worker.lastHello = time.Now()
	q.mu.Unlock()
	given := run.Slice(0, 1)
	given.Digests = append([]uint64(nil), given.Digests...)
	if lie {
		given.Digests[0]++
	}
	text, err := json.Marshal(jobResult{ID: id, Run: given})
	if err != nil {
		t.Fatal(err)
	}
	said := q.take(w, id, text)
	select {
	case got := <-a.answered:
		return said, got
	default:
		return said, outcome{}
	}
}

// In 95 of 100 runs a worker whose jobs are all false is in quarantine after at most 300 of them,
// and one that falsifies every tenth after 3 000, or after 4 000 if it is honest at first. A sound
// worker is never in quarantine. Also when it is the only one, and by the daemon's own games.
func TestLiarsAreFound(t *testing.T) {
	s := series(t, 1)
	run, err := playAll(t.Context(), arena.NewPool(1), s, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ honest, every, most int }{{0, 1, 300}, {0, 10, 3000}, {100, 10, 4000}} {
		late, longest, total := 0, 0, 0
		for range 100 {
			q := claims(t, Options{})
			n := 1
			for ; ; n++ {
				said, got := deliver(t, q, "liar", n, run, n > c.honest && n%c.every == 0, &s)
				if said == replyLate { // in quarantine
					break
				}
				if got.run != nil && got.run.Worker == "" && got.run.Digests[0] != run.Digests[0] {
					t.Fatal("a false result counts as the daemon's")
				}
			}
			if n-1 > c.most {
				late++
			}
			longest, total = max(longest, n-1), total+n-1
		}
		t.Logf("1 of %d false after %d: found after %.0f jobs on average, at most %d; %d of 100 after more than %d", c.every, c.honest, float64(total)/100, longest, late, c.most)
		if late > 5 {
			t.Errorf("1 of %d false after %d: %d of 100 were found after more than %d jobs", c.every, c.honest, late, c.most)
		}
	}
	q := claims(t, Options{})
	for n := 1; n <= 5000; n++ {
		if said, got := deliver(t, q, "sound", n, run, false, &s); said != replyCounted || got.run == nil || got.run.Worker != "sound" {
			t.Fatalf("%s %v", said, got)
		}
	}
	if w, c := q.Workers(); w[0].State == "quarantined" || c.Replayed < introduced+36 || c.Replayed > introduced+86 { // the first, 1 in 50, then 1 in 100
		t.Errorf("%+v %+v", w, c)
	}
}

// A liar is the only worker, and the daemon has no slot at the pool. Blocks that differ count
// as the daemon plays them, the quarantine is reported when no block of the liar is stored any
// more, and other workers take its place. No worker may speak in another's name.
func TestLiarAlone(t *testing.T) {
	t.Parallel()
	told := make(chan Quarantine, 1)
	var keeping, kept atomic.Int64
	var b *bench
	b = newBench(t, 0, func(o *Options) {
		o.Replay = 1
		o.Keep = func(_ context.Context, _ *arena.Series, r *arena.Run) error {
			keeping.Add(1)
			defer keeping.Add(-1)
			if r.Worker == "liar" {
				t.Error("a false result was stored")
			}
			kept.Add(int64(r.Blocks))
			return nil
		}
		o.Quarantined = func(_ context.Context, h Quarantine) {
			if keeping.Load() != 0 {
				t.Error("told while something is being stored")
			}
			if err := b.register.Quarantine(h); err != nil {
				t.Error(err)
			}
			told <- h
		}
	})
	b.start(b.admit("liar"), func(o *WorkOptions) { o.Cores, o.Corrupt = 2, func(r *arena.Run) { r.Digests[0]++ } })
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		same(t, b.pool, series(t, 4000))
	}()
	h := <-told
	if h.Name != "liar" || !strings.Contains(h.Reason, "came out differently") {
		t.Error(h)
	}
	b.start(b.admit("sound"), nil)
	<-ended
	if kept.Load() != 4000 {
		t.Errorf("%d blocks were stored, expected 4000", kept.Load())
	}
	// It stays in quarantine, also after a restart, until it is readmitted.
	b.await("quarantine", func(all []Worker, _ queueCounts) bool {
		return all[0].State == "quarantined" && strings.Contains(all[0].Reason, h.Reason)
	})
	roll, err := b.register.Read()
	if err != nil || len(roll.Quarantined) != 1 || !strings.HasPrefix(roll.Lines(nil, time.Time{})[0], "liar  quarantined 20") {
		t.Errorf("%v %+v", err, roll)
	}
	again := newQueue(Options{Pool: b.pool, Roll: roll})
	defer again.Close()
	if a := again.registry.greet("liar", hello{Build: again.o.Build, Session: "new", Cores: 1}); !strings.Contains(a.Refused, "quarantine") || a.Again {
		t.Errorf("%+v", a)
	}
	if err := b.register.Readmit("liar"); err != nil {
		t.Fatal(err)
	}
	b.reload()
	b.await("readmission", func(all []Worker, _ queueCounts) bool { return all[0].State == "gone" })
}

// A job that a worker cannot play is played here, and one that fails in two studies gets no
// more work, which is told, until it is started again.
func TestUnable(t *testing.T) {
	paused := make(chan string, 1)
	b := newBench(t, 1, func(o *Options) { o.Paused = func(name, reason string) { paused <- name + " " + reason } })
	c := b.admit("poor")
	stop := b.start(c, func(o *WorkOptions) { o.Catalogue = nil })
	b.await("poor", working(1))
	s := series(t, 100000)
	// A study may be over at the slots here before the worker has met it.
	for text := ""; text == ""; s.Seed++ {
		same(t, b.pool, s)
		select {
		case text = <-paused:
			if !strings.HasPrefix(text, "poor it cannot play jobs") {
				t.Error(text)
			}
		default:
			if s.Seed > 100 {
				t.Fatal("a worker that can play nothing is given work for ever")
			}
		}
	}
	b.await("pause", func(all []Worker, _ queueCounts) bool { return all[0].State == "paused" })
	if err := stop(); err != nil {
		t.Error(err)
	}
	b.start(c, nil)
	b.await("its return", working(1))
}

// Malformed results are refused, counted, and count against a worker as false ones do;
// their games are played again by others.
func TestMalformed(t *testing.T) {
	s := series(t, 1)
	q := claims(t, Options{})
	w := q.registry.worker("odd")
	w.lastHello = time.Now()
	for _, text := range []string{`{"id":"x","run":{"Seats":2}}`, strings.Repeat("[", 100000)} {
		a := &asked{job: &job{ID: "x", Blocks: 1}, series: &s, answered: make(chan outcome, 1), worker: w}
		w.jobs["x"] = a
		if said := q.take("odd", "x", []byte(text)); !strings.HasPrefix(said, replyRefused) {
			t.Error(said)
		}
		if got := <-a.answered; got.err != arena.ErrGivenBack {
			t.Errorf("%+v", got)
		}
	}
	if w, c := q.Workers(); c.Malformed != 2 || w[0].State != "quarantined" {
		t.Errorf("%+v %+v", w, c)
	}
}

// The register keeps what two programs write at the same time, and refuses other text.
func TestRegister(t *testing.T) {
	r := RegisterOf(filepath.Join(t.TempDir(), "s.db"))
	ended := make(chan error)
	const many = 20
	for i := range many {
		go func() {
			_, err := r.Add(fmt.Sprint("w", i), i == 7)
			if err == nil {
				err = r.Quarantine(Quarantine{fmt.Sprint("w", i), time.Now(), "two\nlines"})
			}
			ended <- err
		}()
	}
	for range many {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	roll, err := r.Read()
	if err != nil || len(roll.Known) != many || len(roll.Quarantined) != many || roll.Quarantined[0].Reason != "two lines" {
		t.Errorf("%v %+v", err, roll)
	}
	for _, text := range []string{"one", "one two", "one two trusted", "quarantine one two three", "quarantine one/ 2026-01-01T00:00:00Z x"} {
		if _, err := r.parse([]byte(text)); err == nil || !strings.Contains(err.Error(), ".workers:1: expected") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzRegister(f *testing.F) {
	f.Add("attic UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4 trusted\n")
	f.Add("# x\nquarantine one 2026-01-01T00:00:00Z why\n")
	f.Fuzz(func(t *testing.T, text string) {
		r := RegisterOf(filepath.Join(t.TempDir(), "s.db"))
		all, err := r.parse([]byte(text))
		if err != nil {
			return
		}
		if err := r.write(all); err != nil {
			t.Fatal(err)
		}
		if again, err := r.Read(); err != nil || fmt.Sprint(again.Lines(nil, time.Time{})) != fmt.Sprint(all.Lines(nil, time.Time{})) {
			t.Errorf("%+v %v", again, err)
		}
	})
}

// Programs of the same unknown or changed commit are told apart by their files.
func TestUnknownCommits(t *testing.T) {
	for _, commit := range []string{"unknown", "", "0123-dirty"} {
		here := NewBuild(commit)
		other := here
		other.Program = strings.Repeat("0", 64)
		if len(here.Program) != 64 || len(here.Differences(here)) != 0 || !strings.Contains(strings.Join(here.Differences(other), ""), "program (SHA-256") {
			t.Errorf("%q: %+v %q", commit, here, here.Differences(other))
		}
	}
	if b := NewBuild("0123"); b.Program != "" {
		t.Error(b)
	}
}
