package queue

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/suite"
)

type toyRules struct{}

// toys are the engines of a machine, and the game that they play.
type toys struct {
	mu       sync.Mutex
	programs []arena.Program
	fails    atomic.Bool   // no program can be started any more
	drawn    *atomic.Int64 // the games by chance, unless nil
	timed    bool          // they play by the clock
	played   atomic.Int64
}

// all returns the programs at the moment.
func (m *toys) all() []arena.Program {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.programs
}

func (m *toys) Names() []string { return names(m.all()) }

func (m *toys) Program(name string) (arena.Program, error) {
	programs := m.all()
	i := slices.Index(names(programs), name)
	if i < 0 || m.fails.Load() {
		return arena.Program{}, errors.New("engine " + name + ": it is out of order")
	}
	return programs[i], nil
}

func (m *toys) Speed(context.Context, string, int, time.Duration) (nodes, spread float64, err error) {
	return 1000, 0, nil
}

func (m *toys) Declare(*param.Fields, *toyRules) {}

func (m *toys) Player(*toyRules) (*toys, error) {
	if m.fails.Load() {
		return nil, errors.New("out of order")
	}
	return m, nil
}

func (m *toys) Play(fx *arena.Fixture, _ []*toys, out *arena.Outcome) error {
	time.Sleep(time.Millisecond / 4)
	out.Transcript.Add(uint64(fx.Block))
	if m.drawn != nil {
		out.Transcript.Add(uint64(m.drawn.Add(1)))
	}
	m.played.Add(1)
	out.Win(int(fx.Block % 2))
	return nil
}

func (m *toys) catalogue() arena.Catalogue {
	d := arena.Definition[toyRules, *toys]{Name: "toy", Doc: "A game.", Source: "ours", Seats: func(*toyRules) int { return 2 }, FreshChance: true,
		Referee: func(*toyRules) (arena.Referee[*toys], error) { return m, nil }}
	var all []arena.Strategy[toyRules, *toys]
	for _, p := range m.all() {
		all = append(all, arena.Strategy[toyRules, *toys]{Name: p.Name, Doc: "An engine.", Source: "another",
			New: func(f *param.Fields, r *toyRules) arena.Maker[*toys] {
				c := m
				c.Declare(f, r)
				return func() (*toys, error) { return c.Player(r) }
			},
			Identify: func(*toyRules) (arena.Identity, error) {
				p, err := m.Program(p.Name)
				id := arena.Identity{Hash: p.Identity, Way: p.Way, Package: p.Package, Timed: m.timed}
				if m.timed {
					id.Recorded = "by the clock"
				}
				return id, err
			}})
	}
	return arena.Catalogue{arena.Enter(d, all...)}
}

// toysOf has engines whose identities are their texts: "a=1".
func toysOf(texts ...string) *toys {
	m := &toys{}
	for _, text := range texts {
		name, identity, _ := strings.Cut(text, "=")
		m.programs = append(m.programs, arena.Program{Name: name, Identity: identity, Way: "way"})
	}
	return m
}

func (m *toys) series(t *testing.T, blocks int64, names ...string) arena.Series {
	t.Helper()
	rules, err := m.catalogue()[0].OpenRules(nil)
	if err != nil {
		t.Fatal(err)
	}
	s := arena.Series{Ruleset: rules, Seed: 3, To: blocks}
	for _, name := range names {
		e, err := rules.Entrant(name)
		if err != nil {
			t.Fatal(err)
		}
		s.Entrants = append(s.Entrants, e)
	}
	return s
}

func (b *bench) startWith(name string, m *toys, change func(*WorkOptions)) {
	b.start(b.admit(name), func(o *WorkOptions) {
		o.Engines, o.times, o.Catalogue = m, hasty, append(o.Catalogue, m.catalogue()...)
		if change != nil {
			change(o)
		}
	})
}

func engineOf(name string, engines ...string) func([]Worker, queueCounts) bool {
	return func(all []Worker, _ queueCounts) bool {
		i := slices.IndexFunc(all, func(w Worker) bool { return w.Name == name })
		return i >= 0 && all[i].State == "working" && slices.Equal(all[i].Engines, engines)
	}
}

// Games of engines go to the workers that have the very same, and those of other strategies
// to all.
func TestEnginesElsewhere(t *testing.T) {
	t.Parallel()
	here := toysOf("a=1", "b=1", "c=1")
	b := newBench(t, 1, func(o *Options) { o.Engines, o.Replay, o.times = here, 1, hasty })
	both, one, other, none := toysOf("a=1", "b=1", "d=1"), toysOf("a=1", "b=2"), toysOf("a=2"), toysOf()
	other.programs[0].Way = "another"
	for name, m := range map[string]*toys{"both": both, "one": one, "other": other, "none": none} {
		b.startWith(name, m, nil)
	}
	b.await("four", working(4))
	b.await("engines", engineOf("both", "a", "b"))
	b.await("engines", engineOf("one", "a"))
	b.await("engines", engineOf("other"))
	b.plays(here.series(t, 600, "a", "b"), func() bool { return both.played.Load() > 0 })
	if one.played.Load()+other.played.Load() != 0 {
		t.Errorf("workers without both played %d and %d games", one.played.Load(), other.played.Load())
	}
	b.plays(here.series(t, 600, "a", "a"), func() bool { return one.played.Load() > 0 })
	if other.played.Load() != 0 {
		t.Errorf("a worker with another of that name played %d games", other.played.Load())
	}
	b.plays(series(t, 5000), func() bool {
		all, _ := b.queue.Workers()
		return !slices.ContainsFunc(all, func(w Worker) bool { return w.Games == 0 })
	})
	all, c := b.queue.Workers()
	for _, w := range all {
		why := map[string]string{"both": "engine d: the daemon has none of that name", "one": "engine b: its program, files, arguments or options differ: the daemon has 1, the worker 2", "other": "engine a: its program", "none": ""}[w.Name]
		if w.Games == 0 || !strings.HasPrefix(w.Reason, why) || w.Reason == "" != (why == "") {
			t.Errorf("%+v", w)
		}
	}
	if c.Unable != 0 || c.Different != 0 || c.Replayed == 0 || c.Waiting != 0 {
		t.Errorf("%+v", c)
	}
}

// A worker whose engine fails offers it no more, plays on what else there is, and is not to
// blame.
func TestEngineFails(t *testing.T) {
	suite.All(t)
	here, there := toysOf("a=1"), toysOf("a=1")
	b := newBench(t, 1, func(o *Options) { o.Engines, o.times = here, hasty })
	b.startWith("one", there, func(o *WorkOptions) { o.Cores = 4 })
	b.await("an engine", engineOf("one", "a"))
	same(t, b.pool, here.series(t, 500, "a", "a"))
	there.fails.Store(true)
	b.plays(here.series(t, 500, "a", "a"), func() bool {
		all, c := b.queue.Workers()
		return engineOf("one")(all, c)
	})
	all, _ := b.queue.Workers()
	if !strings.Contains(all[0].Reason, "engine a, until the worker is started again: ") {
		t.Errorf("%+v", all)
	}
	played := all[0].Games
	b.plays(series(t, 5000), func() bool {
		all, _ := b.queue.Workers()
		return all[0].Games > played
	})
	if all, c := b.queue.Workers(); all[0].State != "working" || c.Different != 0 {
		t.Errorf("%+v %+v", all, c)
	}
}

// A worker that lies about games of an engine is put into quarantine; where the engine does
// not play the same twice at the daemon, the study is stopped and no worker is paused.
func TestEngineLies(t *testing.T) {
	t.Parallel()
	here, there := toysOf("a=1"), toysOf("a=1")
	b := newBench(t, 1, func(o *Options) { o.Engines, o.Replay, o.times = here, 1, hasty })
	b.startWith("liar", there, func(o *WorkOptions) { o.Corrupt = func(r *arena.Run) { r.Digests[0]++ } })
	b.await("an engine", engineOf("liar", "a"))
	b.plays(here.series(t, 1000, "a", "a"), func() bool {
		all, _ := b.queue.Workers()
		return all[0].State == "quarantined"
	})

	here, there = toysOf("a=1"), toysOf("a=1")
	here.drawn, there.drawn = &atomic.Int64{}, &atomic.Int64{}
	b = newBench(t, 1, func(o *Options) { o.Engines, o.Replay, o.times = here, 1, hasty })
	b.startWith("one", there, nil)
	b.await("an engine", engineOf("one", "a"))
	var err error
	for end := suite.Deadline(t); err == nil && time.Now().Before(end); { // until the worker gets a job
		_, err = b.pool.Play(t.Context(), here.series(t, 5000, "a", "a"), nil)
	}
	if err == nil || !strings.Contains(err.Error(), "a of toy: played twice on the daemon's own machine") {
		t.Error(err)
	}
	if all, c := b.queue.Workers(); all[0].State != "working" || c.Different != 0 {
		t.Errorf("%+v %+v", all, c)
	}
}

// Settings in which the same program is run otherwise are told, and what a worker says of
// its engines has bounds.
func TestEnginesDiffer(t *testing.T) {
	q := newQueue(Options{Pool: arena.NewPool(1), Engines: toysOf("a=1")})
	defer q.Close()
	for p, want := range map[arena.Program]string{
		{Name: "a", Identity: "1", Way: "way"}:  "",
		{Name: "a", Identity: "1", Way: "ways"}: "engine a: the settings of the daemon and of the worker differ in how it is run",
		{Name: "a", Identity: "", Way: "way"}:   "engine a: its program, files, arguments or options differ: the daemon has 1, the worker none",
		{Name: "b"}:                             "engine b: the daemon has none of that name",
	} {
		if got := q.registry.differs(p); !strings.HasPrefix(got, want) || got == "" != (want == "") {
			t.Errorf("%+v: %q", p, got)
		}
	}
	for _, h := range []hello{{Engines: make([]arena.Program, mostEngines+1)}, {Lacks: []string{strings.Repeat("x", mostWords+5)}}} {
		if h.bounded() {
			t.Error("a hello without bounds is taken")
		}
	}
}
