package serve

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/chess"
	"sakusen/engines/param"
	"sakusen/tuner/queue"
)

var (
	slotsOf  = flag.Int("slots", 0, "measure what the daemon takes for games by the clock of so many slots on eight workers, which have their games ready")
	slotsFor = flag.Duration("slots-for", time.Minute, "for so long")
	slotGame = flag.Duration("slots-game", 50*time.Second, "and how long a game takes")
)

// stocked is an engine that has its moves ready, and tells times, evaluations, depths and nodes.
type stocked struct{ chance *rand.Rand }

func (*stocked) End(*chess.View) {}

func (r *stocked) Begin(v *chess.View) error {
	if v.Side == chess.White {
		time.Sleep(*slotGame/2 + time.Duration(r.chance.Int64N(int64(*slotGame))))
	}
	return nil
}

func (r *stocked) Move(v *chess.View) chess.Reply {
	legal := v.Line.Now().Legal(nil)
	return chess.Reply{Move: legal[r.chance.IntN(len(legal))], Spent: 50 + r.chance.Int64N(200), Score: r.chance.IntN(200) - 100, Scored: true, Depth: 8 + r.chance.IntN(8), Nodes: 100000 + r.chance.Int64N(400000)}
}

// readyEngines are two of them.
type readyEngines struct{}

func (readyEngines) Names() []string { return []string{"base", "new"} }

func (readyEngines) Program(name string) (arena.Program, error) {
	return arena.Program{Name: name, Identity: name, Way: "way"}, nil
}

func (readyEngines) Speed(context.Context, string, int, time.Duration) (nodes, spread float64, err error) {
	return 1e6, 0, nil
}

func (e readyEngines) catalogue() arena.Catalogue {
	var all []chess.Strategy
	for _, name := range e.Names() {
		all = append(all, chess.Strategy{Name: name, Doc: "An engine.", Source: "another",
			Identify: func(*chess.Rules) (arena.Identity, error) {
				return arena.Identity{Hash: name, Way: "way", Recorded: "by the clock", Timed: true}, nil
			},
			New: func(*param.Fields, *chess.Rules) arena.Maker[chess.Player] {
				return func() (chess.Player, error) { return &stocked{rand.New(rand.NewPCG(rand.Uint64(), 1))}, nil }
			}})
	}
	return arena.Catalogue{arena.Enter(chess.Game(), all...)}
}

// TestSlots measures processor and memory of a daemon that takes, checks and stores games by the clock
// of many slots.
func TestSlots(t *testing.T) {
	if *slotsOf == 0 {
		t.Skip("-slots 1000 measures it")
	}
	var e readyEngines
	h := openHubWith(t, filepath.Join(t.TempDir(), "s.db"), 0, -1, func(o *Options) { o.Engines = e })
	defer h.end()
	rules, err := e.catalogue()[0].OpenRules(param.Values{{Name: "limit", Text: "clock:10+0.1"}, {Name: "most_plies", Text: "140"}})
	if err != nil {
		t.Fatal(err)
	}
	s := arena.Series{Ruleset: rules, Phase: arena.Match, To: 90000}
	for _, name := range e.Names() {
		one, err := rules.Entrant(name)
		if err != nil {
			t.Fatal(err)
		}
		s.Entrants = append(s.Entrants, one)
	}
	defer eightWorkers(t, h, "^TestSlotsWorkers$", fmt.Sprint("-slots=", *slotsOf), fmt.Sprint("-slots-game=", *slotGame))()
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	defer group.Wait()
	defer cancel()
	group.Go(func() { h.pool.Play(ctx, s, func(*arena.Run) error { return nil }) })
	look := func() (games int64, used time.Duration, resident int64) {
		all, _ := h.queue.Workers()
		for _, w := range all {
			games += w.Games
		}
		var u syscall.Rusage
		syscall.Getrusage(syscall.RUSAGE_SELF, &u)
		return games, time.Duration(u.Utime.Nano() + u.Stime.Nano()), u.Maxrss
	}
	time.Sleep(3 * *slotGame) // until all slots play, and not all at once
	from, before, _ := look()
	began := time.Now()
	time.Sleep(*slotsFor)
	games, used, most := look()
	lasted := time.Since(began).Seconds()
	_, c := h.queue.Workers()
	t.Logf("%d slots, %d games in %.0f s, %.1f a second: %.3f of a core, %.2f ms a game; at most %d MB; %+v", *slotsOf, games-from, lasted, float64(games-from)/lasted,
		(used-before).Seconds()/lasted, 1000*(used-before).Seconds()/float64(games-from), most>>10, c)
}

// TestSlotsWorkers is the process of its workers.
func TestSlotsWorkers(t *testing.T) {
	if os.Getenv(rateServer) == "" || *slotsOf == 0 {
		t.Skip("TestSlots starts it")
	}
	var e readyEngines
	var group sync.WaitGroup
	for i := range 8 {
		c, err := queue.ReadCredentials(os.Getenv(fmt.Sprint(rateWorker, i)))
		if err != nil {
			t.Fatal(err)
		}
		group.Go(func() {
			queue.Work(t.Context(), queue.WorkOptions{Server: os.Getenv(rateServer), Credentials: c, Catalogue: e.catalogue(), Engines: e, Build: queue.NewBuild("test"), Cores: *slotsOf / 8, Slots: *slotsOf / 8})
		})
	}
	group.Wait()
}
