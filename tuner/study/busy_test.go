package study_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math"
	"runtime"
	"runtime/metrics"
	"slices"
	"strconv"
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
	"sakusen/tuner/stats"
	"sakusen/tuner/study"
	"sakusen/tuner/studyfile"
)

var (
	busySeeds   = flag.Int("busy", 0, "print the share of the time in which slots play, by simulated time, of so many whole studies a row")
	busyGame    = flag.Duration("busy-game", time.Second, "median length of a game")
	busyCommon  = flag.Bool("busy-common", false, "the games of a block are equally long, whoever plays")
	busyLong    = flag.Int("busy-long", 0, "print what a study of 400 000 games with 30 numbers takes on many slots, by simulated time, mean of so many studies")
	busyPropose = flag.Duration("busy-propose", 0, "what a proposal takes, while nothing else of the study goes on")
)

// napRules are the rules of nap, a game that sleeps instead of playing; its length has a spread of .5 (the
// standard deviation of its logarithm).
type napRules struct{ numbers int }

type napper struct{ at []float64 }

func (n *napper) Declare(f *param.Fields, r *napRules) {
	n.at = make([]float64, r.numbers)
	for i := range n.at {
		f.Float(&n.at[i], fmt.Sprint("x", i+1), .3, param.Range(0, 1), "where it lies")
	}
}

func (n *napper) Player(*napRules) (*napper, error) { return n, nil }

func (n *napper) worth() float64 {
	loss := 0.0
	for _, x := range n.at {
		loss += (x - .6) * (x - .6) * 4 / float64(len(n.at))
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
	if u < chanceOf(p[0].worth()-p[1].worth()) {
		out.Win(0)
	} else {
		out.Win(1)
	}
	return nil
}

// chanceOf returns the chance to win of who is worth so much more.
func chanceOf(more float64) float64 { return .5 + .4*more }

// napping returns the game.
func napping(game time.Duration, slept *atomic.Int64) *arena.Game {
	return arena.Enter(arena.Definition[napRules, *napper]{
		Name: "nap", Doc: "Sleeps.", Source: "ours", Seats: func(*napRules) int { return 2 }, FreshChance: true,
		Declare: func(r *napRules, f *param.Fields) {
			f.Int(&r.numbers, "numbers", 4, param.Range(2, 64), "numbers of a napper")
		},
		Referee: func(*napRules) (arena.Referee[*napper], error) { return napReferee{game, slept}, nil },
	}, arena.Strategy[napRules, *napper]{Name: "napper", Doc: "Naps.", Source: "ours",
		New: func(f *param.Fields, r *napRules) arena.Maker[*napper] {
			c := &napper{}
			c.Declare(f, r)
			return func() (*napper, error) { return c.Player(r) }
		}})
}

// slowSlot is a slot elsewhere at which a game may take several times as long, and an answer its time
// to arrive.
type slowSlot struct {
	times float64
	delay time.Duration
	slept *atomic.Int64
	pool  *arena.Pool
}

func (slowSlot) Has(*arena.Needs) bool { return false }

func (d slowSlot) Play(ctx context.Context, s *arena.Series, from int64, n int) (*arena.Run, error) {
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
	more := time.Duration(float64(time.Since(began)) * (d.times - 1))
	d.slept.Add(int64(more))
	select {
	case <-time.After(more + d.delay):
	case <-ctx.Done():
		err = ctx.Err()
	}
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

// ByRow implements tuner.ByRow as its sampler does.
func (p thinker) ByRow() bool {
	r, ok := p.Proposer.(tuner.ByRow)
	return ok && r.ByRow()
}

// busyCase is a study whose slots are watched.
type busyCase struct {
	mode   string // baseline or duels
	flight int
	slots  int
	at     string // elsewhere: at other machines, which get whole blocks; mixed: there, every other one at a quarter of the speed; drawn: there, speeds and delays drawn
	games  int
	seed   int
	more   string // lines of its file
}

// setup returns the study, whose games add to slept what they take.
func (c busyCase) setup(t *testing.T, slept *atomic.Int64) *tuner.Setup {
	t.Helper()
	text := fmt.Sprintf(`version: 1
name: busy
game: nap
tune: {strategy: napper}
baseline: napper
sampler: {name: surface, seed: %d, batch: 16, flight: %d}
budget: {games: %d}
evaluate: {mode: %s}
%s`, c.seed, c.flight, c.games, c.mode, cmp.Or(c.more, "race: {rungs: [8]}\n"))
	spec, err := studyfile.Read("busy.yaml", []byte(text), arena.Catalogue{napping(*busyGame, slept)}, sampler.Kinds{})
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// pool has the slots, until the function is called.
func (c busyCase) pool(slept *atomic.Int64) (*arena.Pool, func()) {
	if c.at == "" {
		return arena.NewPool(c.slots), func() {}
	}
	pool := arena.NewOpenPool(0)
	var leave []func()
	chance := arena.NewStream(uint64(c.slots), 7)
	for i := range c.slots {
		times, delay := 1.0, time.Duration(0)
		switch c.at {
		case "mixed":
			times += float64(3 * (i % 2))
		case "drawn":
			times, delay = math.Pow(8, chance.Float64()), time.Duration(chance.IntN(1000))*time.Millisecond
		}
		leave = append(leave, pool.Attach(slowSlot{times, delay, slept, arena.NewPool(1)}, 1, 0))
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

// shares returns the share of the time in which the slots play, in the search and up to the
// verdict, and the study's digest.
func (c busyCase) shares(t *testing.T) (search, all float64, digest string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var slept atomic.Int64
		var began time.Time
		share := func() float64 {
			return float64(slept.Load()) / float64(time.Since(began)) / float64(c.slots)
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

// manySeeds is how many studies the share of the time is the mean of where slots are many.
const manySeeds = 6

// A study ends the same with any number of slots, of one speed or of two, whose blocks are
// played game by game, with one batch at a time and with two. So does a study that was
// interrupted again and again and continued with other slots.
func TestSlotsChangeNothing(t *testing.T) {
	for _, c := range []busyCase{{mode: "duels", flight: 1}, {mode: "duels", flight: 2}, {mode: "baseline", flight: 1}, {mode: "baseline", flight: 2}} {
		if suite.Few() && (c.flight == 1 || c.mode == "baseline") { // the others are tried with SAKUSEN_TESTS=all
			continue
		}
		c.games, c.seed, c.slots = 2000, 3, 1
		_, _, want := c.shares(t)
		numbers := []int{2, 8, 16, 40, 64}
		if suite.Few() {
			numbers = []int{2, 8, 64} // the others are among those of the study that is cut short
		}
		for _, n := range numbers {
			other := c
			other.slots, other.at = n, map[int]string{8: "mixed", 16: "elsewhere", 40: "drawn"}[n]
			search, _, got := other.shares(t)
			if got != want {
				t.Errorf("%+v: digest %.8s, with one slot %.8s", other, got, want)
			}
			for more := 1; n == 64 && more < manySeeds; more++ { // which points are proposed decides how long games last
				next := other
				next.seed += more
				one, _, _ := next.shares(t)
				search = (search*float64(more) + one) / float64(more+1)
			}
			if n == 2 && search < .97 || n == 8 && search < .85 || n == 64 && c.flight == 2 && search < .7 {
				t.Errorf("%+v: slots play for %.2f of the time", other, search)
			}
		}
		synctest.Test(t, func(t *testing.T) {
			m, left := newMemory(), 0
			all := []int{64, 3, 1, 8, 40, 2, 16, 64}
			for i, n := range all {
				other := c
				other.slots, other.at = n, map[int]string{8: "mixed", 16: "elsewhere", 40: "drawn"}[n]
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
				if left++; !tuner.Interrupted(t.Context(), err) {
					t.Fatal(err)
				}
			}
			t.Error("it does not end")
		})
	}
}

// TestBusy prints the shares of docs/research/scaling.md, "Workers at rest".
func TestBusy(t *testing.T) {
	if *busySeeds == 0 {
		t.Skip("-busy 5 prints the table")
	}
	var table strings.Builder
	for _, mode := range []string{"baseline", "duels"} {
		for _, flight := range []int{1, 2, 3} {
			for _, c := range []busyCase{{slots: 8}, {slots: 8, at: "mixed"}, {slots: 32}, {slots: 64}, {slots: 64, at: "elsewhere"}, {slots: 128}} {
				c.mode, c.flight, c.games = mode, flight, 20_000
				var searches, wholes []float64
				for c.seed = range *busySeeds {
					search, all, _ := c.shares(t)
					searches, wholes = append(searches, search), append(wholes, all)
				}
				fmt.Fprintf(&table, "%-8s  flight %d  %3d slots %-9s  search %s  to the verdict %s\n", mode, flight, c.slots, c.at, spread(searches), spread(wholes))
			}
		}
	}
	t.Logf("%d studies each of 20 000 games of %v, proposals of %v: mean share, least, most\n%s", *busySeeds, *busyGame, *busyPropose, &table)
}

// TestLong prints what docs/research/scaling.md says of a long study: the time that it takes, by the clock of
// its slots, the processor time of all but its games, the most memory, and what it finds. Without
// -busy-long one row is of a short study.
func TestLong(t *testing.T) {
	studies, games, flights, rows := *busyLong, 400_000, []int{1, 4, 8}, []int{16, 64, 256}
	if studies == 0 {
		studies, games, flights, rows = 1, 4_000, flights[1:2], rows[:1]
	}
	for _, flight := range flights {
		for _, slots := range rows {
			var hours, shares, gains []float64
			before := cpuSeconds()
			var most uint64
			for seed := range studies {
				c := busyCase{mode: "duels", flight: flight, slots: slots, at: "drawn", games: games, seed: seed, more: "rules: [{name: numbers, value: 30}]\n"}
				synctest.Test(t, func(t *testing.T) {
					var slept atomic.Int64
					began := time.Now()
					r, err := c.run(t.Context(), t, newMemory(), &slept, func(point string) {
						if point == "before validation" {
							hours = append(hours, time.Since(began).Hours())
							shares = append(shares, float64(slept.Load())/float64(time.Since(began))/float64(slots))
							var m runtime.MemStats
							runtime.ReadMemStats(&m)
							most = max(most, m.HeapAlloc)
						}
					})
					if err != nil {
						t.Fatal(err)
					}
					n := napper{}
					for _, v := range r.Best.Values {
						x, _ := strconv.ParseFloat(v.Text, 64)
						n.at = append(n.at, x)
					}
					base := napper{at: slices.Repeat([]float64{.3}, len(n.at))}
					gains = append(gains, stats.Elo(chanceOf(n.worth()-base.worth()), 2))
				})
			}
			t.Logf("flight %d, %3d slots: %s hours, %s of the time at play, gain %s Elo of %.1f, %.0f s of processor time and %.0f MB a study",
				flight, slots, spread(hours), spread(shares), spread(gains), stats.Elo(chanceOf(.36), 2), (cpuSeconds()-before)/float64(studies), float64(most)/1e6)
		}
	}
}

// cpuSeconds returns the processor time of the program so far.
func cpuSeconds() float64 {
	runtime.GC() // so that it is up to date
	s := []metrics.Sample{{Name: "/cpu/classes/total:cpu-seconds"}, {Name: "/cpu/classes/idle:cpu-seconds"}}
	metrics.Read(s)
	return s[0].Value.Float64() - s[1].Value.Float64()
}

// spread returns the mean, the least and the most of some numbers.
func spread(x []float64) string {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return fmt.Sprintf("%.3f (%.3f to %.3f)", sum/float64(len(x)), slices.Min(x), slices.Max(x))
}
