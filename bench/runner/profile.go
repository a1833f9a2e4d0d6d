package runner

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"
)

// Profiled are the profiles of one benchmark on base and head, in this order.
type Profiled struct {
	Pkg, Name   string // as results have it
	CPU, Memory [2]string
	Operations  int     // of the profile of allocations
	Slower      float64 // time of an operation on the head, in those of the base
}

// profiledMost bounds the benchmarks that are profiled: each takes some seconds.
const profiledMost = 5

// profiles takes profiles of the benchmarks that options.Suspects names.
func profiles(ctx context.Context, o *Options, jobs []*job, result *Result) error {
	slower, err := o.Suspects(result)
	if err != nil || len(slower) == 0 {
		return err
	}
	if err := os.MkdirAll(o.Profiles, 0o755); err != nil {
		return err
	}
	for _, j := range jobs {
		for _, l := range j.leaves {
			name := l.shown()
			ratio, wanted := slower[j.on[0].pkg+" "+name]
			if !wanted {
				continue
			}
			if len(result.Profiled) == profiledMost {
				o.Say("more than %d benchmarks failed: the others are not profiled", profiledMost)
				return nil
			}
			p, err := j.profile(ctx, o, l)
			if err != nil {
				return err
			}
			if p != nil {
				p.Name, p.Slower = name, ratio
				result.Profiled = append(result.Profiled, *p)
			}
		}
	}
	return nil
}

// shown returns the name of the leaf as results have it.
func (l *leaf) shown() string {
	name := l.name[len("Benchmark"):]
	if l.procs != "1" {
		name += "-" + l.procs
	}
	return name
}

// unfile matches what a file name should not contain.
var unfile = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// profile profiles a benchmark on both sides; nil where one side lacks it.
func (j *job) profile(ctx context.Context, o *Options, l *leaf) (*Profiled, error) {
	p := &Profiled{Pkg: j.on[0].pkg, Operations: max(2, int(math.Min(100, 0.5/math.Max(l.seconds, 1e-9))))}
	o.Say("profiling %s.%s", p.Pkg, l.shown())
	dir, err := filepath.Abs(o.Profiles)
	if err != nil {
		return nil, err
	}
	for i, side := range []string{"base", "head"} {
		k := -1
		for at, s := range j.sides {
			if s.name == side && l.results[at] != nil {
				k = at
			}
		}
		if k < 0 {
			return nil, nil
		}
		stem := filepath.Join(dir, unfile.ReplaceAllString(p.Pkg+"."+l.shown(), "_")+"."+side)
		p.CPU[i], p.Memory[i] = stem+".cpu.pprof", stem+".mem.pprof"
		for _, args := range [][]string{
			{"-test.benchtime=" + o.profiled(), "-test.cpuprofile=" + p.CPU[i]},
			// Every allocation counts, so that few operations suffice.
			{fmt.Sprintf("-test.benchtime=%dx", p.Operations), "-test.memprofilerate=1", "-test.memprofile=" + p.Memory[i]},
		} {
			args = append([]string{"-test.run=^$", "-test.bench=" + exactly(l.name), "-test.cpu=" + l.procs}, args...)
			if _, err := outputWith(ctx, j.on[k].tree.env, j.on[k].dir, j.on[k].path, j.on[k].with(args...)...); err != nil {
				return nil, fmt.Errorf("profile of %s on %s: %w", l.name, side, err)
			}
		}
	}
	return p, nil
}

// profiled returns the -benchtime of a time profile, which takes about a hundred samples a
// second: the user's own if that is a number of iterations.
func (o *Options) profiled() string {
	if o.sampleTime() == 0 {
		return o.BenchTime
	}
	return "2s"
}

// perf counts by perf stat, whose report goes to a file.
type perf struct{ file string }

// count runs a binary and returns the instructions it took in user mode, in all
// threads.
func (p perf) count(ctx context.Context, b *binary, args ...string) (float64, error) {
	args = append([]string{"stat", "-x", ",", "-e", "instructions:u", "-o", p.file, "--", b.path}, b.with(args...)...)
	if _, err := outputWith(ctx, b.tree.env, b.dir, "perf", args...); err != nil {
		why, _, _ := strings.Cut(err.Error(), "\n") // its advice is long
		return 0, errors.New(why)
	}
	text, err := os.ReadFile(p.file)
	if err != nil {
		return 0, err
	}
	return parsePerf(string(text))
}

// parsePerf adds up the counts in a report of perf stat -x: processors of two
// kinds have a line each.
func parsePerf(text string) (float64, error) {
	reader := csv.NewReader(strings.NewReader(text))
	reader.FieldsPerRecord, reader.Comment, reader.LazyQuotes = -1, '#', true
	lines, err := reader.ReadAll()
	if err != nil {
		return 0, fmt.Errorf("perf stat: %w", err)
	}
	sum, found, why := 0.0, false, "no count"
	for _, line := range lines {
		if len(line) < 3 || !strings.Contains(line[2], "instructions") {
			continue
		}
		if v, err := strconv.ParseFloat(line[0], 64); err == nil {
			sum, found = sum+v, true
		} else {
			why = line[0]
		}
	}
	if !found {
		return 0, fmt.Errorf("perf stat: expected a count of instructions, got %s", why)
	}
	return sum, nil
}

// Instructions per operation are counted by running a benchmark for N and for 2N iterations
// under perf stat; what is spent once cancels out. Counts hardly vary, so a few rounds show
// what times do not.
const (
	countedTime   = 20 * time.Millisecond // what N iterations take, about
	countedRounds = 5                     // the least with which a U-test can reach .01
)

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
func countInstructions(ctx context.Context, o *Options, jobs []*job, temp string, c clock) error {
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
		if each > c.left() {
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
