package bench_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sakusen/bench"
	"sakusen/engines/suite"
)

// tree measures 30 made-up benchmarks round by round, of which one may be slower
// by a share; each varies by 1 to 3 %.
type tree struct {
	random *rand.Rand
	slower float64
	sides  [3][30][]float64 // base, head, noise
}

func (t *tree) round(active func(i int) bool) {
	for k := range t.sides {
		for i := range t.sides[k] {
			if !active(i) {
				continue
			}
			level := 1000.0 * float64(i+1)
			if k == 1 && i == 7 {
				level *= 1 + t.slower
			}
			t.sides[k][i] = append(t.sides[k][i], level*(1+(0.01+0.02*float64(i%3)/2)*t.random.NormFloat64()))
		}
	}
}

func (t *tree) run(tb testing.TB, k int) *bench.Run {
	tb.Helper()
	var b strings.Builder
	b.WriteString("pkg: example.com/m\n")
	for i, values := range t.sides[k] {
		for _, v := range values {
			fmt.Fprintf(&b, "BenchmarkB%d 100 %.6f ns/op 3 allocs/op\n", i, v)
		}
	}
	run, err := bench.Read(strings.NewReader(b.String()), "side", bench.ReadOptions{Machine: "one"})
	if err != nil {
		tb.Fatal(err)
	}
	return run
}

// sequential measures until it is decided, and counts samples of one side.
func sequential(tb testing.TB, t *tree, p bench.Policy, rounds int, withNoise bool) (g bench.Gate, samples int) {
	s := bench.NewSequential(p, rounds)
	active := func(int) bool { return true }
	var c *bench.Comparison
	var noise map[bench.Series]float64
	for round := 1; round <= rounds; round++ {
		t.round(active)
		if !slices.Contains(s.Looks(), round) {
			continue
		}
		base := t.run(tb, 0)
		o := bench.Options{}
		if !withNoise { // no change is so small that it is none
			o.Threshold = p.Threshold
		}
		c = bench.Compare(base, t.run(tb, 1), o)
		if withNoise {
			noise = bench.NoiseFloor(base, t.run(tb, 2))
		}
		open := map[string]bool{}
		for _, series := range s.Look(c, noise, round) {
			open[series.Name] = true
		}
		if len(open) == 0 {
			break
		}
		active = func(i int) bool { return open[fmt.Sprint("B", i)] }
	}
	for i := range t.sides[0] {
		samples += len(t.sides[0][i])
	}
	return s.Gate(c, noise), samples
}

// Of 30 benchmarks one of which is 10 % slower the slow one is found with less
// than half of the samples of 20 fixed rounds, and no other one.
func TestSequentialFinds(t *testing.T) {
	trials := 60
	if suite.Few() {
		trials = 10
	}
	found, wrong, samples := 0, 0, 0
	for trial := range trials {
		g, n := sequential(t, &tree{random: rand.New(rand.NewPCG(5, uint64(trial))), slower: 0.10}, bench.Policy{}, 20, true)
		samples += n
		for _, f := range g.Failures {
			if f.Row.Series.Name == "B7" {
				found++
			} else {
				wrong++
			}
		}
	}
	t.Logf("found in %d of %d trials, %d others failed, %.0f %% of the samples of 20 rounds", found, trials, wrong, 100*float64(samples)/float64(trials*30*20))
	if found < trials*95/100 || wrong > 0 || samples > trials*30*20/2 {
		t.Errorf("found in %d of %d trials, %d others failed, %d samples", found, trials, wrong, samples)
	}
}

// The chance of a false alarm over all looks stays below alpha where nothing but
// the test protects from it: any change counts, and no noise floor does. A tree as
// the gate judges it raises none.
func TestSequentialAlarms(t *testing.T) {
	trials := 400
	if suite.Few() {
		trials = 100
	}
	alarms, usual, undecided := 0, 0, 0
	for trial := range trials {
		g, _ := sequential(t, &tree{random: rand.New(rand.NewPCG(6, uint64(trial)))}, bench.Policy{Threshold: 1e-9, Alpha: 0.05}, 20, false)
		if len(g.Failures) > 0 {
			alarms++
		}
		if trial >= trials/4 {
			continue
		}
		switch g, _ := sequential(t, &tree{random: rand.New(rand.NewPCG(7, uint64(trial)))}, bench.Policy{}, 20, true); g.Outcome {
		case bench.Regression:
			usual++
		case bench.Undecided:
			undecided++
		}
	}
	t.Logf("%d alarms in %d trials at level 0.05; as the gate judges %d in %d, %d undecided", alarms, trials, usual, trials/4, undecided)
	if alarms > trials*5/100 || usual > 0 || undecided > trials/40 {
		t.Errorf("%d alarms in %d trials, as the gate judges %d in 100, %d undecided", alarms, trials, usual, undecided)
	}
}

func TestSequentialLooks(t *testing.T) {
	for rounds, want := range map[int]string{20: "[6 8 10 12 16 20]", 5: "[5]", 10: "[5 6 8 10]", 3: "[3]", 40: "[12 16 20 24 32 40]"} {
		if got := fmt.Sprint(bench.NewSequential(bench.Policy{}, rounds).Looks()); got != want {
			t.Errorf("%d rounds: %s, want %s", rounds, got, want)
		}
	}
}

// An alarm that fresh builds do not show is a doubt; an exact one needs none.
func TestUnconfirmed(t *testing.T) {
	text := func(ns, allocs int) *bench.Run {
		var b strings.Builder
		for i := range 10 {
			fmt.Fprintf(&b, "BenchmarkA 100 %d ns/op %d allocs/op\nBenchmarkB 100 %d ns/op\n", ns*100+i, allocs, ns*100+i)
		}
		run, err := bench.Read(strings.NewReader(b.String()), "side", bench.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	c := bench.Compare(text(100, 3), text(120, 4), bench.Options{})
	g := bench.Judge(c, bench.Policy{})
	again := bench.Compare(text(100, 3), text(101, 3), bench.Options{})
	g.Unconfirmed(c, func(s bench.Series) (*bench.Row, bool) { return &again.Rows[0], s.Name == "B" })
	if len(g.Failures) != 2 || len(g.Doubts) != 1 || g.Outcome != bench.Regression || !strings.Contains(g.Doubts[0].Reason, "; but not on new builds (up by 1.00 %, at least by 1.0 %, p=0.000 n=10): measure again") {
		t.Errorf("%+v", g)
	}
	g = bench.Judge(bench.Compare(text(100, 3), text(120, 3), bench.Options{}), bench.Policy{})
	g.Unconfirmed(c, func(bench.Series) (*bench.Row, bool) { return &again.Rows[0], false })
	if g.Outcome != bench.Undecided {
		t.Errorf("%+v", g)
	}
	g = bench.Judge(bench.Compare(text(100, 3), text(120, 3), bench.Options{}), bench.Policy{})
	g.Unconfirmed(c, func(bench.Series) (*bench.Row, bool) { return nil, false })
	if g.Outcome != bench.Regression || !strings.Contains(g.Failures[0].Reason, "no time to measure it again") {
		t.Errorf("%+v", g)
	}
	// What is better is not measured again, which is said once.
	g = bench.Judge(bench.Compare(text(120, 3), text(100, 3), bench.Options{}), bench.Policy{})
	for range 2 {
		g.Unconfirmed(c, func(bench.Series) (*bench.Row, bool) { return nil, false })
	}
	if g.Outcome != bench.Pass || len(g.Notes) != 2 || g.Notes[0].Reason != "better: down by 16.66 % (not measured again on new builds)" {
		t.Errorf("%+v", g)
	}
}
