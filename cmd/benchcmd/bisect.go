package benchcmd

import (
	"context"
	"fmt"
	"slices"

	"sakusen/bench"
	"sakusen/bench/runner"
	"sakusen/cmd/cmdline"

	"github.com/spf13/cobra"
)

// BisectCommand returns the command bisect.
func BisectCommand(p *Program) *cobra.Command {
	var o runner.BisectOptions
	var tests testFlags
	c := &cobra.Command{
		Use:   "bisect SERIES GOOD..BAD",
		Short: "Find the commit at which a benchmark changed",
		Long: `Finds the commit in GOOD..BAD at which a SERIES "package.Name unit" (default unit:
sec/op) changed from the level of GOOD to that of BAD, following first parents. If GOOD is
a branch, it means the commit at which BAD left that branch.
First GOOD and BAD are measured in turns; if they do not differ, there is nothing to find. Then commits in between are measured together with both, round by
round, until it is clear which of the two a commit is nearer to. Commits that do
not build, or for which --prepare fails, are skipped, and a commit whose binary equals an earlier one is not
measured again. At the end the commit found is measured against the one before it;
if these two do not differ, the result is reported as not reproducible.

Exit code: 0 found; 2 bad usage, or GOOD or BAD does not build; 3 not
reproducible; 130 if interrupted.`,
		Example: `  sakusen bench bisect "example.com/m/parser.Decode-8 sec/op" v1.2.0..HEAD
  sakusen bench bisect "example.com/m/parser.Decode allocs/op" main~40..main --benchtime 100x`,
		RunE: func(c *cobra.Command, args []string) error {
			if o.Rounds < 5 || !(o.Least >= 0) {
				return cmdline.Usage(fmt.Errorf("expected --rounds of at least 5 and --least of at least 0, got %d and %g", o.Rounds, o.Least))
			}
			if err := tests.fill(c, p); err != nil {
				return err
			}
			o.Prepare, o.Args = tests.prepare, tests.words
			o.Series, o.Range, o.Say = args[0], args[1], p.Say
			return p.bisect(c.Context(), o)
		},
	}
	fs := c.Flags()
	fs.StringVarP(&o.Dir, "dir", "C", "", "folder of the module (default: the current one)")
	fs.StringVar(&o.BenchTime, "benchtime", "100ms", "time or number of iterations of one sample, as for go test")
	fs.StringVar(&o.CPU, "cpu", "", "number of processors, as for go test (default: GOMAXPROCS)")
	fs.IntVar(&o.Rounds, "rounds", 20, "most samples of a commit in one step")
	fs.BoolVar(&o.BaseTip, "base-tip", false, "if GOOD is a branch, take its tip, not the commit at which BAD left it")
	fs.Float64Var(&o.Least, "least", 0.02, "relative change below which there is nothing to find")
	tests.add(c)
	cmdline.Seed(fs, &o.Seed, 1, "seed of the order")
	return p.called(c)
}

// bisecting returns the command that finds the commit of the worst failure of a gate; nil where
// there is none, or a side is no commit.
func (p *Program) bisecting(ctx context.Context, f *runFlags, d *runner.Decided) *bench.Bisect {
	at := slices.IndexFunc(d.Gate.Failures, func(found bench.Finding) bool { return runner.Bisectable(found.Row) })
	good, bad := "", ""
	if at >= 0 {
		good, bad = d.Result.Ends(ctx, runner.Repo{Dir: f.o.Dir})
	}
	if good == "" {
		return nil
	}
	series := d.Gate.Failures[at].Row.Series
	b := &bench.Bisect{Program: p.Name, Series: series.Title(), Good: good[:min(12, len(good))], Bad: bad[:min(12, len(bad))]}
	for _, flag := range []struct{ name, value, usual string }{
		{"-C", f.o.Dir, ""}, {"--benchtime", f.o.BenchTime, "100ms"}, {"--cpu", runner.Processors(series.Name, f.o.CPU), ""},
		{"--prepare", f.o.Prepare, p.Setting("bench.prepare")}, {"--args", f.tests.args, ""},
	} {
		if flag.value != flag.usual {
			b.Flags = append(b.Flags, flag.name, flag.value)
		}
	}
	return b
}

func (p *Program) bisect(ctx context.Context, o runner.BisectOptions) error {
	r, err := runner.Bisect(ctx, o)
	if ctx.Err() != nil {
		return cmdline.Exit(cmdline.Interrupted, fmt.Errorf("interrupted; the same command begins again"))
	}
	if err != nil {
		return cmdline.Usage(err)
	}
	code := cmdline.Done
	if !r.Reproducible {
		code = cmdline.Inconclusive
	}
	if *p.JSON {
		err = PrintJSON(p.Out, r)
	} else {
		err = r.WriteText(p.Out)
	}
	if err != nil {
		return err
	}
	return cmdline.Verdict(code)
}
