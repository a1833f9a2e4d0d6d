package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"sakusen/tuner/client"
	"sakusen/tuner/store"
	"sakusen/tuner/store/blocks"
)

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
		func(s *store.Store) (err error) { p, err = s.Blocks().Prune(ctx, daysAgo(days), dry); return err },
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
