package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"sakusen/bench/ledger"
	"sakusen/tuner/client"
	"sakusen/tuner/service"
	"sakusen/tuner/sqlitedb"
	"sakusen/tuner/store"
	"sakusen/tuner/store/blocks"
)

func dbCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "db",
		Short: "Copy, check or prune the database",
		Args:  unknownCommand,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(
		&cobra.Command{
			Use: "backup FILE", Short: "Copy the database, also while it is written", Args: exactly(1, "one FILE"),
			RunE: func(c *cobra.Command, args []string) error { return dbBackup(a, c.Context(), args[0]) },
		},
		&cobra.Command{
			Use: "check", Short: "Check integrity and schema, and name workers whose blocks differ from the others'", Args: noArguments,
			RunE: func(c *cobra.Command, _ []string) error { return dbCheck(a, c.Context()) },
		},
		dbPruneCommand(a),
	)
	return c
}

// inspect opens the database for reading, whatever its schema.
func inspect(a *app, ctx context.Context, do func(db *sqlitedb.DB) error) error {
	db, err := sqlitedb.OpenReadOnly(ctx, a.settings.Text("database"))
	if err != nil {
		return err
	}
	return errors.Join(do(db), db.Close())
}

func dbBackup(a *app, ctx context.Context, file string) error {
	if file == "" {
		return usage(errors.New("expected FILE to be a path, got an empty one"))
	}
	return inspect(a, ctx, func(db *sqlitedb.DB) error {
		if err := db.Backup(ctx, file); err != nil {
			return err
		}
		if a.flags.asJSON {
			return a.printJSON(map[string]string{"database": a.settings.Text("database"), "backup": file})
		}
		a.say("%s: copied to %s", a.settings.Text("database"), file)
		return nil
	})
}

// checkLine is a check's report as JSON.
type checkLine struct {
	Database    string           `json:"database"`
	OK          bool             `json:"ok"`
	Integrity   []string         `json:"integrity"`
	ForeignKeys []string         `json:"foreign_keys"`
	Studies     []string         `json:"studies"`    // log entries and blocks that cannot be read
	Benchmarks  []string         `json:"benchmarks"` // runs whose text or values are not as recorded
	Schema      map[string]int   `json:"schema"`     // version by series of migrations
	Workers     []service.Worker `json:"workers"`
}

func checkedLine(a *app, r sqlitedb.Report, studies, runs []string, workers []blocks.Worker) checkLine {
	l := checkLine{
		Database: a.settings.Text("database"), OK: r.OK() && len(runs)+len(studies) == 0,
		Integrity: append([]string{}, r.Integrity...), ForeignKeys: append([]string{}, r.ForeignKeys...),
		Studies: append([]string{}, studies...), Benchmarks: append([]string{}, runs...),
		Schema: map[string]int{}, Workers: service.WorkersOf(workers),
	}
	for _, s := range r.Series {
		l.Schema[s.Name] = s.Version
	}
	return l
}

func dbCheck(a *app, ctx context.Context) error {
	return inspect(a, ctx, func(db *sqlitedb.DB) error {
		r, err := db.Check(ctx)
		if err != nil {
			return err
		}
		var runs, studies []string
		var s *store.Store
		if len(r.Integrity) == 0 { // a damaged file may not be readable
			if runs, s, err = checkRooms(ctx, db, r); err != nil {
				return err
			}
		}
		if s != nil && r.OK() {
			if studies, err = s.Check(ctx); err != nil {
				return err
			}
		}
		var workers []blocks.Worker
		if s != nil && r.OK() && len(studies) == 0 {
			if workers, err = s.Blocks().Workers(ctx, blocks.Scope{}); err != nil {
				return err
			}
		}
		for _, w := range workers {
			if w.Suspicious {
				a.say("suspicious: %s (see sakusen study drop)", service.WorkerOf(w))
			}
		}
		l := checkedLine(a, r, studies, runs, workers)
		if a.flags.asJSON {
			if err := a.printJSON(l); err != nil {
				return err
			}
		} else if l.OK {
			fmt.Fprintf(a.out, "%s: ok\n", a.settings.Text("database"))
		} else {
			for _, problem := range slices.Concat(r.Integrity, r.ForeignKeys, studies, runs) {
				fmt.Fprintln(a.out, problem)
			}
		}
		if !l.OK {
			a.say("%s is damaged: put a backup in its place (sakusen db backup makes them), and move its -wal and -shm away with it", a.settings.Text("database"))
			return verdict(exitNegative)
		}
		return nil
	})
}

// checkRooms opens each room that has data in the file, which verifies that this
// program knows its schema, and compares the benchmarks' texts with their values.
func checkRooms(ctx context.Context, db *sqlitedb.DB, r sqlitedb.Report) (runs []string, s *store.Store, err error) {
	has := func(name string) bool {
		return slices.ContainsFunc(r.Series, func(s sqlitedb.Series) bool { return s.Name == name })
	}
	if has(store.SeriesName) || !has(ledger.SeriesName) {
		if s, err = store.New(ctx, db, store.Options{}); err != nil {
			return nil, nil, err
		}
	}
	if !has(ledger.SeriesName) {
		return nil, s, nil
	}
	l, err := ledger.Open(ctx, db)
	if err != nil {
		return nil, s, err
	}
	runs, err = l.Check(ctx)
	return runs, s, err
}

func dbPruneCommand(a *app) *cobra.Command {
	var days int
	var dry bool
	c := &cobra.Command{
		Use:   "prune",
		Short: "Delete raw blocks that nobody has added to for some days",
		Long: `Deletes raw blocks of series that nobody has added to for so many days. Studies
keep what they counted; blocks are a cache, and what is missing is played again.
It also works while a daemon runs, which prunes by itself once a day where the
setting retention.blocks_days is not 0.

Exit code: 4 if there is nothing to delete.`,
		Example: `  sakusen db prune --days 90 --dry-run`,
		Args:    noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if !c.Flags().Changed("days") {
				days = a.settings.Integer("retention.blocks_days")
			}
			if days < 1 || days > 36500 {
				return usage(fmt.Errorf("--days: expected 1 to 36500, got %d", days))
			}
			return dbPrune(a, c.Context(), days, dry)
		},
	}
	c.Flags().IntVar(&days, "days", 0, "days for which blocks are kept (default: the settings' retention.blocks_days)")
	c.Flags().BoolVar(&dry, "dry-run", false, "only count what would go")
	return c
}

func dbPrune(a *app, ctx context.Context, days int, dry bool) error {
	if !a.there() {
		return usage(fmt.Errorf("%s: there is no such database", a.settings.Text("database")))
	}
	var p blocks.Pruned
	err := atDatabase(a, ctx,
		func(s *service.Service) (err error) { p, err = s.Blocks().Prune(ctx, days, dry); return err },
		func(c *client.Client) (err error) { p, err = c.Blocks().Prune(ctx, days, dry); return err })
	if err != nil {
		return err
	}
	if a.flags.asJSON {
		err = a.printJSON(p)
	} else {
		done := "deleted"
		if dry {
			done = "would go"
		}
		a.say("%d blocks of %d series %s", p.Blocks, p.Series, done)
	}
	if err == nil && p.Series == 0 {
		return verdict(exitNothing)
	}
	return err
}
