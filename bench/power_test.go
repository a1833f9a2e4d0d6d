package bench

import (
	"flag"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"sakusen/engines/suite"
)

// simulated is the number of comparisons of each kind that TestErrorRates makes up:
//
//	go test ./bench -run ErrorRates -v -simulated 4000
var simulated = flag.Int("simulated", 0, "comparisons of each kind in TestErrorRates; 0 means few")

// sampled draws times around a level.
type sampled func(random *rand.Rand, level float64) float64

func lognormal(sd float64) sampled {
	return func(random *rand.Rand, level float64) float64 { return level * math.Exp(sd*random.NormFloat64()) }
}

// disturbed returns quiet most of the time and up to tenfold now and then, as on a busy machine.
func disturbed(random *rand.Rand, level float64) float64 {
	return level * math.Exp(0.02*random.NormFloat64()) * math.Min(10, math.Pow(random.Float64(), -0.5))
}

// madeUp returns a run of values by series, which take no time to read.
func madeUp(values map[Series][]float64) *Run {
	r := &Run{Name: "made up", Values: values, calls: map[Series]int{}}
	for s := range values {
		r.Order = append(r.Order, s)
		r.calls[s.benchmark()] = 100
	}
	return r
}

// comparison is what is planted in the new side of so many series, and how it varies.
type comparison struct {
	what    string
	unit    string
	level   float64
	slower  float64 // share
	longer  float64 // seconds
	noise   sampled
	series  int
	rounds  int
	looking bool // as --until-decided
}

// judged makes one comparison and judges it.
func (m comparison) judged(random *rand.Rand) Gate {
	const most = 20
	sides := [3]map[Series][]float64{{}, {}, {}}
	names := make([]Series, m.series)
	for i := range names {
		names[i] = Series{Name: strings.Repeat("A", i+1), Unit: m.unit, Machine: "m"}
	}
	round := func(open func(Series) bool) {
		for _, s := range names {
			if !open(s) {
				continue
			}
			for k := range sides {
				level := m.level
				if k == 1 {
					level = level*(1+m.slower) + m.longer
				}
				sides[k][s] = append(sides[k][s], m.noise(random, level))
			}
		}
	}
	if !m.looking {
		for range m.rounds {
			round(func(Series) bool { return true })
		}
		base := madeUp(sides[0])
		return Judge(Compare(base, madeUp(sides[1]), Options{}), Policy{Noise: NoiseFloor(base, madeUp(sides[2]))})
	}
	s := NewSequential(Policy{}, most)
	open := map[Series]bool{}
	for _, name := range names {
		open[name] = true
	}
	for n, next := 1, 0; ; n++ {
		round(func(s Series) bool { return open[s] })
		if n < s.Looks()[next] {
			continue
		}
		next++
		base := madeUp(sides[0])
		c, noise := Compare(base, madeUp(sides[1]), Options{}), NoiseFloor(base, madeUp(sides[2]))
		clear(open)
		for _, name := range s.Look(c, noise, n) {
			open[name] = true
		}
		if len(open) == 0 || n == most {
			return s.Gate(c, noise)
		}
	}
}

// However noisy the samples are, what got 10 % slower passes in at most 2.5 % of the comparisons
// (5 % with several looks). What did not change fails in at most alpha of them; the rest is in
// doubt. The same goes for a setup that got longer by two times 20 ms.
func TestErrorRates(t *testing.T) {
	trials := *simulated
	if trials == 0 {
		if trials = 200; suite.Few() {
			trials = 60
		}
	}
	noises := []struct {
		what string
		draw sampled
	}{{"1 %", lognormal(0.01)}, {"3 %", lognormal(0.03)}, {"6 %", lognormal(0.06)}, {"12 %", lognormal(0.12)}, {"30 %", lognormal(0.3)}, {"disturbed", disturbed}}
	var kinds []comparison
	for _, n := range noises {
		for _, slower := range []float64{0, 0.1} {
			what := "nothing, noise of " + n.what
			if slower > 0 {
				what = "10 % slower, noise of " + n.what
			}
			kinds = append(kinds, comparison{what: what, unit: "sec/op", level: 1e-6, slower: slower, noise: n.draw, series: 1, rounds: 10},
				comparison{what: what, unit: "sec/op", level: 1e-6, slower: slower, noise: n.draw, series: 1, rounds: 20},
				comparison{what: what, unit: "sec/op", level: 1e-6, slower: slower, noise: n.draw, series: 1, looking: true})
		}
		for _, longer := range []float64{0, 0.04} {
			what := "nothing in the setup, noise of " + n.what
			if longer > 0 {
				what = "a setup of two times 20 ms, noise of " + n.what
			}
			kinds = append(kinds, comparison{what: what, unit: SetupTime, level: 0.015, longer: longer, noise: n.draw, series: 1, rounds: 20})
		}
	}
	kinds = append(kinds, comparison{what: "nothing in 50 series, noise of 3 %", unit: "sec/op", level: 1e-6, noise: lognormal(0.03), series: 50, rounds: 20})
	for i, k := range kinds {
		n := trials
		if k.series > 1 {
			n = trials / 10
		}
		count := map[Outcome]int{}
		for trial := range n {
			count[k.judged(rand.New(rand.NewPCG(uint64(i), uint64(trial)))).Outcome]++
		}
		how := "looks at 6 to 20 rounds"
		if !k.looking {
			how = map[int]string{10: "10 rounds", 20: "20 rounds"}[k.rounds]
		}
		t.Logf("%-50s %-24s %4d comparisons: %4d regression, %4d undecided, %4d pass", k.what, how, n, count[Regression], count[Undecided], count[Pass])
		bounded, most, outcome := 0.01, count[Regression], Regression
		if k.slower+k.longer > 0 {
			bounded, most, outcome = 0.025, count[Pass], Pass
			if k.looking {
				bounded = 0.05
			}
		}
		if limit := bounded*float64(n) + 3*math.Sqrt(bounded*float64(n)); float64(most) > limit {
			t.Errorf("%s, %s: %d of %d are %s, expected at most %.1f", k.what, how, most, n, outcome, limit)
		}
	}
}

// A pass says of which benchmarks the time outside of the timed parts is not known.
func TestUntold(t *testing.T) {
	line := func(name, more string) string {
		return strings.Repeat("Benchmark"+name+" 100 12 ns/op"+more+"\n", 6)
	}
	const setup = " 0.01 setup-sec"
	for _, c := range []struct{ text, want string }{
		{line("A", "") + line("B", ""), "pays (A), nor what is done outside of the timed parts"},
		{line("A", setup) + line("B", setup), "pays (A)"},
		{line("A/x-8", setup) + line("A/y-8", "") + line("B-8", ""), "pays (A/x-8), nor what B does outside of its timed part"},
		{line("A", setup) + line("B", "") + line("C", ""), "pays (A), nor what 2 benchmarks do outside of their timed parts (B is the first)"},
	} {
		run, err := Read(strings.NewReader(c.text), "side", ReadOptions{Machine: "m"})
		if err != nil {
			t.Fatal(err)
		}
		if got := Judge(Compare(run, run, Options{}), Policy{}).Power.String(); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: want %s", got, c.want)
		}
	}
}
