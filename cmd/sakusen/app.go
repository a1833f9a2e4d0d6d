package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"sakusen/engines/arena"
	"sakusen/engines/arena/catalogue"
	"sakusen/tuner/config"
	"sakusen/tuner/sqlitedb"
)

// app is the program: its streams, its surroundings and what it knows.
type app struct {
	in        io.Reader
	out, err  io.Writer
	env       func(name string) (string, bool)
	terminal  bool            // err is a terminal
	games     catalogue.Games // with what they bring for people
	catalogue arena.Catalogue // the same, alone
	// readIn, unless nil, reads the files that rules name in what the user wrote in
	// a folder; see catalogueOf.
	readIn func(folder string) func(path string) ([]byte, error)
	// hook is called at named points of a study; tests kill the process there.
	hook func(point string)

	flags struct {
		db, config    string
		workers       int
		quiet, asJSON bool
		verbose       bool
	}
	settings *config.Config
	given    map[string]string // settings on the command line
	started  bool              // the command line is read; what fails before is bad usage
}

// run runs one command line and returns the exit code.
func (a *app) run(ctx context.Context, args []string) int {
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if !a.started {
		err = usage(err)
	}
	if a.settings != nil {
		err = sqlitedb.Damage(a.settings.Text("database"), err)
	}
	code, message := exitOf(ctx, err)
	if message != "" {
		fmt.Fprintln(a.err, "sakusen: "+message)
	}
	return code
}

// root is the command tree.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "sakusen",
		Short: "Tunes game strategies by self-play and guards their speed",
		Long: `Sakusen tunes game strategies by self-play and guards their speed.

Data goes to standard output, people's text and progress to standard error.
Exit codes: 0 done or pass, 1 a negative verdict, 2 bad usage, config or input,
3 inconclusive, 4 nothing to do or compare, 5 internal or I/O error, 130
interrupted and resumable.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          unknownCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			return a.configure(c)
		},
	}
	root.SetFlagErrorFunc(flagError)
	f := root.PersistentFlags()
	f.StringVar(&a.flags.db, "db", "", "the database file (default sakusen.db)")
	f.StringVar(&a.flags.config, "config", "", "the settings file (default config.yaml, if there is one)")
	f.IntVar(&a.flags.workers, "workers", 0, "games played at a time (default: the number of processors)")
	f.BoolVar(&a.flags.asJSON, "json", false, "print one JSON document")
	f.BoolVarP(&a.flags.quiet, "quiet", "q", false, "no progress and no notes on standard error")
	f.BoolVarP(&a.flags.verbose, "verbose", "v", false, "say more on standard error")
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.AddCommand(commands(a)...)
	completeTree(root)
	return root
}

// configure reads the settings before any command runs.
func (a *app) configure(c *cobra.Command) error {
	a.started = true
	if err := checkFlags(c); err != nil {
		return err
	}
	a.given = map[string]string{}
	flags := c.Root().PersistentFlags()
	if flags.Changed("db") {
		a.given["database"] = a.flags.db
	}
	if flags.Changed("workers") {
		a.given["workers"] = strconv.Itoa(a.flags.workers)
	}
	settings, err := config.Load(config.Source{File: a.flags.config, Env: a.env, Flags: a.given})
	if err != nil {
		return usage(err)
	}
	a.settings = settings
	for _, w := range settings.Warnings {
		a.say("%s", w)
	}
	return nil
}

// workers is the number of games to play at a time.
func (a *app) workers() int {
	if n := a.settings.Integer("workers"); n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// pool is a host of this process.
func (a *app) pool() *arena.Pool { return arena.NewPool(a.workers()) }

// say prints a line for people, unless they asked for quiet.
func (a *app) say(format string, args ...any) {
	if !a.flags.quiet {
		fmt.Fprintf(a.err, format+"\n", args...)
	}
}

// isTerminal tells whether a file is a terminal.
func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
