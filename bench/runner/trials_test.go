package runner_test

import (
	"context"
	"flag"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sakusen/bench"
	"sakusen/bench/runner"
)

// How often the gate errs is measured, not tested: it takes minutes, and tells
// of the machine as much as of the gate.
//
//	go test ./bench/runner -run Trials -v -trials 20 -slower 0,20,10,7 -timeout 3h
//	go test ./bench/runner -run Planted -v -trials 20 -rounds 10 -timeout 3h
var (
	trials = flag.Int("trials", 0, "trials of TestTrials for each slowdown")
	slower = flag.String("slower", "0,20,10,5,40", "slowdowns that TestTrials plants, percent")
	sample = flag.String("sample", "100ms", "-benchtime of TestTrials")
	rounds = flag.Int("rounds", 20, "rounds of TestTrials")
	plants = flag.String("planted", "", "what TestPlanted plants: a regular expression of it, all where it is empty")
)

// TestTrials counts the verdicts of measurements of a toy with a planted
// slowdown: with none, every regression is a false alarm. So it is, in every
// trial, between the two copies of the base, though no noise floor protects that
// comparison.
func TestTrials(t *testing.T) {
	if *trials == 0 {
		return
	}
	for text := range strings.SplitSeq(*slower, ",") {
		percent, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		dir := module(t)
		write(t, filepath.Join(dir, "toy.go"), toy(1000+10*percent, 1))
		count, twins := map[bench.Outcome]int{}, map[bench.Outcome]int{}
		for trial := range *trials {
			r, err := runner.Measure(context.Background(), runner.Options{
				Dir: dir, Base: "main", Bench: "Work", Packages: []string{"."}, BenchTime: *sample, Rounds: *rounds, Seed: uint64(trial), All: true,
			})
			if err != nil {
				t.Fatal(err)
			}
			base, head, noise := read(t, "base", r.Base), read(t, "head", r.Head), read(t, "noise", r.Noise)
			twins[bench.Judge(bench.Compare(base, noise, bench.Options{}), bench.Policy{}).Outcome]++
			p := bench.Policy{Noise: bench.NoiseFloor(base, noise)}
			c := bench.Compare(base, head, bench.Options{})
			g := bench.Judge(c, p)
			count[g.Outcome]++
			t.Logf("%d %%, trial %d: %s, time %s q=%.2g ratio %.2f..%.2f, noise %.2f", percent, trial, g.Outcome,
				c.Rows[0].Printed, c.Rows[0].Q, c.Rows[0].RatioLo, c.Rows[0].RatioHi, p.Noise[c.Rows[0].Series])
		}
		t.Logf("%d %% slower, %d trials: %v, two copies of the base: %v", percent, *trials, count, twins)
	}
}

// plantings are changes of a toy whose operation takes about 12 µs: what stands for BEFORE and
// AFTER in the changed side.
var plantings = []struct{ what, before, after string }{
	{"nothing", "", ""},
	{"10 % of time by allocation", "", "keep = make([]byte, 6000+calls%8)"},
	{"10 %, one call in 50 slow", "", "if calls%50 == 0 { work(50 * 1000) }"},
	{"10 %, one call in 40000 slow", "", "if calls%40000 == 0 { work(40000 * 1000) }"},
	{"setup of 20 ms outside of the timer", "time.Sleep(20 * time.Millisecond)", ""},
	{"setup of 20 ms in the first call", "", "once.Do(func() { time.Sleep(20 * time.Millisecond) })"},
}

// planted returns the test of the toy.
func planted(before, after string) string {
	return strings.NewReplacer("BEFORE", before, "AFTER", after).Replace(`package toy

import (
	"sync"
	"testing"
	"time"
)

var (
	sink, calls int
	keep        []byte
	once        sync.Once
	_           = time.Now
)

func work(n int) {
	for i := range n {
		sink += i * i % 7
	}
}

func BenchmarkWork(b *testing.B) {
	BEFORE
	b.ResetTimer()
	for range b.N {
		work(10 * 1000)
		calls++
		AFTER
	}
}
`)
}

// TestPlanted counts the verdicts of the gate of bench run on planted changes of what is paid now
// and then, and the series by which it failed or doubted.
func TestPlanted(t *testing.T) {
	if *trials == 0 {
		return
	}
	for _, p := range plantings {
		if !regexp.MustCompile(*plants).MatchString(p.what) {
			continue
		}
		dir := module(t)
		write(t, filepath.Join(dir, "toy_test.go"), planted("", ""))
		gitAll(t, dir)
		write(t, filepath.Join(dir, "toy_test.go"), planted(p.before, p.after)+"\nvar changed int\n")
		outcomes, units := map[bench.Outcome]int{}, map[string]int{}
		for trial := range *trials {
			d, err := runner.Decide(context.Background(), runner.DecideOptions{
				Measure: runner.Options{Dir: dir, Base: "main", Packages: []string{"."}, BenchTime: *sample, Rounds: *rounds, Seed: uint64(trial), All: true},
				Fixed:   true,
				Read: func(side, text string) (*bench.Run, error) {
					return bench.Read(strings.NewReader(text), side, bench.ReadOptions{})
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			outcomes[d.Gate.Outcome]++
			t.Logf("%s, trial %d: %s; %s", p.what, trial, d.Gate.Outcome, d.Gate.Power)
			for _, list := range [][]bench.Finding{d.Gate.Failures, d.Gate.Doubts} {
				for _, f := range list {
					units[f.Row.Series.Unit]++
					t.Logf("%s, trial %d: %s: %s", p.what, trial, f.Row.Series.Unit, f.Reason)
				}
			}
		}
		t.Logf("%s, %d trials: %v by %v", p.what, *trials, outcomes, units)
	}
}
