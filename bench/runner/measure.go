package runner

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"sakusen/bench"
)

// Options are those of a measurement.
type Options struct {
	Dir       string        // folder of the module; "" is the current one
	Base      string        // of the old side, see [Repo.Fork]; "" measures the new side alone
	BaseTip   bool          // a branch as Base means its tip, not where Head left it
	Head      string        // of the new side; "" is the working tree as it is
	Packages  []string      // patterns of go list; empty means ./...
	Bench     string        // pattern of go test -bench; empty means all
	Skip      string        // pattern of go test -skip; empty means none
	BenchTime string        // of go test -benchtime
	CPU       string        // of go test -cpu; empty means GOMAXPROCS
	Rounds    int           // samples of each benchmark and side
	Budget    time.Duration // for all rounds and the warm-up; 0 is unbounded
	rest      bool          // Budget is what an earlier measurement left of --most
	Seed      uint64        // of the order
	Prepare   string        // command of the shell that makes in a worktree what git does not have
	Args      []string      // for the test binaries, behind those of package testing
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

	warn     func(format string, args ...any)
	binaries *binaryCache
	failures *[]Failure    // where what fails is left out; nil where it ends the measurement
	needs    time.Duration // of all rounds and the warm-up, once that is over
	patience time.Duration // in place of patienceOfReads
	// unmeasured, where given, takes what there was no time for.
	unmeasured *[]Failure
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
	if o.Skip != "" {
		o.Args = append([]string{"-test.skip=" + o.Skip}, o.Args...)
	}
}

// check finds mistakes that would otherwise show only after the first side was built, and
// which commit the base is.
func (o *Options) check(ctx context.Context) error {
	for _, flag := range []struct{ name, pattern string }{{"bench", o.Bench}, {"skip", o.Skip}} {
		for _, a := range alternatives(flag.pattern) {
			if _, err := regexp.Compile(a.top + a.rest); err != nil {
				return fmt.Errorf("%s: expected a pattern as for go test -%s, got %q: %w", flag.name, flag.name, flag.pattern, err)
			}
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
	for _, name := range []string{"TMPDIR", "GOTMPDIR"} { // commands run in other folders
		if dir := os.Getenv(name); dir != "" && !filepath.IsAbs(dir) {
			whole, err := filepath.Abs(dir)
			if err = errors.Join(err, os.Setenv(name, whole)); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	repo := Repo{Dir: o.Dir}
	if _, err := os.ReadDir(cmp.Or(o.Dir, ".")); err != nil {
		return fmt.Errorf("-C: expected the folder of a module: %w", err)
	}
	if o.Head != "" {
		if _, err := repo.resolve(ctx, o.Head); err != nil {
			return fmt.Errorf("head: %w", err)
		}
	}
	if o.Base != "" && strings.Contains(os.Getenv("GOFLAGS"), "-overlay=") {
		return errors.New("GOFLAGS: expected no overlay, of which both sides would be built")
	}
	if o.Base != "" {
		f, err := repo.Fork(ctx, o.Base, o.Head, o.BaseTip)
		if err != nil {
			return fmt.Errorf("base: %w", err)
		}
		if o.Base = f.Commit; f.Branch {
			o.Say("base: %s", f)
		}
	}
	return nil
}

// twice returns a note that a comparison builds everything twice, which takes most of the
// time of a first run.
func (o *Options) twice() string {
	if o.Base == "" {
		return ""
	}
	return " (every package is built twice, once for each side)"
}

// benchTime is what go test -benchtime takes: a duration or a number of iterations.
var benchTime = regexp.MustCompile(`^[1-9][0-9]*x$`)

// Result is benchmark text by side.
type Result struct {
	Base, Head, Noise string // "" for a side that was not asked for
	BaseCommit        string
	HeadCommit        string // "" for the working tree
	Rounds            int    // done
	Identical         []string
	Benchmarks        int // top-level ones that were measured
	Warnings          []string
	Profiled          []Profiled
	Failed            []Failure // what was left out
	Unmeasured        []Failure // benchmarks for which the time was too short, on no side
	ends              time.Time // when the time is over; zero where it is unbounded
	// Resumable says that it was interrupted and that the same command continues after the
	// rounds that are done.
	Resumable bool
}

// ErrNothing says that there is nothing to measure.
var ErrNothing = errors.New("nothing to measure")

// Measure measures the benchmarks of both sides. All that it makes lies below a temporary folder and is
// removed, also after an error.
func Measure(ctx context.Context, o Options) (result *Result, err error) {
	o.fill()
	if err := o.check(ctx); err != nil {
		return nil, err
	}
	temp, err := Repo{Dir: o.Dir}.temporary(ctx)
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
	o.binaries = openBinaryCache(ctx, &o)
	o.unmeasured = &result.Unmeasured
	if o.Base != "" {
		o.failures = &result.Failed
	}
	var kept *journal
	defer func() {
		result.Resumable = ctx.Err() != nil && (kept.any() || o.binaries.any())
		err = errors.Join(err, kept.end(result.Resumable), o.binaries.end(result.Resumable))
	}()
	commit := &result.HeadCommit
	if o.Prepare != "" && o.Base != "" && o.Head == "" {
		if o.Head, err = (Repo{Dir: o.Dir}).snapshot(ctx, temp); err != nil {
			return result, err
		}
		commit = new(string) // not one of the repository's
	}
	head, remove, err := prepare(ctx, &o, o.Head, temp, "head", commit)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	if slices.Equal(o.Packages, []string{"./..."}) {
		if left := nested(head.dir, head.binaries); len(left) > 0 {
			o.warn("modules of their own are not measured: %s (-C names the folder of one)", strings.Join(left, ", "))
		}
	}
	sides := []*side{head}
	var base *side
	if o.Base != "" {
		var remove func() error
		var failed error
		base, remove, failed = prepare(ctx, &o, o.Base, temp, "base", &result.BaseCommit)
		if failed != nil && (base == nil || !o.brokenBase(ctx, head, failed)) {
			return result, failed
		}
		defer func() { err = errors.Join(err, remove()) }()
		if err := errors.Join(o.vetted(ctx, base, head), o.built(ctx, base, head)); err != nil {
			return result, err
		}
		for pkg := range base.binaries {
			if o.failedOn("head", pkg) {
				delete(base.binaries, pkg)
			}
		}
		if !o.All {
			if result.Identical, err = o.leaveOutEqual(ctx, base, head, result.BaseCommit); err != nil {
				return result, err
			}
		}
		noise, failed := base.twin(filepath.Join(temp, noiseSide))
		if failed != nil {
			return result, failed
		}
		sides = []*side{base, head, noise}
	} else if err := o.vetted(ctx, nil, head); err != nil {
		return result, err
	}
	jobs, err := list(ctx, &o, sides)
	if err != nil {
		return result, err
	}
	if o.Only != nil {
		jobs = slices.DeleteFunc(jobs, func(j *job) bool { return !o.Only(j.on[0].pkg, j.name) })
	}
	names := map[string]bool{}
	for _, j := range jobs {
		names[j.on[0].pkg+" "+j.name] = true
	}
	if result.Benchmarks = len(names); len(jobs) == 0 && result.FailedOnHead() == "" {
		return result, o.nothing(head, result)
	}
	if len(jobs) > 0 {
		if kept, err = o.measureAll(ctx, jobs, sides, result, temp); err != nil {
			return result, err
		}
	}
	o.texts(result, sides)
	if o.Suspects != nil && o.Base != "" {
		if err := profiles(ctx, &o, jobs, result); err != nil {
			return result, err
		}
	}
	if base != nil {
		if err := result.tellRepaired(ctx, &o, base, temp); err != nil {
			return result, err
		}
	}
	if o.Then != nil {
		return result, o.Then(result)
	}
	return result, nil
}

// measureAll runs the rounds, and then counts what is counted besides. The journal keeps them.
func (o *Options) measureAll(ctx context.Context, jobs []*job, sides []*side, result *Result, temp string) (kept *journal, err error) {
	if kept, err = openJournal(ctx, o, jobs); err != nil {
		return kept, err
	}
	c := newClock(o.Budget)
	result.ends = c.ends
	if result.Rounds, err = play(ctx, o, jobs, kept, c, o.looker(result, sides)); err != nil {
		return kept, err
	}
	if result.Rounds > 0 {
		if err := also(ctx, o, jobs, result.Rounds); err != nil {
			return kept, err
		}
	}
	if o.Instructions && result.Rounds > 0 {
		return kept, countInstructions(ctx, o, jobs, temp, c)
	}
	return kept, nil
}

// nothing returns an error that says that there is nothing to measure, and where benchmarks
// are that the build leaves out; another error where no benchmark at all has a name as asked for.
func (o *Options) nothing(head *side, r *Result) error {
	hidden, named := "", false
	asked, err := regexp.Compile(tops(o.Bench))
	if err != nil {
		return fmt.Errorf("--bench: %w", err)
	}
	_ = filepath.WalkDir(head.dir, func(path string, e fs.DirEntry, err error) error {
		switch name := filepath.Base(path); {
		case err != nil || named:
		case e.IsDir() && path != head.dir && (isModule(path) || name[0] == '.' || name[0] == '_' || name == "testdata" || name == "vendor"):
			return fs.SkipDir
		case strings.HasSuffix(name, "_test.go") && !e.IsDir() && hasBenchmarks(path):
			hidden, named = name, hasBenchmark(path, asked)
		}
		return nil
	})
	elsewhere := func(pattern string) bool { return pattern != "." && !strings.HasPrefix(pattern, "./") } // perhaps another module of a workspace
	if hidden != "" && !named && !slices.ContainsFunc(o.Packages, elsewhere) {
		return fmt.Errorf("--bench: expected an expression that finds a benchmark, got %q; names begin with Benchmark, as in %s", o.Bench, hidden)
	}
	if hidden == "" || len(r.Identical)+len(head.binaries) > 0 || !slices.Equal(o.Packages, []string{"./..."}) {
		return ErrNothing
	}
	return fmt.Errorf("%w: the build leaves out the benchmarks of %s: GOFLAGS=-tags=NAME takes those behind a constraint", ErrNothing, hidden)
}

// isModule reports whether a folder is that of a module.
func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// texts stores what the sides have printed until now.
func (o *Options) texts(r *Result, sides []*side) {
	for _, s := range sides {
		text := s.text.String()
		switch {
		case text == "":
		case len(r.Identical)+len(r.Unmeasured) > 0:
			text += bench.EndOfPart + "\n"
		default:
			text += o.ending() + "\n"
		}
		switch s.name {
		case "base":
			r.Base = text
		case "head":
			r.Head = text
		case noiseSide:
			r.Noise = text
		}
	}
}

// looker passes the texts after each round to options.Look, if it is set.
func (o *Options) looker(result *Result, sides []*side) func(int) (func(*job) bool, error) {
	if o.Look == nil {
		return nil
	}
	return func(rounds int) (func(*job) bool, error) {
		result.Rounds = rounds
		o.texts(result, sides)
		more, err := o.Look(result)
		return func(j *job) bool { return more != nil && more(j.on[0].pkg, j.name) }, err
	}
}

// prepare checks one side out and builds it. Where it cannot be built at all, the side is there
// without binaries, beside the error.
func prepare(ctx context.Context, o *Options, ref, temp, name string, commit *string) (*side, func() error, error) {
	t, err := o.checkout(ctx, ref, temp, name)
	if errors.Is(err, errPrepare) && name == "base" { // the change may mend that
		*commit = ref
		return &side{name: name, binaries: map[string]*binary{}}, func() error { return nil }, fmt.Errorf("%s: %w: it must work for both commits", name, err)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	*commit = t.commit
	s := &side{name: name, dir: t.dir, tree: t}
	if s.binaries, err = build(ctx, t, o.Packages, filepath.Join(temp, name+"-binaries"), name == "base", o); err != nil {
		s.binaries = map[string]*binary{}
		return s, func() error { return nil }, errors.Join(fmt.Errorf("%s: %w", name, err), t.remove())
	}
	return s, t.remove, nil
}

// Output runs a command in a folder, shows what it prints, and returns it. A command
// that fails may have printed results before.
func Output(ctx context.Context, dir string, command []string, show io.Writer) (*bytes.Buffer, error) {
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = dir
	cmd.Stdout, cmd.Stderr = io.MultiWriter(&out, show), show
	if err := cmd.Run(); err != nil {
		return &out, fmt.Errorf("%s: %w", command[0], err)
	}
	return &out, nil
}

// alternative is a part of a pattern of go test -bench between two bars: a
// pattern of top-level names and, after the first slash, one of what is below.
type alternative struct{ top, rest string }

// alternatives takes a pattern apart as package testing does: at bars and at
// slashes outside brackets and parentheses.
func alternatives(pattern string) []alternative {
	var list []alternative
	var a alternative
	square, round, from, cut := 0, 0, 0, -1
	end := func(at int) {
		if cut < 0 {
			a.top, a.rest = pattern[from:at], ""
		} else {
			a.top, a.rest = pattern[from:cut], pattern[cut:at]
		}
		list = append(list, a)
		from, cut = at+1, -1
	}
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '[':
			square++
		case ']':
			square = max(0, square-1)
		case '(':
			if square == 0 {
				round++
			}
		case ')':
			if square == 0 {
				round--
			}
		case '/':
			if square == 0 && round == 0 && cut < 0 {
				cut = i
			}
		case '|':
			if square == 0 && round == 0 {
				end(i)
			}
		}
	}
	end(len(pattern))
	return list
}

// tops returns a pattern of the top-level names alone.
func tops(pattern string) string {
	var parts []string
	for _, a := range alternatives(pattern) {
		parts = append(parts, "(?:"+a.top+")")
	}
	return strings.Join(parts, "|")
}

// only narrows a pattern to one top-level benchmark.
func only(name, pattern string) string {
	var parts []string
	for _, a := range alternatives(pattern) {
		// A pattern that is no regular expression fails in the test binary.
		if re, err := regexp.Compile(a.top); err != nil || re.MatchString(name) {
			parts = append(parts, "^"+name+"$"+a.rest)
		}
	}
	return strings.Join(parts, "|")
}

// exactly returns the pattern of one benchmark by its full name.
func exactly(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}

// Exactly returns a pattern of go test -bench for one benchmark by its name as results
// have it, whose end may be a number of processors.
func Exactly(name string) string {
	full := exactly("Benchmark" + name)
	at := strings.LastIndexByte(name, '-')
	if at <= 0 || at == len(name)-1 || strings.Trim(name[at+1:], "0123456789") != "" {
		return full
	}
	return exactly("Benchmark"+name[:at]) + "|" + full
}
