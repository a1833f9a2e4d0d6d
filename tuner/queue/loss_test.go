package queue

import (
	"flag"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

var lossFor = flag.Duration("loss", 0, "measure for so long what the queue costs at jobs of 1 s, 250 ms and 50 ms")

type idleRules struct{}

type idler struct{}

func (*idler) Declare(*param.Fields, *idleRules)   {}
func (i *idler) Player(*idleRules) (*idler, error) { return i, nil }

// idle is a game that sleeps. Each core has one of its own, which counts the time between two
// games.
type idle struct {
	each        time.Duration
	slept, gaps *atomic.Int64
	games       int
	ended       time.Time
}

// few games of a core come before the measurement.
const few = 4

func (g *idle) Play(fx *arena.Fixture, _ []*idler, out *arena.Outcome) error {
	began := time.Now()
	time.Sleep(g.each)
	if g.games++; g.games > few {
		g.gaps.Add(int64(began.Sub(g.ended)))
		g.slept.Add(int64(time.Since(began)))
	}
	g.ended = time.Now()
	out.Transcript.Add(uint64(fx.Block))
	out.Win(0)
	return nil
}

// idleCatalogue has one game, of one strategy.
func idleCatalogue(referee func(*idleRules) (arena.Referee[*idler], error)) arena.Catalogue {
	return arena.Catalogue{arena.Enter(arena.Definition[idleRules, *idler]{
		Name: "idle", Doc: "Sleeps.", Source: "ours", Seats: func(*idleRules) int { return 2 }, FreshChance: true, Referee: referee,
	}, arena.Strategy[idleRules, *idler]{Name: "idler", Doc: "Waits.", Source: "ours", New: func(f *param.Fields, r *idleRules) arena.Maker[*idler] {
		c := &idler{}
		c.Declare(f, r)
		return func() (*idler, error) { return c.Player(r) }
	}})}
}

// TestLoss measures which part of the time a core waits for its next job, eight cores of one
// worker over the loopback interface. A pool of the process has no such time.
func TestLoss(t *testing.T) {
	if *lossFor == 0 {
		t.Skip("-loss 20s measures it")
	}
	const cores = 8
	for _, each := range []time.Duration{time.Second, 250 * time.Millisecond, 50 * time.Millisecond} {
		var slept, gaps atomic.Int64
		game := arena.Enter(arena.Definition[idleRules, *idler]{
			Name: "idle", Doc: "Sleeps.", Source: "ours", Seats: func(*idleRules) int { return 2 }, FreshChance: true,
			Referee: func(*idleRules) (arena.Referee[*idler], error) {
				return &idle{each: each, slept: &slept, gaps: &gaps}, nil
			},
		}, arena.Strategy[idleRules, *idler]{Name: "idler", Doc: "Waits.", Source: "ours", New: func(f *param.Fields, r *idleRules) arena.Maker[*idler] {
			c := &idler{}
			c.Declare(f, r)
			return func() (*idler, error) { return c.Player(r) }
		}})
		rules, err := game.OpenRules(nil)
		if err != nil {
			t.Fatal(err)
		}
		e, err := rules.Entrant("idler")
		if err != nil {
			t.Fatal(err)
		}
		s := arena.Series{Ruleset: rules, Seed: 7, Phase: arena.Tune, To: 1 << 40, Entrants: []arena.Entrant{e, e}} // a block is one game
		b := newBench(t, 0, nil)
		stop := b.start(b.admit("attic"), func(o *WorkOptions) { o.Cores, o.Catalogue = cores, arena.Catalogue{game} })
		b.await("the worker", working(1))
		var next atomic.Int64
		var group sync.WaitGroup
		until := time.Now().Add(*lossFor)
		for range cores * slotsPerCore {
			group.Go(func() {
				for time.Now().Before(until) && !t.Failed() {
					at := next.Add(1)
					if _, err := (slot{q: b.queue}).Play(t.Context(), &s, at, 1); err != nil {
						t.Error(err)
					}
				}
			})
		}
		group.Wait()
		stop()
		played, waited := time.Duration(slept.Load()), time.Duration(gaps.Load())
		t.Logf("jobs of %s: %d games, %.2f %% of the time of %d cores is not played", each, next.Load(), 100*float64(waited)/float64(played+waited), cores)
	}
}

// A job that a worker does not come back with is played by another one, and the worker is told
// that no series waits for it any more.
func TestLateJobsArePlayedTwice(t *testing.T) {
	t.Parallel()
	var hung atomic.Int64
	end := make(chan struct{})
	game := func(hangs bool) arena.Catalogue {
		return arena.Catalogue{arena.Enter(arena.Definition[idleRules, *idler]{
			Name: "idle", Doc: "Sleeps.", Source: "ours", Seats: func(*idleRules) int { return 2 }, FreshChance: true,
			Referee: func(*idleRules) (arena.Referee[*idler], error) { return &hanging{hangs, &hung, end}, nil },
		}, arena.Strategy[idleRules, *idler]{Name: "idler", Doc: "Waits.", Source: "ours", New: func(f *param.Fields, r *idleRules) arena.Maker[*idler] {
			c := &idler{}
			c.Declare(f, r)
			return func() (*idler, error) { return c.Player(r) }
		}})}
	}
	rules, err := game(false)[0].OpenRules(nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := rules.Entrant("idler")
	if err != nil {
		t.Fatal(err)
	}
	s := arena.Series{Ruleset: rules, Seed: 7, Phase: arena.Tune, To: 60, Entrants: []arena.Entrant{e, e}}
	b := newBench(t, 0, nil)
	defer close(end)
	b.start(b.admit("slow"), func(o *WorkOptions) { o.Catalogue = game(true) })
	b.await("the slow worker", working(1))
	b.start(b.admit("quick"), func(o *WorkOptions) { o.Catalogue = game(false) })
	b.await("both workers", working(2))
	same(t, b.pool, s)
	if hung.Load() == 0 {
		t.Error("the slow worker had no job")
	}
	b.await("the end", func(_ []Worker, c queueCounts) bool { return c.Waiting == 0 && c.Results > 0 && c.Late == 0 })
}

// hanging is a game that ends with the test, where it hangs.
type hanging struct {
	hangs bool
	hung  *atomic.Int64
	end   chan struct{}
}

func (g *hanging) Play(fx *arena.Fixture, _ []*idler, out *arena.Outcome) error {
	if g.hangs && fx.Phase == arena.Tune {
		g.hung.Add(1)
		<-g.end
	}
	out.Transcript.Add(uint64(fx.Block))
	out.Win(0)
	return nil
}
