package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func benchPruneCommand(a *app) *cobra.Command {
	var days int
	var dry bool
	c := &cobra.Command{
		Use:   "prune --days N",
		Short: "Remove recorded runs older than N days",
		Long:  `Removes runs recorded more than N days ago, but none that a baseline names or an accepted change begins with.`,
		Args:  noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if days < 1 || days > 36500 {
				return usage(fmt.Errorf("--days: expected 1 to 36500, got %d", days))
			}
			ctx := c.Context()
			return writeBench(a, ctx, func(b benchBook) error {
				n, err := b.prune(ctx, days, dry)
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
