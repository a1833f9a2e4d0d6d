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
)

// part is one process of a sample: some benchmarks of a job, measured in slices.
type part struct {
	Names []string `json:"names"` // full names; nil for all of the job
	Time  string   `json:"time"`  // of one slice, as -test.benchtime
	Count int      `json:"count"` // slices
	Use   use      `json:"use"`
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

// walls returns the times between the lines that are read as results and what came before.
func (s *stamps) walls(began time.Time) (list []time.Duration) {
	text := s.text.Bytes()
	last, at, came := began, 0, 0
	for at < len(text) {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text) - at - 1
		}
		line := text[at : at+end+1]
		at += end + 1
		for came < len(s.ends)-1 && s.ends[came] < at {
			came++
		}
		if !bytes.HasPrefix(line, []byte("Benchmark")) && !bytes.HasPrefix(line, []byte("=== RUN")) {
			continue
		}
		if isResult(string(line)) {
			list = append(list, s.times[came].Sub(last))
		}
		last = s.times[came]
	}
	return list
}

// isResult tells whether a line is read as a result.
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
// whatever the benchmark prints.
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
		"-test.run=^$", "-test.bench=" + pattern, "-test.benchmem", "-test.v",
		fmt.Sprint("-test.count=", p.Count), "-test.benchtime=" + p.Time,
	}
	if j.cpu != "" {
		args = append(args, "-test.cpu="+j.cpu)
	}
	cmd := command(ctx, nil, b.dir, b.path, b.with(args...)...)
	var out stamps
	var errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	began := time.Now()
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%s: %s: %s: %w", j.sides[k].name, b.pkg, j.name, said(cmd, err, out.text.String(), errs.String()))
	}
	return &printed{
		text: strings.TrimRight(out.text.String(), "\n") + "\n", walls: out.walls(began), wall: time.Since(began),
		cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(),
	}, nil
}

// undisturbed is the part of a sample's slices that may be faster than the one
// that stands for it: one in so many. Measured on two processors with a load of
// 5 to 11, ten rounds of 100 slices, 11 trials: of slowdowns of 7 % the lower
// quartile showed 4, the tenth 8, the twentieth 9, and twenty rounds of the
// twentieth all 11, with none shown where there was none. The fastest slice did
// no better.
const undisturbed = 20

// sample measures the benchmark once on a side: benchmark text with a line for each leaf. Its
// time is that of the slice that one in twenty of the slices beats in time, and so is what is
// per second.
func (j *job) sample(ctx context.Context, o *Options, k int) (string, error) {
	var b strings.Builder
	w := benchfmt.NewWriter(&b)
	slots := map[string][]*benchfmt.Result{}
	var order []string
	for _, p := range j.parts {
		if !j.has(k, p.Names) {
			continue
		}
		out, err := j.run(ctx, o, k, p)
		if err != nil {
			return "", err
		}
		if err := eachRecord(out.text, func(record benchfmt.Record) error {
			switch r := record.(type) {
			case *benchfmt.UnitMetadata:
				return w.Write(r)
			case *benchfmt.Result:
				name := r.Name.String()
				if slots[name] == nil {
					order = append(order, name)
				}
				slots[name] = append(slots[name], r.Clone())
			}
			return nil
		}); err != nil {
			return "", err
		}
	}
	if len(order) == 0 {
		o.warn("%s printed no result that can be read: it was skipped, or wrote into its line", j.name)
	}
	for _, name := range order {
		line := condense(slots[name])
		if j.marked && j.cpu == "1" {
			line.Name = benchfmt.Name(line.Name.String() + "-1")
		}
		if err := w.Write(line); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// has tells whether a side printed one of the names when it warmed up.
func (j *job) has(k int, names []string) bool {
	return names == nil || slices.ContainsFunc(j.leaves, func(l *leaf) bool { return l.results[k] != nil && slices.Contains(names, l.name) })
}

// condense returns the slice that one in twenty of a benchmark's slices beats in time.
func condense(all []*benchfmt.Result) *benchfmt.Result {
	slices.SortStableFunc(all, func(a, b *benchfmt.Result) int {
		x, _ := a.Value("sec/op")
		y, _ := b.Value("sec/op")
		return cmp.Compare(x, y)
	})
	return all[(len(all)-1)/undisturbed]
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
