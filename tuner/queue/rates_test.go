package queue

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/suite"
	"sakusen/tuner"
	"sakusen/tuner/contest"
	"sakusen/tuner/stats"
)

// planted is a game by the clock of two programs whose strength is given; simulated machines play it.
type planted struct{}

func (planted) Play(*arena.Fixture, []planted, *arena.Outcome) error {
	return errors.New("it is played elsewhere")
}

// plantedSeries returns a long series of the planted strength.
func plantedSeries(t *testing.T) arena.Series {
	t.Helper()
	var both []arena.Strategy[planted, planted]
	for _, name := range []string{"new", "base"} {
		both = append(both, arena.Strategy[planted, planted]{Name: name, Doc: "An engine.", Source: "another",
			New: func(*param.Fields, *planted) arena.Maker[planted] {
				return func() (planted, error) { return planted{}, nil }
			},
			Identify: func(*planted) (arena.Identity, error) {
				return arena.Identity{Hash: name, Way: "way", Recorded: "by a clock", Timed: true}, nil
			}})
	}
	tape := &arena.Tape[planted]{Note: func(p planted) (planted, func() []byte) { return p, func() []byte { return nil } },
		Read: func([]byte) (planted, func() error) { return planted{}, func() error { return nil } }}
	game := arena.Enter(arena.Definition[planted, planted]{Name: "planted", Doc: "A game.", Source: "ours", Seats: func(*planted) int { return 2 }, FreshChance: true,
		Components: []string{"overtime"}, Tape: tape, Referee: func(*planted) (arena.Referee[planted], error) { return planted{}, nil }}, both...)
	rules, err := game.OpenRules(nil)
	if err != nil {
		t.Fatal(err)
	}
	s := arena.Series{Ruleset: rules, Phase: arena.Match, To: 100000}
	for _, name := range []string{"new", "base"} {
		e, err := rules.Entrant(name)
		if err != nil {
			t.Fatal(err)
		}
		s.Entrants = append(s.Entrants, e)
	}
	return s
}

// simulated is a machine that plays planted games at once, or in simulated time.
type simulated struct {
	name string
	elo  float64
	lies float64       // share of the games that it says new has won
	late float64       // share of the games that one of both loses on time
	game time.Duration // how long it takes, 0 for none

	mu   sync.Mutex
	busy time.Duration // of all slots
}

func (m *simulated) Has(*arena.Needs) bool { return true }

// Play implements the pool's other machine: half of the games are drawn, and the rest fall as the
// logistic model says.
func (m *simulated) Play(ctx context.Context, s *arena.Series, from int64, n int) (*arena.Run, error) {
	run := arena.NewRun(2, 1, 2, from, n)
	run.Worker = m.name
	win := 1/(1+math.Pow(10, -m.elo/400)) - .25
	for block := from; block < from+int64(n); block++ {
		chance := rand.New(rand.NewPCG(s.Seed, uint64(block)))
		own := rand.New(rand.NewPCG(s.Seed^0x5bd1e995, uint64(block)))
		for seat := range 2 { // of new
			score, late := int64(1), [2]int64{}
			switch x := chance.Float64(); {
			case x < win:
				score = 2
			case x < .5:
				score = 0
			}
			if own.Float64() < m.lies {
				score = 2
			}
			if own.Float64() < m.late {
				loser := own.IntN(2)
				late[loser], score = 1, 2*int64(loser)
			}
			both := [2][3]int64{{score, 0, late[0]}, {2 - score, 0, late[1]}}
			run.Values = append(append(run.Values, both[seat][:]...), both[1-seat][:]...)
			run.Digests = append(run.Digests, chance.Uint64())
		}
		run.Blocks++
	}
	if took := time.Duration(2*n) * m.game; took > 0 {
		m.mu.Lock()
		m.busy += took
		m.mu.Unlock()
		select {
		case <-time.After(took):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return run, nil
}

// memoryBlocks keeps blocks, one run each.
type memoryBlocks struct{ of map[int64]*arena.Run }

func (b memoryBlocks) Load(_ context.Context, _ tuner.BlockKey, from, to int64) iter.Seq2[*arena.Run, error] {
	return func(yield func(*arena.Run, error) bool) {
		for _, at := range slices.Sorted(maps.Keys(b.of)) {
			if at >= from && at < to && !yield(b.of[at], nil) {
				return
			}
		}
	}
}

func (b memoryBlocks) Save(_ context.Context, _ tuner.BlockKey, r *arena.Run) error {
	for i := range int64(r.Blocks) {
		b.of[r.From+i] = r.Slice(r.From+i, r.From+i+1)
	}
	return nil
}

// watched is a host whose workers are compared as the queue does, and of which one that is apart is set
// aside by an error.
type watched struct {
	arena.Host
	one    *stratum
	played map[int64]*arena.Run // by block
}

// entered returns a worker's record with a run.
func entered(x stats.Record, r *arena.Run) stats.Record {
	if x.Scores == nil {
		x.Scores = make([]int64, 5)
	}
	for block := range r.Blocks {
		score := int64(0)
		for seat := range 2 {
			score += r.Game(block, seat, seat)[0]
			x.Late += r.Game(block, seat, 0)[2] + r.Game(block, seat, 1)[2]
		}
		x.Scores[score]++
	}
	x.Blocks, x.Games = x.Blocks+int64(r.Blocks), x.Games+2*int64(r.Blocks)
	return x
}

// records returns who has played what of a series before its end.
func (h *watched) records(_ context.Context, s *arena.Series) (map[string]stats.Record, error) {
	out := map[string]stats.Record{}
	for block := range s.To {
		if r := h.played[block]; r != nil {
			out[r.Worker] = entered(out[r.Worker], r)
		}
	}
	return out, nil
}

type setAsideError struct{ name string }

func (e setAsideError) Error() string { return e.name + " is set aside" }

func (h *watched) Play(ctx context.Context, s arena.Series, observe func(*arena.Run) error) (arena.Tally, error) {
	return h.Host.Play(ctx, s, func(r *arena.Run) error {
		h.one.records[r.Worker] = entered(h.one.records[r.Worker], r)
		for i := range int64(r.Blocks) {
			h.played[r.From+i] = r.Slice(r.From+i, r.From+i+1)
		}
		h.one.came += int64(r.Blocks)
		if h.one.came-h.one.looked >= max(lookBlocks, h.one.looked/lookShare) {
			h.one.looked = h.one.came
			if worst, _ := (&residuals{series: map[string]*stratum{"x": h.one}}).worst(); worst != "" {
				return setAsideError{worst}
			}
		}
		return observe(r)
	})
}

// tested is what came of a test on four machines, of which the first may be odd.
type tested struct {
	verdict stats.Verdict
	games   int64
	named   string
	after   int64 // games of the one that was named
}

// testOn plays a test with the bounds [0, 5] on machines. One that is set aside goes, with its blocks.
func testOn(t *testing.T, s arena.Series, machines []*simulated) (out tested) {
	t.Helper()
	blocks, one := memoryBlocks{map[int64]*arena.Run{}}, &stratum{records: map[string]stats.Record{}}
	played := map[int64]*arena.Run{}
	for {
		p := arena.NewOpenPool(0)
		for _, m := range machines {
			if m.name == "" || m.name != out.named {
				defer p.Attach(m, 2, 0)()
			}
		}
		host := &watched{p, one, played}
		m := contest.Match{Series: s, Test: &stats.Test{Hypotheses: stats.Hypotheses{Model: stats.Logistic, Elo0: 0, Elo1: 5}, Alpha: .05, Beta: .05, MinBlocks: stats.FewBlocks, MaxBlocks: s.To},
			Records: host.records}
		err := m.Play(t.Context(), &tuner.CachedHost{Host: host, Blocks: blocks})
		if aside := (setAsideError{}); errors.As(err, &aside) {
			out.named, out.after = aside.name, one.records[aside.name].Games
			for _, of := range []map[int64]*arena.Run{blocks.of, played} {
				maps.DeleteFunc(of, func(_ int64, r *arena.Run) bool { return r.Worker == aside.name })
			}
			delete(one.records, aside.name)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		out.verdict, out.games = m.Look.Verdict, m.Tally.Games
		return out
	}
}

// Tests of a patch with planted strengths on four machines keep their error rates, also if one of
// the machines loses 3 % of its games on time. If one falsifies a tenth of its games, at most .07
// of the verdicts are wrong. At 0 Elo the odd one is set aside in .8 of the tests; a sound one
// never is. SAKUSEN_FLEET_TESTS is their number, with which the games on one machine are counted,
// too, and SAKUSEN_FLEET_ONLY a part of their names.
func TestPlantedElo(t *testing.T) {
	tests, compared := 6, false
	if !suite.Few() {
		tests = 24
	}
	if text := os.Getenv("SAKUSEN_FLEET_TESTS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		tests, compared = n, true
	}
	s, only := plantedSeries(t), os.Getenv("SAKUSEN_FLEET_ONLY")
	for _, c := range []struct {
		elo        float64
		what       string
		lies, late float64
		odd        bool          // is to be named
		game       time.Duration // of three machines, and of the first twice that, in simulated time
	}{
		{0, "sound", 0, 0, false, 0}, {5, "sound", 0, 0, false, 0}, {10, "sound", 0, 0, false, 0},
		{0, "one at half speed", 0, 0, false, 40 * time.Second}, {5, "one at half speed", 0, 0, false, 40 * time.Second},
		{0, "one lies in a tenth of its games", .1, 0, true, 0}, {5, "one lies in a tenth of its games", .1, 0, true, 0},
		{0, "one loses 3 % on time", 0, .03, true, 0}, {5, "one loses 3 % on time", 0, .03, true, 0},
	} {
		if !strings.Contains(fmt.Sprintf("%+g Elo, %s", c.elo, c.what), only) {
			continue
		}
		if suite.Few() && !compared && (c.elo == 0) == (c.game > 0) { // one row of each kind
			continue
		}
		passed, failed, named, wrong, games, alone, after := 0, 0, 0, 0, int64(0), int64(0), []int64{}
		for i := range tests {
			s.Seed = uint64(i)*7 + uint64(c.elo)
			machines := []*simulated{{name: "odd", elo: c.elo, lies: c.lies, late: c.late, game: 2 * c.game}}
			for j := range 3 {
				machines = append(machines, &simulated{name: fmt.Sprint("sound", j), elo: c.elo, game: c.game})
			}
			var out tested
			if c.game > 0 {
				synctest.Test(t, func(t *testing.T) { out = testOn(t, s, machines) })
			} else {
				out = testOn(t, s, machines)
			}
			games += out.games
			if compared && !c.odd && c.game == 0 { // one machine plays the same games at any speed
				alone += testOn(t, s, []*simulated{{elo: c.elo}}).games
			}
			switch out.verdict {
			case stats.H1:
				passed++
			case stats.H0:
				failed++
			}
			switch {
			case c.odd && out.named == "odd":
				named++
				after = append(after, out.after)
			case out.named != "":
				wrong++
			}
		}
		slices.Sort(after)
		median, most := int64(0), int64(0)
		if len(after) > 0 {
			median, most = after[len(after)/2], after[len(after)*95/100]
		}
		t.Logf("%+g Elo, %s: %d tests, %d passed, %d failed, %d games each (%d on one machine); the odd one named in %d, after %d games in the median and %d in 95 of 100; a sound one named in %d",
			c.elo, c.what, tests, passed, failed, games/int64(tests), alone/int64(tests), named, median, most, wrong)
		bad := map[float64]int{0: passed, 5: failed, 10: failed}[c.elo]
		rate := .05
		if c.lies > 0 {
			rate = .07
		}
		if most := rate*float64(tests) + luck(rate, tests); float64(bad) > most || passed+failed != tests {
			t.Errorf("%+g Elo, %s: %d wrong verdicts of %d, expected at most %.0f", c.elo, c.what, bad, tests, most)
		}
		if least := .8*float64(tests) - luck(.8, tests); wrong > 0 || c.odd && c.elo == 0 && float64(named) < least {
			t.Errorf("%+g Elo, %s: the odd one is named in %d of %d, expected at least %.0f; a sound one in %d", c.elo, c.what, named, tests, least, wrong)
		}
	}
}

// luck returns how far a count of n may lie from rate n: by 3.3 standard errors and one.
func luck(rate float64, n int) float64 {
	return 3.3*math.Sqrt(rate*(1-rate)*float64(n)) + 1
}

// A machine that plays alone is compared with none, and its games decide.
func TestOneMachineDecides(t *testing.T) {
	if out := testOn(t, plantedSeries(t), []*simulated{{name: "only", elo: 60}}); out.verdict != stats.H1 || out.named != "" {
		t.Errorf("%+v", out)
	}
}

// The slots of four machines, of which one is half as fast, play nearly all the time of a test by the
// clock: in simulated time, with games of 40 s at the usual speed.
func TestSlotsArePlaying(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := plantedSeries(t)
		s.To = 1500
		p, machines := arena.NewOpenPool(0), []*simulated{}
		for i := range 4 {
			m := &simulated{name: fmt.Sprint("m", i), game: 40 * time.Second}
			if i == 0 {
				m.game *= 2 // its clocks are scaled
			}
			machines = append(machines, m)
			defer p.Attach(m, 8, 4)()
		}
		began := time.Now()
		m := contest.Match{Series: s}
		if err := m.Play(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		all, busy := 16*time.Since(began), time.Duration(0)
		for _, m := range machines {
			busy += m.busy
		}
		share := busy.Seconds() / all.Seconds()
		t.Logf("%d games on 16 slots of four machines in %s: the slots play %.3f of the time", m.Tally.Games, time.Since(began), share)
		if share < .97 {
			t.Errorf("the slots play %.3f of the time, expected .97", share)
		}
	})
}

// A test whose games are lost on time in more than a few of a hundred passes nothing.
func TestTimeDecides(t *testing.T) {
	for late, want := range map[float64]stats.Verdict{.02: stats.H1, .2: stats.Inconclusive} {
		out := testOn(t, plantedSeries(t), []*simulated{{elo: 60, late: late}})
		if out.verdict != want {
			t.Errorf("with %g lost on time: %+v, expected %v", late, out, want)
		}
	}
}
