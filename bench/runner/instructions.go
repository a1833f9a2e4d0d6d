package runner

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"
)

// Instructions per operation are counted by running a benchmark for N and for 2N iterations
// under perf stat; what is spent once cancels out. Counts hardly vary, so a few rounds show
// what times do not.
const (
	countedTime   = 20 * time.Millisecond // what N iterations take, about
	countedRounds = 5                     // the least with which a U-test can reach .01
)

// see notes a result of the warm-up.
func (j *job) see(r *benchfmt.Result, k int, seconds float64, o *Options) {
	name, procs := splitProcs("Benchmark"+r.Name.String(), o.CPU)
	for _, l := range j.leaves {
		if l.name == name && l.procs == procs {
			l.results[k], l.seconds = r.Clone(), math.Max(l.seconds, seconds)
			return
		}
	}
	l := &leaf{name, procs, seconds, make([]*benchfmt.Result, len(j.sides))}
	l.results[k] = r.Clone()
	j.leaves = append(j.leaves, l)
}

// splitProcs takes off a name the number of processors that package testing
// appended, which it does unless it is 1.
func splitProcs(name, cpu string) (bare, procs string) {
	if cpu == "" {
		cpu = strconv.Itoa(runtime.GOMAXPROCS(0))
	}
	for n := range strings.SplitSeq(cpu, ",") {
		n = strings.TrimSpace(n)
		if bare, ok := strings.CutSuffix(name, "-"+n); ok && n != "1" {
			return bare, n
		}
	}
	return name, "1"
}

// countInstructions adds lines of instructions/op to the text of base and head. If perf
// cannot count, or the time is over, it gives a warning.
func countInstructions(ctx context.Context, o *Options, jobs []*job, temp string, began time.Time) error {
	counter := perf{file: filepath.Join(temp, "perf.csv")}
	if _, err := counter.count(ctx, jobs[0].on[0], "-test.list=^$"); err != nil {
		o.warn("instructions are not counted: %v", err)
		return ctx.Err()
	}
	seconds := 0.0
	for _, j := range jobs {
		for _, l := range j.leaves {
			seconds += 2 * 4 * float64(l.iterations()) * l.seconds
		}
	}
	each := time.Duration(math.Min(seconds, 1e6) * float64(time.Second))
	rounds := min(o.Rounds, countedRounds)
	for round := range rounds {
		if o.Budget > 0 && time.Since(began)+each > o.Budget {
			o.warn("the time budget leaves %d of %d rounds for counting instructions", round, rounds)
			return nil
		}
		o.Say("counting instructions, round %d of %d", round+1, rounds)
		for _, j := range jobs {
			for _, l := range j.leaves {
				if err := j.countLeaf(ctx, o, counter, l); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// countLeaf counts one benchmark on base and head; a second copy of the base would show
// nothing more.
func (j *job) countLeaf(ctx context.Context, o *Options, counter perf, l *leaf) error {
	for k, r := range l.results {
		if r == nil || j.sides[k].name == noiseSide || j.sides[k].writer == nil {
			continue
		}
		n := l.iterations()
		var counts [2]float64
		for i := range counts {
			var err error
			counts[i], err = counter.count(ctx, j.on[k], "-test.run=^$", "-test.bench="+exactly(l.name), "-test.cpu="+l.procs,
				fmt.Sprintf("-test.benchtime=%dx", n<<i))
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				o.warn("%s: %s: instructions are not counted: %v", j.sides[k].name, l.name, err)
				return nil
			}
		}
		per := (counts[1] - counts[0]) / float64(n)
		if per <= 0 {
			o.warn("%s: too few instructions to tell from those of the process", l.name)
			return nil
		}
		line := r.Clone()
		line.Iters, line.Values = n, []benchfmt.Value{{Value: per, Unit: "instructions/op"}}
		if err := j.sides[k].writer.Write(line); err != nil {
			return err
		}
	}
	return nil
}
