package cli

import (
	"sakusen/cmd/cmdline"
	"strconv"

	"github.com/spf13/cobra"
)

// addCommands gives the program its commands, in the groups and the order in which help
// lists them. The last group is hidden: commands about the program itself, and the names
// that others had before they were grouped, which scripts may go on to use.
func (a *app) addCommands(root *cobra.Command) {
	for i, g := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"The first hour", []*cobra.Command{tuneCommand(a), studyCommand(a), exportCommand(a), matchCommand(a), benchCommand(a), a.daemon.serveCommand(), reportCommand(a)}},
		{"More play", []*cobra.Command{playCommand(a), tournamentCommand(a)}},
		{"Games and programs of your own", []*cobra.Command{
			group("game", "List games and strategies with their parameters, or begin one of your own",
				renamed(gamesCommand(a), "list"), strategiesCommand(a), renamed(newGameCommand(a), "new")),
			engineCommand(a),
		}},
		{"Machines and the database", []*cobra.Command{a.daemon.workerCommand(), dbCommand(a)}},
		{"Published results and statistics", []*cobra.Command{
			group("paper", "Measure published tables again, and solve and analyse the papers' games",
				experimentCommand(a), analyseCommand(a), solveCommand(a), tubstapCommand(a)),
			group("calc", "Calculate strength from results that you have", statsCommand(a), rateCommand(a)),
		}},
		{"", append([]*cobra.Command{
			configCommand(a), versionCommand(a), manCommand(),
			experimentCommand(a), analyseCommand(a), solveCommand(a), tubstapCommand(a), statsCommand(a), rateCommand(a),
			gamesCommand(a), strategiesCommand(a), group("new", "Begin a game of your own", newGameCommand(a)),
			conformanceCommand(a), group("chess", "Make a book of chess openings", bookCommand(a)),
		}, askCommands(a)...)},
	} {
		id := ""
		if g.title != "" {
			id = strconv.Itoa(i)
			root.AddGroup(&cobra.Group{ID: id, Title: g.title})
		}
		for place, c := range g.commands {
			c.GroupID, c.Hidden = id, id == ""
			c.Annotations = map[string]string{cmdline.Place: strconv.Itoa(place)}
		}
		root.AddCommand(g.commands...)
	}
}

// group is a command that holds others.
func group(name, short string, commands ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: name, Short: short}
	c.AddCommand(commands...)
	return c
}

// renamed is a command under another name.
func renamed(c *cobra.Command, name string) *cobra.Command {
	c.Use = name + c.Use[len(c.Name()):]
	return c
}
