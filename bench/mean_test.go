package bench_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sakusen/bench"
	"sakusen/engines/suite"
)

// timed returns a run of benchmarks whose mean is disturbed by others now and then, as on a busy
// machine. A heavy tail multiplies the mean up to tenfold; the quantile and the processor time
// vary by some per cent.
func timed(tb testing.TB, random *rand.Rand, rounds int, benchmarks int, mean, cpu, setup float64) *bench.Run {
	tb.Helper()
	var b strings.Builder
	b.WriteString("pkg: example.com/m\n")
	for i := range benchmarks {
		for range rounds {
			work := 1 + 0.02*random.NormFloat64()
			tail := math.Min(10, math.Pow(random.Float64(), -0.7))
			fmt.Fprintf(&b, "BenchmarkB%d 100 %.6f ns/op %.6f mean-ns/op %.6f cpu-ns/op %.9f setup-sec\n", i,
				1000*work*(1+0.01*random.ExpFloat64()), 1000*mean*work*tail, 1100*cpu*work*(1+0.03*random.ExpFloat64()), 0.02*setup*(1+0.3*random.ExpFloat64()))
		}
	}
	run, err := bench.Read(strings.NewReader(b.String()), "side", bench.ReadOptions{Machine: "one"})
	if err != nil {
		tb.Fatal(err)
	}
	return run
}

// Where nothing changed, the quantile, the mean and the processor time of all benchmarks together
// give a false alarm in at most alpha of the runs, with the test as the only protection.
func TestMeanErrors(t *testing.T) {
	trials := 400
	if suite.Few() {
		trials = 100
	}
	const alpha = 0.05
	alarms, usual := 0, 0
	for trial := range trials {
		random := rand.New(rand.NewPCG(11, uint64(trial)))
		base, head, noise := timed(t, random, 12, 10, 1, 1, 1), timed(t, random, 12, 10, 1, 1, 1), timed(t, random, 12, 10, 1, 1, 1)
		const none = 1e-9 // no change is so small that it is none
		if g := bench.Judge(bench.Compare(base, head, bench.Options{Threshold: none}), bench.Policy{Alpha: alpha, Threshold: none}); len(g.Failures) > 0 {
			alarms++
		}
		if g := bench.Judge(bench.Compare(base, head, bench.Options{}), bench.Policy{Noise: bench.NoiseFloor(base, noise)}); g.Outcome != bench.Pass {
			usual++
		}
	}
	t.Logf("of %d runs of 10 benchmarks in which nothing changed, %d failed at level %g by the test alone, and %d did not pass as usual", trials, alarms, alpha, usual)
	// Three standard deviations above alpha.
	if most := alpha + 3*math.Sqrt(alpha*(1-alpha)/float64(trials)); float64(alarms) > most*float64(trials) || usual > trials/20 {
		t.Errorf("%d alarms and %d others in %d runs", alarms, usual, trials)
	}
}

// What is paid now and then fails by the processor time or by the mean, though the quantile is
// the same. A longer setup is a doubt. A mean that is too disturbed is none where the
// processor time stands for it.
func TestMeanFails(t *testing.T) {
	for _, c := range []struct {
		what             string
		mean, cpu, setup float64
		want             bench.Outcome
		unit             string
	}{
		{"nothing", 1, 1, 1, bench.Pass, ""},
		{"ten per cent more work now and then", 1.1, 1.13, 1, bench.Regression, "cpu-sec/op"},
		{"a long wait now and then", 40, 1, 1, bench.Regression, "mean-sec/op"},
		{"a longer setup", 1, 1, 3, bench.Undecided, "setup-sec"},
	} {
		random := rand.New(rand.NewPCG(3, 4))
		base := timed(t, random, 20, 3, 1, 1, 1)
		g := bench.Judge(bench.Compare(base, timed(t, random, 20, 3, c.mean, c.cpu, c.setup), bench.Options{}), bench.Policy{Noise: bench.NoiseFloor(base, timed(t, random, 20, 3, 1, 1, 1))})
		if g.Outcome != c.want {
			t.Errorf("%s: %s, %+v", c.what, g.Outcome, g)
		}
		for _, list := range [][]bench.Finding{g.Failures, g.Doubts} {
			for _, f := range list {
				if f.Row.Series.Unit != c.unit {
					t.Errorf("%s: %s %s", c.what, f.Row.Series.Title(), f.Reason)
				}
			}
		}
	}
	random := rand.New(rand.NewPCG(3, 4))
	if g := bench.Judge(bench.Compare(timed(t, random, 2, 3, 1, 1, 1), timed(t, random, 2, 3, 1, 1, 1), bench.Options{}), bench.Policy{}); !slices.ContainsFunc(g.Doubts, func(f bench.Finding) bool {
		return f.Row.Series.Unit == "setup-sec" && strings.HasPrefix(f.Reason, "2 and 2 samples cannot show whether")
	}) {
		t.Errorf("two samples: %v", g.Doubts)
	}
	// Processor time says nothing of a benchmark that waits: then a disturbed mean is a doubt.
	waits := func(seed uint64) *bench.Run {
		random := rand.New(rand.NewPCG(seed, 1))
		return timed(t, random, 20, 1, 1, 0.05, 1)
	}
	g := bench.Judge(bench.Compare(waits(1), waits(2), bench.Options{}), bench.Policy{})
	if g.Outcome != bench.Undecided || g.Doubts[0].Row.Series.Unit != "mean-sec/op" {
		t.Errorf("waits: %+v", g)
	}
}

// A machine on which operations take much longer than the processor works on them is too busy, and
// that is said; of a benchmark that waits by itself it is not, nor of one side alone.
func TestBusy(t *testing.T) {
	run := func(seed uint64, mean, cpu float64) *bench.Run {
		return timed(t, rand.New(rand.NewPCG(seed, 2)), 20, 4, mean, cpu, 1)
	}
	for _, c := range []struct {
		what                       string
		old, mean, oldCPU, headCPU float64
		busy                       bool
	}{
		{"calm", .7, .7, 1, 1, false},
		{"busy", 3, 3, 1, 1, true},
		{"the change waits", .7, 3, 1, 1, false},
		{"both wait", 3, 3, .05, .05, false},
	} {
		text := bench.Compare(run(1, c.old, c.oldCPU), run(2, c.mean, c.headCPU), bench.Options{}).Busy()
		if text != "" != c.busy || c.busy && !strings.HasPrefix(text, "the machine is too busy for times: 4 of 4 benchmarks take 3.") {
			t.Errorf("%s: %q", c.what, text)
		}
	}
}

// The findings of a benchmark stand together, those of the worst one first.
func TestFindingsAreSorted(t *testing.T) {
	side := func(b, c string) *bench.Run {
		var text strings.Builder
		for i := range 3 {
			fmt.Fprintf(&text, "BenchmarkA 1 %d ns/op 5 p99-ns\nBenchmarkB 1 %s ns/op %d p99-ns\nBenchmarkC 1 %s ns/op 5 p99-ns\n", 100+i, b, 7+i, c)
		}
		r, err := bench.Read(strings.NewReader(text.String()), "side", bench.ReadOptions{Machine: "one"})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	var got []string
	for _, f := range bench.Judge(bench.Compare(side("100", "100"), side("180", "120"), bench.Options{}), bench.Policy{}).Doubts {
		got = append(got, f.Row.Series.Title())
	}
	if want := "B sec/op, B p99-sec, C sec/op, A sec/op"; strings.Join(got, ", ") != want {
		t.Errorf("got %q, want %s", got, want)
	}
}

// The noise floor does not hide that nothing could be seen.
func TestTooNoisy(t *testing.T) {
	run := func(step int) *bench.Run {
		var b strings.Builder
		for i := range 10 {
			fmt.Fprintf(&b, "BenchmarkA 100 %d ns/op\n", 1000+(i*step)%1500)
		}
		r, err := bench.Read(strings.NewReader(b.String()), "side", bench.ReadOptions{Machine: "one"})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	c := bench.Compare(run(370), run(410), bench.Options{})
	g := bench.Judge(c, bench.Policy{Noise: map[bench.Series]float64{c.Rows[0].Series: 0.6}})
	if g.Outcome != bench.Undecided || len(g.Doubts) != 1 || !strings.Contains(g.Doubts[0].Reason, "too noisy") {
		t.Errorf("%+v", g)
	}
}

// Where a benchmark prints no time, its processor time is judged, and a pass rules out that it is slower.
func TestProcessorTimeAlone(t *testing.T) {
	side := func(cpu float64) *bench.Run {
		var b strings.Builder
		for i := range 10 {
			fmt.Fprintf(&b, "BenchmarkA 100 %g cpu-ns/op 0 allocs/op 0.02 setup-sec\n", cpu+float64(i)/10)
		}
		r, err := bench.Read(strings.NewReader(b.String()), "side", bench.ReadOptions{Machine: "one"})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for cpu, want := range map[float64]bench.Outcome{100: bench.Pass, 200: bench.Regression} {
		if g := bench.Judge(bench.Compare(side(100), side(cpu), bench.Options{}), bench.Policy{}); g.Outcome != want || want == bench.Pass && !strings.Contains(g.Power.String(), "the least sure is A cpu-sec/op") {
			t.Errorf("%g: %s, %s, %v", cpu, g.Outcome, g.Power, g.Doubts)
		}
	}
}
