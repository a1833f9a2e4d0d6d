package cli

import "github.com/spf13/cobra"

// commands returns the program's commands; those of a kind stand in one file.
func commands(a *app) []*cobra.Command {
	return append(askCommands(a), []*cobra.Command{
		tuneCommand(a),
		a.serveCommand(),
		workerCommand(a),
		studyCommand(a),
		studiesCommand(a),
		exportCommand(a),
		matchCommand(a),
		playCommand(a),
		analyseCommand(a),
		solveCommand(a),
		tournamentCommand(a),
		experimentCommand(a),
		tubstapCommand(a),
		newCommand(a),
		gamesCommand(a),
		strategiesCommand(a),
		engineCommand(a),
		conformanceCommand(a),
		chessCommand(a),
		benchCommand(a),
		statsCommand(a),
		rateCommand(a),
		dbCommand(a),
		configCommand(a),
		versionCommand(a),
		manCommand(),
	}...)
}
