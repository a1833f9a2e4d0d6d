// Package decide measures two versions of a module until the gate is decided:
// more rounds only of the benchmarks that are not yet clear, and an alarm is one
// only when builds laid out anew show it again.
//
//	d, err := decide.Run(ctx, decide.Options{Measure: runner.Options{Base: "main", Rounds: 20}, Read: read})
//	// d.Gate, d.Comparison, d.Result
//
// The error rate over all looks is that of [bench.Sequential].
package decide

import (
	"context"
	"slices"
	"strings"

	"sakusen/bench"
	"sakusen/bench/runner"
)

// Options say what is measured and how it is judged.
type Options struct {
	Measure   runner.Options // Rounds are the most
	Policy    bench.Policy
	ExactOnly bool
	// Read reads the text of a side and gives it its machine class.
	Read func(side, text string) (*bench.Run, error)
}

// Decided is what came of it.
type Decided struct {
	Result     *runner.Result
	Comparison *bench.Comparison
	Gate       bench.Gate
	// Samples are the rounds of all benchmarks together; of a fixed number of rounds
	// they would be Full.
	Samples, Full int
}

// Run measures and judges. The result is there also where an error says that the
// measurement was interrupted or that there is nothing to measure.
func Run(ctx context.Context, o Options) (*Decided, error) {
	s := bench.NewSequential(o.Policy, o.Measure.Rounds)
	d := &Decided{}
	m := o.Measure
	var open []bench.Series
	active := map[string]bool{} // of the round before; empty: all
	m.Look = func(r *runner.Result) (func(pkg, benchmark string) bool, error) {
		if slices.Contains(s.Looks(), r.Rounds) {
			c, noise, err := o.compare(r)
			if err != nil {
				return nil, err
			}
			open = s.Look(c, noise, r.Rounds)
			active = map[string]bool{}
			for _, series := range open {
				active[series.Pkg+" "+top(series.Name)] = true
			}
			if len(open) > 0 && r.Rounds < m.Rounds {
				m.Say("%d series are not clear after %d rounds", len(open), r.Rounds)
			}
		}
		if open == nil && r.Rounds < s.Looks()[0] {
			return func(string, string) bool { return true }, nil
		}
		return func(pkg, benchmark string) bool {
			return active[pkg+" "+strings.TrimPrefix(benchmark, "Benchmark")]
		}, nil
	}
	result, err := runner.Measure(ctx, m)
	d.Result = result
	if err != nil {
		return d, err
	}
	c, noise, err := o.compare(result)
	if err != nil {
		return d, err
	}
	d.Comparison, d.Gate = c, s.Gate(c, noise)
	d.count(o.Measure.Rounds)
	return d, o.confirm(ctx, d)
}

// compare compares what was measured until now.
func (o *Options) compare(r *runner.Result) (*bench.Comparison, map[bench.Series]float64, error) {
	sides := map[string]*bench.Run{}
	for side, text := range map[string]string{"base": r.Base, "head": r.Head, "noise": r.Noise} {
		sides[side] = &bench.Run{Name: side} // all that differs is new, or gone
		if text == "" {
			continue
		}
		run, err := o.Read(side, text)
		if err != nil {
			return nil, nil, err
		}
		sides[side] = run
	}
	return bench.Compare(sides["base"], sides["head"], bench.Options{ExactOnly: o.ExactOnly}), bench.NoiseFloor(sides["base"], sides["noise"]), nil
}

// confirm measures what failed by its time once more, on builds of both sides that
// are laid out anew.
func (o *Options) confirm(ctx context.Context, d *Decided) error {
	alarms := map[string]bool{}
	for _, f := range d.Gate.Failures {
		if f.Row.Verdict != bench.ExactChanged {
			alarms[f.Row.Series.Pkg+" "+top(f.Row.Series.Name)] = true
		}
	}
	if len(alarms) == 0 {
		return nil
	}
	m := o.Measure
	m.Say("measuring %d benchmarks that failed once more, on fresh builds", len(alarms))
	m.All, m.Instructions, m.Rounds, m.Layout = true, false, max(10, m.Rounds/2), m.Seed+1
	m.Seed += 1000
	m.Only = func(pkg, benchmark string) bool {
		return alarms[pkg+" "+strings.TrimPrefix(benchmark, "Benchmark")]
	}
	again, err := runner.Measure(ctx, m)
	if err != nil {
		return err
	}
	c, noise, err := o.compare(again)
	if err != nil {
		return err
	}
	p := o.Policy
	p.Noise = noise
	failed := map[bench.Series]bool{}
	for _, f := range bench.Judge(c, p).Failures {
		failed[f.Row.Series] = true
	}
	d.Gate.Unconfirmed(d.Comparison, func(s bench.Series) bool { return failed[s] })
	return nil
}

// count counts rounds of benchmarks, by the series that has the most of each.
func (d *Decided) count(rounds int) {
	most := map[string]int{}
	for i := range d.Comparison.Rows {
		if r := &d.Comparison.Rows[i]; r.New != nil {
			key := r.Series.Pkg + " " + r.Series.Name
			most[key] = max(most[key], r.New.N)
		}
	}
	for _, n := range most {
		d.Samples += n
		d.Full += rounds
	}
}

// top is the name of the top-level benchmark of a result, without the number of
// processors. A benchmark's own name is an identifier, without any hyphen.
func top(name string) string {
	name, _, _ = strings.Cut(name, "/")
	name, _, _ = strings.Cut(name, "-")
	return name
}
