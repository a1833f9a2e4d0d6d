package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"sakusen/bench/ledger"
)

func benchExportCommand(a *app) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "export [SOURCE]",
		Short: "Print a recorded run as benchmark text that benchstat reads",
		Long: `Prints a recorded run (default: the latest) as the text that was recorded, so
that benchstat and bench record read back what they read then.`,
		Args: atMost(1, "at most one SOURCE"),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "benchfmt" {
				return usage(fmt.Errorf("--format: expected benchfmt, got %q", format))
			}
			source := "latest"
			if len(args) > 0 {
				source = args[0]
			}
			return benchExport(a, c.Context(), source)
		},
	}
	c.Flags().StringVar(&format, "format", "benchfmt", "benchfmt")
	return c
}

func benchExport(a *app, ctx context.Context, source string) error {
	return readLedger(a, ctx, func(l *ledger.Ledger) error {
		e, err := findEntry(ctx, l, source)
		if err != nil {
			return err
		}
		text, err := l.Export(ctx, e.ID)
		if err != nil {
			return err
		}
		_, err = io.WriteString(a.out, text)
		return err
	})
}
