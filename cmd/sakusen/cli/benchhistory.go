package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/bench/changepoint"
	"sakusen/bench/ledger"
	"sakusen/bench/site"
	"sakusen/cmd/cmdline"
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
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.o.Check(); err != nil {
				return usage(err)
			}
			return a.bench.history(c.Context(), &f, strings.Join(args, ""))
		},
	}
	f.add(c)
	fs := c.Flags()
	fs.StringVar(&f.branch, "branch", "", "branch (default: the setting bench.baseline_branch, or git's default branch)")
	fs.BoolVar(&f.all, "all-branches", false, "runs of all branches, and of none")
	fs.StringVar(&f.machine, "machine", "", "machine class (default: all)")
	return c
}

func (a benchCommands) history(ctx context.Context, f *historyFlags, series string) error {
	q := ledger.HistoryQuery{Series: series, Branch: f.branch, Machine: f.machine, Changes: f.o}
	if q.Branch == "" {
		q.Branch = a.baselineBranch(ctx, "")
	}
	if f.all {
		q.Branch = ""
	}
	reports, err := readBench(a.app, ctx, func(b *service.Benchmarks) ([]ledger.History, error) { return b.Histories(ctx, q) })
	if err != nil {
		return err
	}
	sections := view.Histories(reports)
	if err := a.show(view.With{Result: map[string]any{"series": reports}, Sections: sections}, sections...); err != nil {
		return err
	}
	if len(reports) == 0 {
		a.say("no series recorded on branch %q has %q in its title (--all-branches looks everywhere)", q.Branch, series)
		return cmdline.Verdict(cmdline.Nothing)
	}
	return nil
}

func benchSiteCommand(a *app) *cobra.Command {
	var f historyFlags
	var webhook, title, baseline string
	c := &cobra.Command{
		Use:   "site DIR",
		Short: "Write histories, verdicts and change points as static pages",
		Long: `Writes a page for each recorded series of the baseline branch into DIR, and lists
them in index.html, index-2.html and so on, what got worse first: the change of
the last run against the baseline in per cent, histories, where the level changed,
and in which functions the time went. The baseline of a series is the run with
which it begins, the first one or the one accepted last, or that of --baseline.
The pages need no server, and but for their search no script.

--webhook sends each alarm (a change of level that four runs confirm) once, as a
POST of JSON with event, series, unit, machine, run, commit, before, after, what,
p and text. DIR/alarms.json lists those that were sent: keep it between runs.

Exit code: 0; 4 if nothing is recorded; 5 if the webhook fails.`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.o.Check(); err != nil {
				return usage(err)
			}
			if u, err := url.Parse(webhook); webhook != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
				return usage(errors.New("--webhook: expected an address that begins with http:// or https://"))
			}
			return a.bench.site(c.Context(), &f, args[0], title, baseline, webhook)
		},
	}
	f.add(c)
	fs := c.Flags()
	fs.StringVar(&f.branch, "branch", "", "branch (default: the setting bench.baseline_branch, or git's default branch)")
	fs.StringVar(&f.machine, "machine", "", "machine class (default: all)")
	fs.StringVar(&baseline, "baseline", "", "name of the baseline (default: the run with which a series begins)")
	fs.StringVar(&title, "title", "Benchmarks", "heading of the pages")
	fs.StringVar(&webhook, "webhook", "", "address to which new alarms are sent")
	return c
}

func (a benchCommands) site(ctx context.Context, f *historyFlags, dir, title, baseline, webhook string) error {
	q := ledger.HistoryQuery{Branch: f.branch, Machine: f.machine, Changes: f.o}
	if q.Branch == "" {
		q.Branch = a.baselineBranch(ctx, "")
	}
	series := 0
	alarms, err := readBench(a.app, ctx, func(b *service.Benchmarks) (alarms []site.Alarm, err error) {
		alarms, series, err = b.Site(ctx, dir, title, baseline, q)
		return alarms, err
	})
	if err != nil {
		return err
	}
	told := 0
	if webhook != "" {
		if told, err = site.Tell(ctx, dir, webhook, alarms); err != nil {
			return cmdline.Exit(cmdline.Internal, err)
		}
	}
	if a.flags.asJSON {
		err = a.printJSON(map[string]any{"dir": dir, "series": series, "alarms": append([]site.Alarm{}, alarms...), "told": told})
	} else {
		_, err = fmt.Fprintf(a.out, "%s: %d series, %d alarms, %d sent\n", dir, series, len(alarms), told)
	}
	if err == nil && series == 0 {
		a.say("no run is recorded on branch %s: --branch and the setting bench.baseline_branch name another", q.Branch)
		return cmdline.Verdict(cmdline.Nothing)
	}
	return err
}

// changepointFlags are the options of the search.
type changepointFlags struct{ o changepoint.Options }

func (f *changepointFlags) add(c *cobra.Command) {
	fs, d := c.Flags(), changepoint.Usual()
	fs.IntVar(&f.o.Window, "window", d.Window, "values looked at together")
	fs.Float64Var(&f.o.MaxP, "max-p", d.MaxP, "level of significance of a change point")
	fs.Float64Var(&f.o.MinMagnitude, "min-magnitude", d.MinMagnitude, "least relative change")
}

func benchChangepointsCommand(a *app) *cobra.Command {
	var f changepointFlags
	c := &cobra.Command{
		Use:   "changepoints",
		Short: "Find where the level of a series of numbers changed: numbers in, JSON out",
		Long: `Reads numbers from standard input, separated by white space or commas, and
prints where their level changed, as one JSON document: indexes from 0 of the
first value of each new level. The scheme is that of Hunter (Fleming et al.
2023) and Apache Otava; it is deterministic.`,
		Example: `  seq 1 20 | sakusen bench changepoints --max-p 0.0001 --window 30`,
		RunE: func(*cobra.Command, []string) error {
			if err := f.o.Check(); err != nil {
				return usage(err)
			}
			x, err := changepoint.ReadNumbers(a.in, "standard input")
			if err != nil {
				return usage(err)
			}
			found, err := changepoint.Find(x, f.o)
			if err != nil {
				return usage(err)
			}
			return a.printJSON(found)
		},
	}
	f.add(c)
	return c
}
