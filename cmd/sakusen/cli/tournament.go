package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"sakusen/tuner/contest/tournament"
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

// tournamentCommand plays a tournament file.
func tournamentCommand(a *app) *cobra.Command {
	var f tournamentFlags
	c := &cobra.Command{
		Use:   "tournament FILE",
		Short: "Play a round robin or a gauntlet from a file",
		Long: `Plays a round robin or a gauntlet from a file, and prints a crosstable, ratings,
and the result of every pairing in every order of seats.

FILE is a path (with a slash, or ending in .yaml) or the name of an embedded
experiment. A block is one seed of chance, played in every rotation of the seats.
Each pairing has its own seed, made of the file's seed and the entrants; sakusen
match with that seed plays the same games. Ratings are Bradley and Terry's, in
Elo relative to the first entrant of the file.

Played games are kept in the database, so that an interrupted tournament goes on
where it stopped. While a daemon holds the database, the daemon plays the
tournament, with the same result; interrupting the command does not stop it, and
the same command waits for it again. With --record=false the command plays the
tournament itself and keeps nothing.`,
		Example: `  sakusen tournament cup.yaml
  sakusen tournament battleship-table3 --blocks 2000 --json`,
		Args: exactly(1, "one FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			file, source, err := a.contest.readTournament(args[0])
			if err != nil {
				return err
			}
			if c.Flags().Changed("blocks") && f.blocks < 1 {
				return usage(fmt.Errorf("--blocks: expected at least 1, got %d", f.blocks))
			}
			if f.seeded = c.Flags().Changed("seed"); f.seeded {
				file.Seed = f.seed
			}
			return a.contest.runTournament(c.Context(), file, source, f)
		},
	}
	c.Flags().Int64Var(&f.blocks, "blocks", 0, "blocks of each pairing (default: the file's)")
	seedFlag(c.Flags(), &f.seed, 0, "seed of all chance (default: the file's)")
	c.Flags().BoolVar(&f.record, "record", true, "keep the games in the database, and play only those that it does not have yet")
	return c
}

// runTournament plays and prints.
func (a contestCommands) runTournament(ctx context.Context, file *tournament.File, source tournamentSource, f tournamentFlags) error {
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
	played, err := file.Play(ctx, tournament.Options{Host: sample, Blocks: f.blocks,
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
func (a contestCommands) tellTournament(r *service.TournamentReport) error {
	for _, note := range r.Notes {
		a.say("note: %s", note)
	}
	return a.show(r, view.Tournament(r)...)
}
