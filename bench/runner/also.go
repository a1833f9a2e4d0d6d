package runner

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"
)

// What can be measured besides the benchmarks.
const (
	alsoSize  = "size"  // of each test binary, in bytes
	alsoBuild = "build" // time in which a package and its tests are compiled and linked
	alsoRSS   = "rss"   // most memory that the process of a benchmark had, in bytes
)

// fewestRounds is the fewest rounds with which a test of several series can reach .01: the most
// samples of build times and of memory, and what a budget leaves for each benchmark it warms up.
const fewestRounds = 8

// Also checks a list such as size,rss.
func Also(text string) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	list := strings.Split(text, ",")
	for _, what := range list {
		if !slices.Contains([]string{alsoSize, alsoBuild, alsoRSS}, what) {
			return nil, fmt.Errorf("expected some of size, build and rss, got %q", what)
		}
	}
	return list, nil
}

// also measures the other requested quantities (size, build time, memory), round by round
// on all sides, and adds them to their texts.
func also(ctx context.Context, o *Options, jobs []*job, rounds int) error {
	few := min(fewestRounds, rounds)
	seen := map[string]bool{}
	var firsts, named []*job // by package, and by name: once for all numbers of processors
	for _, j := range jobs {
		if pkg := j.on[0].pkg; !seen[pkg] {
			seen[pkg] = true
			firsts = append(firsts, j)
		}
		if name := j.on[0].pkg + " " + j.name; !seen[name] {
			seen[name] = true
			named = append(named, j)
		}
	}
	each := func(list []*job, what, unit string, n int, value func(round int, j *job, k int) (float64, error)) error {
		if !slices.Contains(o.Also, what) {
			return nil
		}
		for round := range n {
			for _, j := range list {
				for i := range j.sides {
					k := i
					if round%2 == 1 { // forwards and backwards in turn, so that a drift affects all alike
						k = len(j.sides) - 1 - i
					}
					if j.out[k] {
						continue
					}
					v, err := value(round, j, k)
					if err != nil {
						return err
					}
					name := "Package"
					if what == alsoRSS {
						name = strings.TrimPrefix(j.name, "Benchmark")
					}
					if err := j.print(k, name, v, unit); err != nil {
						return err
					}
				}
			}
		}
		return nil
	}
	if err := each(firsts, alsoSize, "binary-bytes", rounds, func(_ int, j *job, k int) (float64, error) {
		return float64(j.on[k].size), nil
	}); err != nil {
		return err
	}
	if slices.Contains(o.Also, alsoBuild) {
		o.Say("building %d packages %d times on each side", len(firsts), few)
	}
	if err := each(firsts, alsoBuild, "build-sec", few, func(round int, j *job, k int) (float64, error) {
		return j.on[k].again(ctx, round*len(j.sides)+k+int(time.Now().UnixNano()%1e9))
	}); err != nil {
		return err
	}
	return each(named, alsoRSS, "peak-RSS-bytes", few, func(_ int, j *job, k int) (float64, error) {
		return j.peak(ctx, o, k)
	})
}

// print adds a line to a side's text, with the configuration lines that the job printed
// there; if the job printed nothing, nothing is added.
func (j *job) print(k int, name string, value float64, unit string) error {
	s := j.sides[k]
	for _, l := range j.leaves {
		if l.results[k] == nil || s.writer == nil {
			continue
		}
		key := benchfmt.UnitMetadataKey{Unit: unit, Key: "better"}
		if !s.units[key] {
			s.units[key] = true
			if err := s.writer.Write(&benchfmt.UnitMetadata{UnitMetadataKey: key, OrigUnit: unit, Value: "lower"}); err != nil {
				return err
			}
		}
		line := l.results[k].Clone()
		line.Name, line.Iters, line.Values = benchfmt.Name(name), 1, []benchfmt.Value{{Value: value, Unit: unit}}
		return s.writer.Write(line)
	}
	return nil
}

// again compiles and links the binary once more and returns the seconds. A compiler setting
// that no other build has, and that changes nothing in the result, keeps go from taking the
// package from its cache; imported packages still come from there.
func (b *binary) again(ctx context.Context, unlike int) (float64, error) {
	began := time.Now()
	_, err := outputWith(ctx, b.tree.env, b.dir, "go", "test", "-c", "-trimpath", "-buildvcs=false",
		fmt.Sprintf("-gcflags=%s=-memprofilerate=%d", b.pkg, 1+unlike), "-o", b.path+".again", b.pkg)
	return time.Since(began).Seconds(), err
}

// peak runs the benchmark for a fixed number of iterations and returns the most
// memory that its process had.
func (j *job) peak(ctx context.Context, o *Options, k int) (float64, error) {
	n := 0
	for _, l := range j.leaves {
		if at := l.iterations(); n == 0 || at < n {
			n = at
		}
	}
	b := j.on[k]
	cmd := command(ctx, b.tree.env, b.dir, b.path, b.with("-test.run=^$", "-test.bench="+only(j.name, o.Bench), fmt.Sprintf("-test.benchtime=%dx", max(2, n)))...)
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		return 0, fmt.Errorf("%s: %s: %w", j.sides[k].name, j.name, err)
	}
	return peakMemory(cmd.ProcessState)
}
