package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
	// Instructions asks for instructions per operation as well, where perf can
	// count them; where it cannot, that is a warning.
	Instructions bool
	Say          func(format string, args ...any)

	warn func(format string, args ...any)
}

// Result is benchmark text by side.
type Result struct {
	Base, Head, Noise string // "" for a side that was not asked for
	BaseCommit        string
	HeadCommit        string // "" for the working tree
	Rounds            int    // done
	Identical         []string
	Benchmarks        int // top-level ones that were measured
	Warnings          []string
}

// ErrNothing says that there is nothing to measure.
var ErrNothing = errors.New("nothing to measure")

// Measure measures. All that it makes lies below a temporary folder and is
// removed, also after an error.
func Measure(ctx context.Context, o Options) (result *Result, err error) {
	if o.Say == nil {
		o.Say = func(string, ...any) {}
	}
	if len(o.Packages) == 0 {
		o.Packages = []string{"./..."}
	}
	if o.Bench == "" {
		o.Bench = "."
	}
	if err := o.check(ctx); err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "sakusen-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	result = &Result{}
	o.warn = func(format string, args ...any) {
		if text := fmt.Sprintf(format, args...); !slices.Contains(result.Warnings, text) {
			result.Warnings = append(result.Warnings, text)
		}
	}
	began := time.Now()
	head, remove, err := prepare(ctx, &o, o.Head, temp, "head", &result.HeadCommit)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	sides := []*side{head}
	if o.Base != "" {
		base, remove, failed := prepare(ctx, &o, o.Base, temp, "base", &result.BaseCommit)
		if failed != nil {
			return nil, failed
		}
		defer func() { err = errors.Join(err, remove()) }()
		if !o.All {
			result.Identical = leaveOut(base, head)
		}
		noise, failed := base.twin(filepath.Join(temp, noiseSide))
		if failed != nil {
			return nil, failed
		}
		sides = []*side{base, head, noise}
	}
	jobs, err := plan(ctx, o.Bench, sides)
	if err != nil {
		return nil, err
	}
	if result.Benchmarks = len(jobs); len(jobs) == 0 {
		return result, ErrNothing
	}
	if result.Rounds, err = play(ctx, &o, jobs); err != nil {
		return nil, err
	}
	if o.Instructions && result.Rounds > 0 {
		if err := countInstructions(ctx, &o, jobs, temp, began); err != nil {
			return nil, err
		}
	}
	result.Head = head.text.String()
	if o.Base != "" {
		result.Base, result.Noise = sides[0].text.String(), sides[2].text.String()
	}
	return result, nil
}

// prepare checks one side out and builds it.
func prepare(ctx context.Context, o *Options, ref, temp, name string, commit *string) (*side, func() error, error) {
	t, err := checkout(ctx, o.Dir, ref, temp, name)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	*commit = t.commit
	o.Say("building %s", name)
	s := &side{name: name}
	if s.binaries, err = build(ctx, t, o.Packages, filepath.Join(temp, name+"-binaries"), name == "base"); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%s: %w", name, err), t.remove())
	}
	return s, t.remove, nil
}

// benchTime is what go test -benchtime takes: a duration or a number of iterations.
var benchTime = regexp.MustCompile(`^[1-9][0-9]*x$`)

// check finds what would otherwise fail only after the first side was built.
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
