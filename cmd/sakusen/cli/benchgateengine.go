package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/bench"
	"sakusen/bench/enginespeed"
	"sakusen/engines/chess"
	"sakusen/tuner/contest"
	"sakusen/tuner/contest/players"
	"sakusen/tuner/service"
)

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
	need(c, "engine", "rules", "nodes", "depth", "positions", "rounds")
	exclude(c, "engine", "with-match", "self-test", "exact", "noise", "branch", "allow-missing", "dir")
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
	ticker := newTicker(a.app, game.Series.To)
	game.Progress = ticker.Tick
	strength, err := service.PlayStrength(ctx, game, a.pool())
	ticker.Clear()
	if ctx.Err() != nil {
		return errGateAgain
	}
	if err != nil {
		return err
	}
	return errors.Join(a.summarise(f.summary, m.Gate, m.Comparison, strength), a.printEngineGate(m, strength), verdict(strength.Joint(m.Gate).Exit()))
}

// errGateAgain says that nothing is kept.
var errGateAgain = &coded{exitInterrupted, errors.New("interrupted; the same command begins again")}

// printEngineGate prints the gate, after the tables and what was searched.
func (a gateCommands) printEngineGate(m *enginespeed.Measured, s *service.Strength) error {
	if a.flags.asJSON {
		return a.printJSON(struct {
			service.GateReport
			Engines enginespeed.Report `json:"engines"`
		}{service.ReportGate(m.Gate, m.Comparison, s), m.Report})
	}
	tables := *m.Comparison
	tables.Warnings = nil // the gate tells them
	if err := errors.Join(m.Report.Write(a.out), tables.WriteText(a.out)); err != nil {
		return err
	}
	return a.printGate(m.Gate, m.Comparison, s)
}
