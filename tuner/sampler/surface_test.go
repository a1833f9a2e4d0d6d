package sampler_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/suite"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
)

// observe asks a sampler for a batch and adds what is seen of it: seen is given
// the values and returns mean and standard error of 8 blocks.
func observe(t testing.TB, p tuner.Proposer, v *tuner.View, size int, seen func(param.Values) (mean, e float64)) *tuner.View {
	t.Helper()
	next := *v
	batch := 0
	if n := len(v.Told); n > 0 {
		batch = v.Told[n-1].Batch + 1
	}
	for range size {
		n := len(next.Told)
		values, ok, err := p.Propose(v, n)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		mean, e := seen(values)
		next.Told = append(next.Told, tuner.Told{Number: n, Draw: n, Batch: batch, Params: values, Proposed: values, Value: mean, Noise: e, Blocks: 8})
		next.Observed = append(next.Observed, tuner.Observation{Trial: n, Batch: batch, Value: mean, Noise: e, Blocks: 8})
	}
	next.Plan.Played += int64(16 * size)
	return &next
}

func answerOf(t testing.TB, p tuner.Proposer, v *tuner.View) tuner.Answer {
	t.Helper()
	answer, ok, err := p.(tuner.Answerer).Answer(v)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	return answer
}

// mixedSpace has every kind of parameter that surface serves.
func mixedSpace() tuner.Space { return space()[:8] }

// mixedElo has its top at int=3 (an end), grid=10 (an end), logint about 8,
// real=.3, step=1 (an end), log about 1, switch=true and kind=c.
func mixedElo(s tuner.Space, v param.Values) float64 {
	at := func(i int) float64 { return s[i].Number(v[i].Text) }
	part := func(u, top float64) float64 { return -60 * (u - top) * (u - top) }
	elo := part((at(0)+2)/5, 1) + part((at(1)-10)/90, -0.1) + part(math.Log(at(2))/math.Log(64), 0.5) +
		part(at(3), 0.3) + part(at(4), 1.2) + part((math.Log10(at(5))+2)/4, 0.5)
	if v[6].Text == "true" {
		elo += 25
	}
	return elo + map[string]float64{"a": 0, "b": -20, "c": 25}[v[7].Text]
}

// The optimum is found at ends of ranges and among switches and choices, and
// with it whether it is more or less that is wanted, of a score or of a metric,
// with the baseline known or not.
func TestSurfaceOfEveryKind(t *testing.T) {
	s := mixedSpace()
	for _, c := range []struct {
		name     string
		seats    int
		maximize bool
		pinned   bool
		seen     func(rng *arena.Stream, elo float64) (mean, e float64)
	}{
		{"score of two", 2, true, true, func(rng *arena.Stream, elo float64) (float64, float64) { return playBlocks(rng, elo, 8, nil) }},
		{"score against a pool", 2, true, false, func(rng *arena.Stream, elo float64) (float64, float64) { return playBlocks(rng, elo+120, 8, nil) }},
		{"metric to minimise", 0, false, false, func(rng *arena.Stream, elo float64) (float64, float64) {
			return 4000 - 3*elo + 100*(rng.Float64()-0.5), 100 / math.Sqrt(12)
		}},
		{"score of five", 5, true, true, func(rng *arena.Stream, elo float64) (float64, float64) {
			p := 1 / (1 + 4*math.Pow(10, -elo/400))
			e := math.Sqrt(p * (1 - p) / 40)
			return p + e*math.Sqrt(3)*(2*rng.Float64()-1), e
		}},
	} {
		if suite.Few() && c.name != "score of two" && c.name != "metric to minimise" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			rng := arena.NewStream(1, 2)
			p := proposer(t, "surface", 3, s)
			v := &tuner.View{Space: s, Maximize: c.maximize, Seats: c.seats, Pinned: c.pinned,
				Plan: tuner.Plan{Games: 16 * 640, BlockGames: 2, Blocks: 8, Batch: 16}}
			v.Baseline = param.Values{
				{Name: "int", Text: "0"}, {Name: "grid", Text: "50"}, {Name: "logint", Text: "2"}, {Name: "real", Text: "0.7"},
				{Name: "step", Text: "0.25"}, {Name: "log", Text: "10"}, {Name: "switch", Text: "false"}, {Name: "kind", Text: "a"},
			}
			base := mixedElo(s, v.Baseline)
			for range 40 {
				v = observe(t, p, v, 16, func(values param.Values) (float64, float64) {
					return c.seen(&rng, mixedElo(s, values)-base)
				})
			}
			answer := answerOf(t, p, v)
			text := answer.Values.String()
			for _, want := range []string{"step=1", "switch=true", "kind=c"} {
				if !strings.Contains(text, want) {
					t.Errorf("the answer is %s, without %s", text, want)
				}
			}
			if grid, _ := answer.Values.Get("grid"); grid != "10" && grid != "20" {
				t.Errorf("the answer is %s, want a grid of 10, or of 20, which is 2 Elo weaker", text)
			}
			if got, top := mixedElo(s, answer.Values)-base, 120.0; got < top*0.8 {
				t.Errorf("the answer %s is worth %.1f Elo", text, got)
			}
			if b := answer.Belief; b == nil || math.IsNaN(b.Mean) || !(b.StandardError > 0) {
				t.Errorf("claimed %+v", b)
			}
		})
	}
}

// What is proposed is a function of seed, view and draw: a proposer that has seen
// nothing but the last view says the same, in any order, and so does its answer.
func TestSurfaceIsAFunctionOfTheView(t *testing.T) {
	s := mixedSpace()
	p := proposer(t, "surface", 3, s)
	rng := arena.NewStream(1, 2)
	v := &tuner.View{Space: s, Maximize: true, Seats: 2, Plan: tuner.Plan{Games: 1e5, BlockGames: 2, Blocks: 8, Batch: 16}}
	batches := 30
	if suite.Few() {
		batches = 6
	}
	for range batches {
		v = observe(t, p, v, 16, func(values param.Values) (float64, float64) {
			return playBlocks(&rng, mixedElo(s, values), 8, nil)
		})
		other := *v
		fresh := proposer(t, "surface", 3, s)
		for _, draw := range []int{len(v.Told) + 2, len(v.Told)} {
			a, _, err := p.Propose(v, draw)
			b, _, err2 := fresh.Propose(&other, draw)
			if err != nil || err2 != nil || a.String() != b.String() {
				t.Fatalf("%d trials, draw %d: %s and %s (%v, %v)", len(v.Told), draw, a, b, err, err2)
			}
		}
		if a, b := answerOf(t, p, v).Values, answerOf(t, fresh, v).Values; a.String() != b.String() {
			t.Fatalf("%d trials: the answers are %s and %s", len(v.Told), a, b)
		}
	}
}

// In a duel the points mirror each other, inside the box.
func TestDuelsAreMirrored(t *testing.T) {
	s := reals(3, 0, 1)
	p := proposer(t, "surface", 3, s)
	v := &tuner.View{Space: s, Maximize: true, Seats: 2, Plan: tuner.Plan{Games: 1e5, BlockGames: 2, Blocks: 8, Batch: 16, Duels: true}}
	for range 6 {
		next := *v
		for range 8 {
			n := len(next.Told)
			a, _, err := p.Propose(v, n)
			b, _, err2 := p.Propose(v, n+1)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			differ := false
			for i := range s {
				x, y := s[i].Number(a[i].Text), s[i].Number(b[i].Text)
				differ = differ || x != y
				if math.Min(x, y) < 0 || math.Max(x, y) > 1 {
					t.Errorf("%s against %s", a, b)
				}
			}
			if !differ {
				t.Errorf("%s meets itself", a)
			}
			next.Told = append(next.Told, tuner.Told{Number: n, Params: a, Proposed: a, Value: math.NaN()}, tuner.Told{Number: n + 1, Params: b, Proposed: b, Value: math.NaN()})
			next.Duels = append(next.Duels, tuner.Duel{A: n, B: n + 1, Batch: n / 16, Draw: n, Score: 0.5, Noise: 0.1, Blocks: 8})
		}
		v = &next
	}
	if answerOf(t, p, v).Belief != nil {
		t.Error("something is claimed where nobody is known to be at 0")
	}
}

// Nothing seen, nothing but losses, equal results, undefined ones: always a
// point of the space and a finite claim.
func TestSurfaceOfStrangeResults(t *testing.T) {
	s := reals(2, 0, 1)
	for name, value := range map[string][2]float64{
		"losses": {0, 0}, "wins": {1, 0}, "draws": {0.5, 0}, "undefined": {math.NaN(), math.NaN()}, "one block": {0.5, math.NaN()},
	} {
		for _, seats := range []int{0, 2} {
			p := proposer(t, "surface", 1, s)
			v := &tuner.View{Space: s, Maximize: true, Seats: seats, Plan: tuner.Plan{Games: 1e4, BlockGames: 2, Blocks: 8, Batch: 16}}
			for range 12 {
				v = observe(t, p, v, 16, func(param.Values) (float64, float64) { return value[0], value[1] })
			}
			answer, ok, err := p.(tuner.Answerer).Answer(v)
			if err != nil || ok != (name != "undefined") {
				t.Errorf("%s, %d seats: %v, %v, %v", name, seats, answer.Values, ok, err)
			}
			if b := answer.Belief; ok && (b == nil || math.IsNaN(b.Mean) || math.IsNaN(b.StandardError) || math.IsInf(b.StandardError, 0)) {
				t.Errorf("%s, %d seats: claimed %+v", name, seats, b)
			}
		}
	}
}

func TestSurfaceRefuses(t *testing.T) {
	err := sampler.Kinds{}.Refuse(tuner.SamplerSpec{Name: "surface", Options: param.Values{{Name: "near", Text: "0.7"}}}, reals(2, 0, 1))
	if err == nil || !strings.Contains(err.Error(), "near: expected none, as surface has no options") {
		t.Errorf("an option: got %v", err)
	}
	if err := (sampler.Kinds{}).Refuse(tuner.SamplerSpec{Name: "surface"}, space()); err != nil {
		t.Errorf("a conditional parameter: %v", err)
	}
	given := space().Given(param.Values{{Name: "kind", Text: "b"}})
	given = slices.DeleteFunc(given, func(d tuner.Dimension) bool { return d.Name == "kind" })
	if err := (sampler.Kinds{}).Refuse(tuner.SamplerSpec{Name: "surface"}, given); err != nil {
		t.Errorf("a condition that is fixed: %v", err)
	}
}

// A metric's unit changes no proposal, however large or small its squares are.
func TestSurfaceOfAnyUnit(t *testing.T) {
	proposed := func(unit float64) string {
		p, a := proposer(t, "surface", 7, space()), newAsks(space(), false)
		a.next.Seats = 0
		for range 12 {
			told := len(a.next.Observed)
			a.ask(t, p, 12, value)
			for i := told; i < len(a.next.Observed); i++ {
				a.next.Observed[i].Value *= unit
				a.next.Observed[i].Noise *= unit
			}
		}
		b := answerOf(t, p, a.next)
		return fmt.Sprint(a.proposals, b.Values, b.Belief.Mean/unit, b.Belief.StandardError/unit)
	}
	want := proposed(1)
	for _, power := range []int{-1000, 1000} {
		if got := proposed(math.Ldexp(1, power)); got != want {
			t.Errorf("in units of 2^%d the search goes another way", power)
		}
	}
}

// With many choices of which none depends on another, a top is looked for once and not from each of
// their values.
func TestSurfaceOfManyChoices(t *testing.T) {
	var s tuner.Space
	for i := range 40 {
		s = append(s, tuner.Dimension{Param: param.Param{Name: fmt.Sprint("c", i), Kind: param.Choice, Choices: []string{"a", "b", "c", "d", "e"}}})
	}
	p, a := proposer(t, "surface", 7, s), newAsks(s, true)
	a.ask(t, p, 12, func(param.Values) float64 { return 0 })
	draw := a.draws
	p.Propose(a.next, draw) // takes what is new
	if n := testing.AllocsPerRun(1, func() { p.Propose(a.next, draw) }); n > 200 {
		t.Errorf("a proposal allocates %v times", n)
	}
}

// Defaults follow the budget.
func TestSurfaceTraits(t *testing.T) {
	for _, c := range []struct {
		games int64
		duels bool
		want  string
	}{
		{5000, false, "batch 16, none [2] fresh, proving 0.3"},
		{20000, false, "batch 16, none [8] fresh, proving 0.3"},
		{100000, true, "batch 16, none [40] , proving 0.3"},
	} {
		got := sampler.Kinds{}.Traits(tuner.SamplerSpec{Name: "surface"}, reals(4, 0, 1), tuner.SearchSize{Games: c.games, BlockGames: 2, Duels: c.duels})
		text := fmt.Sprintf("batch %d, %s %v %s, proving %g", got.Batch, got.Race.Method, got.Race.Rungs, got.Race.Blocks, got.Proving)
		if text != c.want || !got.Answers || !got.Duels {
			t.Errorf("%+v: %s, want %s", c, text, c.want)
		}
	}
}
