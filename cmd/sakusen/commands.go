package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// commands are the program's commands, one file each.
func commands(a *app) []*cobra.Command {
	return []*cobra.Command{
		a.tuneCommand(),
		a.serveCommand(),
		a.studyCommand(),
		exportCommand(a),
		matchCommand(a),
		a.playCommand(),
		analyseCommand(a),
		solveCommand(a),
		a.tournamentCommand(),
		a.experimentCommand(),
		tubstapCommand(a),
		gamesCommand(a),
		strategiesCommand(a),
		benchCommand(a),
		statsCommand(a),
		dbCommand(a),
		configCommand(a),
		versionCommand(a),
	}
}

// exactly refuses a wrong number of arguments with exit code 2.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != n {
			return usage(fmt.Errorf("expected %s, got %d arguments", what, len(args)))
		}
		return nil
	}
}

// atLeast refuses too few arguments with exit code 2.
func atLeast(n int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < n {
			return usage(fmt.Errorf("expected %s, got %d arguments", what, len(args)))
		}
		return nil
	}
}

// atMost refuses too many arguments with exit code 2.
func atMost(n int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > n {
			return usage(fmt.Errorf("expected %s, got %d arguments", what, len(args)))
		}
		return nil
	}
}
