package arena

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sakusen/engines/param"
)

// lots is a game of three seats that takes its time; each game's numbers are its own, and
// one in eight makes its block void.
type lots struct {
	each time.Duration
}

type lotRules struct{}

type lot struct{}

func (*lot) Declare(*param.Fields, *lotRules)            {}
func (l *lot) Player(*lotRules) (*lot, error)            { return l, nil }
func (g *lots) referee(*lotRules) (Referee[*lot], error) { return g, nil }

func (g *lots) Play(fx *Fixture, _ []*lot, out *Outcome) error {
	time.Sleep(g.each)
	chance := NewStream(fx.Seed, uint64(fx.Block*3)+uint64(fx.Rotation))
	x := chance.Uint64()
	out.Transcript.Add(x)
	out.Win(int(x % 3))
	out.Void = x%24 >= 21
	return nil
}

// lotSeries returns a series of it, which no two seats play alike.
func lotSeries(t testing.TB, each time.Duration, blocks int64) Series {
	t.Helper()
	g := &lots{each: each}
	strategy := func(name string) Strategy[lotRules, *lot] {
		return Strategy[lotRules, *lot]{Name: name, Doc: "Waits.", Source: "ours", New: func(f *param.Fields, r *lotRules) Maker[*lot] {
			c := &lot{}
			c.Declare(f, r)
			return func() (*lot, error) { return c.Player(r) }
		}}
	}
	game := Enter(Definition[lotRules, *lot]{
		Name: "lots", Doc: "Chance.", Source: "ours", Seats: func(*lotRules) int { return 3 }, Components: []string{VoidComponent},
		Referee: g.referee,
	}, strategy("a"), strategy("b"), strategy("c"))
	rs, errs := game.Open(nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	s := Series{Ruleset: rs, Seed: 5, To: blocks}
	for _, name := range []string{"a", "b", "c"} {
		e, err := rs.Entrant(name)
		if err != nil {
			t.Fatal(err)
		}
		s.Entrants = append(s.Entrants, e)
	}
	return s
}

// playJoined plays a series and joins its runs.
func playJoined(t testing.TB, p *Pool, s Series) (Tally, *Run, int) {
	t.Helper()
	var all *Run
	runs := 0
	tally, err := p.Play(t.Context(), s, func(r *Run) error {
		if runs++; all == nil {
			all = NewRun(r.Seats, r.Components, r.Rotations, r.From, int(s.To-s.From))
		}
		if r.From != all.From+int64(all.Blocks) {
			t.Errorf("blocks from %d are observed after %d blocks from %d", r.From, all.Blocks, all.From)
		}
		all.Join(r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tally, all, runs
}

// Blocks whose games are played at several slots are those of one slot, void ones too.
func TestGamesOfABlockAreSplit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := lotSeries(t, time.Second, 40)
		began := time.Now()
		want, wanted, _ := playJoined(t, NewPool(1), s)
		if alone := time.Since(began); alone != 120*time.Second {
			t.Errorf("120 games of a second take one slot %s", alone)
		}
		if void := want.Entrants[0].Sums[0]; void == 0 || void == 120 {
			t.Fatalf("%d void games of 120", void)
		}
		for _, slots := range []int{2, 7, 64} {
			p := NewPool(slots)
			playJoined(t, p, lotSeries(t, time.Second, 2)) // what a game costs is known from here on

			began := time.Now()
			got, run, _ := playJoined(t, p, s)
			if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(run.Digests, wanted.Digests) || !reflect.DeepEqual(run.Values, wanted.Values) {
				t.Errorf("%d slots: another result", slots)
			}
			if took, least := time.Since(began), time.Duration((120+slots-1)/slots)*time.Second; took > least {
				t.Errorf("%d slots take %s for 120 games of a second, expected %s", slots, took, least)
			}
		}
	})
}

// A slot gets about a second of work, less where little is left, and no crumbs.
func TestChunksFollowTheCost(t *testing.T) {
	for _, c := range []struct {
		cost      float64 // seconds a game
		elsewhere bool
		pending   int64
		want      int64
	}{
		{0, false, 1000, 0},
		{1e-6, false, 1e9, 1e6},
		{1e-6, false, 10, 1000},
		{0.01, false, 1e6, 100},
		{0.01, true, 1e6, 400},
		{0.01, false, 64, 4},
		{0.01, true, 64, 5},
		{5, false, 1e6, 1},
		{5, true, 1e6, 1},
	} {
		p, known := NewPool(4), &paces{}
		known.of(c.elsewhere).median = c.cost
		p.pending = c.pending
		if got := p.chunkGames(known, c.elsewhere, false); got < c.want-1 || got > c.want+1 {
			t.Errorf("%+v: %d games", c, got)
		}
	}
	var p pace
	for i := range 40 {
		p.add(time.Duration(1+99*(i%7/6))*time.Second, 1)
	}
	if p.median != 1 {
		t.Errorf("a game of a second, and now and then one of 100, costs %g s", p.median)
	}
}

// What is played ahead gets the slots that the rest leaves, in any order of arrival.
func TestAheadComesLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, s := NewPool(2), lotSeries(t, time.Second, 8)
		var group sync.WaitGroup
		ended := map[string]time.Duration{}
		var mu sync.Mutex
		began := time.Now()
		play := func(name string, ctx context.Context) {
			group.Go(func() {
				if _, err := p.Play(ctx, s, nil); err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				ended[name] = time.Since(began)
			})
			time.Sleep(time.Millisecond)
		}
		ahead := Ahead(t.Context())
		play("ahead", ahead)
		play("first", InTurn(ahead))
		play("second", t.Context())
		group.Wait()
		if ended["first"] > 16*time.Second || ended["second"] > 28*time.Second || ended["ahead"] < 35*time.Second {
			t.Errorf("three series of 24 games of a second at two slots end after %v", ended)
		}
	})
}

// machine is a machine whose chunks take so long, or fail.
type machine struct {
	each  time.Duration
	err   error
	mu    sync.Mutex
	given int
	left  int // were called off
}

func (m *machine) Has(*Needs) bool { return false }

func (m *machine) Play(ctx context.Context, s *Series, from int64, n int) (*Run, error) {
	m.mu.Lock()
	m.given++
	m.mu.Unlock()
	select {
	case <-time.After(time.Duration(3*n) * m.each):
	case <-ctx.Done():
		m.mu.Lock()
		defer m.mu.Unlock()
		m.left++
		return nil, ctx.Err()
	}
	if m.err != nil {
		return nil, m.err
	}
	d := newSlot()
	quick := *s
	run, _, err := d.play(context.Background(), &quick, s.key(), chunk{from: from, blocks: n})
	return run, err
}

// Slots that come when a series is played already are all used by it.
func TestSlotsThatComeLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, s := NewOpenPool(0), lotSeries(t, time.Second, 5000)
		m := &machine{each: time.Minute}
		go func() {
			time.Sleep(time.Second)
			p.Attach(m, 500, 0)
			time.Sleep(30 * time.Second)
			m.mu.Lock()
			defer m.mu.Unlock()
			if m.given != 500 {
				t.Errorf("%d of 500 slots play", m.given)
			}
		}()
		if tally, err := p.Play(t.Context(), s, nil); err != nil || tally.Blocks != 5000 {
			t.Errorf("%d blocks, %v", tally.Blocks, err)
		}
	})
}

// A chunk that takes a machine far longer than others is played at a second slot once nothing
// else is left, and counts once.
func TestLateChunksArePlayedTwice(t *testing.T) {
	for _, c := range []struct {
		slow  *machine
		most  time.Duration
		calls int // of the slow machine, called off
	}{
		{&machine{each: time.Hour}, 20 * time.Second, 1},
		{&machine{each: 7 * time.Second}, 40 * time.Second, 0},
		{&machine{each: time.Hour, err: ErrGivenBack}, 20 * time.Second, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := lotSeries(t, 0, 24)
			want, wanted, _ := playJoined(t, NewPool(1), s)
			p := NewOpenPool(0)
			fast := &machine{each: time.Second / 3}
			defer p.Attach(fast, 3, 0)()
			defer p.Attach(c.slow, 1, 0)()
			began := time.Now()
			got, run, _ := playJoined(t, p, s)
			if took := time.Since(began); took > c.most {
				t.Errorf("a series of 24 seconds at four slots takes %s", took)
			}
			if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(run.Values, wanted.Values) {
				t.Error("another result")
			}
			time.Sleep(2 * time.Hour)
			p.mu.Lock()
			defer p.mu.Unlock()
			if c.slow.given == 0 || c.slow.left < c.calls || len(p.free) != 4 || p.pending != 0 {
				t.Errorf("%d chunks were given to the slow machine and %d called off; %d slots are free, %d games wait", c.slow.given, c.slow.left, len(p.free), p.pending)
			}
			if fast.left > 0 && c.calls > 0 {
				t.Errorf("%d chunks of the fast machine were called off", fast.left)
			}
		})
	}
}

// script is a machine that answers its calls by their numbers.
type script struct {
	*machine
	hold map[int]time.Duration // after which a call is given back
}

func (m *script) Play(ctx context.Context, s *Series, from int64, n int) (*Run, error) {
	m.mu.Lock()
	wait, back := m.hold[m.given]
	if m.given++; !back {
		m.given--
	}
	m.mu.Unlock()
	if !back {
		return m.machine.Play(ctx, s, from, n)
	}
	time.Sleep(wait)
	return nil, ErrGivenBack
}

// A chunk that was late, and is given back by both slots that play it, is played again.
func TestBothGiveBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := lotSeries(t, 0, 6)
		want, _, _ := playJoined(t, NewPool(1), s)
		p := NewOpenPool(0)
		m := &script{&machine{each: time.Second / 3}, map[int]time.Duration{5: 20 * time.Second, 6: 30 * time.Second}}
		defer p.Attach(m, 2, 0)()
		if got, _, _ := playJoined(t, p, s); !reflect.DeepEqual(got, want) {
			t.Error("another result")
		}
		if m.given != 8 {
			t.Errorf("%d chunks were given, expected 6 blocks, the last of them three times", m.given)
		}
	})
}

// Chunks that come back are played again, one that two slots give back once.
func TestGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := lotSeries(t, time.Second, 24)
		want, _, _ := playJoined(t, NewPool(1), s)
		p := NewOpenPool(1)
		defer p.Attach(&machine{each: time.Second, err: ErrGivenBack}, 2, 0)()
		if got, _, _ := playJoined(t, p, s); !reflect.DeepEqual(got, want) {
			t.Error("another result")
		}
		refused := &machine{err: ErrHereOnly}
		defer p.Attach(refused, 2, 0)()
		if got, _, _ := playJoined(t, p, s); !reflect.DeepEqual(got, want) {
			t.Error("another result")
		}
		if refused.given > 3 {
			t.Errorf("a machine that cannot play the series is asked %d times", refused.given)
		}
		gone := errors.New("gone")
		p = NewOpenPool(1)
		defer p.Attach(&machine{err: gone}, 9, 0)()
		if _, err := p.Play(t.Context(), s, nil); !errors.Is(err, gone) {
			t.Errorf("%v", err)
		}
		time.Sleep(time.Minute)
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.pending != 0 {
			t.Errorf("%d games wait after a series that failed", p.pending)
		}
	})
}

// A slot keeps no tables of a game for one that was joined anew, whose programs may be others under the
// same names; it does for the same game with files.
func TestJoinedAnew(t *testing.T) {
	a, b := lotSeries(t, 0, 1), lotSeries(t, 0, 1)
	if a.Ruleset.Hash() != b.Ruleset.Hash() || a.key() == b.key() {
		t.Errorf("%q, %q", a.key(), b.key())
	}
	read, errs := Catalogue{a.Ruleset.Game}.Reading(Files{})[0].Open(nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	was := a.key()
	if a.Ruleset = read; a.key() != was {
		t.Errorf("%q, with files %q", was, a.key())
	}
}
