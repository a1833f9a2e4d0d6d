package runner

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Options are those of a measurement.
type Options struct {
	Dir       string        // folder of the module; "" is the current one
	Base      string        // commit, branch or tag of the old side; "" measures the new side alone
	Head      string        // of the new side; "" is the working tree as it is
	Packages  []string      // patterns of go list; empty means ./...
	Bench     string        // pattern of go test -bench; empty means all
	BenchTime string        // of go test -benchtime
	CPU       string        // of go test -cpu; empty means GOMAXPROCS
	Rounds    int           // samples of each benchmark and side
	Budget    time.Duration // time after which no round begins; 0 is unbounded
	Seed      uint64        // of the order
	All       bool          // measure packages with equal binaries too
	Also      []string      // of [Also]: what else is measured
	// Only, where given, picks top-level benchmarks of those that Bench picks.
	Only func(pkg, benchmark string) bool
	// Suspects, where given, is asked when all is measured which benchmarks, by
	// "package Name", are to be profiled on both sides, and how many times the time
	// of the base the head takes. Profiles is the folder of the files.
	Suspects func(*Result) (map[string]float64, error)
	Profiles string
	// Layout, unless 0, seeds the order in which the linker lays out functions. A
	// difference that does not show with another layout was an accident of the first one.
	Layout uint64
	// Instructions asks for instructions per operation as well. If perf cannot count them,
	// there is a warning.
	Instructions bool
	Say          func(format string, args ...any)
	// Look, if set, is called after each round with what was measured so far, and returns
	// which benchmarks need more rounds; nil for none.
	Look func(*Result) (more func(pkg, benchmark string) bool, err error)

	// Then, where given, is called with the result when all is measured. An interrupt
	// in it still leaves the rounds and the builds for the next time.
	Then func(*Result) error

	warn  func(format string, args ...any)
	shelf *shelf
}

// fill fills in the defaults.
func (o *Options) fill() {
	if o.Say == nil {
		o.Say = func(string, ...any) {}
	}
	if len(o.Packages) == 0 {
		o.Packages = []string{"./..."}
	}
	if o.Bench == "" {
		o.Bench = "."
	}
}

// check finds mistakes that would otherwise show only after the first side was built.
func (o *Options) check(ctx context.Context) error {
	for _, a := range alternatives(o.Bench) {
		if _, err := regexp.Compile(a.top + a.rest); err != nil {
			return fmt.Errorf("bench: expected a pattern as for go test -bench, got %q: %w", o.Bench, err)
		}
	}
	if d, err := time.ParseDuration(o.BenchTime); o.BenchTime != "" && (err != nil || d <= 0) && !benchTime.MatchString(o.BenchTime) {
		return fmt.Errorf("benchtime: expected a duration or a number of iterations such as 100x, got %q", o.BenchTime)
	}
	for n := range strings.SplitSeq(o.CPU, ",") {
		if v, err := strconv.Atoi(strings.TrimSpace(n)); o.CPU != "" && (err != nil || v < 1) {
			return fmt.Errorf("cpu: expected numbers of processors such as 1,2, got %q", o.CPU)
		}
	}
	for name, ref := range map[string]string{"base": o.Base, "head": o.Head} {
		if ref == "" {
			continue
		}
		if _, err := (Repo{Dir: o.Dir}).resolve(ctx, ref); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// twice is a note that a comparison builds everything twice, which takes most of the time
// of a first run.
func (o *Options) twice() string {
	if o.Base == "" {
		return ""
	}
	return " (every package is built twice, once for each side)"
}

// benchTime is what go test -benchtime takes: a duration or a number of iterations.
var benchTime = regexp.MustCompile(`^[1-9][0-9]*x$`)
