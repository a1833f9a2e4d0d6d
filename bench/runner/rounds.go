package runner

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"
)

// side is a version of the module, and what its benchmarks printed.
type side struct {
	name     string
	dir      string             // of the module
	binaries map[string]*binary // by package
	text     strings.Builder
	writer   *benchfmt.Writer // to text
	units    map[benchfmt.UnitMetadataKey]bool
}

// job is one benchmark, and the sides that have it.
type job struct {
	name   string
	sides  []*side
	on     []*binary // of the sides
	out    []bool    // sides on which it is not measured any more
	count  int       // slices of a sample
	leaves []*leaf   // what it printed when it warmed up
}

// noiseSide is the name of the second copy of the base.
const noiseSide = "noise"

// leaf is one line of results of a job: a benchmark without benchmarks below it.
type leaf struct {
	name, procs string
	seconds     float64            // of one iteration, on the slowest side
	results     []*benchfmt.Result // by side, as when it warmed up; nil where it is missing
}

// iterations is N. It is at least 2: for one, package testing runs a benchmark
// once instead of twice, and the difference would not be N iterations.
func (l *leaf) iterations() int {
	return int(math.Min(1e8, math.Max(2, math.Ceil(countedTime.Seconds()/math.Max(l.seconds, 1e-10)))))
}

// leaveOut removes the packages whose binaries and testdata are equal on both sides, and
// names them: their benchmarks cannot differ.
func leaveOut(base, head *side) []string {
	var same []string
	for _, pkg := range slices.Sorted(maps.Keys(base.binaries)) {
		if other := head.binaries[pkg]; other != nil && other.sum == base.binaries[pkg].sum {
			same = append(same, pkg)
			delete(base.binaries, pkg)
			delete(head.binaries, pkg)
		}
	}
	return same
}

// twin is a side with copies of the binaries.
func (s *side) twin(dir string) (*side, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	other := &side{name: noiseSide, binaries: map[string]*binary{}}
	for pkg, b := range s.binaries {
		copied, err := b.twin(filepath.Join(dir, filepath.Base(b.path)))
		if err != nil {
			return nil, err
		}
		other.binaries[pkg] = copied
	}
	return other, nil
}

// plan lists the benchmarks, by package and then in the order of the binary.
func plan(ctx context.Context, o *Options, sides []*side) ([]*job, error) {
	var jobs []*job
	index := map[string]*job{}
	packages := map[string]bool{}
	for _, s := range sides {
		for pkg := range s.binaries {
			packages[pkg] = true
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(packages)) {
		for _, s := range sides {
			b := s.binaries[pkg]
			if b == nil {
				continue
			}
			names, err := b.benchmarks(ctx, o.Bench)
			if err != nil {
				if err = fmt.Errorf("%s: %s: %w", s.name, pkg, err); o.fail(ctx, s.name, pkg, "", err) {
					continue
				}
				return nil, err
			}
			for _, name := range names {
				key := pkg + " " + name
				if index[key] == nil {
					index[key] = &job{name: name}
					jobs = append(jobs, index[key])
				}
				index[key].sides = append(index[key].sides, s)
				index[key].on = append(index[key].on, b)
				index[key].out = append(index[key].out, false)
			}
		}
	}
	return jobs, nil
}

// play runs a warm-up round and then as many rounds as the time allows. Rounds come in
// pairs; the second reverses the order of the first. Rounds in the journal are not run
// again. If options.Look is set, a benchmark gets no more rounds once it is decided.
func play(ctx context.Context, o *Options, jobs []*job, kept *journal, look func(rounds int) (func(*job) bool, error)) (rounds int, err error) {
	random := rand.New(rand.NewPCG(o.Seed, 0x62656e6368))
	orders := make([][]int, len(jobs))
	active := func(*job) bool { return true }
	began, measured := time.Now(), 0
	for round := -1; round < o.Rounds; round++ {
		before := kept.round(round)
		if before == nil && measured > 0 && o.Budget > 0 {
			// The rounds so far show how long a round takes.
			spent := time.Since(began)
			if each := spent / time.Duration(measured); spent+each > o.Budget {
				o.Say("the time budget ends after %d of %d rounds", max(0, round), o.Rounds)
				break
			}
		}
		switch {
		case before != nil && round >= 0:
			o.Say("round %d of %d was measured before the interrupt", round+1, o.Rounds)
		case before != nil:
		case round < 0:
			o.Say("warming up %d benchmarks", len(jobs))
		default:
			o.Say("round %d of %d", round+1, o.Rounds)
		}
		now := &keptRound{Round: round}
		for i, j := range jobs {
			if round%2 == 0 || round < 0 {
				orders[i] = random.Perm(len(j.sides))
			} else {
				slices.Reverse(orders[i])
			}
			if !active(j) {
				continue
			}
			for _, k := range orders[i] {
				if j.out[k] {
					continue
				}
				text, there := before.text(j, k)
				if !there {
					if text, err = j.sample(ctx, o, k, round < 0); err != nil {
						if !o.fail(ctx, j.sides[k].name, j.on[k].pkg, j.name, err) {
							return rounds, err
						}
						j.drop(k)
						continue
					}
				}
				if err := j.take(text, o, k, round < 0); err != nil {
					return rounds, fmt.Errorf("%s: %w", j.name, err)
				}
				now.Samples = append(now.Samples, keptSample{j.on[k].pkg, j.name, j.sides[k].name, text})
			}
		}
		for _, j := range jobs {
			if round < 0 {
				j.skipped(ctx, o)
			}
			j.end()
		}
		if before == nil {
			measured++
			if err := kept.write(now); err != nil {
				o.warn("an interrupt would lose the rounds from %d on: %v", round+1, err)
			}
		}
		if rounds = round + 1; rounds > 0 && look != nil {
			if active, err = look(rounds); err != nil {
				return rounds, err
			}
			if !slices.ContainsFunc(jobs, func(j *job) bool { return active(j) && slices.Contains(j.out, false) }) {
				break
			}
		}
	}
	return rounds, nil
}

// sample measures the benchmark once on a side. Of the warm-up everything is used.
func (j *job) sample(ctx context.Context, o *Options, k int, warm bool) (string, error) {
	text, err := j.run(ctx, o, k)
	if err != nil || warm {
		return text, err
	}
	return condense(text, j.name, o)
}

// drop ends the measurement of the benchmark on a side on which it failed, with one copy of the
// base on the other too.
func (j *job) drop(k int) {
	failed := j.sides[k].name
	for i, s := range j.sides {
		old := s.name == "base" || s.name == noiseSide
		if i == k || old && (failed == "base" || failed == noiseSide) {
			j.out[i] = true
			for _, l := range j.leaves {
				l.results[i] = nil
			}
		}
	}
}

// end ends the measurement of the benchmark on all sides if it failed on the head, since there is
// nothing left to compare.
func (j *job) end() {
	for k, s := range j.sides {
		if s.name == "head" && j.out[k] {
			for i := range j.sides {
				j.drop(i)
			}
		}
	}
}

// take takes a sample over.
func (j *job) take(text string, o *Options, k int, warm bool) error {
	if warm {
		return j.plan(text, o, k)
	}
	return j.sides[k].add(text)
}

// run runs the benchmark once on a side: as many slices as a sample has. Verbose
// output has each result on a line of its own, whatever the benchmark prints.
func (j *job) run(ctx context.Context, o *Options, k int) (string, error) {
	b := j.on[k]
	args := []string{
		"-test.run=^$", "-test.bench=" + only(j.name, o.Bench), "-test.benchmem", "-test.v",
		fmt.Sprint("-test.count=", max(1, j.count)), "-test.benchtime=" + o.slice(),
	}
	if o.CPU != "" {
		args = append(args, "-test.cpu="+o.CPU)
	}
	text, err := output(ctx, b.dir, b.path, b.with(args...)...)
	if err != nil {
		return "", fmt.Errorf("%s: %s: %s: %w", j.sides[k].name, b.pkg, j.name, err)
	}
	return text + "\n", nil
}

// sliceTime is how long one slice of a sample takes. A machine that others use
// gives a process the processor for some milliseconds at a time; a slice that is
// shorter has a good chance to pass undisturbed, a sample that is longer has
// none. Measured on two processors with a load of 10 to 15 and a slowdown of
// 20 % planted: samples of 20 ms in one piece showed it in 0 of 20 trials.
const sliceTime = time.Millisecond

// slice is the -benchtime of a slice: the user's own if that is a number of
// iterations.
func (o *Options) slice() string {
	if _, err := time.ParseDuration(o.BenchTime); err != nil && o.BenchTime != "" {
		return o.BenchTime
	}
	return sliceTime.String()
}

// sample is how long a sample takes, 0 if it is a number of iterations.
func (o *Options) sample() time.Duration {
	d, err := time.ParseDuration(o.BenchTime)
	if err != nil && o.BenchTime == "" {
		return 100 * time.Millisecond
	}
	return d
}

// plan derives from the warm-up what the benchmark prints on a side, and how many slices
// fit into a sample: as many as its slowest result allows.
func (j *job) plan(text string, o *Options, k int) error {
	count := max(1, int(o.sample()/sliceTime))
	err := eachRecord(text, func(record benchfmt.Record) error {
		if r, ok := record.(*benchfmt.Result); ok {
			seconds, _ := r.Value("sec/op")
			if seconds > sliceTime.Seconds() {
				count = min(count, max(1, int(o.sample().Seconds()/seconds)))
			}
			j.see(r, k, seconds, o)
		}
		return nil
	})
	if j.count == 0 || count < j.count {
		j.count = count
	}
	return err
}

// undisturbed is the part of a sample's slices that may be faster than the one
// that stands for it: one in so many. Measured on two processors with a load of
// 5 to 11, ten rounds of 100 slices, 11 trials: of slowdowns of 7 % the lower
// quartile showed 4, the tenth 8, the twentieth 9, and twenty rounds of the
// twentieth all 11, with none shown where there was none. The fastest slice did
// no better, and would hide what is paid only now and then.
const undisturbed = 20

// condense is a sample as benchmark text: for each benchmark, the slice that one in twenty
// of its slices beats in time, with everything that was measured in it, and what the
// benchmark says of its units.
func condense(text, name string, o *Options) (string, error) {
	var b strings.Builder
	w := benchfmt.NewWriter(&b)
	var order []string
	lines := map[string][]*benchfmt.Result{}
	err := eachRecord(text, func(record benchfmt.Record) error {
		switch r := record.(type) {
		case *benchfmt.UnitMetadata:
			return w.Write(r)
		case *benchfmt.Result:
			name := r.Name.String()
			if lines[name] == nil {
				order = append(order, name)
			}
			lines[name] = append(lines[name], r.Clone())
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	if len(order) == 0 {
		o.warn("%s printed no result that can be read: it was skipped, or wrote into its line", name)
	}
	for _, name := range order {
		all := lines[name]
		slices.SortStableFunc(all, func(a, b *benchfmt.Result) int {
			x, _ := a.Value("sec/op")
			y, _ := b.Value("sec/op")
			return cmp.Compare(x, y)
		})
		if err := w.Write(all[(len(all)-1)/undisturbed]); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// add takes over a condensed sample.
func (s *side) add(text string) error {
	if s.writer == nil {
		s.writer, s.units = benchfmt.NewWriter(&s.text), map[benchfmt.UnitMetadataKey]bool{}
	}
	return eachRecord(text, func(record benchfmt.Record) error {
		if m, ok := record.(*benchfmt.UnitMetadata); ok {
			if s.units[m.UnitMetadataKey] {
				return nil
			}
			s.units[m.UnitMetadataKey] = true
		}
		return s.writer.Write(record)
	})
}

// eachRecord reads benchmark text; a result is reused after take returns. A line
// that only looks like a result is what a benchmark printed.
func eachRecord(text string, take func(benchfmt.Record) error) error {
	reader := benchfmt.NewReader(strings.NewReader(text), "output")
	for reader.Scan() {
		record := reader.Result()
		if _, bad := record.(*benchfmt.SyntaxError); bad {
			continue
		}
		if err := take(record); err != nil {
			return err
		}
	}
	return reader.Err()
}
