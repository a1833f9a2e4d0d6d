package serve

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/suite"
	"sakusen/strategies"
	"sakusen/tuner/queue"
	"sakusen/tuner/queue/fleet"
	"sakusen/tuner/queue/queuetest"
	"sakusen/tuner/service"
)

// churn is workers that come, go, lie, frame and flood until it ends.
type churn struct {
	*hub
	register queue.Register
	over     chan struct{}
	group    sync.WaitGroup
	mu       sync.Mutex
	named    int
	counts   map[string]int
}

// admit lets a new worker in whose name begins with a word.
func (c *churn) admit(word string) queue.Credentials {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.named++
	k, err := c.register.Add(fmt.Sprintf("%s-%d", word, c.named), false)
	if err != nil {
		c.t.Fatal(err)
	}
	c.reload(c.register)
	return k
}

// does runs act again and again until the churn is over, and counts how often.
func (c *churn) does(what string, act func(rest func(most time.Duration))) {
	rest := func(most time.Duration) {
		select {
		case <-c.over:
		case <-time.After(rand.N(most)):
		}
	}
	c.group.Go(func() {
		for {
			select {
			case <-c.over:
				return
			default:
			}
			act(rest)
			c.mu.Lock()
			c.counts[what]++
			c.mu.Unlock()
		}
	})
}

// work has a worker play through a line until the returned function ends it.
func (c *churn) work(k queue.Credentials, line *queuetest.Line, spoil func(*arena.Run)) (end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		queue.Work(ctx, queue.WorkOptions{Server: "nats://" + line.Address, Credentials: k, Catalogue: strategies.Catalogue(), Build: queue.NewBuild("test"), Cores: 1, Corrupt: spoil})
	}()
	return func() { cancel(); <-ended }
}

// Studies end with the digests of one machine, one after the other, while workers come and go,
// die without a word, are cut off, lie, speak in others' names and flood. No worker that is sound
// is put into quarantine, and afterwards nothing is left: no goroutine, no descriptor, no memory.
// SAKUSEN_CHURN says how long; under the race detector that is what it is for.
func TestChurn(t *testing.T) {
	suite.All(t)
	lasts, _ := time.ParseDuration(os.Getenv("SAKUSEN_CHURN"))
	play := alone(t)
	study := func(i int) (name, text string) {
		name = fmt.Sprintf("churn-%d", i)
		return name, strings.NewReplacer("name: trust", "name: "+name, "seed: 4", fmt.Sprintf("seed: %d", 4+i)).Replace(trustStudy)
	}
	_, first := study(0)
	want := play(first)
	before := held()
	path := filepath.Join(t.TempDir(), "s.db")
	c := &churn{hub: openHubWith(t, path, 0, .02), register: queue.RegisterOf(path), over: make(chan struct{}), counts: map[string]int{}}
	line := func() *queuetest.Line { return queuetest.NewLine(t, strings.TrimPrefix(c.queue.Address(), "nats://")) }
	steady, far, last := line(), line(), line() // which last as long as the test
	before.goroutines, before.descriptors = before.goroutines+3, before.descriptors+3
	sound := []queue.Credentials{c.admit("sound"), c.admit("sound"), c.admit("sound")}
	stop := []func(){c.work(sound[0], steady, nil), c.work(sound[1], far, nil)}
	for n := 0; n < 2; time.Sleep(10 * time.Millisecond) {
		n = 0
		all, _ := c.queue.Workers()
		for _, w := range all {
			if w.State == "working" {
				n++
			}
		}
		if time.Now().After(suite.Deadline(t)) {
			t.Fatal("the sound workers are not admitted")
		}
	}
	c.does("partitions", func(rest func(time.Duration)) {
		mend := far.Cut()
		rest(12 * time.Second)
		mend()
		rest(8 * time.Second)
	})
	c.does("farewells", func(rest func(time.Duration)) {
		end := c.work(sound[2], steady, nil)
		rest(6 * time.Second)
		end()
	})
	mortal := c.admit("mortal")
	c.does("deaths", func(rest func(time.Duration)) {
		end := c.work(mortal, last, nil)
		rest(6 * time.Second)
		mend := last.Cut() // from here on nothing of it is heard
		end()
		rest(time.Second)
		mend()
	})
	c.does("liars", func(rest func(time.Duration)) {
		every := 1 + rand.Int64N(5)
		end := c.work(c.admit("liar"), steady, func(r *arena.Run) {
			for b := range r.Blocks {
				if (r.From+int64(b))%every == 0 {
					turn(r, b)
				}
			}
		})
		rest(30 * time.Second)
		end()
		rest(5 * time.Second) // a study begins anew for each that is found
	})
	framer := c.admit("framer")
	c.does("frames", func(rest func(time.Duration)) {
		as, err := queuetest.NewSpeaker(c.queue.Address(), framer.Name, framer.Seed)
		if err != nil { // its connections were ended
			rest(time.Second)
			return
		}
		defer as.Close()
		for _, at := range []string{"done", "hello", "busy"} {
			for _, reply := range []string{"sakusen.done." + sound[0].Name, "_INBOX_SAKUSEN_" + sound[0].Name + ".x", "$JS.API.STREAM.DELETE.SAKUSEN_WORK", ""} {
				for _, name := range []string{framer.Name, sound[0].Name} {
					as.Say("sakusen."+at+"."+name, reply, []byte(`{"id":"none"}`))
				}
			}
		}
		rest(500 * time.Millisecond)
	})
	flooder := c.admit("flooder")
	junk := []byte(strings.Repeat(`{"id":"none"`, 80_000))
	c.does("floods", func(rest func(time.Duration)) {
		as, err := queuetest.NewSpeaker(c.queue.Address(), flooder.Name, flooder.Seed)
		if err != nil { // its connections were ended
			rest(time.Second)
			return
		}
		defer as.Close()
		for range 8 {
			as.Say("sakusen.done."+flooder.Name, "", junk)
		}
		rest(500 * time.Millisecond)
	})

	begun, studies, most := time.Now(), 0, uint64(0)
	found := func() bool {
		all, _ := c.queue.Workers()
		return slices.ContainsFunc(all, func(w fleet.Worker) bool { return w.State == "quarantined" && strings.HasPrefix(w.Name, "liar") })
	}
	for ; !found() || time.Since(begun) < lasts; studies++ {
		name, text := study(studies)
		if studies > 0 {
			want = play(text)
		}
		if _, err := c.service.Studies().Files.Submit(t.Context(), service.Submission{Name: name + ".yaml", Spec: text}); err != nil {
			t.Fatal(err)
		}
		if got := c.await(name, "done").Result.Digest; got != want {
			t.Errorf("%s: digest %s, and of one machine %s", name, got, want)
		}
		most = max(most, held().heap)
	}
	close(c.over)
	c.group.Wait()
	for _, end := range stop {
		end()
	}
	workers, counts := c.queue.Workers()
	for _, w := range workers {
		if w.State == "quarantined" && !strings.HasPrefix(w.Name, "liar") && !strings.HasPrefix(w.Name, "flooder") {
			t.Errorf("%s is in quarantine: %s", w.Name, w.Reason)
		}
	}
	c.end()
	after := held()
	for until := suite.Deadline(t); time.Now().Before(until) && (after.goroutines > before.goroutines+5 || after.descriptors > before.descriptors+5); after = held() {
		time.Sleep(50 * time.Millisecond)
	}
	t.Logf("%s: %d studies, %v, %+v; before %+v, after %+v, heap at most %d MB", time.Since(begun).Round(time.Second), studies, c.counts, counts, before, after, most>>20)
	if after.goroutines > before.goroutines+5 || after.descriptors > before.descriptors+5 {
		t.Errorf("%+v is held, and before %+v", after, before)
	}
	if most > 400<<20 || after.heap > before.heap+64<<20 {
		t.Errorf("%d MB of memory are held, %d at most", after.heap>>20, most>>20)
	}
}

// holds is what this process holds.
type holds struct {
	goroutines, descriptors int
	heap                    uint64 // bytes
}

func held() (h holds) {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	names, _ := os.ReadDir("/proc/self/fd")
	return holds{runtime.NumGoroutine(), len(names), m.HeapAlloc}
}
