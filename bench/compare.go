package bench

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
	"gonum.org/v1/gonum/mathext"
)

// Options are those of a comparison; the zero value takes the defaults.
type Options struct {
	Alpha      float64 // level at which a corrected q counts; default 0.05
	Confidence float64 // of the intervals; default 0.95
	Threshold  float64 // relative change that matters; default 0.05
	ExactOnly  bool    // leave out what is not exact
}

func (o Options) filled() Options {
	if o.Alpha == 0 {
		o.Alpha = 0.05
	}
	if o.Confidence == 0 {
		o.Confidence = 0.95
	}
	if o.Threshold == 0 {
		o.Threshold = 0.05
	}
	return o
}

// Summary is one side of a series, in base units.
type Summary struct {
	Center, Lo, Hi float64 // median and its interval; infinite where there are too few samples
	Min, Max       float64
	N              int
	Range          string // the interval as benchstat prints it: "2%", "∞"
}

// Row compares one series.
type Row struct {
	Series  Series
	Old     *Summary // nil: the series is new
	New     *Summary // nil: the series is missing
	Exact   bool     // a difference counts without a test; see exact
	Better  int      // +1 higher, -1 lower, 0 unknown
	Delta   float64  // new/old - 1; NaN where undefined
	Printed string   // the change as benchstat prints it: "-17.20%", "~", "?"
	Test    string   // the test as benchstat prints it: "p=0.000 n=10"
	P, Q    float64  // of the U-test; Q is P after Benjamini and Hochberg
	// RatioLo and RatioHi bound new/old; 0 and +Inf if nothing is known.
	RatioLo, RatioHi float64
	Verdict          Verdict
	Warnings         []string
	declared         bool    // exact whatever the values
	repeated         bool    // a side shows one value three times, beside others
	beyond           int     // new samples that are worse than all old ones by more than chance explains
	raise            float64 // relative change for the worse of the mean
	strays           int     // new samples that are worse than all old ones by more than a twentieth; of no direction, different
	calls            int     // of a sample of either side, at least; 0 where that is not known
	weight           weight
}

// weight is what a series counts for in the gate.
type weight int

const (
	weightFull weight = iota
	// weightFails may fail the gate; that it is undecided is no doubt.
	weightFails
	// weightDoubts puts the gate in doubt if it is worse.
	weightDoubts
	// weightNone is only shown.
	weightNone
)

// SetupTime is the unit of the seconds that a benchmark's process takes outside of the timed
// parts. Go test does not show them; that they grew is said, and is no regression.
const SetupTime = "setup-sec"

// The units of the mean of a time, beside which "sec/op" is the time that one in twenty slices beats,
// and of the processor time of all threads. Costs that occur only now and then show in these alone.
const (
	meanTime      = "mean-sec/op"
	processorTime = "cpu-sec/op"
)

// weigh notes how times of one benchmark are judged. On a machine that others use, the mean
// of the time that passes says little; where a benchmark does not wait most of its time,
// the processor time stands for it.
func (c *Comparison) weigh() {
	index := map[Series]*Row{}
	for i := range c.Rows {
		if r := &c.Rows[i]; r.Paired() {
			index[r.Series] = r
		}
	}
	for i := range c.Rows {
		r, s := &c.Rows[i], c.Rows[i].Series
		s.Unit = "sec/op"
		time := index[s]
		s.Unit = processorTime
		cpu := index[s]
		stands := time != nil && cpu != nil && 2*cpu.Old.Center >= time.Old.Center
		if s.Unit = meanTime; index[s] != nil && r.Series.Unit == "sec/op" {
			r.beyond = 0 // the mean shows it
		}
		switch {
		case r.Series.Unit == SetupTime:
			r.weight = weightDoubts
		case r.Series.Unit == meanTime && stands:
			r.weight = weightFails
			r.Warnings = append(r.Warnings, "computes most of its time: where this mean is too noisy, "+processorTime+" decides")
		case r.Series.Unit == processorTime && !stands && time != nil: // else it is the only time
			r.weight = weightNone
			if r.Paired() {
				r.Warnings = append(r.Warnings, "waits most of its time: "+meanTime+" decides, and this is only shown")
			}
		}
	}
}

// Paired reports whether both sides have the series.
func (r *Row) Paired() bool { return r.Old != nil && r.New != nil }

// Comparison is two runs compared.
type Comparison struct {
	Old, New string // names of the runs
	Rows     []Row
	Paired   int // rows that both sides have
	Warnings []string
	units    benchfmt.UnitMetadataMap
	doubts   []Finding // what the runs lack
}

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
	c.doubt(old, new)
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
	c.weigh()
	if slices.ContainsFunc(c.Rows, func(r Row) bool { return r.Paired() && !r.Exact && r.Series.Machine == "" }) {
		c.Warnings = append(c.Warnings, "neither side says on what machine it was measured: times of two machines must not be compared (a line \"machine-class: NAME\" names it)")
	}
	if sameTimes(old.Values, func(s Series, values []float64) []float64 { return new.Values[s] }) {
		c.Warnings = append(c.Warnings, "every time is the same on both sides, to the digit: is the same measurement on both sides?")
	}
	switch bare := !slices.ContainsFunc(pairs, func(p pair) bool { return len(p.old) > 0 }); {
	case c.Paired == 0 && o.ExactOnly && bare && len(old.Order) > 0:
		c.Warnings = append(c.Warnings, "nothing to compare: "+old.Name+" has no exact metrics: measure it with -benchmem")
	case c.Paired == 0:
		c.Warnings = append(c.Warnings, unpaired(old, new))
	}
	return c
}

// sameTimes reports whether all times with enough samples to vary are others, to the digit.
func sameTimes(values map[Series][]float64, others func(Series, []float64) []float64) bool {
	found := false
	for s, list := range values {
		if !s.timed() || len(list) < 3 || slices.Min(list) == slices.Max(list) {
			continue
		}
		if !slices.Equal(list, others(s, list)) {
			return false
		}
		found = true
	}
	return found
}

// doubt notes what the runs lack, for the gate: no verdict of an incomplete run is a pass.
func (c *Comparison) doubt(old, new *Run) {
	say := func(pkg, what string) {
		c.doubts = append(c.doubts, Finding{&Row{Series: Series{Pkg: pkg}, Delta: math.NaN(), P: math.NaN(), Q: math.NaN()}, what})
	}
	for i, r := range []*Run{old, new} {
		for _, f := range r.Failures {
			pkg := f.Pkg
			if pkg == "" {
				pkg = r.Name
			}
			say(pkg, r.Name+": "+f.String())
		}
		if n := len(r.Lost); n > 0 {
			say(r.Name, fmt.Sprintf("%d results were lost: %s", n, r.Lost[0]))
		}
		other := []*Run{new, old}[i]
		if first, n := r.cutShort(other); n > 0 {
			say(r.Name, fmt.Sprintf("%d benchmarks have fewer samples than in %s, and nothing tells that so few were asked for: %s has %d, not %d",
				n, other.Name, first.Title(), r.lines[first], other.lines[first]))
		}
		if s, n := r.missesValues(other); n > 0 {
			say(r.Name, fmt.Sprintf("%d series have fewer values than their benchmarks have results, though %s has one with each: %s has %d of %d",
				n, other.Name, s.Title(), len(r.Values[s]), r.lines[s.benchmark()]))
		}
		for _, s := range r.Order {
			rate := s
			rate.Unit = "B/s"
			if times, rates := r.Values[s], r.Values[rate]; s.Unit == "sec/op" && len(times) > 0 && len(rates) > 0 && slices.Max(times) == 0 && slices.Max(rates) > 0 {
				say(r.Name, s.Title()+" is 0 in all samples, and its bytes per second are not")
				break
			}
		}
		for _, line := range r.tail {
			alike := func(theirs string) bool { return form(theirs) == form(line) }
			if !slices.ContainsFunc(other.tail, alike) {
				say(r.Name, fmt.Sprintf("behind its results stands %q, which is not understood and not what %s ends with: if nothing was ended there, leave it out", cut(line, 100), other.Name))
				break
			}
		}
		if !r.Ended && !r.Whole && other.Ended && len(r.Order) > 0 {
			say(r.Name, "tells no end of a package (PASS, ok), though "+other.Name+" does: it may have been cut off")
		}
	}
	for i, r := range []*Run{old, new} {
		other := []*Run{new, old}[i]
		if what := other.copies(r); what != "" {
			say(other.Name, "holds "+what)
		} else if s, found := other.appended(r); found {
			say(other.Name, fmt.Sprintf("has %d results of %s in %d parts of the text, and %s has %d in %d: if some are of an earlier measurement, remove them",
				other.lines[s], s.Title(), len(other.pieces[s]), r.Name, r.lines[s], len(r.pieces[s])))
		}
	}
	// A change must not pass by turning around what the gate looks for.
	for _, key := range unitKeys(new.Units) {
		was := direction(key.Unit, old.Units)
		turned := key.Key == "better" && was != 0 && was != direction(key.Unit, new.Units) ||
			key.Key == "assume" && exact(key.Unit, old.Units) && !exact(key.Unit, new.Units)
		if turned && old.Units[key] == nil {
			say(new.Name, fmt.Sprintf("its line \"Unit %s %s=%s\", which %s lacks, changes what is worse", key.Unit, key.Key, new.Units[key].Value, old.Name))
		}
	}
}

// row summarises and tests one pair.
func (c *Comparison) row(p pair, o Options, thresholds *benchmath.Thresholds) Row {
	r := Row{
		Series: p.series, Exact: p.exact, declared: declared(p.series.Unit, c.units), Better: direction(p.series.Unit, c.units),
		Delta: math.NaN(), P: math.NaN(), Q: math.NaN(), RatioHi: math.Inf(1),
	}
	assume := c.units.GetAssumption(p.series.Unit)
	var samples [2]*benchmath.Sample
	for i, values := range [][]float64{p.old, p.new} {
		if len(values) == 0 { // AssumeExact panics on an empty sample
			continue
		}
		// NewSample sorts its argument.
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
	r.calls = p.calls
	r.repeated = repeats(samples[0].Values) || repeats(samples[1].Values)
	burst(&r, samples[0].Values, samples[1].Values)
	for _, v := range samples[1].Values {
		slack := math.Abs(r.Old.Center) / 20
		if r.Exact {
			slack = r.Old.Max - r.Old.Min
		}
		if v > r.Old.Max+slack && r.Better <= 0 || v < r.Old.Min-slack && r.Better >= 0 {
			r.strays++
		}
	}
	return r
}

// repeats reports whether sorted values hold one three times.
func repeats(values []float64) bool {
	for i := 2; i < len(values); i++ {
		if values[i] == values[i-2] {
			return true
		}
	}
	return false
}

func (r *Row) warn(errs []error) {
	for _, err := range errs {
		text := err.Error()
		if len(r.Warnings) == 0 || r.Warnings[len(r.Warnings)-1] != text {
			r.Warnings = append(r.Warnings, text)
		}
	}
}

// unpaired reports why nothing could be compared.
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

// correct fills in q: the smallest false discovery rate at which the change would be
// reported among all series that were tested. The family is every paired series, except those of a
// unit that is assumed exact, whose p is 0 by definition and not by a test, and those with one value on
// both sides, in which nothing can be found.
//
// Source: Benjamini and Hochberg 1995, "Controlling the False Discovery Rate", section 3.
func correct(rows []Row) {
	var family []*Row
	for i := range rows {
		switch r := &rows[i]; {
		case !r.Paired():
		case r.P == 0, r.Old.N > 0 && r.constant():
			r.Q = r.P
		default:
			family = append(family, r)
		}
	}
	slices.SortStableFunc(family, func(a, b *Row) int { return cmp.Compare(b.P, a.P) })
	least := 1.0
	for i, r := range family {
		rank := len(family) - i
		least = math.Min(least, r.P*float64(len(family))/float64(rank))
		r.Q = math.Max(least, r.P)
	}
}

// ratioInterval bounds the factor between two sorted samples of positive
// values: the ratios new/old of all pairs, cut at the ranks where the U-test
// would begin to reject, by its normal approximation. It is Hodges and Lehmann's
// shift interval on logarithms; of values that are all negative it is that of their
// amounts. With too few samples, or zeros or both signs, nothing is known: 0 and +Inf.
//
// Source: Hollander, Wolfe and Chicken 2014, "Nonparametric Statistical
// Methods", section 4.3.
func ratioInterval(old, new []float64, confidence float64) (lo, hi float64) {
	lo, hi = 0, math.Inf(1)
	if old[0] == old[len(old)-1] && new[0] == new[len(new)-1] && old[0] == new[0] {
		return 1, 1
	}
	if old[len(old)-1] < 0 && new[len(new)-1] < 0 {
		old, new = amounts(old), amounts(new)
	}
	if old[0] <= 0 || new[0] <= 0 {
		return lo, hi
	}
	n, m := float64(len(old)), float64(len(new))
	z := mathext.NormalQuantile(1 - (1-confidence)/2)
	k := int(math.Floor(n*m/2 - z*math.Sqrt(n*m*(n+m+1)/12)))
	if k < 1 {
		return lo, hi
	}
	return kthRatio(old, new, k), kthRatio(old, new, len(old)*len(new)-k+1)
}

// amounts returns sorted negative values without their sign, sorted again.
func amounts(values []float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[len(values)-1-i] = -v
	}
	return out
}

// kthRatio returns the k-th smallest, from 1, of all new/old of sorted positive
// values. The ratios are counted, never listed: it bisects the bit patterns of
// positive numbers, which are in the numbers' order.
func kthRatio(old, new []float64, k int) float64 {
	lo := math.Float64bits(new[0] / old[len(old)-1])
	hi := math.Float64bits(new[len(new)-1] / old[0])
	for lo < hi {
		mid := lo + (hi-lo)/2
		at, count, below := math.Float64frombits(mid), 0, 0
		for _, a := range old { // the larger a is, the more ratios are below
			for below < len(new) && new[below]/a <= at {
				below++
			}
			count += below
		}
		if count >= k {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return math.Float64frombits(lo)
}

// leastP returns the smallest p that a two-sided U-test of so many samples can give:
// 2 over the number of ways to choose n of n+m.
func leastP(n, m int) float64 {
	all, _ := math.Lgamma(float64(n + m + 1))
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(m + 1))
	return math.Min(1, 2*math.Exp(a+b-all))
}
