package runner

import (
	"cmp"
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
