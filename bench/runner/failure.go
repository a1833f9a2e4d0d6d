package runner

import (
	"context"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"sakusen/bench"
)

// Failure is what could not be measured on a side of a comparison while other benchmarks were.
type Failure struct {
	Side      string // base or head
	Pkg       string
	Benchmark string // of top level; "" for the whole package
	Reason    string // one line
	// Repaired says of a failure of the old side that the new one, checked out likewise, has
	// none: the change repairs it.
	Repaired bool
	late     bool // rounds were measured before
	faulty   bool // it was not built, and its own code is why
}

// fail notes that a package, or a benchmark of it, failed on a side, so that the others can be
// measured. It reports false where the failure ends the measurement: where nothing is compared,
// or the measurement was interrupted.
func (o *Options) fail(ctx context.Context, side, pkg, benchmark string, err error) bool {
	if o.failures == nil || ctx.Err() != nil {
		return false
	}
	text := strings.TrimPrefix(strings.TrimPrefix(err.Error(), side+": "), pkg+": ")
	if side == noiseSide {
		side = "base" // its second copy
	}
	f := Failure{Side: side, Pkg: pkg, Benchmark: benchmark, Reason: brief(text), faulty: faulty(text)}
	if !slices.ContainsFunc(*o.failures, func(g Failure) bool { return g.Side == side && g.Pkg == pkg && g.Benchmark == benchmark }) {
		*o.failures = append(*o.failures, f)
		o.Say("left out on this side: %v", err)
	}
	return true
}

// vetted fails packages of the new side that vet refuses there and not on the old side, or where there is
// none: go test runs none of their benchmarks.
func (o *Options) vetted(ctx context.Context, base, head *side) error {
	for _, pkg := range slices.Sorted(maps.Keys(head.binaries)) {
		b := head.binaries[pkg]
		if b.vet == nil {
			continue
		}
		if base != nil && base.binaries[pkg] != nil {
			old := *base.binaries[pkg]
			old.path += ".vetted"
			err := old.make(ctx, old.tree, o)
			_ = os.Remove(old.path) // there is none where it fails
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				o.warn("%s: go vet refuses it on both sides (%s): it is measured without", pkg, brief(b.vet.Error()))
				continue
			}
		}
		if err := fmt.Errorf("head: %s: %w", pkg, b.vet); !o.fail(ctx, "head", pkg, "", err) {
			return err
		}
		delete(head.binaries, pkg)
	}
	return nil
}

// failedOn reports whether a package failed as a whole on a side.
func (o *Options) failedOn(side, pkg string) bool {
	return o.failures != nil && slices.ContainsFunc(*o.failures, func(f Failure) bool {
		return f.Side == side && f.Pkg == pkg && f.Benchmark == ""
	})
}

// logLine is what a test or a benchmark logs.
var logLine = regexp.MustCompile(`^\S+\.go:\d+: `)

// ran is the command with which a benchmark was run, before what it said.
var ran = regexp.MustCompile(`^Benchmark\S+: \S+\.test -test\.run=\^\$ -test\.bench=\S+: `)

// ended is how a process ended that says nothing of why, and compiling is the heading of a package
// that does not build, or that vet refuses.
var ended, compiling = regexp.MustCompile(`^(?:exit status|signal:) `), regexp.MustCompile(`(?:: |^)# `)

// brief returns the line of an error that says most: a panic, or else what follows the first
// line of the go command or of a test that failed, or how the process ended.
func brief(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	best := ""
	for i, line := range lines {
		switch {
		case best != "":
		case strings.HasPrefix(line, "panic:"), strings.Contains(line, ": panic:"):
			best = line[strings.Index(line, "panic:"):]
		case strings.Contains(line, "--- FAIL") && i > 0 && logLine.MatchString(lines[i-1]): // as go test -v has it
			best = lines[i-1]
		case strings.Contains(line, "--- FAIL") && i+1 < len(lines):
			best = lines[i+1]
		case i > 0 && compiling.MatchString(lines[i-1]) && !strings.HasPrefix(line, "# "): // the first mistake
			best = line
		case i > 0 && i == len(lines)-1 && ended.MatchString(line):
			best = line
		}
	}
	if best == "" && len(lines) > 0 {
		best = ran.ReplaceAllString(lines[0], "")
	}
	for _, line := range lines {
		if strings.HasPrefix(line, "the worktree lacks ") {
			best += "; " + line
		}
	}
	return best
}

// skipped reports whether the benchmark printed no result on a side whose worktree lacks files that may
// be why, which is noted.
func (j *job) skipped(ctx context.Context, o *Options) (noted bool) {
	base, head := slices.IndexFunc(j.sides, func(s *side) bool { return s.name == "base" }), slices.IndexFunc(j.sides, func(s *side) bool { return s.name == "head" })
	if base < 0 || head < 0 || j.out[base] || j.out[head] {
		return false
	}
	there := j.leaves.on(head, nil)
	if j.leaves.on(base, nil) || !there && o.Head == "" { // in the checkout, too
		return false
	}
	for _, k := range []int{head, base} {
		b, side := j.on[k], j.sides[k].name
		if k == head && there {
			continue
		}
		if hint := b.tree.hint(ctx, b.dir); hint != "" && o.fail(ctx, side, b.pkg, j.name, fmt.Errorf("%s: %s: %s prints no result there%s", side, b.pkg, j.name, hint)) {
			j.drop(k)
			noted = true
		}
	}
	return noted
}

// lacks returns an error if the benchmark asked for files that its worktree lacks: it would
// do other work than in the checkout. Where nothing is compared, it is a warning.
func (j *job) lacks(ctx context.Context, o *Options, k int, out *printed) error {
	b := j.on[k]
	what := ""
	if paths := b.tree.strays(ctx, b.dir, out.opened); len(paths) > 0 {
		path := paths[0]
		what = fmt.Sprintf("%s opens %s of the checkout, which is the new side's: paths in --args and in the environment must lead into the worktree", j.name, path)
	} else if list := b.tree.missing(ctx, b.dir, out.opened); len(list) > 0 {
		what = fmt.Sprintf("%s asks for a file that is not there\n%s", j.name, lacking(list))
	} else if list := b.tree.pointers(ctx, b.dir, out.opened); len(list) > 0 {
		what = fmt.Sprintf("%s opens %s, which is a pointer of git LFS and not its data: git lfs pull gives it, in a workflow of GitHub lfs: true at actions/checkout",
			j.name, strings.Join(list[:min(5, len(list))], ", "))
	} else {
		return nil
	}
	if o.failures == nil {
		o.warn("%s: %s: %s", j.sides[k].name, b.pkg, strings.ReplaceAll(what, "\n", "; "))
		return nil
	}
	return fmt.Errorf("%s: %s: %s", j.sides[k].name, b.pkg, what)
}

// judged adds to a gate what failed on one side: on the new side, unless it failed on both, that
// is a regression; what failed on the old side alone is new. Benchmarks for which there was
// no time are in doubt.
func (r *Result) judged(g *bench.Gate, c *bench.Comparison) {
	var failures, doubts []bench.Finding
	notes := len(g.Notes)
	for _, f := range r.Failed {
		s := bench.Series{Pkg: f.Pkg, Name: strings.TrimPrefix(f.Benchmark, "Benchmark")}
		if f.Benchmark == "" {
			s = bench.Series{Name: f.Pkg}
		}
		finding := bench.Finding{Row: &bench.Row{Series: s}}
		both := slices.ContainsFunc(r.Failed, func(o Failure) bool {
			return o.Side != f.Side && o.Pkg == f.Pkg && (o.Benchmark == f.Benchmark || o.Benchmark == "")
		})
		switch {
		case f.Side == "head" && !both:
			finding.Reason = "fails on the new side alone: " + f.Reason
			failures = append(failures, finding)
		case f.Side == "head":
			finding.Reason = "fails on both sides, and is not compared: " + f.Reason
			doubts = append(doubts, finding)
		case !both && f.Repaired:
			finding.Reason = "is new, and nothing is compared: it fails on the old side, which the change repairs: " + f.Reason
			g.Notes = append(g.Notes, finding)
		case !both && f.late:
			finding.Reason = "fails on the old side, only in some rounds: " + f.Reason
			doubts = append(doubts, finding)
		case !both:
			finding.Reason = "is new: it fails on the old side: " + f.Reason
			doubts = append(doubts, finding)
		}
	}
	for _, f := range r.Unmeasured {
		row := &bench.Row{Series: bench.Series{Pkg: f.Pkg, Name: strings.TrimPrefix(f.Benchmark, "Benchmark")}}
		doubts = append(doubts, bench.Finding{Row: row, Reason: "is not measured: " + f.Reason})
	}
	if len(c.Rows) == 0 && r.Benchmarks > 0 && len(failures)+len(doubts) == 0 {
		row := &bench.Row{Series: bench.Series{Name: "all benchmarks"}}
		doubts = append(doubts, bench.Finding{Row: row, Reason: "printed no result on either side: --args gives flags, --prepare files without which they are skipped; what a benchmark prints has to end its lines"})
	}
	if len(failures)+len(doubts) > 0 {
		g.Add(c, failures, doubts)
	}
	if len(g.Notes) > notes {
		r.passRepaired(g, c)
	}
}

// FailedOnHead reports what failed on the new side, "" for nothing.
func (r *Result) FailedOnHead() string {
	var list []string
	for _, f := range r.Failed {
		if f.Side == "head" {
			list = append(list, strings.TrimSuffix(f.Pkg+"."+f.Benchmark, ".")+": "+f.Reason)
		}
	}
	return strings.Join(list, "\n")
}
