package study_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/suite"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/study"
	"sakusen/tuner/studyfile"
)

var (
	busySeeds   = flag.Int("busy", 0, "print the share of the time in which desks play, by simulated time, of so many whole studies a row")
	busyGame    = flag.Duration("busy-game", time.Second, "median length of a game")
	busyCommon  = flag.Bool("busy-common", false, "the games of a block are equally long, whoever plays")
	busyPropose = flag.Duration("busy-propose", 0, "what a proposal takes, while nothing else of the study goes on")
)

// nap is a game that sleeps instead of playing; its length has a spread of .5 (the
// standard deviation of its logarithm).
type napRules struct{}

type napper struct{ at [4]float64 }

func (n *napper) Declare(f *param.Fields, _ *napRules) {
	for i := range n.at {
		f.Float(&n.at[i], "x"+string(rune('1'+i)), .3, param.Range(0, 1), "where it lies")
	}
}

func (n *napper) Player(*napRules) (*napper, error) { return n, nil }

func (n *napper) worth() float64 {
	loss := 0.0
	for _, x := range n.at {
		loss += (x - .6) * (x - .6)
	}
	return -loss
}

type napReferee struct {
	game  time.Duration // in the middle
	slept *atomic.Int64
}

func (r napReferee) Play(fx *arena.Fixture, p []*napper, out *arena.Outcome) error {
	chance := fx.Chance(0)
	length := chance
	if !*busyCommon {
		length = arena.NewStream(math.Float64bits(p[0].at[0])^math.Float64bits(p[1].at[1])<<1, uint64(2*fx.Block)+uint64(fx.Rotation))
	}
	normal := math.Sqrt(-2*math.Log(1-length.Float64())) * math.Cos(2*math.Pi*length.Float64())
	lasts := time.Duration(float64(r.game) * math.Exp(.5*normal))
	time.Sleep(lasts)
	r.slept.Add(int64(lasts))
	u := chance.Float64()
	out.Transcript.Add(math.Float64bits(u))
	if u < .5+.4*(p[0].worth()-p[1].worth()) {
		out.Win(0)
	} else {
		out.Win(1)
	}
	return nil
}

// napping is the game.
func napping(game time.Duration, slept *atomic.Int64) *arena.Game {
	return arena.Enter(arena.Definition[napRules, *napper]{
		Name: "nap", Doc: "Sleeps.", Source: "ours", Seats: func(*napRules) int { return 2 }, FreshChance: true,
		Declare: func(*napRules, *param.Fields) {},
		Referee: func(*napRules) (arena.Referee[*napper], error) { return napReferee{game, slept}, nil },
	}, arena.Strategy[napRules, *napper]{Name: "napper", Doc: "Naps.", Source: "ours",
		New: func() arena.Config[napRules, *napper] { return &napper{} }})
}

// slowDesk is a desk elsewhere at which a game may take several times as long.
type slowDesk struct {
	times int
	slept *atomic.Int64
	pool  *arena.Pool
}

func (slowDesk) Has([]arena.Program) bool { return false }

func (d slowDesk) Play(ctx context.Context, s *arena.Series, from int64, n int) (*arena.Run, error) {
	began := time.Now()
	part, out := *s, (*arena.Run)(nil)
	part.From, part.To = from, from+int64(n)
	_, err := d.pool.Play(ctx, part, func(r *arena.Run) error {
		if out == nil {
			out = arena.NewRun(r.Seats, r.Components, r.Rotations, r.From, n)
		}
		out.Join(r)
		return nil
	})
	began, more := time.Now(), time.Since(began)*time.Duration(d.times-1)
	select {
	case <-time.After(more):
	case <-ctx.Done():
		err = ctx.Err()
	}
	d.slept.Add(int64(time.Since(began)))
	return out, err
}

// thinker is a sampler that takes its time.
type thinker struct {
	tuner.Proposer
	tuner.Answerer
	each time.Duration
}

func (p thinker) Propose(v *tuner.View, draw int) (param.Values, bool, error) {
	time.Sleep(p.each)
	return p.Proposer.Propose(v, draw)
}

// busyCase is a study whose desks are watched.
type busyCase struct {
	mode   string // baseline or duels
	flight int
	desks  int
	at     string // elsewhere: at other machines, which get whole blocks; mixed: there, every other one at a quarter of the speed
	games  int
	seed   int
}

// setup is the study, whose games add to slept what they take.
func (c busyCase) setup(t *testing.T, slept *atomic.Int64) *tuner.Setup {
	t.Helper()
	text := fmt.Sprintf(`version: 1
name: busy
game: nap
tune: {strategy: napper}
baseline: napper
sampler: {name: surface, seed: %d, batch: 16, flight: %d}
race: {rungs: [8]}
budget: {games: %d}
evaluate: {mode: %s}
`, c.seed, c.flight, c.games, c.mode)
	spec, err := studyfile.Read("busy.yaml", []byte(text), arena.Catalogue{napping(*busyGame, slept)}, sampler.Kinds{})
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// pool has the desks, until the function is called.
func (c busyCase) pool(slept *atomic.Int64) (*arena.Pool, func()) {
	if c.at == "" {
		return arena.NewPool(c.desks), func() {}
	}
	pool := arena.NewOpenPool(0)
	var leave []func()
	for i := range c.desks {
		times := 1
		if c.at == "mixed" {
			times += 3 * (i % 2)
		}
		leave = append(leave, pool.Attach(slowDesk{times, slept, arena.NewPool(1)}, 1))
	}
	return pool, func() {
		for _, f := range leave {
			f()
		}
	}
}

// run runs the study on its record, or goes on with it.
func (c busyCase) run(ctx context.Context, t *testing.T, record *memory, slept *atomic.Int64, hook func(string)) (*tuner.Result, error) {
	t.Helper()
	spec := c.setup(t, slept)
	p, err := sampler.Kinds{}.New(spec.Sampler, spec.Tune.Params, spec.Tune.Fix)
	if err != nil {
		t.Fatal(err)
	}
	pool, leave := c.pool(slept)
	defer leave()
	st, err := study.Open(ctx, spec, study.Options{
		Host: pool, Proposer: thinker{p, p.(tuner.Answerer), *busyPropose}, Record: record, Hook: hook,
	})
	if err != nil {
		t.Fatal(err)
	}
	r, err := st.Run(ctx)
	time.Sleep(time.Hour) // what is played twice, or was left, ends
	return r, err
}

// shares returns the share of the time in which the desks play, in the search and up to the
// verdict, and the study's digest.
func (c busyCase) shares(t *testing.T) (search, all float64, digest string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var slept atomic.Int64
		var began time.Time
		share := func() float64 {
			return float64(slept.Load()) / float64(time.Since(began)) / float64(c.desks)
		}
		r, err := c.run(t.Context(), t, newMemory(), &slept, func(point string) {
			switch {
			case point == "before ask" && began.IsZero():
				began = time.Now()
				slept.Store(0)
			case point == "before answer":
				search = share()
			case point == "before validation": // all is played
				all = share()
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		digest = r.Digest
	})
	return search, all, digest
}

// manySeeds is how many studies the share of the time is the mean of where desks are many.
const manySeeds = 6

// A study ends the same with any number of desks, of one speed or of two, whose blocks are
// played game by game, with one batch out and with two; and where it was cut short again and
// again and went on with other desks.
func TestDesksChangeNothing(t *testing.T) {
	for _, c := range []busyCase{{mode: "duels", flight: 1}, {mode: "duels", flight: 2}, {mode: "baseline", flight: 1}, {mode: "baseline", flight: 2}} {
		if suite.Few() && c.flight == 1 {
			continue
		}
		c.games, c.seed, c.desks = 2000, 3, 1
		_, _, want := c.shares(t)
		for _, n := range []int{2, 8, 16, 64} {
			other := c
			other.desks, other.at = n, map[int]string{8: "mixed", 16: "elsewhere"}[n]
			search, _, got := other.shares(t)
			if got != want {
				t.Errorf("%+v: digest %.8s, with one desk %.8s", other, got, want)
			}
			for more := 1; n == 64 && more < manySeeds; more++ { // which points are proposed decides how long games last
				next := other
				next.seed += more
				one, _, _ := next.shares(t)
				search = (search*float64(more) + one) / float64(more+1)
			}
			if n == 2 && search < .97 || n == 8 && search < .85 || n == 64 && c.flight == 2 && search < .7 {
				t.Errorf("%+v: desks play for %.2f of the time", other, search)
			}
		}
		synctest.Test(t, func(t *testing.T) {
			m, left := newMemory(), 0
			all := []int{64, 3, 1, 8, 64, 2, 16, 64}
			for i, n := range all {
				other := c
				other.desks, other.at = n, map[int]string{8: "mixed", 16: "elsewhere"}[n]
				ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second+150*time.Second/time.Duration(n))
				if i == len(all)-1 {
					ctx = t.Context()
				}
				r, err := other.run(ctx, t, m, new(atomic.Int64), nil)
				cancel()
				if err == nil {
					if r.Digest != want || left < 4 {
						t.Errorf("%+v, cut short %d times: digest %.8s, expected %.8s", c, left, r.Digest, want)
					}
					return
				}
				if left++; !tuner.Interrupted(err) {
					t.Fatal(err)
				}
			}
			t.Error("it does not end")
		})
	}
}

// TestBusy prints the shares of docs/scaling.md, "Workers at rest".
func TestBusy(t *testing.T) {
	if *busySeeds == 0 {
		t.Skip("-busy 5 prints the table")
	}
	var table strings.Builder
	for _, mode := range []string{"baseline", "duels"} {
		for _, flight := range []int{1, 2, 3} {
			for _, c := range []busyCase{{desks: 8}, {desks: 8, at: "mixed"}, {desks: 32}, {desks: 64}, {desks: 64, at: "elsewhere"}, {desks: 128}} {
				c.mode, c.flight, c.games = mode, flight, 20_000
				var searches, wholes []float64
				for c.seed = range *busySeeds {
					search, all, _ := c.shares(t)
					searches, wholes = append(searches, search), append(wholes, all)
				}
				fmt.Fprintf(&table, "%-8s  flight %d  %3d desks %-9s  search %s  to the verdict %s\n", mode, flight, c.desks, c.at, spread(searches), spread(wholes))
			}
		}
	}
	t.Logf("%d studies each of 20 000 games of %v, proposals of %v: mean share, least, most\n%s", *busySeeds, *busyGame, *busyPropose, &table)
}

// spread is the mean, the least and the most of some numbers.
func spread(x []float64) string {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return fmt.Sprintf("%.3f (%.3f to %.3f)", sum/float64(len(x)), slices.Min(x), slices.Max(x))
}
