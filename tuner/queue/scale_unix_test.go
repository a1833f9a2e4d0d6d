//go:build unix

package queue

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"sakusen/engines/arena"
)

var (
	scaleOf   = flag.String("scale", "", "measure workers in processes of their own that sleep in place of play: PROCESSESxCORES, such as 8x125")
	scaleFor  = flag.Duration("scale-for", 30*time.Second, "for so long")
	scaleLook = flag.Float64("scale-replay", -1, "share of the jobs that the daemon plays again, at one slot; of new workers' twice as many; negative is none")
	scaleJob  = flag.Duration("scale-game", time.Second, "and how long a game sleeps")
)

// processor returns the processor time of this process, seconds.
func processor() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)*1e-6
}

// sleeper returns a game that sleeps, and its catalogue.
func sleeper(each time.Duration) arena.Catalogue {
	return idleCatalogue(func(*idleRules) (arena.Referee[*idler], error) {
		return &idle{each: each, slept: new(atomic.Int64), gaps: new(atomic.Int64)}, nil
	})
}

// idleSeries returns a long series of a game that sleeps, of which a block is one game.
func idleSeries(t testing.TB, game arena.Catalogue) arena.Series {
	t.Helper()
	rules, err := game[0].OpenRules(nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := rules.Entrant("idler")
	if err != nil {
		t.Fatal(err)
	}
	return arena.Series{Ruleset: rules, Seed: 7, Phase: arena.Tune, To: 1 << 40, Entrants: []arena.Entrant{e, e}}
}

// BenchmarkJobs hands out jobs of one game that takes no time, over the loopback interface, to
// workers of two cores each. cpu-us is the processor time of a job, of the daemon's side and
// the worker's together.
func BenchmarkJobs(b *testing.B) {
	for _, workers := range []int{1, 8} {
		b.Run(fmt.Sprint("workers=", workers), func(b *testing.B) {
			game := sleeper(0)
			s, q := idleSeries(b, game), newBench(b, 0, nil)
			for i := range workers {
				q.start(q.admit(fmt.Sprint("w", i)), func(o *WorkOptions) { o.Cores, o.Catalogue = 2, game })
			}
			q.await("the workers", working(workers))
			start, n, next := processor(), 0, new(atomic.Int64)
			for b.Loop() {
				const each = 1000
				var group sync.WaitGroup
				for range workers * 2 * slotsPerCore {
					group.Go(func() {
						for at := next.Add(1); at%each != 0; at = next.Add(1) {
							if _, err := (slot{q: q.queue}).Play(b.Context(), &s, at, 1); err != nil {
								b.Error(err)
								return
							}
						}
						next.Add(-1) // for the others
					})
				}
				group.Wait()
				next.Add(1)
				n += each - 1
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "jobs/s")
			b.ReportMetric((processor()-start)*1e6/float64(n), "cpu-us/job")
		})
	}
}

// TestScale measures which part of the time many cores play, where each process is a worker
// whose games sleep: the pool, the queue and the connections are as they would be over a
// network, the cores are not there.
func TestScale(t *testing.T) {
	processes, cores, ok := strings.Cut(*scaleOf, "x")
	n, err := strconv.Atoi(processes)
	each, err2 := strconv.Atoi(cores)
	if !ok || err != nil || err2 != nil {
		t.Skip("-scale 8x125 measures it")
	}
	s, b := idleSeries(t, sleeper(*scaleJob)), newBench(t, 0, func(o *Options) { o.Replay = *scaleLook })
	began := time.Now()
	for i := range n {
		c := exec.Command(os.Args[0], "-test.run", "^TestStandIn$", "-scale-game", scaleJob.String())
		c.Env = append(os.Environ(), "SAKUSEN_STANDIN="+b.admit(fmt.Sprint("w", i)).String()+" "+b.queue.Address()+" "+cores)
		c.Stderr = os.Stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	}
	b.await("the workers", working(n))
	t.Logf("%d workers came within %.1f s", n, time.Since(began).Seconds())
	ctx, cancel := context.WithCancel(t.Context())
	var games atomic.Int64
	var group sync.WaitGroup
	group.Go(func() {
		b.pool.Play(ctx, s, func(r *arena.Run) error { return nil })
	})
	counted := func() int64 {
		all, _ := b.queue.Workers()
		games.Store(0)
		for _, w := range all {
			games.Add(w.Games)
		}
		return games.Load()
	}
	time.Sleep(*scaleFor / 2) // until all know how long a game takes
	from, cpu, since := counted(), processor(), time.Now()
	time.Sleep(*scaleFor)
	took, done, used := time.Since(since).Seconds(), counted()-from, processor()-cpu
	_, c := b.queue.Workers()
	cancel()
	group.Wait()
	t.Logf("%d x %d cores, games of %s: %.1f games/s, %.3f of the time is played; the daemon's side took %.3f of a core; %d jobs out, %d redelivered, %d played again",
		n, each, *scaleJob, float64(done)/took, float64(done)*scaleJob.Seconds()/took/float64(n*each), used/took, c.Waiting, c.Redelivered, c.Replayed)
}

// TestStandIn is a worker of TestScale.
func TestStandIn(t *testing.T) {
	f := strings.Fields(os.Getenv("SAKUSEN_STANDIN"))
	if len(f) != 5 {
		t.Skip("TestScale starts it")
	}
	c, err := ReadCredentials(strings.Join(f[:3], " "))
	if err != nil {
		t.Fatal(err)
	}
	cores, err := strconv.Atoi(f[4])
	if err != nil {
		t.Fatal(err)
	}
	Work(t.Context(), WorkOptions{Server: f[3], Credentials: c, Catalogue: sleeper(*scaleJob), Build: testBuild(), Cores: cores})
}
