package runner

import (
	"math"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// side is a version of the module, and what its benchmarks printed.
type side struct {
	name     string
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
