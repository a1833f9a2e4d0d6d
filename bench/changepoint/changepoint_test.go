package changepoint

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

func load[T any](t testing.TB, file string) T {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var v T
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

type otavaCase struct {
	Name   string
	Series []float64
	Window int
	MaxP   float64
	Mag    float64
	Want   []int
}

func indexes(points []Point) []int {
	list := []int{}
	for _, p := range points {
		list = append(list, p.Index)
	}
	return list
}

func TestOtava(t *testing.T) {
	cases := load[[]otavaCase](t, "changepoint_otava.json")
	if len(cases) != 16 {
		t.Fatalf("%d cases", len(cases))
	}
	for _, c := range cases {
		got, err := Detect(c.Series, Options{Window: c.Window, MaxP: c.MaxP, MinMagnitude: c.Mag})
		if err != nil || !slices.Equal(indexes(got), c.Want) {
			t.Errorf("%s: got %v, %v, want %v", c.Name, indexes(got), err, c.Want)
		}
	}
}

// Otava tests/change_point_divisive_test.py: no window, no merging.
func TestDivide(t *testing.T) {
	x := []float64{0.3, 2.4, 1.5, -0.9, -0.5, 99.7, 98.3, 99.1, 149.0, 149.7, 149.5, 149.1, 148.8, 150.0}
	if got := divide(x, 0.01); !slices.Equal(got, []int{5, 8}) {
		t.Errorf("got %v", got)
	}
	for _, x := range [][]float64{nil, {1}, {1, 1}, {1, 1, 1}, {1, 2}} {
		if got := divide(x, 0.01); len(got) != 0 {
			t.Errorf("%v: got %v", x, got)
		}
	}
}

// Otava tests/analysis_test.py test_significance_tester, split at 5.
func TestTTest(t *testing.T) {
	same := []float64{1.00, 1.02, 1.05, 0.95, 0.98, 1.00, 1.02, 1.05, 0.95, 0.98}
	less := []float64{1.00, 1.02, 1.05, 0.95, 0.98, 0.80, 0.82, 0.85, 0.79, 0.77}
	if p := compare(same, 0, 5, 10).P; p < 0.99 || p > 1.01 {
		t.Errorf("same: %g", p)
	}
	if p := compare(less, 0, 5, 10).P; p <= 0 || p >= 0.001 {
		t.Errorf("less: %g", p)
	}
	if p := compare([]float64{1, 1, 1, 1}, 0, 2, 4).P; !math.IsNaN(p) {
		t.Errorf("0/0: %g", p)
	}
	if p := compare([]float64{1, 1, 2, 2}, 0, 2, 4).P; p != 0 {
		t.Errorf("1/0: %g", p)
	}
}

// The first candidates of the reference series, which need no chance.
func TestStrongest(t *testing.T) {
	want := map[string]struct {
		index int
		t     float64
	}{
		"random_ish": {40, 2888.1}, "simple_regression": {15, 750}, "finds_ahead": {15, 703.6},
		"finds_behind": {14, 703.0 + 4.0/15}, "simple_regression2": {15, 653 + 1.0/3},
		"regression_and_recovery": {33, 233.535353535}, "two_regressions": {30, 1217 + 7.0/9},
		"absolute_certainty": {1000, 1000},
	}
	type mongoCase struct {
		Name   string
		Series []float64
		Want   []int
	}
	seen := 0
	for _, c := range load[[]mongoCase](t, "changepoint_mongo.json") {
		w, ok := want[c.Name]
		if !ok {
			if len(c.Want) == 0 { // constant: nothing is strong
				if _, strength := strongest(c.Series); strength != 0 {
					t.Errorf("%s: %g", c.Name, strength)
				}
				continue
			}
			t.Errorf("%s: unexpected case", c.Name)
			continue
		}
		seen++
		index, strength := strongest(c.Series)
		if index != w.index || math.Abs(strength-w.t) > 0.05 {
			t.Errorf("%s: got %d, %g, want %d, %g", c.Name, index, strength, w.index, w.t)
		}
	}
	if seen != len(want) {
		t.Errorf("%d of %d cases", seen, len(want))
	}
}

// slowCandidate returns the statistic by its definition.
func slowCandidate(x []float64, from, to int) (at, end int, q float64) {
	distances := func(a, b []float64) float64 {
		sum := 0.0
		for _, v := range a {
			for _, w := range b {
				sum += math.Abs(v - w)
			}
		}
		return sum
	}
	q = math.Inf(-1)
	for tau := from + 1; tau < to; tau++ {
		for kappa := tau + 1; kappa <= to; kappa++ {
			a, b := x[from:tau], x[tau:kappa]
			n, m := float64(len(a)), float64(len(b))
			value := 2 / (n + m) * distances(a, b)
			if n > 1 {
				value -= 2 * m / (n + m) / (n - 1) * distances(a, a) / 2
			}
			if m > 1 {
				value -= 2 * n / (n + m) / (m - 1) * distances(b, b) / 2
			}
			if value > q {
				q, at, end = value, tau, kappa
			}
		}
	}
	return at, end, q
}

// slowDetect returns the whole scheme on the slow statistic, written for clarity.
func slowDetect(x []float64, o Options) []int {
	level := relaxed(o.MaxP)
	var weak []int
	for start := 0; start < len(x); {
		end := min(start+o.Window, len(x))
		cuts := []int{start, end}
		last := 0
		for {
			at, end, best, lo, hi := -1, 0, 0.0, 0, 0
			for k := range len(cuts) - 1 {
				if cuts[k+1]-cuts[k] < 2 {
					continue
				}
				if i, until, q := slowCandidate(x, cuts[k], cuts[k+1]); at < 0 || q > best {
					at, end, best, lo, hi = i, until, q, cuts[k], cuts[k+1]
				}
			}
			if at < 0 || !(compare(x, lo, at, hi).P <= level) && (end == hi || end-at < leastLevel || !(compare(x, lo, at, end).P*float64((hi-lo)*(hi-lo-1)/2) <= level)) {
				break
			}
			cuts = append(cuts, at)
			slices.Sort(cuts)
		}
		for _, c := range cuts[1 : len(cuts)-1] {
			weak = append(weak, c)
			last = c
		}
		start = max(last, start+o.Window/2)
	}
	slices.Sort(weak)
	weak = slices.Compact(weak)
	points := make([]Point, len(weak))
	for k, at := range weak {
		points[k].Index = at
	}
	for k := range points {
		points[k] = test(x, points, k)
	}
	return indexes(merge(x, points, o))
}

// Random series of many shapes, against the scheme by its definition. Values
// are integers, so that sums are exact and ties are ties on both sides.
func TestAgainstOracle(t *testing.T) {
	random := rand.New(rand.NewPCG(20261121, 4))
	changes := 0
	for trial := range 400 {
		n := 1 + random.IntN(70)
		x := make([]float64, n)
		level, spread := 100.0, float64(1+random.IntN(20))
		for i := range x {
			if random.IntN(15) == 0 {
				level = float64(50 + random.IntN(200))
			}
			x[i] = level + math.Round(random.NormFloat64()*spread)
		}
		o := Options{Window: 2 + random.IntN(60), MaxP: []float64{0.0001, 0.001, 0.01, 0.1, 0.3, 0.7}[trial%6], MinMagnitude: []float64{0, 0.05, 0.2}[trial%3]}
		got, err := Detect(x, o)
		if err != nil {
			t.Fatal(err)
		}
		if want := slowDetect(x, o); !slices.Equal(indexes(got), want) {
			t.Errorf("%v %+v: got %v, want %v", x, o, indexes(got), want)
		}
		changes += len(got)
		at, _, q := slowCandidate(x, 0, n)
		if c := candidate(x, 0, n); n > 1 && (math.Abs(c.q-q) > 1e-9*(1+math.Abs(q))) {
			t.Errorf("%v: statistic %g at %d, want %g at %d", x, c.q, c.at, q, at)
		}
	}
	if changes < 100 {
		t.Errorf("only %d changes in all series", changes)
	}
}

// A step is found also where a later step takes the mean back: slower and then faster, and the reverse.
func TestLaterStepHidesNone(t *testing.T) {
	random := rand.New(rand.NewPCG(40, 13))
	for _, levels := range [][]float64{{100, 119, 80}, {100, 119, 100}, {100, 84, 120}, {100, 119, 80, 100}, {100, 110, 90, 110, 90}} {
		for _, runs := range [][]int{{12, 8, 4, 12, 8}, {12, 4, 8, 4, 12}, {20, 6, 6, 6, 6}, {6, 6, 6, 6, 6}} {
			var x []float64
			var want []int
			for i, level := range levels {
				if i > 0 {
					want = append(want, len(x))
				}
				for range runs[i] {
					x = append(x, level*(1+0.005*random.NormFloat64()))
				}
			}
			if got, err := Detect(x, Usual()); err != nil || !slices.Equal(indexes(got), want) {
				t.Errorf("%v, %v runs: got %v, %v, want %v", levels, runs, indexes(got), err, want)
			}
		}
	}
}

// What must hold of any series: points are in order and inside; scaling and
// shifting by powers of two changes nothing where no magnitude is asked.
func TestProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 200 {
		x := make([]float64, 2+random.IntN(120))
		for i := range x {
			x[i] = float64(1000 + random.IntN(50) + i/40*60)
		}
		points, err := Detect(x, Options{})
		if err != nil {
			t.Fatal(err)
		}
		scaled := make([]float64, len(x))
		for i, v := range x {
			scaled[i] = 4 * v
		}
		again, err := Detect(scaled, Options{})
		if err != nil || !slices.Equal(indexes(points), indexes(again)) {
			t.Errorf("%v: scaled by four: %v", indexes(points), indexes(again))
		}
		last := 0
		for _, p := range points {
			if p.Index <= last || p.Index >= len(x) || !(p.P < 0.001) {
				t.Errorf("%+v after %d", p, last)
			}
			last = p.Index
		}
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		x []float64
		o Options
	}{
		{[]float64{1, math.NaN()}, Options{}}, {[]float64{math.Inf(1)}, Options{}},
		{nil, Options{Window: 1}}, {nil, Options{Window: -3}}, {nil, Options{MaxP: -1}}, {nil, Options{MaxP: 2}}, {nil, Options{MinMagnitude: -1}},
	} {
		if got, err := Detect(c.x, c.o); err == nil {
			t.Errorf("%v: got %v and no error", c, got)
		}
	}
}

// A thousand values with ten levels.
func BenchmarkDetect(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, 1000)
	for i := range x {
		x[i] = float64(1000+i/100*37%200) * (1 + 0.02*random.NormFloat64())
	}
	for b.Loop() {
		if _, err := Detect(x, Options{MinMagnitude: 0.02}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(x)), "points/op")
}
