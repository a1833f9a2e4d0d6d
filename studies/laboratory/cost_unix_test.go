//go:build unix

package laboratory

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"syscall"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/suite"
	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/sampler"
	"sakusen/tuner/store"
	"sakusen/tuner/study"
)

var costOf = flag.String("search-sampler", "surface", "the sampler of BenchmarkSearch")

// BenchmarkSearch is what a search costs with the study around it: whole searches of about as many
// trials as their name says, each of a single block, so that hardly anything is played.
//
//	SAKUSEN_TESTS=all go test ./studies/laboratory -run xxx -bench Search -benchtime 1x -timeout 1h
//
// Without the variable searches of 100 000 trials are left out.
//
// cpu-ms/trial is processor time of all threads, garbage collection included. live-MB is what the
// process holds when the search has ended, peak-MB the most memory that its heap has had from the
// system. The log is not held: a database has it.
func BenchmarkSearch(b *testing.B) {
	for _, mode := range []string{"duels", "baseline"} {
		for _, c := range []struct{ numbers, choices int }{{8, 0}, {64, 0}, {8, 2}} {
			for _, trials := range []int64{1_000, 10_000, 100_000} {
				if *costOf == "spsa" && c.choices > 0 || trials > 10_000 && suite.Few() {
					continue
				}
				b.Run(fmt.Sprintf("%s/numbers=%d/choices=%d/trials=%d", mode, c.numbers, c.choices, trials), func(b *testing.B) {
					for b.Loop() {
						searchOnce(b, mode, c.numbers, c.choices, trials)
					}
				})
			}
		}
	}
}

// written is a record that remembers no more than which trials there are, as a database would for
// a study that is not read again.
type written struct{ *store.Memory }

func (r written) Append(ctx context.Context, _ entry.Entry, change func(tuner.Trials) error) error {
	return r.Memory.Append(ctx, entry.Entry{}, change)
}

// searchOnce runs a study and reports what its search cost.
func searchOnce(b *testing.B, mode string, numbers, choices int, trials int64) {
	games := trials // a duel has two trials
	if mode == "baseline" {
		games *= 2
	}
	g, err := planted(strategies.Catalogue(), "hill", param.Values{
		{Name: "dimensions", Text: fmt.Sprint(numbers)}, {Name: "categories", Text: fmt.Sprint(choices)},
	})
	if err != nil {
		b.Fatal(err)
	}
	spec, err := g.read("cost", "version: 1\nname: cost\n"+g.Head+g.Tune+fmt.Sprintf(
		"sampler: {name: %s}\nevaluate: {mode: %s}\nrace: {rungs: [1]}\nvalidation: {max_blocks: 100}\nbudget: {trials: 10000000, games: %d}\n", *costOf, mode, games+300))
	if err != nil {
		b.Fatal(err)
	}
	proposer, err := sampler.Kinds{}.New(spec.Sampler, spec.Tune.Params, spec.Tune.Fix)
	if err != nil {
		b.Fatal(err)
	}
	before, from, batches := heap(true), spent(b), 0
	peak, live, cpu := before, int64(0), 0.0
	s, err := study.Open(b.Context(), spec, study.Options{Host: arena.NewPool(1), Proposer: proposer, Record: written{store.NewMemory()}, Hook: func(point string) {
		switch point {
		case "after ask":
			if batches++; batches%64 == 0 {
				peak = max(peak, heap(false))
			}
		case "before answer":
			cpu = spent(b) - from
			live = heap(true) - before
		}
	}})
	if err != nil {
		b.Fatal(err)
	}
	result, err := s.Run(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(1000*cpu/float64(result.Trials), "cpu-ms/trial")
	b.ReportMetric(float64(live)/1e6, "live-MB")
	b.ReportMetric(float64(max(peak, live))/1e6, "peak-MB")
	b.ReportMetric(float64(result.Trials), "trials")
	b.ReportMetric(0, "ns/op")
}

// heap returns the bytes of the heap: those that can be reached, or those that the system has given.
func heap(reachable bool) int64 {
	if reachable {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if reachable {
		return int64(m.HeapAlloc)
	}
	return int64(m.HeapSys - m.HeapReleased)
}

// spent returns the processor time of this process so far, seconds.
func spent(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
