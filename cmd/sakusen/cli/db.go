package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"sakusen/cmd/cmdline"
	"sakusen/engines/plain"
	"sakusen/tuner/service"
	"sakusen/tuner/store/blocks"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/web/api"
)

// command returns the commands about the database.
func (a databaseCommands) command() command {
	return command{use: "db", short: "Back up, check, dump or prune the database", sub: []command{
		{use: "backup FILE", short: "Copy the database, also while a daemon runs", do: a.backup},
		{use: "check", short: "Check the database for damage, and for workers whose results differ from the others'", do: a.check},
		{
			use: "dump [STUDY]", short: "Write one study, or all, as JSON whose format stays readable", bind: a.dump,
			long: `Writes a study as one JSON document: its file, its state, its trials, its log,
the log's digest and the result. Without STUDY it writes all studies, one a line; a
damaged study is named and left out. docs/dump.md describes the format, which stays
readable when the database's format changes. It also works while a daemon runs. Stored
games are not included: sakusen db backup copies everything.

Exit code: 4 if there is no study, 5 if one is damaged.`,
		},
		{
			use: "prune", short: "Delete cached blocks that have not grown for some days", bind: a.prune,
			long: `Deletes sets of blocks (stored games) to which nothing was added for some days.
Studies keep their results, and deleted blocks are played again if they are needed. It
also works while a daemon runs. The daemon itself does it once a day if the setting
retention.blocks_days is not 0.

Exit code: 4 if there is nothing to delete.`,
			example: `  sakusen db prune --days 90 --dry-run`,
		},
	}}
}

// inspect opens the database for reading, whatever its schema.
func (a databaseCommands) inspect(ctx context.Context, do func(db *sqlitedb.DB) error) error {
	db, err := sqlitedb.OpenReadOnly(ctx, a.settings.Text("database"))
	if err != nil {
		return err
	}
	return errors.Join(do(db), db.Close())
}

func (a databaseCommands) backup(ctx context.Context, args []string) error {
	file := args[0]
	if file == "" {
		return usage(errors.New("FILE is empty: expected a path"))
	}
	return a.inspect(ctx, func(db *sqlitedb.DB) error {
		if err := db.Backup(ctx, file); err != nil {
			return err
		}
		return a.told(map[string]string{"database": a.settings.Text("database"), "backup": file}, "%s: copied to %s", a.settings.Text("database"), file)
	})
}

func (a databaseCommands) check(ctx context.Context, _ []string) error {
	return a.inspect(ctx, func(db *sqlitedb.DB) error {
		c, err := service.CheckDatabase(ctx, db, a.settings.Text("database"))
		if err != nil {
			return err
		}
		for _, w := range c.Workers {
			if w.Suspicious {
				a.say("suspicious: %s (see sakusen study drop)", w)
			}
		}
		if a.flags.asJSON {
			if err := a.printJSON(c); err != nil {
				return err
			}
		} else if c.OK {
			fmt.Fprintf(a.out, "%s: ok\n", c.Database)
		} else {
			for _, problem := range c.Problems() {
				fmt.Fprintln(a.out, problem)
			}
		}
		if !c.OK {
			a.say("%s is damaged: put a backup in its place (sakusen db backup makes them), and move its -wal and -shm away with it", c.Database)
			return cmdline.Verdict(cmdline.Negative)
		}
		return nil
	})
}

func (a databaseCommands) prune(c *cobra.Command) action {
	days := c.Flags().Int("days", 0, "days for which blocks are kept (default: the settings' retention.blocks_days)")
	dry := c.Flags().Bool("dry-run", false, "only count what would be deleted")
	return func(ctx context.Context, _ []string) error {
		if !c.Flags().Changed("days") {
			*days = a.settings.Integer("retention.blocks_days")
		}
		if *days < 1 || *days > 36500 {
			return usage(fmt.Errorf("--days: expected 1 to 36500, got %d", *days))
		}
		var p blocks.Pruned
		err := a.link.atDatabase(ctx, func(s *service.Service) (err error) { p, err = s.Blocks().Prune(ctx, *days, *dry); return err },
			there(ctx, api.V1.Prune, &api.Body[api.Pruning]{Body: api.Pruning{Days: *days, Dry: *dry}}, &p))
		if err != nil {
			return err
		}
		err = a.told(p, "%d blocks of %d series %s", p.Blocks, p.Series, map[bool]string{true: "would go", false: "deleted"}[*dry])
		if err == nil && p.Series == 0 {
			return cmdline.Verdict(cmdline.Nothing)
		}
		return err
	}
}

func (a databaseCommands) dump(c *cobra.Command) action {
	file := c.Flags().StringP("out", "o", "", "file to write (default: printed)")
	return func(ctx context.Context, name []string) error {
		if err := a.needDatabase(); err != nil {
			return err
		}
		s, end, err := a.reading(ctx)
		if err != nil {
			return err
		}
		defer end()
		var damaged error
		write := func(w io.Writer) (err error) { damaged, err = service.Dump(ctx, s.Store(), w, name...); return err }
		if *file != "" {
			return errors.Join(a.unnamed(plain.WriteFile(*file, write)), damaged)
		}
		out := a.out
		if f, ok := a.rawOut.(*os.File); !ok || !isTerminal(f) {
			out = a.rawOut // byte by byte, for digests are over it
		}
		return errors.Join(a.unnamed(write(out)), damaged)
	}
}
