package serve

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"sakusen/engines/arena"
	"sakusen/strategies"
	"sakusen/tuner/queue"
)

var rateFor = flag.Duration("rate", 0, "measure for so long how many results a second are stored, from eight workers")

// TestRate measures how many results of eight workers, of one block each, are stored a second,
// and beside it how many the database takes without a queue.
func TestRate(t *testing.T) {
	if *rateFor == 0 {
		t.Skip("-rate 10s measures it")
	}
	game, err := strategies.Catalogue().Game("laboratory")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := game.OpenRules(nil)
	if err != nil {
		t.Fatal(err)
	}
	s := arena.Series{Ruleset: rules, Phase: arena.Tune}
	for _, text := range []string{"point", "point(x1=.7)"} {
		e, err := rules.Entrant(text)
		if err != nil {
			t.Fatal(err)
		}
		s.Entrants = append(s.Entrants, e)
	}
	h := openHubWith(t, filepath.Join(t.TempDir(), "s.db"), 0, .01)
	defer h.end()
	measure := func(what string, play func(s arena.Series) error) {
		var next, stored atomic.Int64
		var before, after syscall.Rusage
		syscall.Getrusage(syscall.RUSAGE_SELF, &before)
		var group sync.WaitGroup
		began := time.Now()
		for worker := range 128 {
			group.Go(func() {
				own := s
				own.Seed = uint64(worker)
				for time.Since(began) < *rateFor && !t.Failed() {
					own.From = next.Add(1)
					own.To = own.From + 1
					if err := play(own); err != nil {
						t.Error(err)
					}
					stored.Add(1)
				}
			})
		}
		group.Wait()
		lasted := time.Since(began)
		syscall.Getrusage(syscall.RUSAGE_SELF, &after)
		used := time.Duration(after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano())
		t.Logf("%s: %.0f results a second; %d us of processor time each, which was %.2f processors", what,
			float64(stored.Load())/lasted.Seconds(), (used / time.Duration(stored.Load())).Microseconds(), used.Seconds()/lasted.Seconds())
	}
	run, pool := (*arena.Run)(nil), arena.NewPool(1)
	first := s
	first.To = 1
	if _, err := pool.Play(t.Context(), first, func(r *arena.Run) error { run = r; return nil }); err != nil {
		t.Fatal(err)
	}
	measure("stored alone", func(s arena.Series) error {
		own := *run
		own.From, own.Worker = s.From, "one"
		s.Seed += 1000
		return h.service.Blocks().Keep(t.Context(), &s, &own)
	})
	defer eightWorkers(t, h, "^TestRateWorkers$")()
	for working := 0; working < 8; time.Sleep(10 * time.Millisecond) {
		all, _ := h.queue.Workers()
		working = 0
		for _, w := range all {
			if w.State == "working" {
				working++
			}
		}
	}
	measure("played by eight workers and stored", func(s arena.Series) error {
		_, err := h.pool.Play(t.Context(), s, func(*arena.Run) error { return nil })
		return err
	})
	_, c := h.queue.Workers()
	t.Logf("%+v", c)
}

// eightWorkers starts eight workers of a daemon in a process of their own, which runs one test, and returns what ends it.
func eightWorkers(t *testing.T, h *hub, test string, flags ...string) (end func()) {
	t.Helper()
	register := queue.RegisterOf(h.service.Store().DB().Path())
	environment := append(os.Environ(), rateServer+"="+h.queue.Address())
	for i := range 8 {
		c, err := register.Add(fmt.Sprint("w", i), false)
		if err != nil {
			t.Fatal(err)
		}
		environment = append(environment, fmt.Sprintf("%s%d=%s", rateWorker, i, c))
	}
	roll, err := register.Read()
	if err == nil {
		err = h.queue.SetRoll(roll)
	}
	if err != nil {
		t.Fatal(err)
	}
	workers := exec.Command(os.Args[0], append([]string{"-test.run", test}, flags...)...)
	workers.Env, workers.Stderr = environment, os.Stderr
	if err := workers.Start(); err != nil {
		t.Fatal(err)
	}
	return func() { workers.Process.Kill(); workers.Wait() }
}

// Variables of the environment of the process of the eight workers.
const rateServer, rateWorker = "SAKUSEN_TEST_RATE_SERVER", "SAKUSEN_TEST_RATE_WORKER"

// TestRateWorkers is that process.
func TestRateWorkers(t *testing.T) {
	if os.Getenv(rateServer) == "" {
		t.Skip("TestRate starts it")
	}
	var group sync.WaitGroup
	for i := range 8 {
		c, err := queue.ReadCredentials(os.Getenv(fmt.Sprint(rateWorker, i)))
		if err != nil {
			t.Fatal(err)
		}
		group.Go(func() {
			queue.Work(t.Context(), queue.WorkOptions{Server: os.Getenv(rateServer), Credentials: c, Catalogue: strategies.Catalogue(), Build: queue.NewBuild("test"), Cores: 8})
		})
	}
	group.Wait()
}
