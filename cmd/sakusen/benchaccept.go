package main

import (
	"errors"

	"github.com/spf13/cobra"

	"sakusen/tuner/web"
)

func benchAcceptCommand(a *app) *cobra.Command {
	var reason, source string
	c := &cobra.Command{
		Use:   "accept SERIES --reason TEXT",
		Short: "Stand by a change: the series begins anew with a run",
		Long: `Writes down that the values of a series in a recorded run are the new normal.
Its history begins anew there, and gates count from there although their baseline
is older. SERIES is a title "package.Name unit", or a part of it that only one
series of the run has.`,
		Example: `  sakusen bench accept "sakusen/tuner/rating.LLR-2 sec/op" --reason "exact tables"`,
		Args:    exactly(1, "one SERIES"),
		RunE: func(c *cobra.Command, args []string) error {
			if reason == "" {
				return usage(errors.New("--reason: expected why the change is accepted, got nothing"))
			}
			return writeBench(a, c.Context(), func(b benchBook) error {
				done, err := b.accept(c.Context(), web.BenchAccept{Series: args[0], Source: source, Reason: reason})
				if err == nil {
					a.say("%s begins anew with %s: %s", done.Series, done.Title, reason)
				}
				return err
			})
		},
	}
	c.Flags().StringVar(&reason, "reason", "", "why the change is accepted")
	c.Flags().StringVar(&source, "run", "latest", "SOURCE of the new values, a recorded run")
	return c
}
