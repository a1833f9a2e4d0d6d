package runner

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"
)

func resultsOf(t *testing.T, lines ...string) (list []*benchfmt.Result) {
	t.Helper()
	if err := eachRecord(strings.Join(lines, "\n")+"\n", func(r benchfmt.Record) error {
		list = append(list, r.(*benchfmt.Result).Clone())
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return list
}

// A cost that falls on one slice of three is not in the slice that stands for the time, but in
// the mean; a long piece gives the mean, the processor time and all that is no time.
func TestSampleLine(t *testing.T) {
	var m measured
	for i := range 60 {
		ns := 100 + i%2
		if i%3 == 2 {
			ns = 250
		}
		for _, r := range resultsOf(t, fmt.Sprintf("BenchmarkA-2 1000 %d ns/op 10.00 MB/s 1 B/op 7 p99-ns", ns)) {
			m.take(r, part{}, &printed{})
		}
	}
	value := func(r *benchfmt.Result, unit string) float64 {
		v, ok := r.Value(unit)
		if !ok {
			return math.NaN()
		}
		return math.Round(v*1e12) / 1e12
	}
	alone := m
	alone.slices = nil
	for _, r := range m.slices {
		alone.slices = append(alone.slices, r.Clone())
	}
	line := alone.line()
	if value(line, "sec/op") != 100e-9 || math.Abs(value(line, "mean-sec/op")-150.333e-9) > 1e-12 || !math.IsNaN(value(line, "cpu-sec/op")) {
		t.Errorf("slices alone: %v", line.Values)
	}
	m.take(resultsOf(t, "BenchmarkA-2 100001 160 ns/op 6.00 MB/s 3 B/op 9 p99-ns")[0], part{Use: useWhole}, &printed{cpu: 30 * time.Millisecond})
	m.take(resultsOf(t, "BenchmarkA-2 1 900 ns/op")[0], part{Use: useEmpty}, &printed{cpu: 10 * time.Millisecond})
	m.besides = map[use]float64{useEmpty: .0119991}
	line = m.line()
	for unit, want := range map[string]float64{
		"sec/op": 100e-9, "B/s": 10e6, "mean-sec/op": 160e-9, "cpu-sec/op": 200e-9, "B/op": 3, "p99-sec": 9e-9, "setup-sec": 0.0119991,
	} {
		if got := value(line, unit); math.Abs(got-want) > 1e-6*want {
			t.Errorf("%s is %g, want %g", unit, got, want)
		}
	}
	var b strings.Builder
	if err := benchfmt.NewWriter(&b).Write(line); err != nil || !strings.Contains(b.String(), " 160 mean-ns/op") || !strings.Contains(b.String(), " 200 cpu-ns/op") {
		t.Errorf("%v: %s", err, b.String())
	}
	one := measured{slices: resultsOf(t, "BenchmarkA-2 1000 100 ns/op")}
	if line := one.line(); !math.IsNaN(value(line, "mean-sec/op")) {
		t.Errorf("one slice has no other mean: %v", line.Values)
	}
}

// The time that passes beside results is that since the line before, of whatever came in one
// piece.
func TestWalls(t *testing.T) {
	began := time.Now()
	s := stamps{}
	for i, text := range []string{"goos: linux\nBenchmarkA\n", "BenchmarkA-2 1 5 ns", "/op\nBenchmarkA-2 1 6 ns/op\n", "BenchmarkOf something\nBenchmarkB\nBenchmarkB-2 1 5 ns/op\n"} {
		if _, err := s.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		s.times[i] = began.Add(time.Duration(i+1) * time.Second)
	}
	if got, want := fmt.Sprint(s.walls("BenchmarkA", began)), "[2s 0s 0s]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// What a benchmark or TestMain prints like a header is none.
func TestHeaderIsABlock(t *testing.T) {
	const head = "goos: linux\ngoarch: amd64\npkg: example.com/m\ncpu: X\n"
	for _, text := range []string{
		head + "BenchmarkA-2 10 5 ns/op\n",
		head + "goos: plan9\nBenchmarkA-2 10 5 ns/op\n",
		head + "cpu: 31%\npkg: other\nBenchmarkB-2 10 5 ns/op\ngoos: plan9\ngoarch: arm\nBenchmarkA-2 10 5 ns/op\n",
		"cpu: 31%\npkg: other\ngoos: plan9\n" + head + "BenchmarkA-2 10 5 ns/op\ncpu: 32%\nBenchmarkA-2 10 5 ns/op\n",
	} {
		if err := eachRecord(text, func(r benchfmt.Record) error {
			b, ok := r.(*benchfmt.Result)
			if !ok || b.GetConfig("goos") != "linux" || b.GetConfig("goarch") != "amd64" || b.GetConfig("pkg") != "example.com/m" || b.GetConfig("cpu") != "X" {
				t.Errorf("%q: %+v", text, r)
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
	}
	for _, text := range []string{"BenchmarkA-2 10 5 ns/op\n", "", "pkg: x\nBenchmarkA 1 1 ns/op\n", "no line endgoos: linux\ngoarch: amd64\npkg: m\nBenchmarkA 1 1 ns/op\n"} {
		if got := headed(text); got != text {
			t.Errorf("%q: %q", text, got)
		}
	}
}
