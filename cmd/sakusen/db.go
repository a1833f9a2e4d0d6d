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
		Short: "Copy or check the database",
		Args:  exactly(0, "a command: backup or check"),
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
		a.say("%s: copied to %s", a.settings.Text("database"), file)
		return nil
	})
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
			if err := a.printJSON(r); err != nil {
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
