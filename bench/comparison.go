package bench

import "golang.org/x/perf/benchfmt"

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
	Exact   bool     // see [Exact]
	Better  int      // +1 higher, -1 lower, 0 unknown
	Delta   float64  // new/old - 1; NaN where undefined
	Printed string   // the change as benchstat prints it: "-17.20%", "~", "?"
	Test    string   // the test as benchstat prints it: "p=0.000 n=10"
	P, Q    float64  // of the U-test; Q is P after Benjamini and Hochberg
	// RatioLo and RatioHi bound new/old; 0 and +Inf if nothing is known.
	RatioLo, RatioHi float64
	Verdict          Verdict
	Warnings         []string
}

// Paired tells whether both sides have the series.
func (r *Row) Paired() bool { return r.Old != nil && r.New != nil }

// Comparison is two runs compared.
type Comparison struct {
	Old, New string // names of the runs
	Rows     []Row
	Paired   int // rows that both sides have
	Warnings []string
	units    benchfmt.UnitMetadataMap
}
