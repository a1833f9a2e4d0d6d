package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"sakusen/tuner/sqlitedb"
	"sakusen/tuner/store"
)

func (a *app) dbCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "db",
		Short: "Copy, check or prune the database",
		Args:  exactly(0, "a command: backup, check or prune"),
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(
		&cobra.Command{
			Use: "backup FILE", Short: "Copy the database, also while it is written", Args: exactly(1, "one FILE"),
			RunE: func(c *cobra.Command, args []string) error { return a.dbBackup(c.Context(), args[0]) },
		},
		&cobra.Command{
			Use: "check", Short: "Check integrity and schema", Args: exactly(0, "nothing more"),
			RunE: func(c *cobra.Command, _ []string) error { return a.dbCheck(c.Context()) },
		},
		a.dbPruneCommand(),
	)
	return c
}

// inspect opens the database for reading, whatever its schema.
func (a *app) inspect(ctx context.Context, do func(db *sqlitedb.DB) error) error {
	db, err := sqlitedb.OpenReadOnly(ctx, a.settings.Text("database"))
	if err != nil {
		return err
	}
	return errors.Join(do(db), db.Close())
}

func (a *app) dbBackup(ctx context.Context, file string) error {
	if file == "" {
		return usage(errors.New("expected FILE to be a path, got an empty one"))
	}
	return a.inspect(ctx, func(db *sqlitedb.DB) error {
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
	Database    string         `json:"database"`
	OK          bool           `json:"ok"`
	Integrity   []string       `json:"integrity"`
	ForeignKeys []string       `json:"foreign_keys"`
	Schema      map[string]int `json:"schema"` // version by series of migrations
}

func (a *app) checked(r sqlitedb.Report) checkLine {
	l := checkLine{
		Database: a.settings.Text("database"), OK: r.OK(),
		Integrity: append([]string{}, r.Integrity...), ForeignKeys: append([]string{}, r.ForeignKeys...),
		Schema: map[string]int{},
	}
	for _, s := range r.Series {
		l.Schema[s.Name] = s.Version
	}
	return l
}

func (a *app) dbCheck(ctx context.Context) error {
	return a.inspect(ctx, func(db *sqlitedb.DB) error {
		r, err := db.Check(ctx)
		if err != nil {
			return err
		}
		// Opening the room verifies that this program knows the schema.
		if _, err := store.New(ctx, db, store.Options{}); err != nil {
			return err
		}
		if a.flags.asJSON {
			if err := a.printJSON(a.checked(r)); err != nil {
				return err
			}
		} else if r.OK() {
			fmt.Fprintf(a.out, "%s: ok\n", a.settings.Text("database"))
		} else {
			for _, problem := range append(r.Integrity, r.ForeignKeys...) {
				fmt.Fprintln(a.out, problem)
			}
		}
		if !r.OK() {
			return verdict(exitNegative)
		}
		return nil
	})
}
