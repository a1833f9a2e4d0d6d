package runner_test

import (
	"context"
	"flag"
	"path/filepath"
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
var (
	trials = flag.Int("trials", 0, "trials of TestTrials for each slowdown")
	slower = flag.String("slower", "0,20,10,5,40", "slowdowns that TestTrials plants, percent")
	sample = flag.String("sample", "100ms", "-benchtime of TestTrials")
	rounds = flag.Int("rounds", 20, "rounds of TestTrials")
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
