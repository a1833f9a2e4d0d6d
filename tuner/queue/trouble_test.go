package queue

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"sakusen/engines/arena"
	"sakusen/engines/suite"
	"sakusen/tuner/queue/queuetest"
)

// ledger counts how often each block was stored.
type ledger struct {
	mu     sync.Mutex
	blocks map[int64]int
}

func (l *ledger) keep(_ context.Context, _ *arena.Series, r *arena.Run) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.blocks == nil {
		l.blocks = map[int64]int{}
	}
	for i := range int64(r.Blocks) {
		l.blocks[r.From+i]++
	}
	return nil
}

// each wants every block stored once.
func (l *ledger) each(t *testing.T, n int64) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range n {
		if l.blocks[i] != 1 {
			t.Errorf("block %d was stored %d times", i, l.blocks[i])
		}
	}
	if len(l.blocks) != int(n) {
		t.Errorf("%d blocks were stored, expected %d", len(l.blocks), n)
	}
}

// A worker that is cut off in the middle of a job is gone after a while, and another plays
// the job. It finishes, and delivers results that are no longer expected when the line is back: each block
// is counted once, and it is given work again.
func TestPartition(t *testing.T) {
	t.Parallel()
	var stored ledger
	b := newBench(t, 0, func(o *Options) {
		inHaste(o)
		o.Keep = stored.keep
	})
	way := queuetest.NewLine(t, strings.TrimPrefix(b.queue.Address(), "nats://"))
	holding, open := make(chan struct{}, 1), make(chan struct{})
	var finished atomic.Int64
	b.start(b.admit("far"), func(o *WorkOptions) {
		o.Server, o.times, o.Catalogue = "nats://"+way.Address, hasty, gated(func() {
			select {
			case holding <- struct{}{}:
			default:
			}
			<-open
			finished.Add(1)
		})
	})
	b.await("the far worker", working(1))
	played := make(chan struct{})
	go func() { defer close(played); same(t, b.pool, idles(t, 60)) }()
	<-holding
	b.await("a sign of its job", func(all []Worker, _ queueCounts) bool { return all[0].Playing == 1 })
	mend := way.Cut()
	defer mend()
	b.silence("far")
	b.start(b.admit("near"), func(o *WorkOptions) { o.times, o.Catalogue = hasty, gated(nil) })
	select {
	case <-played:
	case <-suite.Late(t):
		t.Fatal("what the far worker was playing is not played by another")
	}
	b.await("its absence", func(all []Worker, _ queueCounts) bool { return all[0].State == "gone" })
	close(open)
	for finished.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(hasty.greet) // its result is on the way, or about to be
	mend()
	b.await("its late result", func(all []Worker, c queueCounts) bool { return c.Late == 1 && all[0].State == "working" })
	stored.each(t, 60)
	if all, c := b.queue.Workers(); c.Waiting != 0 || all[0].Games != 0 || all[1].Games != 60 {
		t.Errorf("%+v %+v", all, c)
	}
}

// present returns a worker that the test plays the part of: it has said hello, and hears of its jobs.
func (b *bench) present(c Credentials, cores int) (<-chan job, func(hello)) {
	b.t.Helper()
	v, err := newVoice(c)
	if err != nil {
		b.t.Fatal(err)
	}
	jobs := make(chan job, 100)
	var conn *nats.Conn
	connect := func() {
		conn = b.speak(c)
		if _, err := conn.Subscribe(jobsOf(c.Name, c.Name), func(m *nats.Msg) {
			var j job
			if err := json.Unmarshal(m.Data, &j); err != nil {
				b.t.Error(err)
			}
			jobs <- j
		}); err != nil {
			b.t.Fatal(err)
		}
	}
	connect()
	say := func(h hello) {
		h.Build, h.Session, h.Cores = testBuild(), c.Name, cores
		text, err := json.Marshal(h)
		if err != nil {
			b.t.Error(err)
		}
		conn.PublishMsg(v.sign(helloRoot+v.name, c.Name, text))
	}
	say(hello{})
	said := time.Now()
	b.await(c.Name, func(all []Worker, _ queueCounts) bool {
		if slices.ContainsFunc(all, func(w Worker) bool { return w.Name == c.Name && w.State == "working" }) {
			return true
		}
		// A hello is lost where the server, which takes up the roll, cuts this connection or the queue's.
		if conn.IsClosed() {
			connect()
			said = time.Time{}
		}
		if time.Since(said) > 2*time.Second {
			say(hello{})
			said = time.Now()
		}
		return false
	})
	return jobs, say
}

// playing returns such a worker that has a job and says so.
func (b *bench) playing(c Credentials, cores int) (job, func(hello)) {
	b.t.Helper()
	jobs, say := b.present(c, cores)
	select {
	case j := <-jobs:
		say(hello{Holds: []string{j.ID}})
		b.await("the job of "+c.Name, func(all []Worker, _ queueCounts) bool {
			return slices.ContainsFunc(all, func(w Worker) bool { return w.Name == c.Name && w.Playing == 1 })
		})
		return j, say
	case <-suite.Late(b.t):
		b.t.Fatal("no job comes")
	}
	return job{}, nil
}

// Three workers that end over the same job stop what is played with an error that names the
// blocks, although a sound worker might play them: a fourth would end too.
func TestPoison(t *testing.T) {
	t.Parallel()
	b := newBench(t, 0, inHaste)
	ended := make(chan error, 1)
	go func() {
		_, err := b.pool.Play(t.Context(), idles(t, 1), func(*arena.Run) error { return nil })
		ended <- err
	}()
	for _, name := range []string{"one", "two", "three"} {
		b.playing(b.admit(name), 1) // and is never heard of again
		b.silence(name)
		b.await("the loss of "+name, func(all []Worker, _ queueCounts) bool {
			return slices.ContainsFunc(all, func(w Worker) bool { return w.Name == name && w.State == "gone" })
		})
	}
	b.start(b.admit("four"), func(o *WorkOptions) { o.times, o.Catalogue = hasty, gated(nil) })
	select {
	case err := <-ended:
		if err == nil || !strings.Contains(err.Error(), "3 workers were lost while they played blocks 0 to 0 of idle with seed 7") {
			t.Error(err)
		}
	case <-suite.Late(t):
		t.Fatal("blocks that end the workers are handed out for ever")
	}
	if all, _ := b.queue.Workers(); all[0].Games != 0 {
		t.Errorf("%+v", all)
	}
}

// A job that does not reach its worker, or that the worker names no more and has not delivered,
// is given to another.
func TestGivenAgain(t *testing.T) {
	t.Parallel()
	for _, begins := range []bool{false, true} {
		var stored ledger
		b := newBench(t, 0, func(o *Options) { o.times, o.Keep = hasty, stored.keep })
		played := make(chan struct{})
		go func() { defer close(played); same(t, b.pool, idles(t, 1)) }()
		var say func(hello)
		if begins {
			_, say = b.playing(b.admit("idle"), 1)
		} else {
			_, say = b.present(b.admit("idle"), 1)
			b.await("a job", func(_ []Worker, c queueCounts) bool { return c.Jobs == 1 })
		}
		b.start(b.admit("sound"), func(o *WorkOptions) { o.times, o.Catalogue = hasty, gated(nil) })
		for over := false; !over; {
			select {
			case <-played:
				over = true
			case <-time.After(hasty.greet):
				say(hello{}) // it is there, and says that it has nothing
			}
		}
		stored.each(t, 1)
		all, c := b.queue.Workers()
		if all[0].State != "working" || c.Results != 1 || c.Redelivered == 0 {
			t.Errorf("%+v %+v", all, c)
		}
	}
}

// A job that is called off is not played by any worker, one that waits and one that is played, and its
// neighbours are.
func TestCalledOff(t *testing.T) {
	t.Parallel()
	tick := make(chan struct{})
	b := newBench(t, 0, inHaste)
	b.start(b.admit("one"), func(o *WorkOptions) { o.times, o.Catalogue = hasty, gated(func() { <-tick }) })
	b.await("the worker", working(1))
	var played [4]chan error
	var off [4]context.CancelFunc
	for i := range played {
		played[i] = make(chan error, 1)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		off[i] = cancel
		s := idles(t, 8)
		go func() {
			_, err := (slot{q: b.queue}).Play(ctx, &s, int64(i), 1)
			played[i] <- err
		}()
		b.await("the job", func(_ []Worker, c queueCounts) bool { return c.Waiting == i+1 })
	}
	b.await("a sign", func(all []Worker, c queueCounts) bool { return c.Queued == 3 })
	for _, i := range []int{0, 2} {
		off[i]()
		if err := <-played[i]; err != context.Canceled {
			t.Error(err)
		}
	}
	for _, i := range []int{1, 3} {
		for over := false; !over; {
			select {
			case tick <- struct{}{}:
			case err := <-played[i]:
				if over = true; err != nil {
					t.Error(i, err)
				}
			}
		}
	}
	b.await("the end", func(all []Worker, c queueCounts) bool { return c.Waiting == 0 && all[0].Games == 2 })
}

// standing returns a NATS server outside the daemon, with the configuration that is printed for the
// workers of a register, or another text.
func standing(t *testing.T, register Register, change func(string) string) *server.Server {
	t.Helper()
	return standingAt(t, server.RANDOM_PORT, register, change)
}

func standingAt(t *testing.T, port int, register Register, change func(string) string) *server.Server {
	t.Helper()
	text, err := register.NATSConfig()
	if err != nil {
		t.Fatal(err)
	}
	text = strings.Replace(text, "$SAKUSEN_NATS_PASSWORD", "secret", 1)
	if change != nil {
		text = change(text)
	}
	file := filepath.Join(t.TempDir(), "nats.conf")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := server.ProcessConfigFile(file)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	o.Port, o.NoSigs, o.NoLog = port, true, true
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(time.Until(suite.Deadline(t))) {
		t.Fatal("the server does not start")
	}
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s
}

// outside has a queue use such a server.
func outside(register Register, s *server.Server) func(*Options) {
	return func(o *Options) {
		roll, err := register.Read()
		if err != nil {
			panic(err)
		}
		o.times, o.Roll, o.Listen, o.URL = hasty, roll, "", strings.Replace(s.ClientURL(), "nats://", "nats://daemon:secret@", 1)
	}
}

// What was on its way while a server outside is started again is asked for anew.
func TestServerStartedAgain(t *testing.T) {
	suite.All(t)
	var stored ledger
	register := RegisterOf(filepath.Join(t.TempDir(), "s.db"))
	c, err := register.Add("one", false)
	if err != nil {
		t.Fatal(err)
	}
	s := standing(t, register, nil)
	address := s.ClientURL()
	b := newBench(t, 0, func(o *Options) {
		outside(register, s)(o)
		o.Keep = stored.keep
	})
	tick := make(chan struct{})
	b.start(c, func(o *WorkOptions) { o.Server, o.times, o.Catalogue = address, hasty, gated(func() { <-tick }) })
	b.await("the worker", working(1))
	played := make(chan struct{})
	go func() { defer close(played); same(t, b.pool, idles(t, 40)) }()
	tick <- struct{}{}
	b.await("a job", func(all []Worker, c queueCounts) bool { return c.Jobs > 1 })
	port := s.Addr().(*net.TCPAddr).Port
	s.Shutdown()
	s.WaitForShutdown()
	standingAt(t, port, register, nil)
	go func() {
		for {
			select {
			case tick <- struct{}{}:
			case <-t.Context().Done():
				return
			}
		}
	}()
	select {
	case <-played:
	case <-suite.Late(t):
		_, c := b.queue.Workers()
		t.Fatalf("what was asked for before is lost: %+v", c)
	}
	stored.each(t, 40)
}
