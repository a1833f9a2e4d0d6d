package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/tuner/service"
	"sakusen/tuner/view"
)

// historyFlags are those of the history.
type historyFlags struct {
	changepointFlags
	branch, machine string
	all             bool
}

func benchHistoryCommand(a *app) *cobra.Command {
	var f historyFlags
	c := &cobra.Command{
		Use:   "history [SERIES]",
		Short: "Show the medians of each run as a chart, and where their level changed",
		Long: `Shows the recorded medians of each series whose title "package.Name unit" contains
SERIES, run by run, on the baseline branch, and where their level changed. A
change is reported as an alarm once four runs are on the new level. The history of
an accepted series begins anew where it was accepted. Runs of trees with
uncommitted changes belong to no branch; --all-branches shows them too.

Exit code: 0, or 4 if nothing is recorded.`,
		Args: atMost(1, "at most one SERIES"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.o.Check(); err != nil {
				return usage(err)
			}
			return benchHistory(a, c.Context(), &f, strings.Join(args, ""))
		},
	}
	f.add(c)
	fs := c.Flags()
	fs.StringVar(&f.branch, "branch", "", "branch (default: the settings' bench.baseline_branch)")
	fs.BoolVar(&f.all, "all-branches", false, "runs of all branches, and of none")
	fs.StringVar(&f.machine, "machine", "", "machine class (default: all)")
	return c
}

func benchHistory(a *app, ctx context.Context, f *historyFlags, series string) error {
	q := service.BenchQuery{Series: series, Branch: f.branch, Machine: f.machine, Changes: f.o}
	if q.Branch == "" {
		q.Branch = a.settings.Text("bench.baseline_branch")
	}
	if f.all {
		q.Branch = ""
	}
	reports, err := readBench(a, ctx, func(b *service.Benchmarks) ([]service.BenchHistory, error) { return b.Histories(ctx, q) })
	if err != nil {
		return err
	}
	if a.flags.asJSON {
		err = a.printJSON(map[string]any{"series": reports})
	} else {
		err = view.Text(a.out, view.Histories(reports)...)
	}
	if err != nil {
		return err
	}
	if len(reports) == 0 {
		a.say("no series recorded on branch %q has %q in its title (--all-branches looks everywhere)", q.Branch, series)
		return verdict(exitNothing)
	}
	return nil
}
