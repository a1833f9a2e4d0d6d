package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"sakusen/cmd/cmdline"
	"sakusen/engines/arena"
	"sakusen/engines/chess"
	"sakusen/engines/plain"
	"sakusen/tuner"
	"sakusen/tuner/contest"
	"sakusen/tuner/contest/players"
	"sakusen/tuner/entry"
	"sakusen/tuner/export"
	"sakusen/tuner/insight/replay"
	"sakusen/tuner/stats"
	"sakusen/tuner/view"
)

// matchFlags are the flags of the command match.
type matchFlags struct {
	blocks      int64
	rules       []string
	seed        uint64
	sprt, model string
	alpha, beta float64
	maxBlocks   int64
	record      bool
	allPairs    bool
	pgn         string
}

func (a contestCommands) matchCommand() command {
	return command{
		use: "match GAME ENTRANT...", short: "Play entrants against each other, and estimate how strong each is", bind: a.match,
		long: `Plays entrants against each other and estimates the strength of each, with intervals.

An ENTRANT is a strategy, strategy(param=value,...), or a name that the game's
paper uses; sakusen game strategies GAME lists them. @FILE is the winner that sakusen
export wrote into FILE, as yaml or json. A block is one seed of chance,
played once in every order of the entrants round the table, so that no entrant has better
seats or better luck. All intervals count blocks, not games. If all
entrants are the same, each block is one game, and only the metrics are measured.

In chess an entrant may be a UCI engine of config.yaml or of --engine; its options are the
parameters. With limit=nodes:N or limit=depth:N, and one thread, most engines play the
same games again. Games of other engines are kept as they were played (--record), and
never played again.

With --sprt the match ends as soon as a sequential test decides between two
hypotheses about the first entrant: that it is stronger by ELO0 (exit code 1) or
by ELO1 (exit code 0). At --max-blocks it ends undecided (exit code 3). The number
of workers changes neither the games nor the decision. In Battleship the shots of one
player do not depend on the other; --all-pairs therefore compares every game of one player
with every game of the other, and needs about two thirds of the blocks.`,
		example: `  sakusen match battleship MP70 RNB --blocks 50000
  sakusen match battleship "mp(start_squares=80)" CB/ED2SP --sprt 0,10 --json
  sakusen match battleship @best.yaml MP70
  sakusen match chess toga glau --engine toga=toga2 --engine glau=glaurung \
      --rules limit=depth:2 --blocks 4`,
	}
}

// match plays entrants against each other.
func (a contestCommands) match(c *cobra.Command) action {
	var f matchFlags
	fs := c.Flags()
	fs.Int64Var(&f.blocks, "blocks", 1000, "blocks to play")
	cmdline.Seed(fs, &f.seed, 1, "seed of all chance")
	fs.StringArrayVar(&f.rules, "rules", nil, "option of the rules, name=value (repeatable)")
	engines := addEngineFlags(c, "an engine for this match")
	fs.StringVar(&f.pgn, "pgn", "", "file for the games of a match of chess, in PGN")
	fs.StringVar(&f.sprt, "sprt", "", "ELO0,ELO1: play until the test decides between these two strengths of the first entrant")
	fs.StringVar(&f.model, "model", string(stats.Logistic), "unit of the bounds of --sprt: logistic or normalized Elo")
	fs.Float64Var(&f.alpha, "alpha", 0.05, "chance of deciding for ELO1 although the strength is ELO0")
	fs.Float64Var(&f.beta, "beta", 0.05, "chance of deciding for ELO0 although the strength is ELO1")
	fs.BoolVar(&f.record, "record", false, "keep the blocks in the database, and play only blocks that are not there yet")
	fs.Int64Var(&f.maxBlocks, "max-blocks", 100000, "blocks at which --sprt ends undecided")
	fs.BoolVar(&f.allPairs, "all-pairs", false, "with --sprt: the test compares every game of one player with every game of the other (Battleship); without --sprt that estimate is printed anyway")
	cmdline.Need(c, "sprt", "model", "alpha", "beta", "max-blocks", "all-pairs")
	cmdline.Exclude(c, "sprt", "blocks")
	return func(ctx context.Context, args []string) error {
		if err := engines.open(a.engine, studyFile{}); err != nil {
			return usage(err)
		}
		a.engines.Unkept = !f.record
		m, err := a.newMatch(&f, fs.Changed("sprt"), args[0], args[1:])
		if err != nil {
			return usage(err)
		}
		return a.runMatchPGN(ctx, m, &f)
	}
}

// newMatch reads the command line; every error is bad usage.
func (a contestCommands) newMatch(f *matchFlags, tested bool, name string, texts []string) (*contest.Match, error) {
	game, err := a.catalogueOf(".").Game(name)
	if err != nil {
		return nil, err
	}
	rules, err := parseRules(f.rules)
	if err != nil {
		return nil, err
	}
	texts, names, err := export.Entrants(texts, name)
	if err != nil {
		return nil, err
	}
	m, err := contest.NewMatch(game, rules, texts, f.seed, f.blocks)
	if err != nil {
		return nil, err
	}
	for i, study := range names {
		m.Series.Entrants[i].Name = study
	}
	m.Series.Entrants = arena.Distinct(m.Series.Entrants)
	if m.Unrepeatable, err = a.engine.unrepeatable(m); err != nil {
		return nil, err
	}
	if f.blocks < 1 {
		return nil, fmt.Errorf("--blocks: expected at least 1, got %d", f.blocks)
	}
	if tested {
		if m.Test, err = f.test(); err != nil {
			return nil, err
		}
		m.Series.To, m.AllPairs = f.maxBlocks, f.allPairs
	}
	return m, checkMatch(m)
}

// checkMatch returns an error that says what is wrong with a match.
func checkMatch(m *contest.Match) error {
	if err := m.Series.Check(); err != nil {
		return err
	}
	if err := m.CheckTest(); err != nil {
		return fmt.Errorf("--sprt: %w", err)
	}
	return nil
}

// test reads the flags of a sequential test.
func (f *matchFlags) test() (*stats.Test, error) {
	return contest.ReadTest(f.sprt, f.model, f.alpha, f.beta, f.maxBlocks)
}

// runMatchPGN does what runMatch does, and writes the games if --pgn is given.
func (a contestCommands) runMatchPGN(ctx context.Context, m *contest.Match, f *matchFlags) error {
	if f.pgn == "" {
		return a.runMatch(ctx, m, f.record)
	}
	if game := m.Series.Ruleset.Game.Name; game != chess.Name {
		return usage(fmt.Errorf("--pgn: expected a match of %s, got %s", chess.Name, game))
	}
	if f.record {
		kept, err := players.KeepGames(f.pgn, &m.Series)
		if err != nil {
			return usage(fmt.Errorf("--pgn: %w", err))
		}
		err = a.runMatch(ctx, m, f.record)
		missing, bad := kept.Finish(context.WithoutCancel(ctx), a.pool(), m.Tally.Blocks, !m.Unrepeatable && ctx.Err() == nil)
		if missing > 0 {
			a.say("note: %s", players.Missing(missing))
		}
		return errors.Join(err, bad)
	}
	var games chess.Games
	games.Of(&m.Series)
	err := a.runMatch(ctx, m, f.record)
	if bad := plain.WriteFile(f.pgn, func(w io.Writer) error { return games.Write(w, m.Tally.Blocks) }); bad != nil {
		return errors.Join(err, bad)
	}
	return err
}

// runMatch plays and prints a match, and turns a test's verdict into an exit code.
func (a contestCommands) runMatch(ctx context.Context, m *contest.Match, record bool) error {
	var host arena.Host = a.pool()
	end := func() error { return nil }
	if record {
		blocks, _, closed, err := a.link.blockCache(ctx)
		if err != nil {
			return err
		}
		host, end = &tuner.CachedHost{Host: host, Blocks: blocks}, closed
	}
	sample := &replay.Sample{Host: host}
	ticker := newTicker(a.app, m.Series.To)
	m.Progress, ticker.AtMost = ticker.Tick, m.Test != nil
	err := m.Play(ctx, sample)
	var told *entry.Replayed
	if err == nil && !m.Unrepeatable {
		told, err = sample.Again(ctx, a.pool())
	}
	ticker.Clear()
	if closed := end(); closed != nil {
		return errors.Join(err, closed)
	}
	if m.Interrupted = ctx.Err() != nil; m.Interrupted && m.Tally.Blocks == 0 {
		return interruptedMatch(m, record)
	}
	if err != nil && !m.Interrupted {
		return err
	}
	r, err := m.Report()
	if err != nil {
		return err
	}
	r.Replayed = told
	for _, note := range r.Notes {
		a.say("note: %s", note)
	}
	sections := view.Match(r)
	err = a.show(view.With{Result: r, Sections: sections}, sections...)
	switch {
	case err == nil && m.Interrupted:
		return interruptedMatch(m, record)
	case err != nil || m.Test == nil:
		return err
	}
	switch m.Look.Verdict {
	case stats.H1:
		return nil
	case stats.H0:
		return cmdline.Verdict(cmdline.Negative)
	}
	return cmdline.Verdict(cmdline.Inconclusive)
}

// interruptedMatch returns an error that says how far an interrupted match has come.
func interruptedMatch(m *contest.Match, record bool) error {
	kept := "nothing is kept, the same command plays them again (--record keeps them)"
	if record {
		kept = "they are kept, the same command goes on"
	}
	return cmdline.Exit(cmdline.Interrupted, fmt.Errorf("interrupted after %d of %d blocks: %s", m.Tally.Blocks, m.Series.To, kept))
}
