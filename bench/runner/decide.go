package runner

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sakusen/bench"
)

// Decide measures two versions of a module until the gate is decided:
// more rounds only of the benchmarks that are not yet clear, and an alarm is one
// only when builds laid out anew show it again. Profiles of what failed say why.
//
//	d, err := runner.Decide(ctx, runner.DecideOptions{Measure: runner.Options{Base: "main", Rounds: 20}, Read: read})
//	// d.Gate, d.Comparison, d.Result
//
// The error rate over all looks is that of [bench.Sequential].

// sides are what was measured, by side: base, head, and noise, a second copy of
// the base. A side on which no benchmark printed anything is missing.
type sides map[string]*bench.Run

// of returns a side, empty where it is missing: then all that differs is new, or gone.
func (s sides) of(side string) *bench.Run {
	if run := s[side]; run != nil {
		return run
	}
	return &bench.Run{Name: side}
}

// Write keeps the text of each side in a file of a folder: base.txt, head.txt and
// noise.txt.
func (s sides) Write(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for side, run := range s {
		if err := bench.WriteFile(filepath.Join(folder, side+".txt"), []byte(run.Raw)); err != nil {
			return err
		}
	}
	return nil
}

// DecideOptions say what is measured and how it is judged.
type DecideOptions struct {
	Measure   Options // Rounds are the most
	Policy    bench.Policy
	ExactOnly bool
	Fixed     bool   // measure the same number of rounds of everything and judge once, without confirmation
	Profiles  string // folder for profiles of what failed; empty takes none
	// Read reads the text of a side and gives it its machine class.
	Read func(side, text string) (*bench.Run, error)
}

// Decided is what came of it.
type Decided struct {
	Result     *Result
	Sides      sides
	Comparison *bench.Comparison // with the warnings of the measurement
	Gate       bench.Gate
	// Samples are the rounds of all benchmarks together; Full is what a fixed number of
	// rounds would have taken.
	Samples, Full int
}

// Decide measures and judges. Benchmarks for which the time was too short are in doubt. The
// result is there also where an error says that the measurement was interrupted or that
// there is nothing to measure.
func Decide(ctx context.Context, o DecideOptions) (*Decided, error) {
	s := bench.NewSequential(o.Policy, o.Measure.Rounds)
	judge := s.Gate
	m := o.Measure
	if o.Fixed {
		judge = func(c *bench.Comparison, noise map[bench.Series]float64) bench.Gate {
			p := o.Policy
			p.Noise = noise
			return bench.Judge(c, p)
		}
	} else {
		m.Look = o.looker(s)
	}
	if o.Profiles != "" {
		m.Profiles, m.Suspects = o.Profiles, func(r *Result) (map[string]float64, error) {
			_, c, noise, err := o.compare(r)
			if err != nil {
				return nil, err
			}
			return suspects(judge(c, noise), c), nil
		}
	}
	d := &Decided{}
	// What is interrupted while an alarm is confirmed goes on there the next time.
	m.Then = func(result *Result) error {
		d.Result = result
		return o.conclude(ctx, d, judge)
	}
	var err error
	d.Result, err = Measure(ctx, m)
	return d, err
}

// conclude judges what was measured and confirms what failed.
func (o *DecideOptions) conclude(ctx context.Context, d *Decided, judge func(*bench.Comparison, map[bench.Series]float64) bench.Gate) error {
	sides, c, noise, err := o.compare(d.Result)
	if err != nil {
		return err
	}
	if len(sides) == 0 {
		c.Warnings = nil // what is missing on both sides has a reason, which the gate says
	}
	d.Sides, d.Comparison, d.Gate = sides, c, judge(c, noise)
	d.count(o.Measure.Rounds)
	if !o.Fixed {
		if err := o.confirm(ctx, d); err != nil {
			return err
		}
	}
	d.Result.judged(&d.Gate, d.Comparison)
	d.Comparison.Warnings = append(d.Comparison.Warnings, d.Result.Warnings...)
	if busy := d.Comparison.Busy(); busy != "" && len(d.Gate.Doubts) > 0 {
		d.Comparison.Warnings = append(d.Comparison.Warnings, busy)
	}
	d.Gate.Causes, err = Explain(d.Result.Profiled)
	equalMemory(d.Gate.Causes, d.Comparison)
	return err
}

// looker looks with s after each round.
func (o *DecideOptions) looker(s *bench.Sequential) func(*Result) (func(pkg, benchmark string) bool, error) {
	var active map[string]bool // after the first look
	return func(r *Result) (func(pkg, benchmark string) bool, error) {
		if slices.Contains(s.Looks(), r.Rounds) {
			_, c, noise, err := o.compare(r)
			if err != nil {
				return nil, err
			}
			open := s.Look(c, noise, r.Rounds)
			active = map[string]bool{}
			for _, series := range open {
				active[series.Pkg+" "+top(series.Name)] = true
			}
			if len(open) > 0 && r.Rounds < o.Measure.Rounds {
				o.Measure.Say("%d series are not clear after %d rounds", len(open), r.Rounds)
			}
		}
		return func(pkg, benchmark string) bool {
			return active == nil || active[pkg+" "+strings.TrimPrefix(benchmark, "Benchmark")]
		}, nil
	}
}

// suspects returns the benchmarks that failed, with the new time of an operation divided by
// the old one.
func suspects(g bench.Gate, c *bench.Comparison) map[string]float64 {
	found := map[string]float64{}
	for _, f := range g.Failures {
		found[f.Row.Series.Pkg+" "+f.Row.Series.Name] = 1
	}
	for i := range c.Rows {
		r := &c.Rows[i]
		key := r.Series.Pkg + " " + r.Series.Name
		if _, failed := found[key]; failed && r.Series.Unit == "sec/op" && r.Paired() && r.Old.Center > 0 {
			found[key] = r.New.Center / r.Old.Center
		}
	}
	return found
}

// compare compares what has been measured so far.
func (o *DecideOptions) compare(r *Result) (sides, *bench.Comparison, map[bench.Series]float64, error) {
	sides := sides{}
	for side, text := range map[string]string{"base": r.Base, "head": r.Head, "noise": r.Noise} {
		if text == "" {
			continue
		}
		run, err := o.Read(side, text)
		if err != nil {
			return nil, nil, nil, err
		}
		sides[side] = run
	}
	base := sides.of("base")
	return sides, bench.Compare(base, sides.of("head"), bench.Options{ExactOnly: o.ExactOnly}), bench.NoiseFloor(base, sides.of("noise")), nil
}

// confirm measures the benchmarks that failed by their time once more, on new builds of
// both sides with another layout of the code.
func (o *DecideOptions) confirm(ctx context.Context, d *Decided) error {
	alarms := map[string]bool{}
	for _, f := range d.Gate.Failures {
		if f.Row.Verdict != bench.ExactChanged {
			alarms[f.Row.Series.Pkg+" "+top(f.Row.Series.Name)] = true
		}
	}
	if len(alarms) == 0 {
		d.Gate.Unconfirmed(d.Comparison, func(bench.Series) (*bench.Row, bool) { return nil, false })
		return nil
	}
	m := o.Measure
	if ends := d.Result.ends; !ends.IsZero() {
		if m.Budget, m.rest = time.Until(ends), true; m.Budget <= 0 {
			d.Comparison.Warnings = append(d.Comparison.Warnings, "--most left no time to measure the failed benchmarks again, on new builds")
			return nil
		}
	}
	m.Say("measuring the %d benchmarks that failed again, on new builds", len(alarms))
	m.Also, m.Base = nil, d.Result.BaseCommit // wherever its branch is now
	m.All, m.Instructions, m.Rounds, m.Layout = true, false, max(10, m.Rounds/2), m.Seed+1
	m.Seed += 1000
	m.Only = func(pkg, benchmark string) bool {
		return alarms[pkg+" "+strings.TrimPrefix(benchmark, "Benchmark")]
	}
	again, err := Measure(ctx, m)
	if err != nil {
		return err
	}
	_, c, noise, err := o.compare(again)
	if err != nil {
		return err
	}
	p := o.Policy
	p.Noise = noise
	failed, judged := map[bench.Series]bool{}, map[bench.Series]*bench.Row{}
	for _, f := range bench.Judge(c, p).Failures {
		failed[f.Row.Series] = true
	}
	for i := range c.Rows {
		if r := &c.Rows[i]; r.Paired() && min(r.Old.N, r.New.N) >= 5 {
			judged[r.Series] = r
		}
	}
	d.Gate.Unconfirmed(d.Comparison, func(s bench.Series) (*bench.Row, bool) { return judged[s], failed[s] })
	return nil
}

// count notes the rounds of benchmarks; of several series of a benchmark, the one with the
// most counts.
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

// top returns the name of the top-level benchmark of a result, without the number of
// processors. A benchmark's own name is an identifier, without any hyphen.
func top(name string) string {
	name, _, _ = strings.Cut(name, "/")
	name, _, _ = strings.Cut(name, "-")
	return name
}
