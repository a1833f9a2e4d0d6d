package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"sakusen/bench"
	"sakusen/bench/runner"
	"sakusen/engines/arena"
	"sakusen/tuner/contest"
	"sakusen/tuner/service"
	"sakusen/tuner/stats"
)

// gateFlags are those of the gate.
type gateFlags struct {
	alpha, threshold float64
	exact, missing   bool
	tip              bool // of the baseline branch
	noise, summary   string
	branch, dir      string
	selfTest         bool
	match            gateMatchFlags
	engines          gateEngineFlags
}

func benchGateCommand(a *app) *cobra.Command {
	var f gateFlags
	c := &cobra.Command{
		Use:   "gate [OLD] NEW",
		Args:  cobra.ArbitraryArgs, // none with --self-test, two engines with --engine
		Short: "Fail if a benchmark became worse: at any change of an exact metric, at a significant change of time",
		Long: `Compares NEW with OLD and fails if something became worse. Exact metrics
(allocs/op, nodes/op, instructions/op, signatures, units declared assume=exact)
fail at any change that is not known to be an improvement, if one side shows one
value at least three times; of fewer samples a change is inconclusive. A time fails only if q,
its p-value corrected for the number of series, is below --alpha; the change for
the worse exceeds --threshold and twice the noise floor; and so does the better
end of its interval exceed --threshold. The noise floor is the difference between
OLD and --noise, a second measurement of the same code.

Without OLD, NEW is compared with the complete recorded run of the commit at which
HEAD left the baseline branch (--base-tip: of the branch's tip), or else of the
nearest ancestor on the same machine class. Series that were accepted later are
compared from there on.

--with-match CANDIDATE,BASELINE also plays a match, and fails if a sequential test
finds the candidate weaker: one verdict on speed and strength.

--engine compares two builds of a program that speaks UCI: registered engines, with
values for their options if need be, or NAME=PROGRAM, or programs with their
arguments. Both search the same positions in turns, started anew for every round,
up to a number of nodes and up to a depth. Nodes per second and the time to the
depth are judged as times are, by the processor time of one thread. Then the two
play chess, and the gate fails if a sequential test finds NEW weaker. If they play
the same games, enough of those show that it is not.

--self-test checks the gate itself. It plants a slowdown of 20 %, an allocation
and a changed signature, and exits with 1, as a failing gate does, if all three
are found.

A summary in Markdown is appended to the file --summary, by default the one that
$GITHUB_STEP_SUMMARY names. The file stays below 1 MiB, above which GitHub shows
nothing of it: what got worse most stands first, and what is left out is counted.

A run in which a package failed, did not build or did not end, or in which results
were lost, is never a pass.

Exit code: 0 pass; 1 regression; 2 bad usage or input; 3 inconclusive (samples too
few or too noisy, something looks worse without proof, a series is missing, a run
is incomplete); 4 nothing to compare with: there is no old side.`,
		Example: `  sakusen bench gate --exact baseline:exact new.txt
  sakusen bench gate new.txt --with-match "MP80,MP70"
  sakusen bench gate --engine ./engine-1.0 ./engine-1.1 --rules limit=nodes:5000`,
		RunE: func(c *cobra.Command, args []string) error {
			p, err := f.policy()
			if err != nil {
				return usage(err)
			}
			if f.selfTest {
				return a.gate.selfTest(&f, p, args)
			}
			if f.engines.on {
				return a.gate.judgeEngines(c.Context(), &f, p, args)
			}
			if len(args) < 1 || len(args) > 2 {
				return usage(fmt.Errorf("expected [OLD] NEW, got %d arguments", len(args)))
			}
			return a.gate.judge(c.Context(), &f, p, args)
		},
	}
	fs := c.Flags()
	fs.Float64Var(&f.alpha, "alpha", 0.01, "q below which a change of time counts")
	fs.Float64Var(&f.threshold, "threshold", 0.05, "relative change of time that fails")
	fs.BoolVar(&f.exact, "exact", false, "exact metrics only")
	fs.BoolVar(&f.missing, "allow-missing", false, "let series of OLD be missing in NEW")
	fs.StringVar(&f.noise, "noise", "", "SOURCE of a second measurement of OLD's code")
	fs.StringVar(&f.summary, "summary", "", "file to which the Markdown summary is appended")
	fs.StringVar(&f.branch, "branch", "", "baseline branch (default: the setting bench.baseline_branch, or git's default branch)")
	fs.BoolVar(&f.tip, "base-tip", false, "without OLD: compare with the tip of the baseline branch, not with where HEAD left it")
	fs.StringVarP(&f.dir, "dir", "C", "", "folder of the repository (default: the current one)")
	fs.BoolVar(&f.selfTest, "self-test", false, "prove that the gate can fail: exit code 1")
	f.match.add(c)
	f.engines.add(c)
	exclude(c, "with-match", "self-test")
	return c
}

func (f *gateFlags) policy() (bench.Policy, error) {
	p := bench.Policy{Alpha: f.alpha, Threshold: f.threshold, AllowMissing: f.missing}
	return p, p.Check()
}

// selfTest exits 1 if the planted regressions are found.
func (a gateCommands) selfTest(f *gateFlags, p bench.Policy, args []string) error {
	if len(args) > 0 {
		return usage(fmt.Errorf("--self-test: expected no OLD and no NEW, got %d arguments", len(args)))
	}
	g, c, err := bench.SelfTest(p)
	if err != nil {
		return err
	}
	if err := a.printGate(g, c, nil); err != nil {
		return err
	}
	return verdict(g.Outcome.Exit())
}

func (a gateCommands) judge(ctx context.Context, f *gateFlags, p bench.Policy, args []string) error {
	game, err := a.matchOf(&f.match)
	if err != nil {
		return usage(err)
	}
	run, err := a.bench.source(ctx, args[len(args)-1])
	if err != nil {
		return err
	}
	var old *bench.Run
	if len(args) == 2 {
		old, err = a.old(ctx, args[0])
	} else {
		old, err = a.forkPoint(ctx, f, run)
	}
	if err != nil {
		return err
	}
	if f.noise != "" {
		again, err := a.bench.source(ctx, f.noise)
		if err != nil {
			return err
		}
		p.Noise = bench.NoiseFloor(old, again)
	}
	c := bench.Compare(old, run, bench.Options{ExactOnly: f.exact})
	g := bench.Judge(c, p)
	var strength *service.Strength
	if game != nil {
		ticker := newTicker(a.app, game.Series.To)
		game.Progress = ticker.Tick
		strength, err = service.PlayStrength(ctx, game, a.pool())
		ticker.Clear()
	}
	if err != nil {
		return err
	}
	return errors.Join(a.summarise(f.summary, g, c, strength), a.printGate(g, c, strength), verdict(strength.Joint(g).Exit()))
}

// old finds the recorded run to compare with, with the levels that were accepted after
// it.
func (a gateCommands) old(ctx context.Context, source string) (*bench.Run, error) {
	if !service.IsRecorded(source) {
		return a.bench.source(ctx, source)
	}
	old, err := readBench(a.app, ctx, func(b *service.Benchmarks) (*service.Compared, error) { return b.Compared(ctx, source) })
	if err != nil {
		return nil, err
	}
	return a.tellRenewed(old), nil
}

// tellRenewed says how many series of a recorded run are compared from a later, accepted
// run on.
func (a gateCommands) tellRenewed(old *service.Compared) *bench.Run {
	if old.Renewed > 0 {
		a.say("%s: %d series count from where a change was accepted", old.Name, old.Renewed)
	}
	return old.Run
}

// forkPoint finds the recorded run to compare a change with.
func (a gateCommands) forkPoint(ctx context.Context, f *gateFlags, run *bench.Run) (*bench.Run, error) {
	branch := f.branch
	if branch == "" {
		branch = a.bench.baselineBranch(ctx, f.dir)
	}
	repo := runner.Repo{Dir: f.dir}
	fork, commits, err := repo.BaselineCommits(ctx, branch, f.tip)
	if err != nil {
		return nil, usage(err)
	}
	a.say("base: %s", fork)
	machine := run.Machine()
	if f.exact {
		machine = ""
	}
	old, err := readBench(a.app, ctx, func(b *service.Benchmarks) (*service.Compared, error) { return b.ForkPoint(ctx, commits, machine) })
	switch {
	case err != nil:
		return nil, err
	case old != nil:
		a.say("comparing with %s", old.Title)
		return a.tellRenewed(old), nil
	}
	return nil, &coded{exitNothing, service.NoForkPoint(commits, branch, run.Machine())}
}

// summarise appends the gate in Markdown to a file, if one is named.
func (a gateCommands) summarise(file string, g bench.Gate, c *bench.Comparison, s *service.Strength) error {
	if file == "" {
		file, _ = a.env("GITHUB_STEP_SUMMARY")
	}
	if file == "" {
		return nil
	}
	full, err := s.Append(file, g, c)
	if full {
		a.say("summary: %s holds as much as GitHub shows (1 MiB): nothing was added", file)
	}
	return err
}

// printGate prints the gate.
func (a gateCommands) printGate(g bench.Gate, c *bench.Comparison, s *service.Strength) error {
	return a.print(service.ReportGate(g, c, s), func(w io.Writer) error { return errors.Join(g.WriteText(w, c), s.Write(w, s.Joint(g))) })
}

// gateMatchFlags are those of the match that a gate also plays.
type gateMatchFlags struct {
	entrants string
	game     string
	match    matchFlags
}

func (f *gateMatchFlags) add(c *cobra.Command) {
	fs := c.Flags()
	fs.StringVar(&f.entrants, "with-match", "", "CANDIDATE,BASELINE: entrants of which the first must not be weaker, by SPRT")
	fs.StringVar(&f.game, "game", "", "game of --with-match (default: the only one in which both are entrants)")
	fs.StringVar(&f.match.sprt, "sprt", "-5,0", "ELO0,ELO1 of the match")
	seedFlag(fs, &f.match.seed, 1, "seed of the match")
	fs.Int64Var(&f.match.maxBlocks, "max-blocks", 100000, "blocks at which the match ends undecided")
	f.match.model, f.match.alpha, f.match.beta = string(stats.Logistic), 0.05, 0.05
	need(c, "with-match", "game")
	need(c, "with-match|engine", "sprt", "seed", "max-blocks")
}

// matchOf reads the flags; nil means that no match is asked for.
func (a gateCommands) matchOf(f *gateMatchFlags) (*contest.Match, error) {
	if f.entrants == "" {
		return nil, nil
	}
	texts := contest.SplitEntrants(f.entrants)
	if len(texts) != 2 {
		return nil, fmt.Errorf("--with-match: expected CANDIDATE,BASELINE, got %q", f.entrants)
	}
	if _, err := f.match.test(); err != nil {
		return nil, err
	}
	if f.game != "" {
		game, err := a.catalogue.Game(f.game)
		if err != nil {
			return nil, err
		}
		return f.open(game, texts)
	}
	var found *contest.Match
	for _, game := range a.catalogue {
		m, err := f.open(game, texts)
		if err != nil {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("--with-match: both %s and %s have these entrants: name the game with --game", found.Series.Ruleset.Game.Name, game.Name)
		}
		found = m
	}
	if found == nil {
		return nil, fmt.Errorf("--with-match: no game has both entrants of %q (--game says why)", f.entrants)
	}
	return found, nil
}

func (f *gateMatchFlags) open(game *arena.Game, texts []string) (*contest.Match, error) {
	m, err := contest.NewMatch(game, nil, texts, f.match.seed, f.match.maxBlocks)
	if err != nil {
		return nil, err
	}
	if m.Test, err = f.match.test(); err != nil {
		return nil, err
	}
	return m, checkMatch(m)
}
