package arena_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/arena/arenatest"
	"sakusen/engines/param"
)

func open(t testing.TB, rules ...param.Value) *arena.Ruleset {
	t.Helper()
	rs, errs := dice().Open(rules)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return rs
}

func entrants(t testing.TB, rs *arena.Ruleset, texts ...string) []arena.Entrant {
	t.Helper()
	var es []arena.Entrant
	for _, text := range texts {
		e, err := rs.Entrant(text)
		if err != nil {
			t.Fatal(err)
		}
		es = append(es, e)
	}
	return es
}

func TestConformance(t *testing.T) {
	for _, players := range []string{"2", "3", "5"} {
		t.Run(players, func(t *testing.T) {
			arenatest.Run(t, dice(), arenatest.Options{
				Rules:    param.Values{{Name: "players", Text: players}},
				Entrants: []string{"coin", "threshold(below=4)", "T2"},
				Golden:   "testdata/dice" + players + ".txt",
				Blocks:   50,
			})
		})
	}
}

func TestEntrantText(t *testing.T) {
	rs := open(t)
	for _, c := range []struct{ text, want string }{
		{"coin", "coin"},
		{"threshold", "threshold(below=3)"},
		{" threshold( below = 5 ) ", "threshold(below=5)"},
		{"threshold()", "threshold(below=3)"},
		{"T6", "threshold(below=6)"},
		{"", "entrant: expected a strategy, got nothing"},
		{"tresholt", `unknown strategy of dice: "tresholt" (did you mean threshold?)`},
		{"nothing-like-it", `unknown strategy of dice: "nothing-like-it" (expected one of coin, threshold)`},
		{"threshold(below=9)", "entrant threshold(below=9): below: expected an integer in 0..7, got 9"},
		{"threshold(below)", `entrant "threshold(below)": expected param=value, got "below"`},
		{"threshold(below=1", `entrant "threshold(below=1": expected strategy(param=value,...), got no closing parenthesis at the end`},
		{"threshold(belwo=1)", "entrant threshold(belwo=1): unknown parameter belwo (did you mean below?)"},
		{"threshold(below=1,below=2)", "entrant threshold(below=1,below=2): below: expected one value, not several, got 2"},
	} {
		e, err := rs.Entrant(c.text)
		got := e.Canonical()
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q: got %s, want %s", c.text, got, c.want)
		}
	}
}

func TestDistinct(t *testing.T) {
	rs := open(t)
	es := arena.Distinct(entrants(t, rs, "coin", "T2", "coin", "coin"))
	var names []string
	for _, e := range es {
		names = append(names, e.Name)
	}
	if got := strings.Join(names, " "); got != "coin T2 coin#2 coin#3" {
		t.Error(got)
	}
}

// A tally of two seats is the pentanomial, and wins, draws and losses agree
// with it.
func TestTallyAddsUp(t *testing.T) {
	rs := open(t)
	s := arena.Series{Ruleset: rs, Entrants: entrants(t, rs, "coin", "T4"), Seed: 3, To: 200}
	tally, err := arena.NewPool(2).Play(context.Background(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range tally.Entrants {
		blocks, points := int64(0), int64(0)
		for score, n := range e.Scores {
			blocks += n
			points += int64(score) * n
		}
		if blocks != 200 || len(e.Scores) != 5 {
			t.Errorf("entrant %d: %d blocks in %v", i, blocks, e.Scores)
		}
		if points != 2*e.Wins+e.Draws || e.Wins+e.Draws+e.Losses != 400 {
			t.Errorf("entrant %d: %d points, %d-%d-%d", i, points, e.Wins, e.Draws, e.Losses)
		}
		if e.Seats[0].Score+e.Seats[1].Score != points || e.Seats[0].Games != 200 {
			t.Errorf("entrant %d: seats do not add up: %+v", i, e.Seats)
		}
		if got := e.Seats[0].Sums[1] + e.Seats[1].Sums[1]; got != e.Sums[1] {
			t.Errorf("entrant %d: pips %d and %d", i, got, e.Sums[1])
		}
	}
	if text, err := json.Marshal(tally); err != nil {
		t.Fatal(err)
	} else {
		var back arena.Tally
		if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, tally) {
			t.Errorf("a tally does not survive JSON: %v", err)
		}
	}
}

// A cancelled series returns the tally of the runs observed so far.
func TestCancel(t *testing.T) {
	rs := open(t)
	ctx, cancel := context.WithCancel(context.Background())
	seen := int64(0)
	s := arena.Series{Ruleset: rs, Entrants: entrants(t, rs, "coin", "T4"), Seed: 3, To: 1 << 40}
	tally, err := arena.NewPool(2).Play(ctx, s, func(r *arena.Run) error {
		seen += int64(r.Blocks)
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || tally.Blocks != seen || seen == 0 {
		t.Errorf("%v, %d blocks, %d seen", err, tally.Blocks, seen)
	}
	stop := errors.New("enough")
	if _, err := arena.NewPool(2).Play(context.Background(), s, func(*arena.Run) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("an observer's error is lost: %v", err)
	}
}

func TestSeriesCheck(t *testing.T) {
	rs := open(t)
	es := entrants(t, rs, "coin", "coin", "coin")
	for _, s := range []arena.Series{{}, {Ruleset: rs, Entrants: es}, {Ruleset: rs, Entrants: es[:2], From: 3, To: 2}} {
		if _, err := arena.NewPool(1).Play(context.Background(), s, nil); err == nil {
			t.Errorf("%+v is played", s)
		}
	}
}

func TestWide(t *testing.T) {
	s := arena.NewStream(1, 2)
	sum, want := arena.Wide{}, new(big.Int)
	for range 2000 {
		x, y := int64(s.Uint64()), int64(s.Uint64())>>s.IntN(60)
		if x == math.MinInt64 {
			continue
		}
		p := new(big.Int).Mul(big.NewInt(x), big.NewInt(y))
		if got := arena.Product(x, y).String(); got != p.String() {
			t.Fatalf("%d x %d = %s, not %s", x, y, got, p)
		}
		if s.IntN(4) == 0 { // few enough to stay below 2^127
			sum, want = sum.Plus(arena.Product(x>>8, y)), want.Add(want, new(big.Int).Mul(big.NewInt(x>>8), big.NewInt(y)))
		}
		var back arena.Wide
		text, _ := sum.MarshalText()
		if err := back.UnmarshalText(text); err != nil || back != sum || string(text) != want.String() {
			t.Fatalf("%s reads back as %s, want %s: %v", text, back, want, err)
		}
		f, _ := new(big.Float).SetInt(want).Float64()
		if math.Abs(sum.Float()-f) > math.Abs(f)*1e-15 {
			t.Fatalf("%s is %g, not %g", want, sum.Float(), f)
		}
	}
	var w arena.Wide
	if err := w.UnmarshalText([]byte("12x")); err == nil {
		t.Error("12x is read as a number")
	}
}

// Streams of different keys do not resemble each other: the mean and the
// correlation of neighbouring keys are those of independent uniforms.
func TestStreams(t *testing.T) {
	var sum, cross float64
	n := 0
	for block := range int64(400) {
		for seat := range 2 {
			a := (&arena.Fixture{Seed: 7, Block: block}).Stream(seat, 0)
			b := (&arena.Fixture{Seed: 7, Block: block}).Stream(seat, 1)
			c := (&arena.Fixture{Seed: 7, Block: block + 1}).Stream(seat, 0)
			for range 100 {
				x, y, z := a.Float64()-.5, b.Float64()-.5, c.Float64()-.5
				sum += x + y + z
				cross += x*y + y*z + z*x
				n++
			}
		}
	}
	if m := sum / math.Sqrt(float64(n)*3/12); math.Abs(m) > 4 {
		t.Errorf("mean is %.1f standard errors from a half", m)
	}
	if m := cross / math.Sqrt(float64(n)*3/144); math.Abs(m) > 4 {
		t.Errorf("correlation is %.1f standard errors from zero", m)
	}
	hits := [6]int{}
	s := arena.NewStream(9, 9)
	for range 60000 {
		hits[s.IntN(6)]++
	}
	for face, k := range hits {
		if math.Abs(float64(k)-10000) > 400 {
			t.Errorf("face %d falls %d times of 60000", face+1, k)
		}
	}
}

func FuzzEntrant(f *testing.F) {
	for _, s := range []string{"coin", "threshold(below=3)", "T3", "threshold(a=(b,c),d=)", "()", "x(", "x(=,)"} {
		f.Add(s)
	}
	rs := open(f)
	f.Fuzz(func(t *testing.T, text string) {
		e, err := rs.Entrant(text)
		if err != nil {
			return
		}
		back, err := rs.Entrant(e.Canonical())
		if err != nil || back.Hash() != e.Hash() {
			t.Errorf("%q reads as %s, which reads as %s (%v)", text, e.Canonical(), back.Canonical(), err)
		}
	})
}

func BenchmarkSeries(b *testing.B) {
	rs := open(b)
	s := arena.Series{Ruleset: rs, Entrants: entrants(b, rs, "coin", "T4"), Seed: 3, To: 10000}
	pool := arena.NewPool(1)
	for b.Loop() {
		if _, err := pool.Play(context.Background(), s, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*10000/b.Elapsed().Seconds(), "blocks/s")
}
