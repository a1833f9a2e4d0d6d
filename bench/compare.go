package bench

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/perf/benchmath"
)

// Compare compares two runs, series by series. Centre, interval, change and p
// are those of benchstat.
func Compare(old, new *Run, o Options) *Comparison {
	o = o.filled()
	c := &Comparison{Old: old.Name, New: new.Name}
	for _, r := range []*Run{old, new} {
		for _, w := range r.Warnings {
			c.Warnings = append(c.Warnings, r.Name+": "+w)
		}
	}
	var warnings []string
	c.units, warnings = mergeUnits(old, new)
	c.Warnings = append(c.Warnings, warnings...)
	thresholds := benchmath.DefaultThresholds
	pairs := match(old, new, c.units)
	if o.ExactOnly {
		pairs = slices.DeleteFunc(pairs, func(p pair) bool { return !p.exact })
	}
	// The exact test takes milliseconds if values are tied, so thousands of series are
	// worth using all processors.
	c.Rows = make([]Row, len(pairs))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(pairs)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(pairs); i = int(next.Add(1)) - 1 {
				c.Rows[i] = c.row(pairs[i], o, &thresholds)
			}
		})
	}
	workers.Wait()
	for i := range c.Rows {
		if c.Rows[i].Paired() {
			c.Paired++
		}
	}
	correct(c.Rows)
	for i := range c.Rows {
		c.Rows[i].judge(o)
	}
	if slices.ContainsFunc(c.Rows, func(r Row) bool { return r.Paired() && !r.Exact && r.Series.Machine == "" }) {
		c.Warnings = append(c.Warnings, "neither side says on what machine it was measured: times of two machines must not be compared (a line \"machine-class: NAME\" tells)")
	}
	if c.Paired == 0 {
		c.Warnings = append(c.Warnings, unpaired(old, new))
	}
	return c
}

// row summarises and tests one pair.
func (c *Comparison) row(p pair, o Options, thresholds *benchmath.Thresholds) Row {
	r := Row{
		Series: p.series, Exact: p.exact, Better: direction(p.series.Unit, c.units),
		Delta: math.NaN(), P: math.NaN(), Q: math.NaN(), RatioHi: math.Inf(1),
	}
	assume := c.units.GetAssumption(p.series.Unit)
	var samples [2]*benchmath.Sample
	for i, values := range [][]float64{p.old, p.new} {
		if len(values) == 0 { // AssumeExact panics on an empty sample
			continue
		}
		// NewSample sorts what it is given.
		samples[i] = benchmath.NewSample(append([]float64(nil), values...), thresholds)
		s := assume.Summary(samples[i], o.Confidence)
		sorted := samples[i].Values
		summary := &Summary{s.Center, s.Lo, s.Hi, sorted[0], sorted[len(sorted)-1], len(sorted), s.PctRangeString()}
		r.warn(s.Warnings)
		if i == 0 {
			r.Old = summary
		} else {
			r.New = summary
		}
	}
	if !r.Paired() {
		return r
	}
	cmp := assume.Compare(samples[0], samples[1])
	r.warn(cmp.Warnings)
	r.P, r.Test = cmp.P, cmp.String()
	r.Printed = cmp.FormatDelta(r.Old.Center, r.New.Center)
	if r.Old.Center == r.New.Center {
		r.Delta = 0
	} else if r.Old.Center != 0 {
		r.Delta = r.New.Center/r.Old.Center - 1
	}
	r.RatioLo, r.RatioHi = ratioInterval(samples[0].Values, samples[1].Values, o.Confidence)
	return r
}

func (r *Row) warn(errs []error) {
	for _, err := range errs {
		text := err.Error()
		if len(r.Warnings) == 0 || r.Warnings[len(r.Warnings)-1] != text {
			r.Warnings = append(r.Warnings, text)
		}
	}
}

// unpaired says why nothing could be compared.
func unpaired(old, new *Run) string {
	for _, r := range []*Run{old, new} {
		if len(r.Order) == 0 {
			return "nothing to compare: " + r.Name + " has no results"
		}
	}
	if a, b := old.Machine(), new.Machine(); a != b {
		return fmt.Sprintf("nothing to compare: no series is on both sides (machine classes %q and %q; times are compared inside one class only)", a, b)
	}
	return fmt.Sprintf("nothing to compare: no series is on both sides (the first is %s there, %s here)", old.Order[0].Title(), new.Order[0].Title())
}
