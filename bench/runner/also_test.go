package runner_test

import (
	"context"
	"path/filepath"
	"testing"

	"sakusen/bench"
	"sakusen/bench/runner"
	"sakusen/engines/suite"
)

// Sizes, build times and memory stand beside the benchmarks, with more of each
// being worse.
func TestAlso(t *testing.T) {
	suite.All(t)
	dir := module(t)
	write(t, filepath.Join(dir, "toy.go"), toy(1000, 2))
	list, err := runner.Also("size,build,rss")
	if err != nil {
		t.Fatal(err)
	}
	r, err := runner.Measure(context.Background(), runner.Options{Dir: dir, Base: "main", Bench: "Work", BenchTime: "20x", Rounds: 2, Also: list})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"base": r.Base, "head": r.Head, "noise": r.Noise} {
		run := read(t, name, text)
		samples := map[string]int{}
		for _, s := range run.Order {
			if s.Pkg != "example.com/toy" {
				t.Errorf("%s: %+v", name, s)
			}
			samples[s.Name+" "+s.Unit] = len(run.Values[s])
			if low := run.Values[s][0]; s.Unit == "peak-RSS-bytes" && low < 1e5 || s.Unit == "binary-bytes" && low < 1e5 || s.Unit == "build-sec" && low <= 0 {
				t.Errorf("%s: %s: %g", name, s.Title(), low)
			}
		}
		if samples["Package binary-bytes"] != 2 || samples["Package build-sec"] != 2 || samples["Work peak-RSS-bytes"] != 2 || run.Units.GetBetter("build-sec") != -1 {
			t.Errorf("%s: %v: %s", name, samples, text)
		}
	}
	if c := bench.Compare(read(t, "base", r.Base), read(t, "head", r.Head), bench.Options{}); c.Paired < 6 {
		t.Errorf("%d series paired", c.Paired)
	}
	if _, err := runner.Also("size,weight"); err == nil {
		t.Error("weight was accepted")
	}
}
