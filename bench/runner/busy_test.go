package runner

import (
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"sakusen/engines/suite"
)

// What calls of a benchmark without any setup take on a busy machine is waiting for the processor,
// and no setup that makes slices few; a setup is seen there too, and what is paid once is no call's.
func TestWaitingIsNoSetup(t *testing.T) {
	const sample = 0.1
	// Of the calls of a benchmark without setup on two processors under a load of 14.
	waiting := [][]float64{{.0720, .0516}, {.0366, .0193, .0200, .0338, .0146, .0268, .0037, .0041}, {.0488, .0228, .0262, .0414, .0177, .0309, .0251, .0112}}
	shifted := func(runs [][]float64, first, each float64) [][]float64 {
		list := make([][]float64, len(runs))
		for i, run := range runs {
			for n, over := range run {
				if n == 0 {
					over += first
				}
				list[i] = append(list[i], over+each)
			}
		}
		return list
	}
	calm := [][]float64{{.0004, .0003}}
	for _, c := range []struct {
		what        string
		runs        [][]float64
		light, busy bool
		start       float64 // of the process, at least; twice that at most
	}{
		{"calm", calm, true, false, .002},
		{"calm, a setup of 20 ms", shifted(calm, 0, .02), false, false, .002},
		{"calm, paid once 200 ms", shifted(calm, .2, 0), true, false, .2},
		{"busy, before it is looked at again", waiting[:1], false, false, .002},
		{"busy", waiting, true, true, .002},
		{"busy, a setup of 50 ms", shifted(waiting, 0, .05), false, true, .002},
		{"busy, paid once 200 ms", shifted(waiting, .2, 0), true, true, .15},
	} {
		l := &leaf{results: make([]*benchfmt.Result, 1)}
		for _, run := range c.runs {
			for n, over := range run {
				l.note(0, over, n == 0)
			}
		}
		start := leaves{l}.weigh([]float64{.002})
		if l.light(sample) != c.light || l.wait > waits != c.busy || start < c.start || start > math.Max(2*c.start, .03) {
			t.Errorf("%s: light %v, a call spends %g and waits %g, the process %g", c.what, l.light(sample), l.untimed, l.wait, start)
		}
		if n := len(l.piece(10)); n != map[bool]int{false: 2, true: 3}[c.busy] {
			t.Errorf("%s: a piece of %d processes", c.what, n)
		}
	}
}

// A benchmark that leaves its time out of its result, or prints that of a part of an iteration, is
// measured for the length of a sample like any other: its processor time says what it costs.
func TestTimesOfTheirOwn(t *testing.T) {
	suite.All(t)
	dir := t.TempDir()
	put(t, dir, "go.mod", "module example.com/own\n\ngo 1.24\n", "own_test.go", `package own

import "testing"

var sink int

func work(b *testing.B) {
	for i := range b.N {
		for n := range 1000 {
			sink += i * n % 7
		}
	}
}

func BenchmarkHidden(b *testing.B) {
	work(b)
	b.ReportMetric(0, "ns/op")
}

func BenchmarkPart(b *testing.B) {
	work(b)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e5, "ns/op")
}
`)
	// On a busy machine a call may wait for the processor each time, which looks like a setup.
	wrong := "not measured"
	for tries := 0; wrong != "" && tries < 5; tries++ {
		r, err := Measure(t.Context(), Options{Dir: dir, Rounds: 1, BenchTime: "5ms"})
		if err != nil {
			t.Fatal(err)
		}
		wrong = ""
		for line := range strings.Lines(r.Head) {
			fields := strings.Fields(line)
			if name := strings.Split(line+" ", " ")[0]; strings.HasPrefix(name, "Benchmark") {
				n, err := strconv.Atoi(fields[1])
				if err != nil || n < 100 || n > 500000 || strings.Contains(line, " mean-ns/op") && name != "BenchmarkPart-"+strconv.Itoa(runtime.GOMAXPROCS(0)) {
					wrong += line
				}
			}
		}
		if !strings.Contains(r.Head, "BenchmarkHidden") || !strings.Contains(r.Head, "BenchmarkPart") {
			t.Fatal(r.Head)
		}
	}
	if wrong != "" {
		t.Error(wrong)
	}
}

// A benchmark that takes its inputs in turn is measured on more than the first of them, however long
// one takes, and whatever it does before.
func TestInputsInTurn(t *testing.T) {
	suite.All(t)
	dir := t.TempDir()
	put(t, dir, "go.mod", "module example.com/turn\n\ngo 1.24\n", "turn_test.go", `package turn

import (
	"testing"
	"time"
)

var sink []byte

func turn(b *testing.B, before, each time.Duration) {
	time.Sleep(before)
	b.ResetTimer()
	for i := range b.N {
		time.Sleep(each)
		if i > 0 {
			for range 1000 {
				sink = make([]byte, 64)
			}
		}
	}
}

func BenchmarkLong(b *testing.B)  { turn(b, 0, 25*time.Millisecond) }
func BenchmarkSetup(b *testing.B) { turn(b, 60*time.Millisecond, 5*time.Millisecond) }
func BenchmarkBoth(b *testing.B)  { turn(b, 60*time.Millisecond, 25*time.Millisecond) }
`)
	r, err := Measure(t.Context(), Options{Dir: dir, Rounds: 1, BenchTime: "200ms"})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"BenchmarkLong", "BenchmarkSetup", "BenchmarkBoth"} {
		at := strings.Index(r.Head, name)
		line, _, _ := strings.Cut(r.Head[max(0, at):], "\n")
		fields := strings.Fields(line)
		n := slices.Index(fields, "allocs/op")
		if at < 0 || n < 1 || fields[n-1] == "0" {
			t.Errorf("%s: %s", name, line)
		}
	}
}
