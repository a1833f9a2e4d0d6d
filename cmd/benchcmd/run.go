package benchcmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sakusen/bench"
	"sakusen/bench/runner"
	"sakusen/cmd/cmdline"
)

// runFlags are those of a measurement.
type runFlags struct {
	o         runner.Options
	machine   string
	out       string
	keep      bool
	gate      bool
	exact     bool
	threshold float64
	until     bool
	most      time.Duration
	also      string
	why       string // folder of profiles
	between   string // commits that fill a history
	steps     int
	branch    string // of the head, as it is recorded
	tests     testFlags
}

// split divides what follows the first -- into packages and arguments of the test binary:
// those behind a second --, or all of it where it begins with a flag.
func split(packages, rest []string) (list, args []string) {
	at := slices.Index(rest, "--")
	switch {
	case at >= 0:
		return append(slices.Clone(packages), rest[:at]...), rest[at+1:]
	case len(rest) > 0 && strings.HasPrefix(rest[0], "-"):
		return packages, rest
	}
	return append(slices.Clone(packages), rest...), nil
}

// testFlags say what tests need that git does not have.
type testFlags struct {
	prepare, args string
	words         []string // of args
}

func (f *testFlags) add(c *cobra.Command) {
	fs := c.Flags()
	fs.StringVar(&f.prepare, "prepare", "", "shell command run in each worktree, to make files that git does not have (default: the settings); $BENCH_CHECKOUT is the module's folder in the checkout")
	fs.StringVar(&f.args, "args", "", "arguments for the test binaries, such as '-size 3'")
}

// fill fills in the words and the settings.
func (f *testFlags) fill(c *cobra.Command, p *Program) (err error) {
	if f.words, err = quoted(f.args); err != nil {
		return cmdline.Usage(fmt.Errorf("--args: %w", err))
	}
	if !c.Flags().Changed("prepare") {
		f.prepare = p.Setting("bench.prepare")
	}
	return nil
}

// quoted takes a text apart at blanks that stand in no quotes, as the go command does with its
// flags.
func quoted(text string) (words []string, err error) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		end, word := strings.IndexAny(text, " \t\n"), ""
		switch quote := text[0]; {
		case quote == '\'' || quote == '"':
			var ok bool
			if word, text, ok = strings.Cut(text[1:], string(quote)); !ok {
				return nil, fmt.Errorf("expected words with closed quotes, got an open %c", quote)
			}
		case end < 0:
			word, text = text, ""
		default:
			word, text = text[:end], text[end:]
		}
		words = append(words, word)
	}
	return words, nil
}

// RunCommand returns the command run.
func RunCommand(p *Program) *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run [PACKAGE...] [-- ARGUMENT...]",
		Short: "Measure two versions of a Go module in turns, and compare them",
		Long: `Measures the benchmarks of any Go module in two versions, side by side: --base (a
commit or tag, or a branch, which means the commit at which the new side left it)
and --head (default: the working tree as it is). Each package with benchmarks is
built once per version; packages whose binaries and data (testdata, and files
below them that changed in git) are equal are left out. After a warm-up, every round runs every benchmark once on each side, in a
random order that the next round reverses. A second copy of the base is measured too; its
difference from the base shows how much the machine varies (the noise floor). The warm-up
measures how long a benchmark takes outside its timed part (setup, b.StopTimer), and plans
samples that take a small multiple of --benchtime; a line for each benchmark says so. Four
times are reported: sec/op, the time of slices that other programs hardly disturb;
mean-sec/op; cpu-sec/op (processor time); and setup-sec. Costs that occur only now and
then show in the last three. --budget also holds within a round: benchmarks that do not
fit are left out and named. Then instructions per operation are counted,
if the tool perf can do so here. Without --base only the head is measured. Build
flags go into GOFLAGS.

Each version is checked out in a worktree of its own, with its submodules and the
workspace of the checkout. --prepare is run there to make files that git does not have,
such as generated ones. Arguments after -- go to the test binaries. A benchmark or package
that fails on one side is left out on that side. A failure on the new side fails the gate.
A failure on the old side alone means that the change repairs it, and the gate can pass.

If the command is interrupted, the same command continues with the finished builds and
rounds. They are kept in the repository's git folder for at most 14 days.

--until-decided looks at the results after 6, 8, 10, 12, 16 and 20 rounds (scaled
to --rounds) and continues only with benchmarks that are still unclear. All looks together
have the same chance of a false alarm as a single one. A benchmark that
fails by its time is measured again on new builds with the code laid out in
another order, and counts as undecided unless it fails there too.

--why takes profiles of time and allocations on both sides for at most five
benchmarks that failed, keeps the files, and names the functions that take more.

--range A..B fills a history: --steps commits between A and B (following first parents,
both ends included; if A is a branch, the commit at which B left it) are measured in turns
with --rounds samples each, and recorded on the baseline branch with the dates of their commits. Commits that
do not build are left out.

Prints the comparison or, with --gate, the gate's verdict. --record keeps all
sides in KEPT, --out keeps their text in files.

Exit code: 0; 2 bad usage, or the new side does not build, a benchmark of it fails, or
--budget is too short for all; 4 if there is nothing to measure or compare; 130 if
interrupted. With --gate that of gate: what fails on the new side alone is a regression (1),
what fails on both sides or has no time is undecided (3).`,
		Example: `  sakusen bench run --base main --gate ./parser
  sakusen bench run -C ../other/module --base v1.2.0 --bench Decode --rounds 20`,
		RunE: func(c *cobra.Command, args []string) error {
			f.o.Packages = args
			if at := c.ArgsLenAtDash(); at >= 0 {
				f.o.Packages, f.o.Args = split(args[:at], args[at:])
			}
			if err := f.tests.fill(c, p); err != nil {
				return err
			}
			f.o.Prepare, f.o.Args = f.tests.prepare, append(f.tests.words, f.o.Args...)
			if err := f.check(); err != nil {
				return cmdline.Usage(err)
			}
			if c.Flags().Changed("base") && strings.TrimSpace(f.o.Base) == "" { // a variable that is not set
				return cmdline.Usage(errors.New("--base: expected a commit, a branch or a tag, got an empty text"))
			}
			if f.between != "" {
				return p.fill(c.Context(), &f)
			}
			return p.measure(c.Context(), &f)
		},
	}
	fs := c.Flags()
	fs.StringVar(&f.o.Base, "base", "", "old side: a commit or tag, or a branch for the commit at which the new side left it")
	fs.BoolVar(&f.o.BaseTip, "base-tip", false, "if --base, or A of --range, is a branch, take its tip")
	fs.StringVar(&f.o.Head, "head", "", "commit, branch or tag of the new side (default: the working tree as it is)")
	fs.StringVarP(&f.o.Dir, "dir", "C", "", "folder of the module (default: the current one)")
	fs.StringVar(&f.o.Bench, "bench", ".", "which benchmarks, as for go test")
	fs.StringVar(&f.o.Skip, "skip", "", "which benchmarks not, as for go test")
	fs.StringVar(&f.o.BenchTime, "benchtime", "100ms", "time or number of iterations of one sample, as for go test")
	fs.StringVar(&f.o.CPU, "cpu", "", "numbers of processors, as for go test (default: GOMAXPROCS)")
	fs.BoolVar(&f.o.Instructions, "instructions", true, "also count instructions per operation, if perf can")
	fs.IntVar(&f.o.Rounds, "rounds", 20, "samples of each benchmark and side")
	fs.DurationVar(&f.o.Budget, "budget", 10*time.Minute, "time of the warm-up and all rounds, without the builds; 0 for no limit")
	cmdline.Seed(fs, &f.o.Seed, 1, "seed of the order")
	f.tests.add(c)
	fs.BoolVar(&f.o.All, "all", false, "measure packages with equal binaries too")
	fs.StringVar(&f.machine, "machine", "", "machine class (default: the settings, the processor's name)")
	fs.StringVar(&f.out, "out", "", "folder for base.txt, head.txt and noise.txt, and with --gate gate.json")
	fs.BoolVar(&f.keep, "record", false, "keep the sides in "+p.Kept.Place())
	fs.StringVar(&f.branch, "branch", "", "with --record: branch of the new side (default: that of the folder, or what the build server says)")
	fs.BoolVar(&f.gate, "gate", false, "judge as gate does, and exit with its code")
	fs.BoolVar(&f.exact, "exact", false, "compare exact metrics only")
	fs.Float64Var(&f.threshold, "threshold", 0.05, "relative change of time that --gate fails")
	fs.BoolVar(&f.until, "until-decided", false, "with --gate: continue only with benchmarks that are not yet decided, for at most --rounds rounds")
	fs.DurationVar(&f.most, "most", 10*time.Minute, "--budget of --until-decided")
	fs.StringVar(&f.between, "range", "", "A..B: measure commits of the range in turns and record them")
	fs.IntVar(&f.steps, "steps", 10, "how many commits of --range, evenly spread")
	cmdline.Need(c, "range", "steps")
	cmdline.Exclude(c, "range", "base", "head", "gate", "record", "out")
	cmdline.Need(c, "base", "gate")
	cmdline.Need(c, "base|range", "base-tip")
	cmdline.Need(c, "record", "branch")
	fs.StringVar(&f.also, "also", "", "also measure, for each package or benchmark: size (of the test binary), build (time), rss (peak memory)")
	fs.StringVar(&f.why, "why", "", "with --gate: folder for profiles of benchmarks that failed; name the functions that take more")
	cmdline.Need(c, "gate", "until-decided", "why")
	cmdline.Need(c, "until-decided", "most")
	cmdline.Exclude(c, "until-decided", "budget")
	return p.called(c)
}

func (f *runFlags) check() error {
	var err error
	if f.o.Also, err = runner.Also(f.also); err != nil {
		return fmt.Errorf("--also: %w", err)
	}
	switch {
	case f.o.Rounds < 1:
		return fmt.Errorf("--rounds: expected at least 1, got %d", f.o.Rounds)
	case f.o.Budget < 0:
		return fmt.Errorf("--budget: expected a time from 0, got %s", f.o.Budget)
	case f.steps < 2:
		return fmt.Errorf("--steps: expected at least 2, got %d", f.steps)
	case !(f.threshold > 0):
		return fmt.Errorf("--threshold: expected a number above 0, got %g", f.threshold)
	}
	for _, folder := range []struct{ flag, name string }{{"out", f.out}, {"why", f.why}} { // before a long measurement
		if err := writable(folder.name); err != nil {
			return fmt.Errorf("--%s: expected a folder that can be written: %w", folder.flag, err)
		}
	}
	return nil
}

// writable makes a folder, unless its name is empty, and tries whether files can be made there.
func writable(folder string) error {
	if folder == "" {
		return nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(folder, ".try-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

func (p *Program) measure(ctx context.Context, f *runFlags) error {
	f.o.Say = p.Say
	for _, name := range []string{"base.txt", "head.txt", "noise.txt", "gate.json"} { // of an earlier measurement
		if f.out == "" {
			break
		}
		if err := os.Remove(filepath.Join(f.out, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("--out: %w", err)
		}
	}
	d, err := p.decide(ctx, f)
	if d.Result != nil {
		for _, pkg := range d.Result.Identical {
			p.Say("%s: the same binary on both sides", pkg)
		}
		if errors.Is(err, runner.ErrNothing) {
			for _, w := range d.Result.Warnings {
				p.Say("warning: %s", w)
			}
		}
	}
	switch {
	case errors.Is(err, runner.ErrNothing) && err.Error() != runner.ErrNothing.Error(): // it says why
		return errors.Join(cmdline.Exit(cmdline.Nothing, err), (&bench.Gate{Outcome: bench.NothingToDo}).Keep(f.gateFolder(), &bench.Comparison{}))
	case errors.Is(err, runner.ErrNothing):
		where := "here"
		if f.o.Base != "" {
			where = "in a package that differs"
		}
		none := bench.Gate{Outcome: bench.NothingToDo}
		return errors.Join(cmdline.Exit(cmdline.Nothing, fmt.Errorf("%w: no benchmark %s has a name like %q", err, where, f.o.Bench)),
			none.Keep(f.gateFolder(), &bench.Comparison{}))
	case ctx.Err() != nil && (d.Result == nil || !d.Result.Resumable):
		return cmdline.Exit(cmdline.Interrupted, errors.New("interrupted; the same command begins again"))
	case ctx.Err() != nil:
		return cmdline.Exit(cmdline.Interrupted, errors.New("interrupted; the same command goes on where it stopped"))
	case err != nil:
		return cmdline.Usage(err)
	}
	if len(d.Result.Unmeasured) > 0 && d.Result.Rounds == 0 && !f.gate {
		u := d.Result.Unmeasured[0]
		return cmdline.Usage(fmt.Errorf("--budget %s is too short for a round of any benchmark: %s.%s: %s", f.o.Budget, u.Pkg, u.Benchmark, u.Reason))
	}
	if f.out != "" {
		err = d.Sides.Write(f.out)
	}
	if f.keep && d.Result.Rounds > 0 {
		err = errors.Join(err, p.Kept.Record(ctx, f.o, d, f.branch))
	}
	if err != nil {
		return err
	}
	d.Gate.Bisect = p.bisecting(ctx, f, d)
	return p.reportRun(f, d)
}

// fill measures commits of a range and records them.
func (p *Program) fill(ctx context.Context, f *runFlags) error {
	f.o.Say = p.Say
	past, err := runner.Fill(ctx, f.o, f.between, f.steps)
	switch {
	case ctx.Err() != nil:
		return cmdline.Exit(cmdline.Interrupted, errors.New("interrupted; the same command begins again"))
	case errors.Is(err, runner.ErrNothing):
		return cmdline.Exit(cmdline.Nothing, err)
	case err != nil:
		return cmdline.Usage(err)
	}
	return p.Kept.Fill(ctx, f.o, past, func(text, name string) (*bench.Run, error) { return p.measured(text, name, f.machine) })
}

// decide measures a fixed number of rounds, or until every series is decided.
func (p *Program) decide(ctx context.Context, f *runFlags) (*runner.Decided, error) {
	if f.until {
		f.o.Budget = f.most
	}
	d, err := runner.Decide(ctx, runner.DecideOptions{
		Measure: f.o, Policy: bench.Policy{Threshold: f.threshold}, ExactOnly: f.exact, Fixed: !f.until, Profiles: f.why,
		Read: func(side, text string) (*bench.Run, error) {
			return p.measured(text, side, f.machine)
		},
	})
	if err == nil && f.until {
		p.Say("stopped after %d samples of each side; %d rounds of all would be %d", d.Samples, f.o.Rounds, d.Full)
	}
	return d, err
}

// reportRun prints the comparison, or the gate, or the head alone.
func (p *Program) reportRun(f *runFlags, d *runner.Decided) error {
	if f.o.Base == "" {
		for _, w := range d.Result.Warnings {
			p.Say("warning: %s", w)
		}
		if d.Sides["head"] == nil {
			return cmdline.Exit(cmdline.Nothing, errors.New("nothing to print: no benchmark printed a result"))
		}
		_, err := fmt.Fprint(p.Out, d.Sides["head"].Raw)
		return err
	}
	c, g := d.Comparison, d.Gate
	if !f.gate {
		err := (&compareFlags{format: "text"}).print(p, c)
		if failed := d.Result.FailedOnHead(); failed != "" {
			return cmdline.Usage(fmt.Errorf("head: %s", failed))
		}
		return err
	}
	if !*p.JSON {
		tables := *c
		tables.Warnings = nil // the gate tells them
		if err := tables.WriteText(p.Out); err != nil {
			return err
		}
	}
	return errors.Join(g.Keep(f.gateFolder(), c), p.Summarise("", g, c, nil), p.PrintGate(g, c, nil), cmdline.Verdict(g.Outcome.Exit()))
}

// gateFolder returns where the gate's JSON is kept beside the text of the sides.
func (f *runFlags) gateFolder() string {
	if f.gate {
		return f.out
	}
	return ""
}
