package benchcmd

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"sakusen/bench"
	"sakusen/bench/runner"
	"sakusen/cmd/cmdline"
)

// Gating is what a command gate was asked for.
type Gating struct {
	alpha, threshold float64
	exact, missing   bool
	tip              bool // of the baseline branch
	noise            string
	branch, dir      string
	selfTest         bool
	// Summary is the file to which the summary is appended, unless empty.
	Summary string
	// Strength returns what plays the match that goes with the gate, nil where none was asked
	// for; a mistake in what was asked for is an error. nil: there are no matches.
	Strength func() (play func(context.Context) (*bench.Strength, error), err error)
}

// GateCommand returns the command gate, and what it was asked for once it runs. more is help
// about the caller's own flags.
func GateCommand(p *Program, more string) (*cobra.Command, *Gating) {
	f := &Gating{}
	c := &cobra.Command{
		Use:   "gate [OLD] NEW",
		Args:  cobra.ArbitraryArgs, // none with --self-test, two engines with --engine
		Short: "Fail if a benchmark became worse: at any change of an exact metric, at a significant change of time",
		Long: `Compares NEW with OLD and fails if something became worse. Exact metrics
(allocs/op, nodes/op, instructions/op, signatures, units declared assume=exact)
fail at any change that is not known to be an improvement, if one side shows one
value at least three times; with fewer samples a change is undecided. A time fails only if
three conditions hold: q, its p-value corrected for the number of series, is below
--alpha; it became worse by more than --threshold and by more than twice the noise floor;
and the whole interval of the change is above --threshold. The noise floor is the difference between
OLD and --noise, a second measurement of the same code.

Without OLD, NEW is compared with the complete recorded run of the commit at which
HEAD left the baseline branch (--base-tip: of the branch's tip), or else of the
nearest ancestor on the same machine class.

` + more + `--self-test checks the gate itself. It plants a slowdown of 20 %, an allocation
and a changed signature, and exits with 1, as a failing gate does, if all three
are found.

A summary in Markdown is appended to the file --summary, by default the one that
$GITHUB_STEP_SUMMARY names. The file stays below 1 MiB, because GitHub shows nothing of a
larger one: the worst changes stand first, and a line says how many were left out.

A pass rules out a slowdown of twice --threshold in every time, also in noisy ones. One
line says which slowdown was ruled out, and which could not have been found.

A run in which a package failed, did not build or did not end, or in which results
were lost, never passes.

Exit code: 0 pass; 1 regression; 2 bad usage or input; 3 undecided (samples too
few or too noisy, something looks worse without proof, a series is missing, a run
is incomplete); 4 nothing to compare with: there is no old side; 5 a file could not be
written, or --self-test found that the gate is blind.`,
		Example: `  sakusen bench gate --exact baseline:exact new.txt
  sakusen bench gate old.txt new.txt --summary summary.md`,
		RunE: func(c *cobra.Command, args []string) error {
			policy, err := f.Policy()
			if err != nil {
				return cmdline.Usage(err)
			}
			if f.selfTest {
				return p.selfTest(policy, args)
			}
			if len(args) < 1 || len(args) > 2 {
				return cmdline.Usage(fmt.Errorf("expected [OLD] NEW, got %d arguments", len(args)))
			}
			return p.judge(c.Context(), f, policy, args)
		},
	}
	fs := c.Flags()
	fs.Float64Var(&f.alpha, "alpha", 0.01, "q below which a change of time counts")
	fs.Float64Var(&f.threshold, "threshold", 0.05, "relative change of time that fails")
	fs.BoolVar(&f.exact, "exact", false, "exact metrics only")
	fs.BoolVar(&f.missing, "allow-missing", false, "let series of OLD be missing in NEW")
	fs.StringVar(&f.noise, "noise", "", "SOURCE of a second measurement of OLD's code")
	fs.StringVar(&f.Summary, "summary", "", "file to which the Markdown summary is appended")
	fs.StringVar(&f.branch, "branch", "", "baseline branch (default: the setting bench.baseline_branch, or git's default branch)")
	fs.BoolVar(&f.tip, "base-tip", false, "without OLD: compare with the tip of the baseline branch, not with the commit at which HEAD left it")
	fs.StringVarP(&f.dir, "dir", "C", "", "folder of the repository (default: the current one)")
	fs.BoolVar(&f.selfTest, "self-test", false, "prove that the gate can fail: exit code 1")
	return p.called(c), f
}

// Policy returns the policy, which is checked.
func (f *Gating) Policy() (bench.Policy, error) {
	p := bench.Policy{Alpha: f.alpha, Threshold: f.threshold, AllowMissing: f.missing}
	return p, p.Check()
}

// selfTest exits 1 if the planted regressions are found.
func (p *Program) selfTest(policy bench.Policy, args []string) error {
	if len(args) > 0 {
		return cmdline.Usage(fmt.Errorf("--self-test: expected no OLD and no NEW, got %d arguments", len(args)))
	}
	g, c, err := bench.SelfTest(policy)
	if err != nil {
		return cmdline.Exit(cmdline.Internal, err)
	}
	if err := p.PrintGate(g, c, nil); err != nil {
		return err
	}
	return cmdline.Verdict(g.Outcome.Exit())
}

func (p *Program) judge(ctx context.Context, f *Gating, policy bench.Policy, args []string) error {
	var play func(context.Context) (*bench.Strength, error)
	var err error
	if f.Strength != nil {
		if play, err = f.Strength(); err != nil {
			return cmdline.Usage(err)
		}
	}
	run, err := p.Source(ctx, args[len(args)-1])
	if err != nil {
		return err
	}
	var old, again *bench.Run
	switch {
	case len(args) == 1:
		old, err = p.forkPoint(ctx, f, run)
	case IsRecorded(args[0]):
		old, err = p.Kept.Old(ctx, args[0])
	default:
		old, err = p.Source(ctx, args[0])
	}
	if err != nil {
		return err
	}
	if f.noise != "" {
		if again, err = p.Source(ctx, f.noise); err != nil {
			return err
		}
		policy.Noise = bench.NoiseFloor(old, again)
	}
	c := bench.Compare(old, run, bench.Options{ExactOnly: f.exact})
	g := bench.Judge(c, policy)
	if again != nil {
		g.DoubtNoise(c, again)
	}
	var strength *bench.Strength
	if play != nil {
		if strength, err = play(ctx); err != nil {
			return err
		}
	}
	return errors.Join(p.Summarise(f.Summary, g, c, strength), p.PrintGate(g, c, strength), cmdline.Verdict(strength.Joint(g).Exit()))
}

// forkPoint finds the kept run to compare a change with.
func (p *Program) forkPoint(ctx context.Context, f *Gating, run *bench.Run) (*bench.Run, error) {
	branch := f.branch
	if branch == "" {
		branch = p.BaselineBranch(ctx, f.dir)
	}
	repo := runner.Repo{Dir: f.dir}
	fork, commits, err := repo.BaselineCommits(ctx, branch, f.tip)
	if err != nil {
		return nil, cmdline.Usage(err)
	}
	p.Say("base: %s", fork)
	machine := run.Machine()
	if f.exact {
		machine = ""
	}
	old, err := p.Kept.Before(ctx, run, commits, machine)
	if err == nil && old == nil {
		err = cmdline.Exit(cmdline.Nothing, noForkPoint(commits, branch, run.Machine()))
		if fork.Cut != "" { // where it may be
			err = cmdline.Usage(fmt.Errorf("%w%s", err, fork.Cut))
		}
	}
	return old, err
}

// noForkPoint returns an error that says why there is no kept run to compare a change with:
// the last commits of a branch have none on a machine class.
func noForkPoint(commits []string, branch, machine string) error {
	if len(commits) == 0 {
		return fmt.Errorf("nothing to compare with: HEAD has no ancestor on %s", branch)
	}
	return fmt.Errorf("nothing to compare with: none of the last %d commits of %s was recorded on machine class %q (runs that failed do not count)", len(commits), branch, machine)
}

// Summarise appends the gate in Markdown to a file, if one is named or GitHub names one.
func (p *Program) Summarise(file string, g bench.Gate, c *bench.Comparison, s *bench.Strength) error {
	if file == "" {
		file, _ = p.Env("GITHUB_STEP_SUMMARY")
	}
	if file == "" {
		return nil
	}
	full, err := s.Append(file, g, c)
	if full {
		p.Say("summary: %s holds as much as GitHub shows (1 MiB): nothing was added", file)
	}
	return err
}

// PrintGate prints the gate.
func (p *Program) PrintGate(g bench.Gate, c *bench.Comparison, s *bench.Strength) error {
	return p.print(s.Report(g, c), func(w io.Writer) error { return errors.Join(g.WriteText(w, c), s.Write(w, s.Joint(g))) })
}
