package runner

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"sakusen/bench"
)

// part is one process of a sample: some benchmarks of a job, measured in slices.
type part struct {
	Names []string `json:"names"` // full names; nil for all of the job
	Time  string   `json:"time"`  // of one slice, as -test.benchtime
	Count int      `json:"count"` // slices
	Use   use      `json:"use"`
	// logged asks for the files that are opened.
	logged bool
}

// use is what the results of a part are for.
type use string

const (
	useSlices use = ""      // the slice that one in twenty beats stands for the time
	useWhole  use = "whole" // one piece of the length of a sample: the mean
	useEmpty  use = "empty" // two calls of one iteration: what the process of useWhole pays besides
)

// sliceTime is how long one slice of a sample takes. A machine that others use
// gives a process the processor for some milliseconds at a time; a slice that is
// shorter has a good chance to pass undisturbed, a sample that is longer has
// none. Measured on two processors with a load of 10 to 15 and a slowdown of
// 20 % planted: samples of 20 ms in one piece showed it in 0 of 20 trials.
const sliceTime = time.Millisecond

// sampleTime returns how long the timed part of a sample takes, 0 if --benchtime is a number of
// iterations.
func (o *Options) sampleTime() time.Duration {
	d, err := time.ParseDuration(o.BenchTime)
	if err != nil && o.BenchTime == "" {
		return 100 * time.Millisecond
	}
	return d
}

// printed is what a process printed, and what it cost.
type printed struct {
	text string
	// walls are the times between a result and the one before it, or the name of its
	// benchmark: all that package testing did for it.
	walls []time.Duration
	wall  time.Duration // from the start of the process to its end
	cpu   time.Duration // of all its threads, in user mode and in the system
	// opened is the log of package testing of files that were opened or asked for.
	opened string
	// unheard are benchmarks that were called and printed no result that can be read.
	unheard []string
	empty   string // one that printed a result of no iterations, "" for none
}

// results returns the results of the text, in its order, as many as there are walls.
func (p *printed) results() (list []*benchfmt.Result, err error) {
	err = eachRecord(p.text, func(record benchfmt.Record) error {
		if r, ok := record.(*benchfmt.Result); ok {
			list = append(list, r.Clone())
		}
		return nil
	})
	return list, err
}

// stamps is a text with the times at which its lines came.
type stamps struct {
	text  bytes.Buffer
	ends  []int // offsets behind what came
	times []time.Time
}

func (s *stamps) Write(text []byte) (int, error) {
	n, err := s.text.Write(text)
	s.ends, s.times = append(s.ends, s.text.Len()), append(s.times, time.Now())
	return n, err
}

// walls returns the times between the lines that are read as results and what came before, of a
// benchmark of top level.
func (s *stamps) walls(top string, began time.Time) (list []time.Duration) {
	text := s.text.Bytes()
	last, at, came := began, 0, 0
	lines := listener{top: top}
	for line := range bytes.Lines(text) {
		at += len(line)
		for came < len(s.ends)-1 && s.ends[came] < at {
			came++
		}
		heard := lines.hear(string(line))
		if !strings.HasPrefix(heard, "Benchmark") {
			continue
		}
		if isResult(heard) {
			list = append(list, s.times[came].Sub(last))
		}
		last = s.times[came]
	}
	return list
}

// listener takes the lines of package testing's verbose output one after the other. It prints
// the name of a benchmark before it calls it.
type listener struct {
	top             string   // the benchmark of top level
	name            string   // of the one that was called last
	names           []string // of all, in their order
	skipped, result []string // of those that skipped themselves, and that printed a result
	empty           string   // one that printed a result of no iterations
}

// hear returns a line, or what follows of it where a program that ended no line has written
// before a result.
func (l *listener) hear(line string) string {
	text := strings.TrimSpace(line)
	if name, ok := strings.CutPrefix(text, "--- SKIP: "); ok {
		l.skipped = append(l.skipped, name)
		return line
	}
	if strings.HasPrefix(line, "Benchmark") {
		if text == l.top || strings.HasPrefix(text, l.top+"/") && !strings.ContainsAny(text, " \t") {
			if l.name = text; !slices.Contains(l.names, text) {
				l.names = append(l.names, text)
			}
		}
	} else if at := strings.LastIndex(line, l.name); l.name != "" && at > 0 {
		line = line[at:]
	}
	if rest, ok := strings.CutPrefix(line, l.name); ok && l.name != "" && isResult(line) {
		if strings.HasPrefix(strings.TrimLeft(rest, "-0123456789"), " ") || strings.HasPrefix(strings.TrimLeft(rest, "-0123456789"), "\t") {
			l.result = append(l.result, l.name)
			if strings.Fields(line)[1] == "0" {
				l.empty = l.name
			}
		}
	}
	return line
}

// unheard lists the benchmarks that were called, and neither skipped themselves nor printed a
// result that can be read, nor called others.
func (l *listener) unheard() (list []string) {
	for _, name := range l.names {
		if !slices.Contains(l.skipped, name) && !slices.Contains(l.result, name) && !slices.ContainsFunc(l.names, func(other string) bool { return strings.HasPrefix(other, name+"/") }) {
			list = append(list, name)
		}
	}
	return list
}

// twice returns a benchmark that printed more results than it was called times; "" for none.
func (l *listener) twice(times int) string {
	count := map[string]int{}
	for _, name := range l.result {
		if count[name]++; count[name] > times {
			return name
		}
	}
	return ""
}

// isResult reports whether a line is read as a result.
func isResult(line string) bool {
	found := false
	_ = eachRecord(line, func(record benchfmt.Record) error {
		_, ok := record.(*benchfmt.Result)
		found = found || ok
		return nil
	})
	return found
}

// run runs one part of a sample on a side. Verbose output has each result on a line of its own,
// whatever the benchmark prints. A benchmark that panics may print a result of no iterations and
// end without a failure, since package testing goes on while the process ends. It is run again
// then, as most runs tell of the panic.
func (j *job) run(ctx context.Context, o *Options, k int, p part) (*printed, error) {
	b := j.on[k]
	pattern := only(j.name, o.Bench)
	if p.Names != nil {
		all := make([]string, len(p.Names))
		for i, name := range p.Names {
			all[i] = exactly(name)
		}
		pattern = strings.Join(all, "|")
	}
	args := []string{
		"-test.run=^$", "-test.bench=" + pattern, "-test.benchmem", "-test.v", "-test.paniconexit0",
		fmt.Sprint("-test.count=", p.Count), "-test.benchtime=" + p.Time,
	}
	if j.cpu != "" {
		args = append(args, "-test.cpu="+j.cpu)
	}
	if j.running = k; j.ran == nil {
		j.ran = make([]time.Duration, len(j.sides))
	}
	for tries := 0; ; tries++ {
		began := time.Now()
		out, err := b.run(ctx, j.name, p, args)
		if ctx.Err() == nil {
			j.ran[k] += time.Since(began)
		}
		if err != nil && ctx.Err() == nil {
			err = fmt.Errorf("%s: %s: %w", j.sides[k].name, b.pkg, err)
		}
		if err != nil || out.empty == "" {
			return out, err
		}
		if tries == 3 {
			return nil, fmt.Errorf("%s: %s: %s prints a result of no iterations, as one that panics does", j.sides[k].name, b.pkg, out.empty)
		}
	}
}

// undisturbed is the part of a sample's slices that may be faster than the one that stands for
// it: one in so many. Measured on two processors with a load of 5 to 11, ten rounds of 100
// slices, 11 trials. Of slowdowns of 7 % the lower quartile showed 4, the 10 % quantile 8, the
// 5 % quantile 9. With twenty rounds the 5 % quantile showed all 11. None showed a slowdown
// where there was none. The fastest slice did no better.
const undisturbed = 20

// sample measures the benchmark once on a side: benchmark text with a line for each leaf, see
// [measured.line].
func (j *job) sample(ctx context.Context, o *Options, k int) (string, error) {
	var b strings.Builder
	w := benchfmt.NewWriter(&b)
	all := map[string]*measured{}
	var order []string
	for _, p := range j.parts {
		if p.Names != nil && !j.leaves.on(k, p.Names) {
			continue
		}
		out, err := j.run(ctx, o, k, p)
		if err != nil {
			return "", err
		}
		first, timed := "", 0.0
		if err := eachRecord(out.text, func(record benchfmt.Record) error {
			switch r := record.(type) {
			case *benchfmt.UnitMetadata:
				return w.Write(r)
			case *benchfmt.Result:
				name := r.Name.String()
				if all[name] == nil {
					all[name] = &measured{besides: map[use]float64{}}
					order = append(order, name)
				}
				if first == "" {
					first = name
				}
				timed += perOp(r) * float64(r.Iters)
				all[name].take(r.Clone(), p, out)
			}
			return nil
		}); err != nil {
			return "", err
		}
		if first != "" && o.sampleTime() > 0 && j.comparable(p.Names) {
			all[first].note(p.Use, out.wall.Seconds()-timed)
		}
	}
	if len(order) == 0 {
		o.warn("%s printed no result that can be read: it was skipped, or wrote into its line", j.name)
	}
	for _, name := range order {
		line := all[name].line()
		if line == nil {
			continue
		}
		if j.marked && j.cpu == "1" {
			line.Name = benchfmt.Name(line.Name.String() + "-1")
		}
		if err := w.Write(line); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// on reports whether a side printed one of the names, nil for any, when it warmed up.
func (all leaves) on(k int, names []string) bool {
	return slices.ContainsFunc(all, func(l *leaf) bool { return l.results[k] != nil && (names == nil || slices.Contains(names, l.name)) })
}

// comparable reports whether a process with so many leaves, all for nil, does the same on
// every side: all sides have them.
func (j *job) comparable(names []string) bool {
	for _, l := range j.leaves {
		for k := range j.sides {
			if len(names) != 1 && (names == nil || slices.Contains(names, l.name)) && !j.out[k] && l.results[k] == nil {
				return false
			}
		}
	}
	return true
}

// measured is a sample of one leaf.
type measured struct {
	slices     []*benchfmt.Result
	whole      *benchfmt.Result // one piece, nil where there is none
	cpu, empty time.Duration    // of the process of the piece, and of those of two calls of one iteration
	empties    int              // how many these are
	// besides are the seconds that the process of the slices, or that of the empty calls, spent
	// outside of timed parts. Where several are measured in one, they are those of the first.
	besides map[use]float64
}

// note takes over what a process spent outside of timed parts: of several the least.
func (m *measured) note(u use, seconds float64) {
	if before, there := m.besides[u]; !there || seconds < before {
		m.besides[u] = seconds
	}
}

// take takes over a result of a part.
func (m *measured) take(r *benchfmt.Result, p part, out *printed) {
	switch p.Use {
	case useSlices:
		m.slices = append(m.slices, r)
	case useWhole:
		m.whole, m.cpu = r, out.cpu
	case useEmpty:
		m.empty, m.empties = m.empty+out.cpu, m.empties+1
	}
}

// line returns the sample as a line of benchmark text. Its time is that of the slice that one in
// twenty of the slices beats, and so is what is per second. What is paid now and then, in fewer
// than nineteen slices of twenty, that slice does not pay. So beside it stand the mean, of one
// long piece where there is one and else of all slices, and the processor time of the piece, of
// all threads, less that of a process which does nothing. What that one takes, or the process of
// the slices besides them, is the setup. All else that was measured is that of the piece.
func (m *measured) line() *benchfmt.Result {
	if len(m.slices) == 0 {
		return nil
	}
	slices.SortStableFunc(m.slices, func(a, b *benchfmt.Result) int { return cmp.Compare(perOp(a), perOp(b)) })
	quick := m.slices[(len(m.slices)-1)/undisturbed]
	if m.whole == nil {
		if setup := m.besides[useSlices]; setup > 0 {
			quick.Values = append(quick.Values, benchfmt.Value{Value: setup, Unit: bench.SetupTime})
		}
		if len(m.slices) > 1 && timed(quick) {
			total, n := 0.0, 0
			for _, r := range m.slices {
				total, n = total+perOp(r)*float64(r.Iters), n+r.Iters
			}
			quick.Values = append(quick.Values, nanoseconds("mean-", total/float64(n)))
		}
		return quick
	}
	line := m.whole
	mean := perOp(line)
	for i, v := range line.Values {
		if at := slices.IndexFunc(quick.Values, func(q benchfmt.Value) bool { return q.Unit == v.Unit }); at >= 0 && (v.Unit == "sec/op" || v.Unit == "B/s") {
			line.Values[i] = quick.Values[at]
		}
	}
	if timed(line) {
		line.Values = append(line.Values, nanoseconds("mean-", mean))
	}
	if setup := m.besides[useEmpty]; setup > 0 {
		line.Values = append(line.Values, benchfmt.Value{Value: setup, Unit: bench.SetupTime})
	}
	if cpu := (m.cpu - m.empty/time.Duration(max(1, m.empties))).Seconds(); cpu > 0 && line.Iters > 1 {
		line.Values = append(line.Values, nanoseconds("cpu-", cpu/float64(line.Iters-1)))
	}
	return line
}

// timed reports whether a benchmark printed its time: b.ReportMetric(0, "ns/op") leaves it out.
func timed(r *benchfmt.Result) bool {
	_, there := r.Value("sec/op")
	return there
}

// perOp returns the seconds of an operation.
func perOp(r *benchfmt.Result) float64 {
	seconds, _ := r.Value("sec/op")
	return seconds
}

// nanoseconds returns a value of seconds per operation, as it is printed.
func nanoseconds(kind string, seconds float64) benchfmt.Value {
	return benchfmt.Value{Value: seconds, Unit: kind + "sec/op", OrigValue: seconds * 1e9, OrigUnit: kind + "ns/op"}
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
	reader := benchfmt.NewReader(strings.NewReader(headed(text)), "output")
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

// headed returns the output of a process without the lines that only look like its header, which
// a benchmark has printed: package testing prints it once, in one block.
func headed(text string) string {
	keys := []string{"goos", "goarch", "pkg", "cpu"}
	lines := strings.SplitAfter(text, "\n")
	found, last := false, len(keys) // the key before, in the block
	for i, line := range lines {
		key, _, _ := strings.Cut(line, ": ")
		at := slices.Index(keys, key)
		if !found && at >= 0 && at < 2 && i+1 < len(lines) && strings.HasPrefix(lines[i+1], keys[at+1]+": ") {
			found, last = true, -1
		}
		switch {
		case at > last:
			last = at
		case at >= 0:
			lines[i] = "\n"
			last = len(keys)
		default:
			last = len(keys)
		}
	}
	if !found {
		return text
	}
	return strings.Join(lines, "")
}
