package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"sakusen/engines/plain"
	"sakusen/tuner/build"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/view/manual"
)

// run runs one command line and returns the exit code.
func (a *app) run(ctx context.Context, args []string) int {
	a.rawOut, a.rawErr = a.out, a.err
	out, errs := plain.NewWriter(a.out), plain.NewWriter(a.err)
	a.out, a.err = out, errs
	root := a.root()
	root.SetArgs(args)
	defer a.engine.closeEngines()
	err := errors.Join(root.ExecuteContext(ctx), out.Flush())
	defer errs.Flush()
	if err == nil {
		err = a.late
	}
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
		Short: "Tune game strategies by self-play, and guard their speed with benchmarks",
		Long: `Sakusen tunes game strategies by self-play and guards their speed.

Results go to standard output, progress and notes to standard error.

Exit codes: 0 done or passed, 1 failed (the verdict is negative), 2 a mistake in
the command line, the settings or the input, 3 inconclusive, 4 nothing to do or
to compare, 5 an error of the program or the machine, 130 interrupted (the same
command goes on).`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          unknownCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			return a.configure(c)
		},
	}
	root.SetFlagErrorFunc(flagError)
	root.SetUsageFunc(manual.Usage)
	root.SetHelpFunc(manual.Help)
	f := root.PersistentFlags()
	f.StringVar(&a.flags.db, "db", "", "the database file (default sakusen.db)")
	f.StringVar(&a.flags.config, "config", "", "the settings file (default config.yaml, if there is one)")
	f.IntVar(&a.flags.workers, "workers", 0, "number of games played at the same time (default: the number of processors)")
	f.BoolVar(&a.flags.asJSON, "json", false, "print one JSON document")
	f.BoolVarP(&a.flags.quiet, "quiet", "q", false, "no progress and no notes on standard error")
	f.BoolVarP(&a.flags.verbose, "verbose", "v", false, "more notes on standard error, and progress every 5 seconds")
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.AddCommand(commands(a)...)
	completeTree(root)
	completeArguments(a, root)
	root.Version = build.Version
	root.SetVersionTemplate("sakusen {{.Version}} (commit " + build.Commit() + ")\n")
	return root
}
