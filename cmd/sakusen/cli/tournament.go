package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/cmd/cmdline"
	"sakusen/engines/plain"
	"sakusen/studies"
	"sakusen/studies/experiments"
	"sakusen/tuner/contest"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/insight/replay"
	"sakusen/tuner/service"
	"sakusen/tuner/view"
)

// tournamentFlags are the flags of the command tournament.
type tournamentFlags struct {
	blocks int64
	seed   uint64
	seeded bool
	record bool
}

func (a contestCommands) tournamentCommand() command {
	return command{
		use: "tournament FILE", short: "Play a round robin or a gauntlet from a file", bind: a.tournament,
		long: `Plays a round robin or a gauntlet from a file, and prints a crosstable, ratings,
and the result of every pairing in every order of seats.

FILE is a path (with a slash, or ending in .yaml) or the name of an embedded
experiment. A block is one seed of chance, played in every rotation of the seats.
Each pairing has its own seed, made of the file's seed and the entrants; sakusen
match with that seed plays the same games. Ratings are Bradley and Terry's, in
Elo relative to the first entrant of the file.

Played games are kept in the database, so that an interrupted tournament continues where
it stopped. While a daemon holds the database, the daemon plays the
tournament, with the same result; interrupting the command does not stop it, and
the same command waits for it again. With --record=false the command plays the
tournament itself and keeps nothing.`,
		example: `  sakusen tournament cup.yaml
  sakusen tournament battleship-table3 --blocks 2000 --json`,
	}
}

// tournament plays a tournament file.
func (a contestCommands) tournament(c *cobra.Command) action {
	var f tournamentFlags
	c.Flags().Int64Var(&f.blocks, "blocks", 0, "blocks of each pairing (default: the file's)")
	cmdline.Seed(c.Flags(), &f.seed, 0, "seed of all chance (default: the file's)")
	c.Flags().BoolVar(&f.record, "record", true, "keep the games in the database, and play only games that are not there yet")
	return func(ctx context.Context, args []string) error {
		file, source, err := a.readTournament(args[0])
		if err != nil {
			return err
		}
		if c.Flags().Changed("blocks") && f.blocks < 1 {
			return usage(fmt.Errorf("--blocks: expected at least 1, got %d", f.blocks))
		}
		if f.seeded = c.Flags().Changed("seed"); f.seeded {
			file.Seed = f.seed
		}
		return a.runTournament(ctx, file, source, f)
	}
}

// runTournament plays and prints.
func (a contestCommands) runTournament(ctx context.Context, file *contest.Tournament, source tournamentSource, f tournamentFlags) error {
	host, err := a.link.openRecorder(ctx, f.record)
	if err != nil {
		return err
	}
	if host.daemon != nil {
		r, err := a.link.tournamentAtDaemon(ctx, host.daemon, file, source, f)
		if err := errors.Join(err, host.end()); err != nil {
			return err
		}
		return a.tellTournament(r)
	}
	watch := newTicker(a.app, 0)
	sample := &replay.Sample{Host: host}
	played, err := file.Play(ctx, contest.TournamentOptions{Host: sample, Blocks: f.blocks,
		Progress: func(blocks, of, games int64, _ string) { watch.TickOf(of, blocks, games) }})
	watch.Clear()
	if closed := host.end(); closed != nil {
		return errors.Join(err, closed)
	}
	if err != nil {
		if ctx.Err() != nil {
			return host.interrupted("the tournament")
		}
		return err
	}
	r, err := service.ReplayedReport(ctx, played, sample, a.pool())
	if err != nil {
		return err
	}
	return a.tellTournament(r)
}

// tellTournament prints a tournament.
func (a contestCommands) tellTournament(r *contest.TournamentReport) error {
	for _, note := range r.Notes {
		a.say("note: %s", note)
	}
	return a.show(r, view.Tournament(r)...)
}

// experimentFlags are the flags of experiment run.
type experimentFlags struct {
	games, simulations int64
	seed               *uint64 // nil: the experiment's
	rules              []string
	record             bool
	keep               string
	given              func(flag string) bool
}

func (a contestCommands) experimentCommand() command {
	return command{
		use: "experiment", short: "Measure a published table or figure again, and compare it with what was printed",
		bind: func(c *cobra.Command) action {
			c.Args = cmdline.UnknownCommand
			return func(context.Context, []string) error {
				return usage(fmt.Errorf("experiment: expected list or run NAME"))
			}
		},
		sub: []command{
			{use: "list", short: "List the experiments", do: a.listExperiments},
			{
				use: "run NAME", short: "Run an experiment: a name from the list, or the path of a tournament file with printed values", bind: a.experiment,
				long: `Plays the games of a published table or figure again, and prints every
published value beside the measured one.

A row agrees if |measured - printed| <= 2.58 sqrt(se_m^2 + se_p^2) + half a
printed digit. It is undecided if the measured 95 % interval is more than 1.5
times as wide as the printed one. --games sets the number of games for each order
of each pairing ("MP70 - CB" and "CB - MP70" are two), unless the list says
otherwise. Games are kept in the database, and an interrupted run continues where
it stopped. (Games of Lifeboats are not kept: its experiments run whole evolutions or
observe the players.) While a daemon holds the database, it runs the experiments
that keep games, with the same result, and continues if this command is
interrupted.

In experiments on tuners --games is the number of studies for each search and
column. With --keep FILE the outcome of each study is written to a file, and the
same command continues where the file ends.`,
				example: `  sakusen paper experiment run battleship-table1
  sakusen paper experiment run battleship-table1 --games 100000 --json
  sakusen paper experiment run tubstap-figure5 --simulations 200 --rules map=paper12a
  sakusen paper experiment run tuners --games 60 --keep tuners.jsonl`,
			},
		},
	}
}

// experiment runs an experiment.
func (a contestCommands) experiment(c *cobra.Command) action {
	var f experimentFlags
	var seed uint64
	fs := c.Flags()
	fs.Int64Var(&f.games, "games", 0, "games of each order of each pairing (default: the experiment's)")
	fs.Int64Var(&f.simulations, "simulations", 0, "playouts of each search, for experiments that search (default: the experiment's)")
	cmdline.Seed(fs, &seed, 0, "seed of all chance (default: the experiment's)")
	fs.StringArrayVar(&f.rules, "rules", nil, "option of the rules in place of the experiment's, name=value (repeatable), such as map=FILE for TUBSTAP's figures")
	fs.BoolVar(&f.record, "record", true, "keep the games in the database, and play only games that are not there yet")
	fs.StringVar(&f.keep, "keep", "", "file of the studies' outcomes, one JSON object a line; studies in it are not run again")
	f.given = fs.Changed
	return func(ctx context.Context, args []string) error {
		if fs.Changed("seed") {
			f.seed = &seed
		}
		return a.runExperiment(ctx, args[0], f)
	}
}

func (a contestCommands) listExperiments(context.Context, []string) error {
	all, err := a.experiments()
	if err != nil {
		return err
	}
	lines := make([]service.ExperimentInfo, len(all))
	for i := range all {
		lines[i] = service.DescribeExperiment(&all[i])
	}
	return a.table(lines, func(line func(cells ...any)) {
		for _, e := range all {
			line(e.Name, e.Doc)
		}
	})
}

func (a contestCommands) runExperiment(ctx context.Context, name string, f experimentFlags) error {
	e, err := a.findExperiment(name)
	if err != nil {
		return err
	}
	given, err := parseRules(f.rules)
	if err != nil {
		return usage(err)
	}
	rules, err := service.ExperimentRules(a.catalogueOf("."), &e, given)
	if err = errors.Join(e.Check(f.given, f.games, f.simulations), err); err != nil {
		return usage(err)
	}
	host, err := a.link.openRecorder(ctx, f.record && e.Keeps())
	if err != nil {
		return err
	}
	if host.daemon != nil && !isPath(name) {
		r, err := a.link.experimentAtDaemon(ctx, host.daemon, name, f, rules)
		if err := errors.Join(err, host.end()); err != nil {
			return err
		}
		return a.tellExperiment(r)
	}
	host.kept = host.kept || f.keep != ""
	o := experiment.Options{Host: host, Games: f.games, Simulations: f.simulations, Seed: f.seed, Workers: a.workers(), Keep: f.keep, Rules: rules}
	watch := newTicker(a.app, 0)
	o.Progress = func(blocks, of, games int64) { watch.TickOf(of, blocks, games) }
	r, err := e.Report(ctx, o)
	watch.Clear()
	if closed := host.end(); closed != nil {
		return errors.Join(err, closed)
	}
	if err != nil {
		if ctx.Err() != nil {
			return host.interrupted("the experiment")
		}
		return err
	}
	return a.tellExperiment(r)
}

// tellExperiment prints a report.
func (a contestCommands) tellExperiment(r *experiment.Report) error {
	return a.show(r, view.Experiment(r)...)
}

// experiments returns all that can be run by name.
func (a contestCommands) experiments() ([]experiment.Experiment, error) {
	return experiments.All(a.catalogue)
}

// findExperiment finds an experiment by name, or reads a tournament file with
// printed values by its path.
func (a contestCommands) findExperiment(name string) (experiment.Experiment, error) {
	if isPath(name) {
		f, _, err := a.readTournament(name)
		if err != nil {
			return experiment.Experiment{}, err
		}
		if len(f.Expect) == 0 {
			return experiment.Experiment{}, usage(fmt.Errorf("%s: expected rows under expect, got none (sakusen tournament plays it)", name))
		}
		return experiment.FromFile(f), nil
	}
	return a.namedExperiment(name)
}

// namedExperiment finds an experiment by name; nothing is read from a path.
func (a contestCommands) namedExperiment(name string) (experiment.Experiment, error) {
	list, err := a.experiments()
	if err != nil {
		return experiment.Experiment{}, err
	}
	return experiment.Find(list, name)
}

// isPath reports whether a text is a path and not a name.
func isPath(arg string) bool {
	return strings.ContainsAny(arg, `/\`) || strings.HasSuffix(arg, ".yaml") || strings.HasSuffix(arg, ".yml")
}

// tournamentSource is a tournament file's name for messages and its text. Maps that it
// names by their paths are already put in.
type tournamentSource struct {
	name string
	text []byte
}

// readTournament reads a tournament file by its path, or an embedded
// experiment's by its name.
func (a contestCommands) readTournament(arg string) (*contest.Tournament, tournamentSource, error) {
	var text []byte
	var err error
	name, dir := arg, ""
	if isPath(arg) {
		dir = filepath.Dir(arg)
		if text, err = plain.ReadFile(arg, plain.MostText); err != nil {
			return nil, tournamentSource{}, usage(fmt.Errorf("tournament file: %w", err))
		}
	} else {
		if text, err = studies.ReadExperiment(arg); err != nil {
			return nil, tournamentSource{}, usage(errors.Join(fmt.Errorf("tournament file: expected a path (with a slash, or ending in .yaml), got %q", arg), err))
		}
		name += ".yaml"
	}
	f, err := contest.ReadTournament(name, text, a.catalogueOf(dir))
	return f, tournamentSource{filepath.Base(name), a.settleFiles(text, dir)}, usage(err)
}
