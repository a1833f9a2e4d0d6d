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
	"github.com/nats-io/nats.go/jetstream"

	"sakusen/engines/arena"
	"sakusen/engines/suite"
	"sakusen/tuner/queue/testdata/queuetest"
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
// the job. It finishes, and delivers what nobody waits for when the line is back: each block
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

// playing is a worker that the test plays the part of: it has fetched a job and says so.
func (b *bench) playing(c Credentials, cores int) (jetstream.Msg, func(hello)) {
	b.t.Helper()
	conn := b.speak(c)
	say := func(h hello) {
		h.Build, h.Session, h.Cores = testBuild(), c.Name, cores
		text, err := json.Marshal(h)
		if err != nil {
			b.t.Error(err)
		}
		conn.Publish(helloRoot+c.Name, text)
	}
	say(hello{})
	b.await(c.Name, func(all []Worker, _ queueCounts) bool {
		return slices.ContainsFunc(all, func(w Worker) bool { return w.Name == c.Name && w.State == "working" })
	})
	s, err := jetstream.New(conn)
	if err != nil {
		b.t.Fatal(err)
	}
	jobs, err := s.Consumer(b.t.Context(), stream, consumer)
	if err != nil {
		b.t.Fatal(err)
	}
	for {
		say(hello{})
		m, err := jobs.Next(jetstream.FetchMaxWait(100 * time.Millisecond))
		if err == nil {
			say(hello{Holds: []string{strings.TrimPrefix(m.Subject(), workRoot+general+".")}})
			b.await("the job of "+c.Name, func(all []Worker, _ queueCounts) bool {
				return slices.ContainsFunc(all, func(w Worker) bool { return w.Name == c.Name && w.Playing == 1 })
			})
			return m, say
		}
		if b.t.Context().Err() != nil || b.t.Failed() {
			b.t.Fatal(err)
		}
	}
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

// A job that somebody has fetched without a sign of life since is delivered to another after
// a while, and so is one that he says he has done and has not delivered.
func TestDeliveredAgain(t *testing.T) {
	t.Parallel()
	for _, acknowledges := range []bool{false, true} {
		var stored ledger
		b := newBench(t, 0, func(o *Options) { o.times, o.Keep = hasty, stored.keep })
		played := make(chan struct{})
		go func() { defer close(played); same(t, b.pool, idles(t, 1)) }()
		m, say := b.playing(b.admit("idle"), 1)
		if acknowledges {
			m.Ack()
		}
		b.start(b.admit("sound"), func(o *WorkOptions) { o.times, o.Catalogue = hasty, gated(nil) })
		for over := false; !over; {
			select {
			case <-played:
				over = true
			case <-time.After(hasty.greet):
				say(hello{}) // it is there, and says that it plays nothing
			}
		}
		stored.each(t, 1)
		all, c := b.queue.Workers()
		if all[0].State != "working" || c.Results != 1 || c.Redelivered == 0 {
			t.Errorf("%+v %+v", all, c)
		}
	}
}

// standing is a NATS server outside the daemon that knows the daemon and workers.
func standing(t *testing.T, port int, keys ...string) *server.Server {
	t.Helper()
	var users []*server.NkeyUser
	for _, key := range keys {
		users = append(users, &server.NkeyUser{Nkey: key})
	}
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: port, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir(),
		Users: []*server.User{{Username: "daemon", Password: "secret"}}, Nkeys: users,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server does not start")
	}
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s
}

// A job that is taken out of the queue leaves the others where they are, also at the NATS
// server of Debian, which after a purge of one loses those before it.
func TestOthersStay(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"", "/usr/sbin/nats-server"} {
		t.Run(program, func(t *testing.T) {
			register := RegisterOf(filepath.Join(t.TempDir(), "s.db"))
			var keys []string
			var all []Credentials
			for _, name := range []string{"one", "two"} {
				c, err := register.Add(name)
				if err != nil {
					t.Fatal(err)
				}
				key, err := publicKey(c.Seed)
				if err != nil {
					t.Fatal(err)
				}
				keys, all = append(keys, key), append(all, c)
			}
			address := ""
			if program == "" {
				address = standing(t, server.RANDOM_PORT, keys...).ClientURL()
			} else if _, err := os.Stat(program); err != nil {
				t.Skip("there is no nats-server here (Debian's package nats-server)")
			} else {
				s := queuetest.NewServer(t, program, keys)
				s.Start()
				address = "nats://" + s.Address
			}
			b := newBench(t, 0, func(o *Options) {
				o.times = hasty
				o.Listen, o.URL = "", strings.Replace(address, "nats://", "nats://daemon:secret@", 1)
			})
			b.address = address
			// Eight jobs wait; the first is fetched, the fourth is called off.
			var played [8]chan error
			var calledOff context.CancelFunc
			for i := range played {
				played[i] = make(chan error, 1)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if i == 3 {
					calledOff = cancel
				}
				s := idles(t, 8)
				go func() {
					_, err := (slot{q: b.queue}).Play(ctx, &s, int64(i), 1)
					played[i] <- err
				}()
				b.await("the job", func(_ []Worker, c queueCounts) bool { return c.Queued == i+1 })
				time.Sleep(20 * time.Millisecond)
			}
			b.playing(all[0], 1)
			calledOff()
			if err := <-played[3]; err != context.Canceled {
				t.Error(err)
			}
			b.start(all[1], func(o *WorkOptions) { o.Server, o.times, o.Catalogue = address, hasty, gated(nil) })
			late := suite.Late(t)
			for i := range played {
				if i == 3 {
					continue
				}
				select {
				case err := <-played[i]:
					if err != nil {
						t.Error(i, err)
					}
				case <-late:
					t.Fatalf("job %d is lost in the queue", i)
				}
			}
		})
	}
}

// What was in the memory of a server that is started again, or was deleted there, is asked
// for anew.
func TestServerStartedAgain(t *testing.T) {
	suite.All(t)
	var stored ledger
	c, err := RegisterOf(filepath.Join(t.TempDir(), "s.db")).Add("one")
	if err != nil {
		t.Fatal(err)
	}
	key, err := publicKey(c.Seed)
	if err != nil {
		t.Fatal(err)
	}
	s := standing(t, server.RANDOM_PORT, key)
	address := s.ClientURL()
	b := newBench(t, 0, func(o *Options) {
		inHaste(o)
		o.Listen, o.URL, o.Keep = "", strings.Replace(address, "nats://", "nats://daemon:secret@", 1), stored.keep
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
	standing(t, port, key)
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
	// The connection stays, and the stream is gone.
	other := idles(t, 40)
	other.Seed++
	if err := b.queue.js.DeleteStream(t.Context(), stream); err != nil {
		t.Fatal(err)
	}
	same(t, b.pool, other)
	// The stream stays, and its consumer is gone.
	if err := b.queue.js.DeleteConsumer(t.Context(), stream, consumer); err != nil {
		t.Fatal(err)
	}
	other.Seed++
	same(t, b.pool, other)
}
