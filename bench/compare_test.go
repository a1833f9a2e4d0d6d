package bench

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files of this package's tests")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s (rewrite it with -update and read the diff): got\n%s", file, got)
	}
}

func TestReports(t *testing.T) {
	for _, pair := range []string{"02_memory", "03_missing", "06_zero", "07_units", "08_single"} {
		dir := "testdata/pairs/" + pair
		c := Compare(readFile(t, dir+"/old.txt"), readFile(t, dir+"/new.txt"), Options{})
		var b bytes.Buffer
		for _, write := range []func() error{
			func() error { return c.WriteText(&b) },
			func() error { return c.WriteMarkdown(&b) },
			func() error { return c.WriteCSV(&b) },
		} {
			if err := write(); err != nil {
				t.Fatal(err)
			}
			b.WriteString("----\n")
		}
		golden(t, pair+".txt", b.Bytes())
		b.Reset()
		if err := c.WriteJSON(&b); err != nil {
			t.Fatal(err)
		}
		var report Report
		if err := json.Unmarshal(b.Bytes(), &report); err != nil || len(report.Series) != len(c.Rows) {
			t.Errorf("%s: %v", pair, err)
		}
	}
}

// values makes n benchmark lines of a unit around a centre.
func values(unit string, center, spread float64, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "BenchmarkA 1 %.9g %s\n", center+spread*float64((i*7)%n)/float64(n), unit)
	}
	return b.String()
}

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		want           Verdict
	}{
		{"slower", values("ns/op", 100, 1, 10), values("ns/op", 120, 1, 10), Worse},
		{"faster", values("ns/op", 100, 1, 10), values("ns/op", 80, 1, 10), Better},
		{"throughput down", values("MB/s", 100, 1, 10), values("MB/s", 80, 1, 10), Worse},
		{"the same", values("ns/op", 100, 1, 10), values("ns/op", 100, 1, 10), Same},
		{"too wide to say", values("ns/op", 100, 90, 10), values("ns/op", 103, 90, 10), Inconclusive},
		{"too few to say", values("ns/op", 100, 1, 3), values("ns/op", 120, 1, 3), Inconclusive},
		{"no direction", values("hits", 100, 1, 10), values("hits", 120, 1, 10), Inconclusive},
		{"a rate", values("games/s", 100, 1, 10), values("games/s", 120, 1, 10), Better},
		{"declared against its form", "Unit games/s better=lower\n" + values("games/s", 100, 1, 10), values("games/s", 120, 1, 10), Worse},
		{"declared direction", "Unit games/s better=higher\n" + values("games/s", 100, 1, 10), values("games/s", 120, 1, 10), Better},
		{"from nothing", values("B/op", 0, 0, 10), values("B/op", 48, 0, 10), Worse},
		{"an allocation more", values("allocs/op", 3, 0, 3), values("allocs/op", 4, 0, 1), ExactChanged},
		{"an allocation more, once", values("allocs/op", 3, 0, 1), values("allocs/op", 4, 0, 1), Inconclusive},
		{"a signature, once", values(SignatureLo, 3, 0, 1), values(SignatureLo, 4, 0, 1), ExactChanged},
		{"the same allocations", values("allocs/op", 3, 0, 1), values("allocs/op", 3, 0, 2), Same},
		{"allocations that vary, apart", values("allocs/op", 300, 9, 10), values("allocs/op", 310, 9, 10), Worse},
		{"allocations that vary, mixed", values("allocs/op", 300, 9, 10), values("allocs/op", 300, 9, 10), Same},
		{"instructions within what varies", values("instructions/op", 1e6, 0, 3), values("instructions/op", 1.001e6, 0, 3), Same},
		{"instructions beyond", values("instructions/op", 1e6, 0, 3), values("instructions/op", 1.01e6, 0, 3), ExactChanged},
		{"declared exact", "Unit plies/op assume=exact\n" + values("plies/op", 9, 0, 1), values("plies/op", 8, 0, 1), ExactChanged},
		{"declared inexact", "Unit allocs/op assume=nothing\n" + values("allocs/op", 3, 0, 1), values("allocs/op", 4, 0, 1), Inconclusive},
		{"gone", values("ns/op", 1, 0, 1) + "BenchmarkB 1 1 ns/op\n", "BenchmarkB 1 1 ns/op\n", Missing},
		{"new", "BenchmarkB 1 1 ns/op\n", "BenchmarkB 1 1 ns/op\n" + values("ns/op", 1, 0, 1), New},
	} {
		var sides [2]*Run
		for i, text := range []string{c.old, c.new} {
			r, err := Read(strings.NewReader(text), "side", ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			sides[i] = r
		}
		i := slices.IndexFunc(Compare(sides[0], sides[1], Options{}).Rows, func(r Row) bool { return r.Series.Name == "A" })
		if got := Compare(sides[0], sides[1], Options{}).Rows[i]; got.Verdict != c.want {
			t.Errorf("%s: got %s, want %s (q %g, ratio %g..%g)", c.name, got.Verdict, c.want, got.Q, got.RatioLo, got.RatioHi)
		}
	}
}

// Benjamini and Hochberg 1995, section 4.1: fifteen p-values of which the
// procedure rejects the four smallest at .05; q by the definition.
func TestCorrect(t *testing.T) {
	ps := []float64{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000}
	rows := make([]Row, len(ps)+2)
	for i, p := range ps {
		rows[i] = Row{Old: &Summary{}, New: &Summary{}, P: p, Q: math.NaN()}
	}
	rows[len(ps)] = Row{Old: &Summary{}, New: &Summary{}, P: 0, Q: math.NaN()}     // exact
	rows[len(ps)+1] = Row{Old: &Summary{}, New: nil, P: math.NaN(), Q: math.NaN()} // missing
	correct(rows)
	rejected := 0
	for i := range ps {
		want := 1.0
		for j := i; j < len(ps); j++ {
			want = min(want, ps[j]*15/float64(j+1))
		}
		if math.Abs(rows[i].Q-want) > 1e-15 {
			t.Errorf("q of p=%g: got %g, want %g", ps[i], rows[i].Q, want)
		}
		if rows[i].Q <= 0.05 {
			rejected++
		}
	}
	if rejected != 4 || rows[len(ps)].Q != 0 || !math.IsNaN(rows[len(ps)+1].Q) {
		t.Errorf("rejected %d, exact q %g, missing q %g", rejected, rows[len(ps)].Q, rows[len(ps)+1].Q)
	}
}

// The smallest p values that the U-test can give.
func TestLeastP(t *testing.T) {
	for _, c := range []struct {
		n, m int
		want float64
	}{{1, 1, 1}, {4, 4, 2.0 / 70}, {5, 5, 2.0 / 252}, {10, 10, 2.0 / 184756}, {3, 6, 2.0 / 84}} {
		if got := leastP(c.n, c.m); math.Abs(got/c.want-1) > 1e-12 {
			t.Errorf("%d and %d: got %g, want %g", c.n, c.m, got, c.want)
		}
	}
}

// The interval of the ratio covers the true factor about as often as it says.
func TestRatioInterval(t *testing.T) {
	covered, trials := 0, 400
	state := uint64(7)
	uniform := func() float64 {
		state = state*6364136223846793005 + 1442695040888963407
		return float64(state>>11) / (1 << 53)
	}
	for range trials {
		var a, b []float64
		for range 10 {
			a = append(a, 100*math.Exp(0.1*uniform()))
			b = append(b, 110*math.Exp(0.1*uniform()))
		}
		slices.Sort(a)
		slices.Sort(b)
		if lo, hi := ratioInterval(a, b, 0.95); lo <= 1.1 && 1.1 <= hi {
			covered++
		}
	}
	if covered < 370 || covered > 397 {
		t.Errorf("covered %d of %d times", covered, trials)
	}
	if lo, hi := ratioInterval([]float64{1, 2, 3}, []float64{1, 2, 3}, 0.95); lo != 0 || !math.IsInf(hi, 1) {
		t.Errorf("three samples: %g..%g", lo, hi)
	}
}

// Counting ratios finds the one that sorting them does, with ties too.
func TestKthRatio(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	for range 300 {
		sides := [2][]float64{make([]float64, 1+random.IntN(12)), make([]float64, 1+random.IntN(12))}
		for _, side := range sides {
			for i := range side {
				side[i] = float64(1+random.IntN(9)) * math.Pow(10, float64(random.IntN(2)*30-9))
			}
			slices.Sort(side)
		}
		var all []float64
		for _, a := range sides[0] {
			for _, b := range sides[1] {
				all = append(all, b/a)
			}
		}
		slices.Sort(all)
		for k, want := range all {
			if got := kthRatio(sides[0], sides[1], k+1); got != want {
				t.Fatalf("%v, rank %d: got %g, want %g", sides, k+1, got, want)
			}
		}
	}
}
