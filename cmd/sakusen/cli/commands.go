package cli

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/cmd/cmdline"
)

// action does what a command line says, with its arguments.
type action func(ctx context.Context, args []string) error

// command is a command of the program: its words, what it does, and the commands below it.
type command struct {
	use, short, long, example string
	former                    []string // names that suggest it
	do                        action
	// bind, in place of do, declares flags and returns what the command does with them.
	bind func(c *cobra.Command) action
	sub  []command
	made *cobra.Command // in place of all others
}

// cobra returns the command as the parser of command lines takes it.
func (d command) cobra() *cobra.Command {
	if d.made != nil {
		return d.made
	}
	c := &cobra.Command{Use: d.use, Short: d.short, Long: d.long, Example: d.example, SuggestFor: d.former}
	do := d.do
	if d.bind != nil {
		do = d.bind(c)
	}
	if do != nil {
		c.RunE = func(c *cobra.Command, args []string) error { return do(c.Context(), args) }
	}
	for _, sub := range d.sub {
		c.AddCommand(sub.cobra())
	}
	return c
}

// named returns the command under another name.
func (d command) named(name string) command {
	_, arguments, _ := strings.Cut(d.use, " ")
	d.use = strings.TrimSpace(name + " " + arguments)
	return d
}

// addCommands gives the program its commands, in the groups and the order in which help
// lists them. The last group is hidden: commands about the program itself, and the names
// that others had before they were grouped, which scripts may go on to use.
func (a *app) addCommands(root *cobra.Command) {
	game, study, program := a.game, a.study, programCommands{a}
	paper := []command{a.contest.experimentCommand(), game.analyseCommand(), game.solveCommand(), a.tubstap.command()}
	calc := []command{game.statsCommand(), game.rateCommand()}
	for i, g := range []struct {
		title    string
		commands []command
	}{
		{"The first hour", []command{study.tuneCommand(), study.command(), study.exportCommand(), a.contest.matchCommand(), a.bench.command(), a.daemon.serveCommand(), reports{a}.command()}},
		{"More play", []command{game.playCommand(), a.contest.tournamentCommand(), a.contest.testCommand()}},
		{"Games and programs of your own", []command{
			{use: "game", short: "List games, and strategies with their parameters; write the first files of a game of your own",
				sub: []command{game.gamesCommand().named("list"), game.strategiesCommand(), game.newCommand().named("new")}},
			a.engine.command(),
		}},
		{"Machines and the database", []command{a.daemon.workerCommand(), a.database.command()}},
		{"Published results and statistics", []command{
			{use: "paper", short: "Repeat published tables, and solve and analyse the games of these papers", sub: paper},
			{use: "calc", short: "Calculate strength from results of games", sub: calc},
		}},
		{"", slices.Concat([]command{program.configCommand(), program.versionCommand(), manCommand()}, paper, calc, []command{
			game.gamesCommand(), game.strategiesCommand(), {use: "new", short: "Begin a game of your own", sub: []command{game.newCommand()}},
			a.engine.conformanceCommand(), {use: "chess", short: "Make a book of chess openings", sub: []command{a.engine.bookCommand()}},
		}, a.elsewhere.commands())},
	} {
		id := ""
		if g.title != "" {
			id = strconv.Itoa(i)
			root.AddGroup(&cobra.Group{ID: id, Title: g.title})
		}
		for place, d := range g.commands {
			c := d.cobra()
			c.GroupID, c.Hidden = id, id == ""
			c.Annotations = map[string]string{cmdline.Place: strconv.Itoa(place)}
			root.AddCommand(c)
		}
	}
}
