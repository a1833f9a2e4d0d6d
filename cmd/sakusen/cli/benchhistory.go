package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
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

// historyFlags are those of the history and of its pages.
type historyFlags struct {
	changes         changepoint.Options
	branch, machine string
}

// add declares the flags.
func (f *historyFlags) add(c *cobra.Command) {
	addChangepoints(c, &f.changes)
	c.Flags().StringVar(&f.branch, "branch", "", "branch (default: the setting bench.baseline_branch, or git's default branch)")
	c.Flags().StringVar(&f.machine, "machine", "", "machine class (default: all)")
}

// query returns what the flags ask for.
func (f *historyFlags) query(ctx context.Context, a benchCommands) ledger.HistoryQuery {
	q := ledger.HistoryQuery{Branch: f.branch, Machine: f.machine, Changes: f.changes}
	if q.Branch == "" {
		q.Branch = a.baselineBranch(ctx, "")
	}
	return q
}

func (a benchCommands) history(c *cobra.Command) action {
	var f historyFlags
	f.add(c)
	all := c.Flags().Bool("all-branches", false, "runs of all branches, and of none")
	cmdline.Exclude(c, "all-branches", "branch")
	return func(ctx context.Context, args []string) error {
		if err := f.changes.Check(); err != nil {
			return usage(err)
		}
		q := f.query(ctx, a)
		if q.Series = strings.Join(args, ""); *all {
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
			a.say("%s", nothing(q))
			return cmdline.Verdict(cmdline.Nothing)
		}
		return nil
	}
}

// nothing returns the error that no series is as asked for.
func nothing(q ledger.HistoryQuery) string {
	what, where := "no series is recorded", ""
	if q.Machine != "" {
		where = fmt.Sprintf(" of machine class %q", q.Machine)
	}
	if q.Branch != "" {
		where += fmt.Sprintf(" on branch %q (--all-branches looks everywhere)", q.Branch)
	}
	if q.Series != "" {
		what = fmt.Sprintf("no recorded series has %q in its title", q.Series)
	}
	return what + where
}

func (a benchCommands) site(c *cobra.Command) action {
	var f historyFlags
	f.add(c)
	baseline := c.Flags().String("baseline", "", "name of the baseline (default: the run with which a series begins)")
	title := c.Flags().String("title", "Benchmarks", "heading of the pages")
	webhook := c.Flags().String("webhook", "", "address to which new alarms are sent")
	return func(ctx context.Context, args []string) error {
		if err := f.changes.Check(); err != nil {
			return usage(err)
		}
		if u, err := url.Parse(*webhook); *webhook != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
			return usage(errors.New("--webhook: expected an address that begins with http:// or https://"))
		}
		dir, q := args[0], f.query(ctx, a)
		series := 0
		alarms, err := readBench(a.app, ctx, func(b *service.Benchmarks) (alarms []site.Alarm, err error) {
			alarms, series, err = b.Site(ctx, dir, *title, *baseline, q)
			return alarms, err
		})
		if err != nil {
			return err
		}
		told := 0
		if *webhook != "" {
			if told, err = site.Tell(ctx, dir, *webhook, alarms); err != nil {
				return cmdline.Exit(cmdline.Internal, err)
			}
		}
		err = a.print(map[string]any{"dir": dir, "series": series, "alarms": append([]site.Alarm{}, alarms...), "told": told}, func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "%s: %d series, %d alarms, %d sent\n", dir, series, len(alarms), told)
			return err
		})
		if err == nil && series == 0 {
			a.say("no run is recorded on branch %s: --branch and the setting bench.baseline_branch name another", q.Branch)
			return cmdline.Verdict(cmdline.Nothing)
		}
		return err
	}
}

// addChangepoints declares the options of the search for changes of level.
func addChangepoints(c *cobra.Command, o *changepoint.Options) {
	fs, d := c.Flags(), changepoint.Usual()
	fs.IntVar(&o.Window, "window", d.Window, "values looked at together")
	fs.Float64Var(&o.MaxP, "max-p", d.MaxP, "level of significance of a change point")
	fs.Float64Var(&o.MinMagnitude, "min-magnitude", d.MinMagnitude, "least relative change")
}

func (a benchCommands) changepoints(c *cobra.Command) action {
	var o changepoint.Options
	addChangepoints(c, &o)
	return func(context.Context, []string) error {
		if err := o.Check(); err != nil {
			return usage(err)
		}
		x, err := changepoint.ReadNumbers(a.in, "standard input")
		if err != nil {
			return usage(err)
		}
		found, err := changepoint.Find(x, o)
		if err != nil {
			return usage(err)
		}
		return a.printJSON(found)
	}
}
