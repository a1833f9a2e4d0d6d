package cli

import (
	"context"
	"errors"
	"fmt"
	"sakusen/bench"
	"sakusen/bench/enginespeed"
	"sakusen/cmd/benchcmd"
	"sakusen/cmd/cmdline"
	"sakusen/engines/arena"
	"sakusen/engines/chess"
	"sakusen/tuner/contest"
	"sakusen/tuner/contest/players"
	"sakusen/tuner/service"
	"sakusen/tuner/stats"
	"strings"

	"github.com/spf13/cobra"
)

// gateFlags are those of the gate, with a match or engines.
type gateFlags struct {
	*benchcmd.Gating
	match   gateMatchFlags
	engines gateEngineFlags
}

// command returns the command gate, which may play a match too.
func (a gateCommands) command(p *benchcmd.Program) *cobra.Command {
	c, gating := benchcmd.GateCommand(p, `A series that was accepted later (bench accept) is compared with the accepted values.

--with-match CANDIDATE,BASELINE also plays a match, and fails if a sequential test
finds the candidate weaker: one verdict on speed and strength.

--engine compares two builds of a program that speaks UCI: registered engines, with
values for their options if need be, or NAME=PROGRAM, or programs with their
arguments. Both search the same positions in turns, up to a number of nodes and up to a
depth, and are started anew for every round. Nodes per second and the time to the depth
are judged like other times, by the processor time of one thread. Then the two play chess,
and the gate fails if a sequential test finds NEW weaker. If both play the same moves in
enough games, NEW counts as not weaker.

`)
	c.Example += `
  sakusen bench gate new.txt --with-match "MP80,MP70"
  sakusen bench gate --engine ./engine-1.0 ./engine-1.1 --rules limit=nodes:5000`
	f := gateFlags{Gating: gating}
	f.match.add(c)
	f.engines.add(c)
	cmdline.Exclude(c, "with-match", "self-test")
	f.Strength = func() (func(context.Context) (*bench.Strength, error), error) {
		game, err := a.matchOf(&f.match)
		if game == nil || err != nil {
			return nil, err
		}
		return func(ctx context.Context) (*bench.Strength, error) { return a.play(ctx, game) }, nil
	}
	judge := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if !f.engines.on {
			return judge(c, args)
		}
		policy, err := f.Policy()
		if err != nil {
			return usage(err)
		}
		return a.judgeEngines(c.Context(), &f, policy, args)
	}
	return c
}

// play plays the match of a gate, and shows how far it is.
func (a gateCommands) play(ctx context.Context, game *contest.Match) (*bench.Strength, error) {
	ticker := newTicker(a.app, game.Series.To)
	defer ticker.Clear()
	game.Progress = ticker.Tick
	return service.PlayStrength(ctx, game, a.pool())
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
	cmdline.Seed(fs, &f.match.seed, 1, "seed of the match")
	fs.Int64Var(&f.match.maxBlocks, "max-blocks", 100000, "blocks at which the match ends undecided")
	f.match.model, f.match.alpha, f.match.beta = string(stats.Logistic), 0.05, 0.05
	cmdline.Need(c, "with-match", "game")
	cmdline.Need(c, "with-match|engine", "sprt", "seed", "max-blocks")
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

// gateEngineFlags are those of a gate of two builds of an engine.
type gateEngineFlags struct {
	on    bool
	rules []string
	speed enginespeed.Options
}

func (f *gateEngineFlags) add(c *cobra.Command) {
	fs := c.Flags()
	fs.BoolVar(&f.on, "engine", false, "OLD and NEW are two builds of a program that speaks UCI: judge its speed and its strength")
	fs.StringArrayVar(&f.rules, "rules", nil, "option of the rules of the match of --engine, name=value (repeatable)")
	fs.Int64Var(&f.speed.Nodes, "nodes", 0, "nodes of a search of --engine (default: long enough; -1 does not measure nodes per second)")
	fs.Int64Var(&f.speed.Depth, "depth", 0, "depth of a search of --engine, plies (default: long enough; -1 does not measure the time to a depth)")
	fs.IntVar(&f.speed.Positions, "positions", 8, "positions that both builds of --engine search")
	fs.IntVar(&f.speed.Rounds, "rounds", 20, "most samples of each build of --engine")
	cmdline.Need(c, "engine", "rules", "nodes", "depth", "positions", "rounds")
	cmdline.Exclude(c, "engine", "with-match", "self-test", "exact", "noise", "branch", "allow-missing", "dir")
}

// openEngineGate reads the command line; every error is bad usage. What is not
// measured or played yet is in the match and in f.engines.speed.
func (a gateCommands) openEngineGate(f *gateFlags, args []string) (*contest.Match, error) {
	if len(args) != 2 {
		return nil, fmt.Errorf("expected OLD and NEW, two engines, got %d arguments", len(args))
	}
	if s := &f.engines.speed; s.Positions < 1 || s.Rounds < 5 {
		return nil, fmt.Errorf("expected --positions of at least 1 and --rounds of at least 5, got %d and %d", s.Positions, s.Rounds)
	}
	given, entrants := players.Builds(a.settings.Engines, args[0], args[1])
	if err := a.engine.openEngines(given, nil); err != nil {
		return nil, err
	}
	a.engines.Unkept = true
	rules, err := parseRules(f.engines.rules)
	if err != nil {
		return nil, err
	}
	test, err := f.match.match.test()
	if err != nil {
		return nil, err
	}
	for _, e := range entrants { // what is wrong with the old one is said first
		name, _, _ := strings.Cut(e, "(")
		if _, err := a.engines.Describe(name); err != nil {
			return nil, err
		}
	}
	game, err := a.catalogueOf(".").Game(chess.Name)
	if err != nil {
		return nil, err
	}
	m, err := contest.NewMatch(game, rules, []string{entrants[1], entrants[0]}, f.match.match.seed, f.match.match.maxBlocks)
	if err != nil {
		return nil, err
	}
	m.Test, m.StopAlike = test, true
	if err := players.Prepare(a.engines, m, &f.engines.speed); err != nil {
		return nil, err
	}
	return m, checkMatch(m)
}

// judgeEngines judges two builds of an engine.
func (a gateCommands) judgeEngines(ctx context.Context, f *gateFlags, p bench.Policy, args []string) error {
	game, err := a.openEngineGate(f, args)
	if err != nil {
		return usage(err)
	}
	defer context.AfterFunc(ctx, a.engines.Close)() // a search that is under way ends
	speed := &f.engines.speed
	speed.Policy, speed.Seed, speed.Say = p, f.match.match.seed, a.say
	if speed.Machine = a.settings.Text("bench.machine_class"); speed.Machine == "" {
		speed.Machine = "this machine"
	}
	m, err := enginespeed.Run(ctx, *speed)
	if ctx.Err() != nil {
		return errGateAgain
	}
	if err != nil {
		return usage(err)
	}
	strength, err := a.play(ctx, game)
	if ctx.Err() != nil {
		return errGateAgain
	}
	if err != nil {
		return err
	}
	return errors.Join(a.bench.program().Summarise(f.Summary, m.Gate, m.Comparison, strength), a.printEngineGate(m, strength), cmdline.Verdict(strength.Joint(m.Gate).Exit()))
}

// errGateAgain says that nothing is kept.
var errGateAgain = cmdline.Exit(cmdline.Interrupted, errors.New("interrupted; the same command begins again"))

// printEngineGate prints the gate, after the tables and what was searched.
func (a gateCommands) printEngineGate(m *enginespeed.Measured, s *bench.Strength) error {
	if a.flags.asJSON {
		return a.printJSON(struct {
			bench.GateReport
			Engines enginespeed.Report `json:"engines"`
		}{s.Report(m.Gate, m.Comparison), m.Report})
	}
	tables := *m.Comparison
	tables.Warnings = nil // the gate tells them
	if err := errors.Join(m.Report.Write(a.out), tables.WriteText(a.out)); err != nil {
		return err
	}
	return a.bench.program().PrintGate(m.Gate, m.Comparison, s)
}
