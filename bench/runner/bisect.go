package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchmath"

	"sakusen/bench"
)

// Bisect finds the commit at which the level of a benchmark changed.
//
// Flow: both ends of the range are measured beside each other; unless their
// levels differ there is nothing to find, and that is said. Then the commit in
// the middle is measured beside both ends, and is good or bad by the nearer
// level; a commit that does not build is skipped, one whose binary and data equal those
// of an end is not measured again. At the end the commit that was found
// and the one before it are measured beside each other: unless they differ, it
// is not reproducible.
//
//	report, err := runner.Bisect(ctx, runner.BisectOptions{Series: "example.com/m.Decode-8 sec/op", Range: "v1.2.0..HEAD"})

// BisectOptions are those of a search.
type BisectOptions struct {
	Series    string // "package.Name unit"; without a unit it is sec/op
	Range     string // GOOD..BAD
	BaseTip   bool   // a branch as GOOD means its tip, not where BAD left it
	Dir       string // folder of the module; "" is the current one
	BenchTime string // of one sample, as for go test
	CPU       string
	Prepare   string   // see [Options]
	Args      []string // for the test binaries
	Rounds    int      // the most samples of each commit in one step
	Least     float64  // relative change below which a difference is not looked for
	Seed      uint64
	Say       func(format string, args ...any)
}

// Bisectable reports whether a search finds the commit of a row's change: both sides have it, and
// the rounds measure it.
func Bisectable(r *bench.Row) bool {
	return r.Paired() && r.Series.Name != "" && !slices.Contains([]string{"instructions/op", "binary-bytes", "build-sec", "peak-RSS-bytes"}, r.Series.Unit)
}

// Ends returns the commits of both sides for a search; "" where the new side is a working tree that is
// no commit, or does not come from the old one.
func (r *Result) Ends(ctx context.Context, repo Repo) (good, bad string) {
	bad = r.HeadCommit
	if bad == "" {
		if dirty, err := repo.Dirty(ctx); err != nil || dirty {
			return "", ""
		}
		bad, _ = repo.Commit(ctx, "HEAD")
	}
	if bad == "" || bad == r.BaseCommit {
		return "", ""
	}
	if _, err := repo.git(ctx, "merge-base", "--is-ancestor", r.BaseCommit, bad); err != nil {
		return "", ""
	}
	return r.BaseCommit, bad
}

// Processors returns the number of processors on which a series was measured, as -cpu gives it;
// "" where cpu is.
func Processors(name, cpu string) string {
	if cpu == "" {
		return ""
	}
	_, procs := splitProcs(name, cpu)
	return procs
}

// Report is what a search found, in the form of its JSON.
type Report struct {
	Series string `json:"series"`
	Unit   string `json:"unit"`
	Good   string `json:"good"` // ends of the range
	Bad    string `json:"bad"`
	// Commit is the first one on the new level; null if none was found.
	Commit  *string `json:"commit"`
	Subject string  `json:"subject"`
	Before  string  `json:"before"` // the last commit on the old level
	// Candidates are the commits of which one made the change, if some between Before and
	// Commit could not be judged; Commit is the last of them.
	Candidates []string `json:"candidates"`
	Commits    int      `json:"commits"` // in the range
	Steps      int      `json:"steps"`   // comparisons until it was found
	Skipped    []string `json:"skipped"` // commits that do not build
	// Reproducible says that the two ends of the range differed, and that the commit that
	// was found differed from the one before it when they were measured again.
	Reproducible bool     `json:"reproducible"`
	Reason       string   `json:"reason"`
	Old          *float64 `json:"old"` // medians before and after, in the base unit
	New          *float64 `json:"new"`
	Delta        *float64 `json:"delta"` // relative
}

// hunt is a search that is under way.
type hunt struct {
	BisectOptions
	lineup    *lineup
	name      string // of the benchmark, as results have it
	report    *Report
	good, bad *version
}

// Bisect searches the commit at which a series changed.
func Bisect(ctx context.Context, o BisectOptions) (report *Report, err error) {
	repo := Repo{Dir: o.Dir}
	good, commits, err := repo.forkRange(ctx, o.Range, o.BaseTip)
	if err != nil {
		return nil, err
	}
	h := &hunt{BisectOptions: o}
	pkg, err := h.target(ctx, repo)
	if err != nil {
		return nil, err
	}
	last := commits[len(commits)-1]
	h.report = &Report{Series: o.Series, Unit: h.report.Unit, Good: good.Commit, Bad: last, Commits: len(commits), Candidates: []string{}, Skipped: []string{}}
	h.lineup, err = newLineup(ctx, Options{
		Dir: o.Dir, Packages: []string{pkg}, Bench: Exactly(h.name), BenchTime: o.BenchTime, CPU: o.CPU, Prepare: o.Prepare, Args: o.Args, Rounds: o.Rounds, Seed: o.Seed, Say: o.Say,
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, h.lineup.Close()) }()
	if good.Branch {
		h.Say("the range begins with %s", good)
	}
	if h.good, err = h.lineup.build(ctx, good.Commit); err != nil {
		return nil, fmt.Errorf("GOOD: %w", err)
	}
	if h.bad, err = h.lineup.build(ctx, last); err != nil {
		return nil, fmt.Errorf("BAD: %w", err)
	}
	h.report.Steps = 1
	if same, err := h.lineup.same(ctx, h.good, h.bad); same || err != nil {
		h.report.Reason = "the ends of the range have the same binary"
		return h.report, err
	}
	apart, err := h.apart(ctx, h.good, h.bad)
	if err != nil || !apart {
		h.report.Reason = "no difference between the ends of the range is proved; with --rounds, or on a quieter machine, a small one may be"
		return h.report, err
	}
	found, err := search(len(commits), func(i int) (class, error) { return h.class(ctx, commits[i]) })
	if err != nil {
		return nil, err
	}
	return h.report, h.conclude(ctx, repo, found, append([]string{good.Commit}, commits...))
}

// target takes the series apart: its package is one of the module's.
func (h *hunt) target(ctx context.Context, repo Repo) (pkg string, err error) {
	title, unit, ok := strings.Cut(h.Series, " ")
	if !ok {
		unit = "sec/op"
	}
	h.report = &Report{Unit: unit}
	packages, err := repo.packages(ctx)
	if err != nil {
		return "", err
	}
	for _, p := range packages {
		if name, ok := strings.CutPrefix(title, p+"."); ok && len(p) > len(pkg) {
			pkg, h.name = p, name
		}
	}
	if pkg == "" {
		return "", fmt.Errorf("%s: expected a series \"package.Name unit\" of a package of the module, such as %s.Name%s", h.Series, packages[0], nestedHint(cmp.Or(h.Dir, "."), title))
	}
	return pkg, nil
}

// class judges one commit.
func (h *hunt) class(ctx context.Context, commit string) (c class, err error) {
	v, err := h.lineup.build(ctx, commit)
	if errors.Is(err, errBuild) {
		h.Say("skipped: %v", err)
		h.report.Skipped = append(h.report.Skipped, commit)
		return classSkipped, nil
	}
	if err != nil {
		return classSkipped, err
	}
	defer func() { err = errors.Join(err, h.lineup.drop(v)) }()
	h.report.Steps++
	for i, end := range []*version{h.good, h.bad} {
		if same, err := h.lineup.same(ctx, end, v); same || err != nil {
			c = []class{classGood, classBad}[i]
			h.Say("%.10s has a binary that was judged before", commit)
			return c, err
		}
	}
	list := looks(h.Rounds)
	err = h.lineup.Measure(ctx, []*version{h.good, v, h.bad}, func(rounds int, texts []string) (bool, error) {
		if !slices.Contains(list, rounds) {
			return false, nil
		}
		values, err := h.values(texts, h.good, v, h.bad)
		if err != nil {
			return false, err
		}
		toBad, sure := nearer(values[0], values[1], values[2])
		if c = classGood; toBad {
			c = classBad
		}
		return sure, nil
	})
	if ctx.Err() == nil && err != nil { // it fails, or does not print the series
		h.Say("skipped %.10s: %v", commit, err)
		h.report.Steps--
		h.report.Skipped = append(h.report.Skipped, commit)
		return classSkipped, nil
	}
	h.Say("%.10s is on the %s level", commit, []string{"old", "new"}[c])
	return c, err
}

// apart measures two versions beside each other until they differ, or the rounds
// are over.
func (h *hunt) apart(ctx context.Context, one, other *version) (apart bool, err error) {
	list := looks(h.Rounds)
	err = h.lineup.Measure(ctx, []*version{one, other}, func(rounds int, texts []string) (bool, error) {
		k := slices.Index(list, rounds)
		if k < 0 {
			return false, nil
		}
		values, err := h.values(texts, one, other)
		if err != nil {
			return false, err
		}
		old, now := bench.Median(values[0]), bench.Median(values[1])
		h.report.Old, h.report.New, h.report.Delta = &old, &now, nil
		if old != 0 {
			delta := now/old - 1
			h.report.Delta = &delta
		}
		apart = differ(values[0], values[1], spent(list, k), h.Least)
		return apart, nil
	})
	return apart, err
}

// values returns those of the series in each text, which the versions have printed.
func (h *hunt) values(texts []string, from ...*version) ([][]float64, error) {
	out := make([][]float64, len(texts))
	for i, text := range texts {
		if text == "" {
			return nil, fmt.Errorf("%.10s prints no result of %s: is the benchmark there, by that name?", from[i].Commit, h.Series)
		}
		run, err := bench.Read(strings.NewReader(text), fmt.Sprintf("%.10s", from[i].Commit), bench.ReadOptions{})
		if err != nil {
			return nil, err
		}
		var found []bench.Series
		for _, s := range run.Order {
			if s.Unit == h.report.Unit && s.Name == h.name {
				found = []bench.Series{s}
				break
			}
			if s.Unit == h.report.Unit {
				found = append(found, s)
			}
		}
		switch len(found) {
		case 0:
			return nil, fmt.Errorf("%s: expected values in %s, got only those of %q", h.Series, h.report.Unit, run.Order[0].Title())
		case 1:
			out[i] = run.Values[found[0]]
		default:
			return nil, fmt.Errorf("%s: expected one benchmark, got %d, such as %q and %q", h.Series, len(found), found[0].Title(), found[1].Title())
		}
	}
	return out, nil
}

// conclude returns an error that says what was found, after the commit was compared with
// the one before it. Index 0 of all is the good end.
func (h *hunt) conclude(ctx context.Context, repo Repo, found found, all []string) error {
	r := h.report
	before, commit := all[found.Good+1], all[found.First+1]
	r.Commit, r.Before, r.Subject = &commit, before, repo.subject(ctx, commit)
	for _, i := range found.Skipped {
		r.Candidates = append(r.Candidates, all[i+1])
	}
	r.Candidates = append(r.Candidates, commit)
	if before == h.good.Commit && commit == h.bad.Commit {
		r.Reproducible = true // the ends themselves
	} else {
		h.Say("measuring %.10s beside %.10s", before, commit)
		pair := []*version{h.good, h.bad}
		for i, c := range []string{before, commit} {
			if c == pair[i].Commit {
				continue
			}
			v, err := h.lineup.build(ctx, c)
			if err != nil {
				return err
			}
			pair[i] = v
		}
		apart, err := h.apart(ctx, pair[0], pair[1])
		if err != nil {
			return err
		}
		r.Reproducible = apart
	}
	switch {
	case !r.Reproducible:
		r.Reason = "no difference between the commit that was found and the one before it is proved: it may be small, have come in small steps, or be noise"
	case len(r.Candidates) > 1:
		r.Reason = fmt.Sprintf("one of %d commits: those before the last could not be judged", len(r.Candidates))
	}
	return nil
}

// WriteText writes the report for people.
func (r *Report) WriteText(w io.Writer) error {
	if r.Commit == nil {
		_, err := fmt.Fprintf(w, "not reproducible: %s (%s)\n", r.Reason, r.levels())
		return err
	}
	word := "first on the new level"
	if !r.Reproducible {
		word = "not reproducible, but perhaps"
	}
	_, err := fmt.Fprintf(w, "%s: %.12s %s\nlast on the old level: %.12s\n%s, %d steps for %d commits, %d skipped\n",
		word, *r.Commit, r.Subject, r.Before, r.levels(), r.Steps, r.Commits, len(r.Skipped))
	if err == nil && r.Reason != "" {
		_, err = fmt.Fprintln(w, r.Reason)
	}
	return err
}

// levels returns the old and the new level, and the relative change.
func (r *Report) levels() string {
	if r.Old == nil {
		return "nothing was measured"
	}
	text := bench.Show(*r.Old, r.Unit) + " -> " + bench.Show(*r.New, r.Unit) + " " + r.Unit
	if r.Delta != nil {
		text += fmt.Sprintf(", %+.1f %%", 100**r.Delta)
	}
	return text
}

// class is what is known of a commit.
type class int

// The classes.
const (
	classGood class = iota
	classBad
	classSkipped // does not build, or has no such benchmark
)

// found is where a search ended.
type found struct {
	Good    int   // the last good commit before it; -1 is the one before all
	First   int   // the first bad commit that could be judged
	Skipped []int // commits between the two, each of which may be the first bad one
	Tested  int   // commits that were judged
}

// search finds the first bad one of commits 0 to n-1, oldest first, of which the
// last is known to be bad and the one before the first to be good. It asks for
// the one in the middle, or the nearest to it that was not skipped.
func search(n int, class func(i int) (class, error)) (found, error) {
	f := found{Good: -1, First: n - 1}
	skipped := map[int]bool{}
	for {
		at, ok := middle(f.Good, f.First, skipped)
		if !ok {
			break
		}
		c, err := class(at)
		if err != nil {
			return f, err
		}
		switch c {
		case classGood:
			f.Good = at
			f.Tested++
		case classBad:
			f.First = at
			f.Tested++
		case classSkipped:
			skipped[at] = true
		}
	}
	for i := f.Good + 1; i < f.First; i++ {
		f.Skipped = append(f.Skipped, i)
	}
	return f, nil
}

// middle returns the index between two others that is nearest to their middle and was
// not skipped.
func middle(lo, hi int, skipped map[int]bool) (int, bool) {
	mid := lo + (hi-lo)/2
	for d := range hi - lo {
		for _, at := range []int{mid - d, mid + d} {
			if at > lo && at < hi && !skipped[at] {
				return at, true
			}
		}
	}
	return 0, false
}

// looks returns the numbers of rounds after which the samples are looked at: few
// suffice where a change is clear. The last is the most.
func looks(most int) []int {
	var list []int
	for _, n := range []int{2, 5, 6, 8, 10, 12, 16, 20, 28, 40} {
		if n < most {
			list = append(list, n)
		}
	}
	return append(list, most)
}

// alpha is the chance of finding a difference between two equal levels, over all looks. It
// is spent by the square of the share of the rounds, so that most is left for the last
// look. The sum over the looks bounds it, even though they are not independent.
const alpha = 0.01

// spent returns the level of the look after so many rounds.
func spent(list []int, k int) float64 {
	before := 0.0
	if k > 0 {
		before = share(list, k-1)
	}
	return alpha * (share(list, k) - before)
}

func share(list []int, k int) float64 {
	t := float64(list[k]) / float64(list[len(list)-1])
	return t * t
}

// differ reports whether two samples stand on two levels, which differ by at least
// the least relative change.
func differ(one, other []float64, level, least float64) bool {
	a, b := bench.Median(one), bench.Median(other)
	if a == b || math.Abs(b-a) < least*math.Abs(a) {
		return false
	}
	return constant(one) && constant(other) && len(one) > 1 || uTest(one, other) < level
}

// nearer reports whether the middle commit is nearer to the bad level than to the good one,
// and whether that is certain. It is compared with the mean of both in each round, so that
// a machine whose speed drifts moves all three.
func nearer(good, mid, bad []float64) (toBad, sure bool) {
	n := min(len(good), len(mid), len(bad))
	halfway := make([]float64, n)
	for i := range n {
		halfway[i] = (good[i] + bad[i]) / 2
	}
	rises := bench.Median(bad) > bench.Median(good)
	m, h := bench.Median(mid[:n]), bench.Median(halfway)
	sure = constant(good) && constant(mid) && constant(bad) && n > 1 || uTest(halfway, mid[:n]) < 0.01
	return (m > h) == rises, sure
}

func constant(values []float64) bool {
	for _, v := range values {
		if v != values[0] {
			return false
		}
	}
	return true
}

// uTest returns the p of Mann and Whitney's test.
func uTest(one, other []float64) float64 {
	thresholds := benchmath.DefaultThresholds
	a := benchmath.NewSample(append([]float64(nil), one...), &thresholds)
	b := benchmath.NewSample(append([]float64(nil), other...), &thresholds)
	return benchmath.AssumeNothing.Compare(a, b).P
}
