package queue

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/suite"
	"sakusen/strategies"
	"sakusen/tuner/queue/fleet"
)

// bench is a queue on the loopback interface with a pool that has no slots of its own
// unless a test says so.
type bench struct {
	t        testing.TB
	queue    *Queue
	pool     *arena.Pool
	register Register
	address  string // of a server outside, empty for the one inside
}

func testLog() *slog.Logger {
	if os.Getenv("SAKUSEN_QUEUE_LOG") != "" {
		return slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	return nil
}

// Worker is what is shown of a worker.
type Worker = fleet.Worker

func testBuild() Build { return NewBuild("test") }

func newBench(t testing.TB, local int, change func(*Options)) *bench {
	b := &bench{t: t, pool: arena.NewOpenPool(local), register: RegisterOf(filepath.Join(t.TempDir(), "s.db"))}
	o := Options{Pool: b.pool, Build: testBuild(), Listen: "127.0.0.1:0", Replay: -1, Log: testLog()}
	if change != nil {
		change(&o)
	}
	q, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	b.queue = q
	return b
}

// admit makes credentials that the server knows.
func (b *bench) admit(name string) Credentials {
	c, err := b.register.Add(name, false)
	if err != nil {
		b.t.Fatal(err)
	}
	b.reload()
	return c
}

func (b *bench) reload() {
	known, err := b.register.Read()
	if err == nil {
		err = b.queue.SetRoll(known)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// start starts a worker; stop waits for its end.
func (b *bench) start(c Credentials, change func(*WorkOptions)) (stop func() error) {
	ctx, cancel := context.WithCancel(context.Background())
	o := WorkOptions{Server: b.queue.Address(), Credentials: c, Catalogue: strategies.Catalogue(), Build: testBuild(), Cores: 1, Log: testLog()}
	if change != nil {
		change(&o)
	}
	done := make(chan error, 1)
	go func() { done <- Work(ctx, o) }()
	stop = func() error {
		cancel()
		err := <-done
		done <- err
		return err
	}
	b.t.Cleanup(func() { stop() })
	return stop
}

func (b *bench) await(what string, is func([]Worker, queueCounts) bool) {
	b.t.Helper()
	for end := suite.Deadline(b.t); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if is(b.queue.Workers()) {
			return
		}
	}
	w, c := b.queue.Workers()
	b.t.Fatalf("%s: %+v %+v", what, w, c)
}

func working(n int) func([]Worker, queueCounts) bool {
	return func(all []Worker, _ queueCounts) bool {
		at := 0
		for _, w := range all {
			if w.State == "working" {
				at++
			}
		}
		return at == n
	}
}

func series(t *testing.T, blocks int64) arena.Series {
	t.Helper()
	game, err := strategies.Catalogue().Game("laboratory")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := game.OpenRules(nil)
	if err != nil {
		t.Fatal(err)
	}
	s := arena.Series{Ruleset: rules, Seed: 7, Phase: arena.Tune, To: blocks}
	for _, text := range []string{"point", "point(x1=.7)"} {
		e, err := rules.Entrant(text)
		if err != nil {
			t.Fatal(err)
		}
		s.Entrants = append(s.Entrants, e)
	}
	return s
}

// same plays a series by a pool and compares each game with those of a local pool.
func same(t testing.TB, pool *arena.Pool, s arena.Series) {
	t.Helper()
	ctx, cancel := context.WithDeadline(t.Context(), suite.Deadline(t))
	defer cancel()
	want, err := playAll(ctx, arena.NewPool(1), s, s.From, int(s.To-s.From))
	if err != nil {
		t.Fatal(err)
	}
	got, err := playAll(ctx, pool, s, s.From, int(s.To-s.From))
	if err != nil {
		t.Fatal(err)
	}
	if !equal(got, want) {
		t.Error("the games differ from those of a local pool")
	}
}

// plays plays a series as same does, again and again until a condition holds: which machine
// gets a job is left to chance, and on a busy machine one may get none.
func (b *bench) plays(s arena.Series, until func() bool) {
	b.t.Helper()
	for end := suite.Deadline(b.t); ; {
		same(b.t, b.pool, s)
		if b.t.Failed() || until() {
			return
		}
		if time.Now().After(end) {
			b.t.Fatal("the series was played again and again, and no worker got its part")
		}
	}
}

// A series has the same games on any machines: one worker, two, or workers and the
// daemon together.
func TestSameGamesElsewhere(t *testing.T) {
	for _, local := range []int{0, 2} {
		b := newBench(t, local, func(o *Options) { o.Replay = 1 })
		b.start(b.admit("one"), nil)
		b.await("one", working(1))
		same(t, b.pool, series(t, 300))
		b.start(b.admit("two"), func(o *WorkOptions) { o.Cores = 2 })
		b.await("two", working(2))
		same(t, b.pool, series(t, 700))
		_, c := b.queue.Workers()
		if local == 0 && (c.Results == 0 || c.Replayed != c.Results) || c.Different != 0 || c.Malformed != 0 || c.Waiting != 0 {
			t.Errorf("%d local slots: %+v", local, c)
		}
	}
}

// What was played is stored once before its job is acknowledged, by the worker's name.
func TestKept(t *testing.T) {
	var blocks atomic.Int64
	b := newBench(t, 0, func(o *Options) {
		o.Keep = func(_ context.Context, _ *arena.Series, r *arena.Run) error {
			if r.Worker != "one" {
				t.Errorf("played by %q", r.Worker)
			}
			blocks.Add(int64(r.Blocks))
			return nil
		}
	})
	b.start(b.admit("one"), nil)
	same(t, b.pool, series(t, 1000))
	if blocks.Load() != 1000 {
		t.Errorf("%d blocks were stored, expected 1000", blocks.Load())
	}
}

// A worker that ends, a worker that comes later and one that is not allowed any more
// change no result.
func TestWorkersComeAndGo(t *testing.T) {
	t.Parallel()
	b := newBench(t, 0, nil)
	stop := b.start(b.admit("one"), nil)
	b.await("one", working(1))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		same(t, b.pool, series(t, 60000))
	}()
	b.await("results", func(_ []Worker, c queueCounts) bool { return c.Results > 2 })
	if err := stop(); err != nil {
		t.Error(err)
	}
	second := b.start(b.admit("two"), nil)
	b.await("two", working(1))
	if err := b.register.Remove("two"); err != nil {
		t.Fatal(err)
	}
	b.start(b.admit("three"), nil) // reads the register again, without two
	if err := second(); err != nil && !errors.Is(err, ErrRefused) {
		t.Error(err)
	}
	<-ended
}

// Another build is refused, with what differs named on both sides; and so are a stranger
// and a second worker of the same name.
func TestRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t, 1, nil)
	c := b.admit("one")
	err := Work(t.Context(), WorkOptions{Server: b.queue.Address(), Credentials: c, Build: NewBuild("other")})
	if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "program:\n  commit: the daemon has test, the worker other\nBuild the same commit") {
		t.Error(err)
	}
	workers, counts := b.queue.Workers()
	if len(workers) != 1 || workers[0].State != "refused" || !strings.Contains(workers[0].Reason, "commit") || counts.Refused == 0 {
		t.Errorf("%+v %+v", workers, counts)
	}
	stranger, err := RegisterOf(filepath.Join(t.TempDir(), "other")).Add("one", false)
	if err != nil {
		t.Fatal(err)
	}
	if err := Work(t.Context(), WorkOptions{Server: b.queue.Address(), Credentials: stranger, Build: testBuild()}); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "it does not know the key of one") {
		t.Error(err)
	}
}

func TestAddresses(t *testing.T) {
	for address, good := range map[string]bool{
		"nats://127.0.0.1:1": true, "nats://localhost:1": true, "nats://[::1]:1": true, "tls://example.org:1": true, "wss://example.org": true,
		"nats://example.org:1": false, "nats://10.0.0.1:1": false, "http://127.0.0.1": false, "127.0.0.1:1": false, "": false,
	} {
		if err := CheckServer(address); (err == nil) != good {
			t.Errorf("%q: %v", address, err)
		}
	}
	if _, err := Open(Options{Pool: arena.NewPool(1), Listen: "0.0.0.0:0"}); err == nil || !strings.Contains(err.Error(), "needs TLS") {
		t.Error(err)
	}
}

func FuzzReadCredentials(f *testing.F) {
	f.Add("sakusen-worker one SUAKYRHVIOREXV7EUZTBHUHL7NUMHPMAS7QMDU3GTIUWEI5LDNOXD43IZY")
	f.Add("sakusen-worker")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ReadCredentials(text)
		if err != nil {
			return
		}
		if again, err := ReadCredentials(c.String()); err != nil || again != c {
			t.Errorf("%q: %v", c, err)
		}
	})
}

// What is shown counts every game once, wherever it was played, and what is out.
func TestFleet(t *testing.T) {
	for _, local := range []int{0, 1} {
		b := newBench(t, local, nil)
		b.start(b.admit("one"), nil)
		b.await("one", working(1))
		same(t, b.pool, series(t, 2000))
		f := b.queue.Fleet()
		if len(f.Workers) != 1 || f.Here.Cores != local || f.Here.Games+f.Workers[0].Games != 4000 || local == 0 && f.Here.Games != 0 || f.Waiting != 0 || f.Queued != 0 {
			t.Errorf("%d local slots: %+v", local, f)
		}
	}
	b := newBench(t, 0, nil)
	b.present(b.admit("idle"), 1) // and plays nothing
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	s := series(t, 100)
	go func() { defer close(ended); (slot{q: b.queue}).Play(ctx, &s, 0, 100) }()
	b.await("a job in the queue", func(_ []Worker, c queueCounts) bool { return c.Waiting == 1 && c.Queued == 1 })
	cancel()
	<-ended
}
