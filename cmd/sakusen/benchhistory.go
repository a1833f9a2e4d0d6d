package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sakusen/bench"
	"sakusen/bench/ledger"
)

// historyFlags are those of the history.
type historyFlags struct {
	changepointFlags
	branch, machine string
	all             bool
}

// historyReport is the history of a series in JSON.
type historyReport struct {
	Name    string            `json:"name"`
	Unit    string            `json:"unit"`
	Config  map[string]string `json:"config"`
	Runs    []historyPoint    `json:"runs"`
	Start   int               `json:"start"` // index of the run with which it begins anew, as accepted
	Changes []changeReport    `json:"changes"`

	title string
}

// historyPoint is one run of a series.
type historyPoint struct {
	Run      int64     `json:"run"`
	Commit   string    `json:"commit"`
	Branch   string    `json:"branch"`
	Dirty    bool      `json:"dirty"`
	Recorded time.Time `json:"recorded"`
	Center   float64   `json:"center"` // median
	N        int       `json:"n"`
}

// changeReport is a change of level in JSON.
type changeReport struct {
	pointReport
	Alarm  bool   `json:"alarm"` // enough runs followed
	Worse  bool   `json:"worse"`
	Better bool   `json:"better"`
	Run    int64  `json:"run"`
	Commit string `json:"commit"`
}

func benchHistoryCommand(a *app) *cobra.Command {
	var f historyFlags
	c := &cobra.Command{
		Use:   "history [SERIES]",
		Short: "Show medians run by run, drawn, and where their level changed",
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
	q := ledger.HistoryQuery{Series: series, Branch: f.branch, Machine: f.machine}
	if q.Branch == "" {
		q.Branch = a.settings.Text("bench.baseline_branch")
	}
	if f.all {
		q.Branch = ""
	}
	var reports []historyReport
	err := readLedger(a, ctx, func(l *ledger.Ledger) (err error) {
		reports, err = f.reports(ctx, l, q)
		return err
	})
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

// reports looks at every series.
func (f *historyFlags) reports(ctx context.Context, l *ledger.Ledger, q ledger.HistoryQuery) ([]historyReport, error) {
	histories, err := l.Histories(ctx, q)
	if err != nil {
		return nil, err
	}
	accepts, err := l.Accepts(ctx)
	if err != nil {
		return nil, err
	}
	reports := []historyReport{}
	latest := map[int64]*bench.Run{} // what runs say of their units
	for _, h := range histories {
		last := h.Samples[len(h.Samples)-1].Run
		if latest[last] == nil {
			if latest[last], err = l.Run(ctx, last); err != nil {
				return nil, err
			}
		}
		r, err := f.report(h, accepts, latest[last])
		if err != nil {
			return nil, err
		}
		reports = append(reports, r)
	}
	return reports, nil
}

// report looks for changes of level; the last run tells of units.
func (f *historyFlags) report(h ledger.History, accepts []ledger.Accept, last *bench.Run) (historyReport, error) {
	r := historyReport{
		Name: h.Series.Name, Unit: h.Series.Unit, Config: h.Series.Config(), Runs: []historyPoint{}, Changes: []changeReport{},
		title: h.Series.Title(),
	}
	var medians []float64
	for i, s := range h.Samples {
		medians = append(medians, bench.Median(s.Values))
		r.Runs = append(r.Runs, historyPoint{s.Run, s.Commit, s.Branch, s.Dirty, s.Recorded, medians[i], len(s.Values)})
		for _, accept := range accepts {
			if accept.Run == s.Run && accept.Covers(h.Series) {
				r.Start = i
			}
		}
	}
	changes, err := bench.Changes(h.Series.Unit, last.Units, medians, r.Start, f.o)
	if err != nil {
		return r, fmt.Errorf("%s: %w", r.title, err)
	}
	for _, c := range changes {
		at := r.Runs[c.Index]
		r.Changes = append(r.Changes, changeReport{
			pointReport{c.Index, c.P, c.Before, c.After, c.Magnitude()}, c.Alarm, c.Worse, c.Better, at.Run, at.Commit,
		})
	}
	return r, nil
}

// printHistory draws one series run by run, several as a line each.
func printHistory(a *app, reports []historyReport) error {
	if len(reports) == 1 {
		return printRuns(a, &reports[0])
	}
	err := table(a.out, func(line func(...any)) {
		for _, r := range reports {
			medians := make([]float64, len(r.Runs))
			for i, p := range r.Runs {
				medians[i] = p.Center
			}
			line(r.title, fmt.Sprintf("%d runs", len(medians)), bench.Show(medians[len(medians)-1], r.Unit), bench.Sparkline(medians, 40))
		}
	})
	if err != nil {
		return err
	}
	for _, r := range reports {
		if err := printChanges(a, &r, r.title+": "); err != nil {
			return err
		}
	}
	return nil
}

func printRuns(a *app, r *historyReport) error {
	fmt.Fprintf(a.out, "%s\n", r.title)
	largest := 0.0
	for _, p := range r.Runs {
		largest = max(largest, p.Center)
	}
	err := table(a.out, func(line func(...any)) {
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

func printChanges(a *app, r *historyReport, prefix string) error {
	for _, c := range r.Changes {
		what := "changed"
		if c.Worse {
			what = "worse"
		} else if c.Better {
			what = "better"
		}
		alarm := "alarm"
		if !c.Alarm {
			alarm = "too few runs since for an alarm"
		}
		if _, err := fmt.Fprintf(a.out, "%s%s at run:%d %s: %s -> %s (p=%.2g), %s\n", prefix, what, c.Run, c.Commit[:min(10, len(c.Commit))],
			bench.Show(c.Before, r.Unit), bench.Show(c.After, r.Unit), c.P, alarm); err != nil {
			return err
		}
	}
	return nil
}
