package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sakusen/bench"
	"sakusen/tuner/report"
	"sakusen/tuner/service"
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
		Long: `Shows the recorded medians of each series whose title "package.Name unit" holds
SERIES, run by run, on the baseline branch, and where their level changed. A
change is an alarm when four runs stand on the new level. A series that was
accepted begins anew there. Runs of trees with uncommitted changes are no part of
a branch's history; --all-branches shows them too.

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
		err = printHistory(a, reports)
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

// printHistory draws one series run by run, several as a line each.
func printHistory(a *app, reports []service.BenchHistory) error {
	if len(reports) == 1 {
		return printRuns(a, &reports[0])
	}
	err := report.Table(a.out, func(line func(...any)) {
		for _, r := range reports {
			medians := make([]float64, len(r.Runs))
			for i, p := range r.Runs {
				medians[i] = p.Center
			}
			line(r.Title, fmt.Sprintf("%d runs", len(medians)), bench.Show(medians[len(medians)-1], r.Unit), bench.Sparkline(medians, 40))
		}
	})
	if err != nil {
		return err
	}
	for _, r := range reports {
		if err := printChanges(a, &r, r.Title+": "); err != nil {
			return err
		}
	}
	return nil
}

func printRuns(a *app, r *service.BenchHistory) error {
	fmt.Fprintf(a.out, "%s\n", r.Title)
	largest := 0.0
	for _, p := range r.Runs {
		largest = max(largest, p.Center)
	}
	err := report.Table(a.out, func(line func(...any)) {
		for i, p := range r.Runs {
			commit := p.Commit[:min(10, len(p.Commit))]
			if p.Dirty {
				commit += "-dirty"
			}
			mark := ""
			for _, c := range r.Changes {
				if c.Index == i {
					mark = "<- change"
				}
			}
			if r.Start == i && i > 0 {
				mark = "<- accepted"
			}
			line(fmt.Sprintf("run:%d", p.Run), p.Recorded.Format(time.DateOnly), commit, bench.Show(p.Center, r.Unit), fmt.Sprintf("n=%d", p.N), bench.Bar(p.Center, largest, 40), mark)
		}
	})
	if err != nil {
		return err
	}
	return printChanges(a, r, "")
}

func printChanges(a *app, r *service.BenchHistory, prefix string) error {
	for _, c := range r.Changes {
		alarm := "alarm"
		if !c.Alarm {
			alarm = "too few runs since for an alarm"
		}
		if _, err := fmt.Fprintf(a.out, "%s%s at run:%d %s: %s -> %s (p=%.2g), %s\n", prefix, c.What(), c.Run, c.Commit[:min(10, len(c.Commit))],
			bench.Show(c.Before, r.Unit), bench.Show(c.After, r.Unit), c.P, alarm); err != nil {
			return err
		}
	}
	return nil
}
