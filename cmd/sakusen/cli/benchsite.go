package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/spf13/cobra"

	"sakusen/bench/site"
	"sakusen/tuner/service"
)

func benchSiteCommand(a *app) *cobra.Command {
	var f historyFlags
	var webhook, title, baseline string
	c := &cobra.Command{
		Use:   "site DIR",
		Short: "Write histories, verdicts and change points as static pages",
		Long: `Writes a page for each recorded series of the baseline branch into DIR, and
index.html with all of them, what got worse first: the change of the last run
against the baseline in per cent, histories, where the level changed, and in which
functions the time went. The baseline of a series is the run with which it begins,
the first one or the one accepted last, or that of --baseline. The pages need no
server and no script.

--webhook sends each alarm (a change of level that four runs confirm) once, as a
POST of JSON with event, series, unit, machine, run, commit, before, after, what,
p and text. DIR/alarms.json lists those that were sent: keep it between runs.

Exit code: 0; 4 if nothing is recorded; 5 if the webhook fails.`,
		Args: exactly(1, "one DIR"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.o.Check(); err != nil {
				return usage(err)
			}
			if u, err := url.Parse(webhook); webhook != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
				return usage(errors.New("--webhook: expected an address that begins with http:// or https://"))
			}
			return benchSite(a, c.Context(), &f, args[0], title, baseline, webhook)
		},
	}
	f.add(c)
	fs := c.Flags()
	fs.StringVar(&f.branch, "branch", "", "branch (default: the settings' bench.baseline_branch)")
	fs.StringVar(&f.machine, "machine", "", "machine class (default: all)")
	fs.StringVar(&baseline, "baseline", "", "name of the baseline (default: the run with which a series begins)")
	fs.StringVar(&title, "title", "Benchmarks", "heading of the pages")
	fs.StringVar(&webhook, "webhook", "", "address to which new alarms are sent")
	return c
}

func benchSite(a *app, ctx context.Context, f *historyFlags, dir, title, baseline, webhook string) error {
	q := service.BenchQuery{Branch: f.branch, Machine: f.machine, Changes: f.o}
	if q.Branch == "" {
		q.Branch = a.settings.Text("bench.baseline_branch")
	}
	series := 0
	alarms, err := readBench(a, ctx, func(b *service.Benchmarks) (alarms []site.Alarm, err error) {
		alarms, series, err = b.Site(ctx, dir, title, baseline, q)
		return alarms, err
	})
	if err != nil {
		return err
	}
	told := 0
	if webhook != "" {
		if told, err = site.Tell(ctx, dir, webhook, alarms); err != nil {
			return &coded{exitInternal, err}
		}
	}
	if a.flags.asJSON {
		err = a.printJSON(map[string]any{"dir": dir, "series": series, "alarms": append([]site.Alarm{}, alarms...), "told": told})
	} else {
		_, err = fmt.Fprintf(a.out, "%s: %d series, %d alarms, %d sent\n", dir, series, len(alarms), told)
	}
	if err == nil && series == 0 {
		return verdict(exitNothing)
	}
	return err
}
