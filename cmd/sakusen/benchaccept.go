package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"sakusen/bench/ledger"
)

func (a *app) benchAcceptCommand() *cobra.Command {
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
			return a.writeLedger(c.Context(), func(l *ledger.Ledger) error {
				return a.benchAccept(c.Context(), l, args[0], source, reason)
			})
		},
	}
	c.Flags().StringVar(&reason, "reason", "", "why the change is accepted")
	c.Flags().StringVar(&source, "run", "latest", "SOURCE of the new values, a recorded run")
	return c
}

func (a *app) benchAccept(ctx context.Context, l *ledger.Ledger, title, source, reason string) error {
	e, err := findEntry(ctx, l, source)
	if err != nil {
		return err
	}
	run, err := l.Run(ctx, e.ID)
	if err != nil {
		return err
	}
	s, err := run.Find(title)
	if err != nil {
		return usage(err)
	}
	if err := l.Accept(ctx, s, e.ID, reason); err != nil {
		return err
	}
	a.say("%s begins anew with %s: %s", s.Title(), e.Title(), reason)
	return nil
}
