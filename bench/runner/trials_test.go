package runner_test

import (
	"context"
	"flag"
	"path/filepath"
	"testing"

	"sakusen/bench"
	"sakusen/bench/runner"
)

// How often the gate errs is measured, not tested: it takes minutes, and tells
// of the machine as much as of the gate.
//
//	go test ./bench/runner -run Trials -v -trials 40 -timeout 2h
var trials = flag.Int("trials", 0, "trials of TestTrials: with nothing planted, and with slowdowns of 5, 10, 20 and 40 %")

// TestTrials counts the verdicts of measurements of a toy with a planted
// slowdown: with none, every regression is a false alarm.
func TestTrials(t *testing.T) {
	if *trials == 0 {
		return
	}
	for _, percent := range []int{0, 20, 10, 5, 40} {
		dir := module(t)
		write(t, filepath.Join(dir, "toy.go"), toy(1000+10*percent, 1))
		count := map[bench.Outcome]int{}
		for trial := range *trials {
			r, err := runner.Measure(context.Background(), runner.Options{
				Dir: dir, Base: "main", Bench: "Work", Packages: []string{"."}, BenchTime: "20ms", Rounds: 10, Seed: uint64(trial), All: true,
			})
			if err != nil {
				t.Fatal(err)
			}
			base, head := read(t, "base", r.Base), read(t, "head", r.Head)
			p := bench.Policy{Noise: bench.NoiseFloor(base, read(t, "noise", r.Noise))}
			count[bench.Judge(bench.Compare(base, head, bench.Options{}), p).Outcome]++
		}
		t.Logf("%d %% slower, %d trials: %v", percent, *trials, count)
	}
}
