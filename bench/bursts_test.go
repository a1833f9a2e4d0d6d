package bench_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sakusen/bench"
	"sakusen/engines/suite"
)

// timesOf returns a run of a time, with the samples in that order.
func timesOf(tb testing.TB, times []float64) *bench.Run {
	tb.Helper()
	var b strings.Builder
	for _, v := range times {
		fmt.Fprintf(&b, "BenchmarkA 100 %.9g ns/op\n", v)
	}
	run, err := bench.Read(strings.NewReader(b.String()), "side", bench.ReadOptions{Machine: "one"})
	if err != nil {
		tb.Fatal(err)
	}
	return run
}

// bursts reports whether a gate doubts a comparison for its slowest samples alone.
func bursts(g bench.Gate) bool {
	return slices.ContainsFunc(g.Doubts, func(f bench.Finding) bool {
		return strings.Contains(f.Reason, "lie far beyond all old ones")
	})
}

// A text in which some samples take much longer does not pass, whatever its median: the fewer there
// are, the longer they have to take.
func TestBursts(t *testing.T) {
	for _, c := range []struct {
		n, slow int
		factor  float64
		want    bool
	}{{20, 6, 10, true}, {20, 6, 3, true}, {20, 6, 1.9, true}, {20, 5, 9, true}, {10, 2, 90, true}, {10, 2, 5, true}, {8, 1, 100, true}, {10, 1, 12, true}, {100, 6, 10, true}, {20, 1, 100, true},
		{10, 1, 5, false}, {20, 2, 2, false}, {20, 6, 1.05, false}, {100, 1, 9, false}} {
		random := rand.New(rand.NewPCG(1, 2))
		var old, head []float64
		for i := range c.n {
			old = append(old, 1000*(1+.01*random.NormFloat64()))
			if head = append(head, 1000*(1+.01*random.NormFloat64())); i < c.slow {
				head[i] *= c.factor
			}
		}
		g := bench.Judge(bench.Compare(timesOf(t, old), timesOf(t, head), bench.Options{}), bench.Policy{})
		if bursts(g) != c.want || c.want && g.Outcome != bench.Undecided {
			t.Errorf("%+v: %s, %v", c, g.Outcome, g.Doubts)
		}
		if g := bench.Judge(bench.Compare(timesOf(t, head), timesOf(t, old), bench.Options{}), bench.Policy{}); bursts(g) {
			t.Errorf("%+v, for the better: %v", c, g.Doubts)
		}
	}
}

// Where nothing changed, slow samples of one side put at most one series of a thousand in doubt:
// of made-up times with tails of any weight, and of the texts of others, whose samples are dealt
// out anew.
func TestBurstsErrors(t *testing.T) {
	trials := 2300
	if suite.Few() {
		trials = 300
	}
	random := rand.New(rand.NewPCG(5, 6))
	count := func(what string, draw func() (old, head []float64)) {
		found := 0
		for range trials {
			old, head := draw()
			if bursts(bench.Judge(bench.Compare(timesOf(t, old), timesOf(t, head), bench.Options{}), bench.Policy{})) {
				found++
			}
		}
		t.Logf("%s: %d of %d series", what, found, trials)
		// Three standard deviations above a thousandth.
		if most := float64(trials)/1000 + 3*math.Sqrt(float64(trials)/1000); float64(found) > most {
			t.Errorf("%s: %d of %d series are in doubt", what, found, trials)
		}
	}
	for _, n := range []int{6, 10, 20} {
		for _, tail := range []float64{.3, .7, 1.5} {
			count(fmt.Sprintf("made up, %d samples, tail %g", n, tail), func() (old, head []float64) {
				for range n {
					old, head = append(old, 1000*math.Pow(random.Float64(), -tail)), append(head, 1000*math.Pow(random.Float64(), -tail))
				}
				return old, head
			})
		}
	}
	for _, n := range []int{6, 10, 20} { // calm but for some samples, of which one in a hundred is ten times as large
		count(fmt.Sprintf("made up, %d samples, one of 100 larger", n), func() (old, head []float64) {
			draw := func() float64 {
				v := 1000 * (1 + .01*random.NormFloat64())
				if random.IntN(100) == 0 {
					v *= 1.05 * math.Pow(random.Float64(), -.5)
				}
				return v
			}
			for range n {
				old, head = append(old, draw()), append(head, draw())
			}
			return old, head
		})
	}
	var all [][]float64
	files, err := filepath.Glob(filepath.Join("testdata", "pairs", "*", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		in, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		run, err := bench.Read(in, file, bench.ReadOptions{})
		in.Close()
		if err != nil {
			continue // one without results
		}
		for _, s := range run.Order {
			if values := run.Values[s]; strings.HasSuffix(s.Unit, "sec/op") && len(values) >= 8 {
				for i := range values {
					values[i] *= 1e9
				}
				all = append(all, values)
			}
		}
	}
	if len(all) == 0 {
		t.Fatal("no text has enough samples")
	}
	t.Logf("%d series of others", len(all))
	count("of others", func() (old, head []float64) {
		values := slices.Clone(all[random.IntN(len(all))])
		random.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
		return values[:len(values)/2], values[len(values)/2:]
	})
}
