package runner

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
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

// shown is the name of the leaf as results have it.
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
			if _, err := output(ctx, j.on[k].dir, j.on[k].path, args...); err != nil {
				return nil, fmt.Errorf("profile of %s on %s: %w", l.name, side, err)
			}
		}
	}
	return p, nil
}

// profiled is the -benchtime of a time profile, which takes about a hundred samples a
// second: the user's own if that is a number of iterations.
func (o *Options) profiled() string {
	if o.sample() == 0 {
		return o.BenchTime
	}
	return "2s"
}
