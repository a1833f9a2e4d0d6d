package runner

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"
)

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
		return 200 * time.Millisecond
	}
	return d
}

// plan takes from the warm-up how many slices fit into a sample: as many as its
// slowest benchmark allows.
func (j *job) plan(text string, o *Options) error {
	count := max(1, int(o.sample()/sliceTime))
	err := eachRecord(text, func(record benchfmt.Record) error {
		if r, ok := record.(*benchfmt.Result); ok {
			if seconds, ok := r.Value("sec/op"); ok && seconds > sliceTime.Seconds() {
				count = min(count, max(1, int(o.sample().Seconds()/seconds)))
			}
		}
		return nil
	})
	if j.count == 0 || count < j.count {
		j.count = count
	}
	return err
}

// add takes over a sample: of the slices of each benchmark the one at the lower
// quartile of time, with all that was measured in it. The fastest one would do
// against disturbance, but would hide what a benchmark pays only now and then.
func (s *side) add(text string) error {
	var order []string
	lines := map[string][]*benchfmt.Result{}
	if s.writer == nil {
		s.writer, s.units = benchfmt.NewWriter(&s.text), map[benchfmt.UnitMetadataKey]bool{}
	}
	err := eachRecord(text, func(record benchfmt.Record) error {
		switch r := record.(type) {
		case *benchfmt.UnitMetadata:
			if !s.units[r.UnitMetadataKey] {
				s.units[r.UnitMetadataKey] = true
				return s.writer.Write(r)
			}
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
		return err
	}
	for _, name := range order {
		all := lines[name]
		slices.SortStableFunc(all, func(a, b *benchfmt.Result) int {
			x, _ := a.Value("sec/op")
			y, _ := b.Value("sec/op")
			switch {
			case x < y:
				return -1
			case x > y:
				return 1
			}
			return 0
		})
		if err := s.writer.Write(all[(len(all)-1)/4]); err != nil {
			return err
		}
	}
	return nil
}

// eachRecord reads benchmark text; a result is reused after take returns.
func eachRecord(text string, take func(benchfmt.Record) error) error {
	reader := benchfmt.NewReader(strings.NewReader(text), "output")
	for reader.Scan() {
		record := reader.Result()
		if bad, ok := record.(*benchfmt.SyntaxError); ok {
			return fmt.Errorf("a line that is no benchmark result: %w", bad)
		}
		if err := take(record); err != nil {
			return err
		}
	}
	return reader.Err()
}
