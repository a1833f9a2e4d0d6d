package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"sakusen/bench/ledger"
)

func (a *app) benchPruneCommand() *cobra.Command {
	var days int
	var dry bool
	c := &cobra.Command{
		Use:   "prune --days N",
		Short: "Remove recorded runs older than N days",
		Long:  `Removes runs recorded more than N days ago, but none that a baseline names or an accepted change begins with.`,
		Args:  exactly(0, "nothing more"),
		RunE: func(c *cobra.Command, _ []string) error {
			if days < 1 {
				return usage(fmt.Errorf("--days: expected at least 1, got %d", days))
			}
			ctx := c.Context()
			return a.writeLedger(ctx, func(l *ledger.Ledger) error {
				n, err := l.Prune(ctx, time.Now().AddDate(0, 0, -days), dry)
				if err != nil {
					return err
				}
				if a.flags.asJSON {
					return a.printJSON(map[string]any{"runs": n, "removed": !dry})
				}
				what := "removed"
				if dry {
					what = "would be removed"
				}
				_, err = fmt.Fprintf(a.out, "%d runs %s\n", n, what)
				return err
			})
		},
	}
	c.Flags().IntVar(&days, "days", 0, "age in days")
	c.Flags().BoolVar(&dry, "dry-run", false, "only count")
	return c
}
