package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/engines/arena/catalogue"
	"sakusen/engines/lines"
)

// analyseCommand answers positions of one game.
func analyseCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "analyse GAME",
		Short: "Answer questions about positions: JSON lines in, one answer line for each out",
		Long: `Reads positions from standard input, one JSON object a line, and writes one line
of JSON for each as soon as it is known. A line with a mistake is answered with
{"error": "..."}, and the next line is read. The exit code is 0 even then; with
--strict it is 2.`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(fmt.Errorf("expected a GAME (%s), got 0 arguments", strings.Join(subcommands(c), ", ")))
			}
			if _, err := a.catalogue.Game(args[0]); err == nil {
				return usage(fmt.Errorf("%s: no positions of this game can be analysed (expected one of %s)", args[0], strings.Join(subcommands(c), ", ")))
			}
			return unknownCommand(c, args)
		},
		RunE: func(*cobra.Command, []string) error { return nil }, // never without a game
	}
	for i := range a.games {
		if a.games[i].Analyst != nil {
			c.AddCommand(analyseGameCommand(a, a.games[i].Name, a.games[i].Analyst))
		}
	}
	return c
}

// analyseGameCommand answers positions of one game as its analyst does.
func analyseGameCommand(a *app, game string, by *catalogue.Analyst) *cobra.Command {
	var strict bool
	c := &cobra.Command{
		Use:   game,
		Short: by.Short,
		Long:  by.Long,
		Args:  noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			return answerLines(a, c.Context(), strict, func(line []byte) []byte { return by.Line(line, os.ReadFile) })
		},
	}
	strictFlag(c, &strict)
	return c
}

func strictFlag(c *cobra.Command, strict *bool) {
	c.Flags().BoolVar(strict, "strict", false, "exit code 2 if a line was answered with an error")
}

// answerLines answers the lines of standard input on standard output. Where it is strict,
// answers that are errors are bad input in the end.
func answerLines(a *app, ctx context.Context, strict bool, answer func(line []byte) []byte) error {
	err := lines.Strictly(ctx, a.in, a.out, strict, answer)
	if _, wrong := errors.AsType[*lines.Mistakes](err); wrong {
		err = usage(err)
	}
	if ctx.Err() != nil {
		return &coded{exitInterrupted, errors.New("interrupted")}
	}
	return err
}
