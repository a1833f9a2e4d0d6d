package cli

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/bench"
	"sakusen/bench/enginespeed"
	"sakusen/engines/chess"
	"sakusen/engines/external/registry"
	"sakusen/tuner/config"
	"sakusen/tuner/match"
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

// build is one of two builds of an engine.
type build struct {
	entry *registry.Entry // to be registered for this run; nil if it is in the settings
	text  string          // of the entrant
}

// namedProgram is NAME=PROGRAM [ARGUMENT...].
var namedProgram = regexp.MustCompile(`^([a-z0-9._-]+)=(.+)$`)

// engineBuild reads OLD or NEW: a registered engine, with values for options in
// parentheses or without, NAME=PROGRAM with its arguments, or a program alone,
// which is then named by its role.
func engineBuild(registered []config.Engine, role, text string) build {
	name, _, _ := strings.Cut(text, "(")
	if slices.ContainsFunc(registered, func(e config.Engine) bool { return e.Name == name }) {
		return build{nil, text}
	}
	if m := namedProgram.FindStringSubmatch(text); m != nil {
		return build{&registry.Entry{Name: m[1], Command: strings.Fields(m[2])}, m[1]}
	}
	return build{&registry.Entry{Name: role, Command: strings.Fields(text)}, role}
}

// engineGate is two builds that are to be judged.
type engineGate struct {
	stable *registry.Stable
	names  [2]string // in the stable, old and new
	match  *match.Match
	speed  enginespeed.Options
}

// openEngineGate reads the command line; every error is bad usage.
func openEngineGate(a *app, f *gateFlags, args []string) (*engineGate, error) {
	if len(args) != 2 {
		return nil, fmt.Errorf("expected OLD and NEW, two engines, got %d arguments", len(args))
	}
	if s := &f.engines.speed; s.Positions < 1 || s.Rounds < 5 {
		return nil, fmt.Errorf("expected --positions of at least 1 and --rounds of at least 5, got %d and %d", s.Positions, s.Rounds)
	}
	var given []string
	var texts [2]string
	for i, role := range []string{"old", "new"} {
		b := engineBuild(a.settings.Engines, role, args[i])
		if texts[i] = b.text; b.entry != nil {
			given = append(given, b.entry.Name+"="+strings.Join(b.entry.Command, " "))
		}
	}
	if err := a.openEngines(given, nil); err != nil {
		return nil, err
	}
	g := &engineGate{stable: a.engines, speed: f.engines.speed}
	if err := g.open(a, f, texts); err != nil {
		return nil, err
	}
	return g, nil
}

// open makes the match of the builds and says how they are started.
func (g *engineGate) open(a *app, f *gateFlags, texts [2]string) error {
	g.stable.Unkept = true
	rules, err := parseRules(f.engines.rules)
	if err != nil {
		return err
	}
	test, err := f.match.match.test()
	if err != nil {
		return err
	}
	game, err := a.catalogueOf(".").Game(chess.Name)
	if err != nil {
		return err
	}
	if g.match, err = match.New(game, rules, []string{texts[1], texts[0]}, f.match.match.seed, f.match.match.maxBlocks); err != nil {
		return err
	}
	g.match.Test, g.match.StopAlike = test, true
	entrants := [2]int{1, 0} // of old and new
	var infos [2]*registry.Info
	for i, e := range entrants {
		g.names[i] = g.match.Series.Entrants[e].Strategy
		if infos[i], err = g.stable.Describe(g.names[i]); err != nil {
			return err
		}
		g.speed.Wall = g.speed.Wall || infos[i].Threads > 1
	}
	if e := g.match.Series.Entrants; infos[0].Identity == infos[1].Identity && e[0].Params.String() == e[1].Params.String() {
		e[0].Strategy = e[1].Strategy // one program: nothing to play
	}
	g.speed.Start = func(i int) (enginespeed.Searcher, error) {
		return g.stable.Searcher(g.names[i], g.match.Series.Entrants[entrants[i]].Params, enginespeed.Patience)
	}
	return checkMatch(g.match)
}

// benchGateEngines judges two builds of an engine.
func benchGateEngines(a *app, ctx context.Context, f *gateFlags, p bench.Policy, args []string) error {
	g, err := openEngineGate(a, f, args)
	if err != nil {
		return usage(err)
	}
	defer g.stable.Close()
	defer context.AfterFunc(ctx, g.stable.Close)() // a search that is under way ends
	g.speed.Policy, g.speed.Seed, g.speed.Say = p, f.match.match.seed, a.say
	if g.speed.Machine = a.settings.Text("bench.machine_class"); g.speed.Machine == "" {
		g.speed.Machine = "this machine"
	}
	m, err := enginespeed.Run(ctx, g.speed)
	if ctx.Err() != nil {
		return errGateAgain
	}
	if err != nil {
		return usage(err)
	}
	ticker := newTicker(a, g.match.Series.To)
	g.match.Progress = ticker.Tick
	strength, err := service.PlayStrength(ctx, g.match, a.pool())
	ticker.Clear()
	if ctx.Err() != nil {
		return errGateAgain
	}
	if err != nil {
		return err
	}
	return errors.Join(summarise(a, f.summary, m.Gate, m.Comparison, strength), printEngineGate(a, m, strength), verdict(strength.Joint(m.Gate).Exit()))
}

// errGateAgain says that nothing is kept.
var errGateAgain = &coded{exitInterrupted, errors.New("interrupted; the same command begins again")}

// printEngineGate prints the gate, after the tables and what was searched.
func printEngineGate(a *app, m *enginespeed.Measured, s *service.Strength) error {
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
	return printGate(a, m.Gate, m.Comparison, s)
}
