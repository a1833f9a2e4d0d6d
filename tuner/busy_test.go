package tuner_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
)

var (
	busyAll     = flag.Bool("busy", false, "print the share of the time in which desks play, of whole studies by simulated time")
	busyGame    = flag.Duration("busy-game", time.Second, "median length of a game")
	busyCommon  = flag.Bool("busy-common", false, "the games of a block are equally long, whoever plays")
	busyPropose = flag.Duration("busy-propose", 0, "what a proposal takes, while nothing else of the study goes on")
)

// nap is a game that sleeps instead of playing; its length has a spread of .5 (the
// standard deviation of its logarithm).
type napRules struct{}

type napper struct{ x, y float64 }

func (n *napper) Declare(f *param.Fields, _ *napRules) {
	f.Float(&n.x, "x", .3, param.Range(0, 1), "where it lies")
	f.Float(&n.y, "y", .3, param.Range(0, 1), "where it lies too")
}

func (n *napper) Player(*napRules) (*napper, error) { return n, nil }

func (n *napper) worth() float64 { return -(n.x-.7)*(n.x-.7) - (n.y-.6)*(n.y-.6) }

type napReferee struct {
	game  time.Duration // in the middle
	slept *atomic.Int64
}

func (r napReferee) Play(fx *arena.Fixture, p []*napper, out *arena.Outcome) error {
	chance := fx.Chance(0)
	length := chance
	if !*busyCommon {
		length = arena.NewStream(math.Float64bits(p[0].x)^math.Float64bits(p[1].y)<<1, uint64(2*fx.Block)+uint64(fx.Rotation))
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

// slowDesk is a desk elsewhere at which a game takes several times as long.
type slowDesk struct {
	times int
	slept *atomic.Int64
	pool  *arena.Pool
}

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
	mixed  bool // every other desk plays at a quarter of the speed
	games  int
}

// run returns the share of the time in which the desks play, in the search and in all of
// the study, and its digest.
func (c busyCase) run(t *testing.T) (search, all float64, digest string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var slept atomic.Int64
		text := fmt.Sprintf(`version: 1
name: busy
game: nap
tune: {strategy: napper}
baseline: napper
sampler: {name: surface, seed: 5, batch: 16, flight: %d}
race: {rungs: [8]}
budget: {games: %d}
`, c.flight, c.games)
		text += "evaluate: {mode: " + c.mode + "}\n"
		spec, err := studyfile.Read("busy.yaml", []byte(text), arena.Catalogue{napping(*busyGame, &slept)}, sampler.Kinds{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := sampler.Kinds{}.New(spec.Sampler, spec.Tune.Params, spec.Tune.Fix)
		if err != nil {
			t.Fatal(err)
		}
		pool := arena.NewPool(c.desks)
		if c.mixed {
			pool = arena.NewOpenPool(0)
			for i := range c.desks {
				defer pool.Attach(slowDesk{1 + 3*(i%2), &slept, arena.NewPool(1)}, 1)()
			}
		}
		var began, searched, proved time.Time
		var played, whole int64
		st, err := tuner.Open(t.Context(), spec, tuner.Options{
			Host: pool, Proposer: thinker{p, p.(tuner.Answerer), *busyPropose}, Record: newMemory(),
			Hook: func(point string) {
				switch {
				case point == "before ask" && began.IsZero():
					began = time.Now()
					slept.Store(0)
				case point == "before answer":
					searched, played = time.Now(), slept.Load()
				case point == "before validation": // all is played, and nothing of it is kept for what comes after
					proved, whole = time.Now(), slept.Load()
				}
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		r, err := st.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		share := func(slept int64, until time.Time) float64 {
			return float64(slept) / float64(until.Sub(began)) / float64(c.desks)
		}
		search, all, digest = share(played, searched), share(whole, proved), r.Digest
		t.Logf("%+v: %d games, %d trials, %s", c, r.Games, r.Trials, proved.Sub(began))
		time.Sleep(time.Hour) // what was played twice ends
	})
	return search, all, digest
}

// TestBusy prints the shares of docs/searches.md, "Workers at rest".
func TestBusy(t *testing.T) {
	if !*busyAll {
		t.Skip("-busy prints the table")
	}
	var table strings.Builder
	for _, mode := range []string{"baseline", "duels"} {
		for _, flight := range []int{1, 2} {
			for _, c := range []busyCase{{desks: 8}, {desks: 8, mixed: true}, {desks: 32}, {desks: 64}, {desks: 128}} {
				c.mode, c.flight, c.games = mode, flight, 20_000
				search, all, digest := c.run(t)
				fmt.Fprintf(&table, "%-8s  flight %d  %3d desks  mixed %-5v  search %.3f  whole study %.3f  %.8s\n", mode, flight, c.desks, c.mixed, search, all, digest)
			}
		}
	}
	t.Logf("games of %v, proposals of %v\n%s", *busyGame, *busyPropose, &table)
}
