package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"sakusen/tuner/service"
	"sakusen/tuner/view"
)

func benchBaselineCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "baseline",
		Short: "Give names to recorded runs: set, list, promote, rm",
		Long: `Gives names to recorded runs. A SOURCE baseline:NAME is the run of that name. Runs
with a name are never pruned.`,
	}
	var f originFlags
	set := &cobra.Command{
		Use: "set NAME SOURCE", Short: "Give a run a name; a file is recorded first", Args: exactly(2, "NAME and SOURCE"),
		RunE: func(c *cobra.Command, args []string) error { return baselineSet(a, c.Context(), &f, args[0], args[1]) },
	}
	f.add(set)
	c.AddCommand(
		set,
		&cobra.Command{
			Use: "list", Short: "List the names", Args: noArguments,
			RunE: func(c *cobra.Command, _ []string) error { return baselineList(a, c.Context()) },
		},
		&cobra.Command{
			Use: "promote FROM TO", Short: "Give the run that is named FROM the name TO too", Args: exactly(2, "FROM and TO"),
			RunE: func(c *cobra.Command, args []string) error {
				return baselineSet(a, c.Context(), &f, args[1], "baseline:"+args[0])
			},
		},
		&cobra.Command{
			Use: "rm NAME", Short: "Remove a name; its run stays recorded", Args: exactly(1, "one NAME"),
			RunE: func(c *cobra.Command, args []string) error {
				return writeBench(a, c.Context(), func(b benchWriter) error { return b.RemoveBaseline(c.Context(), args[0]) })
			},
		},
	)
	return c
}

func baselineSet(a *app, ctx context.Context, f *originFlags, name, source string) error {
	if name == "" {
		return usage(errors.New("NAME is empty: expected a name"))
	}
	if !service.IsRecorded(source) {
		if source == "-" {
			return usage(errors.New("baseline set: expected a file or a recorded run, got standard input (bench record keeps it)"))
		}
		run, err := benchFile(a, f, source)
		if err != nil {
			return usage(err)
		}
		origin, err := f.origin(a, ctx)
		if err != nil {
			return err
		}
		return writeBench(a, ctx, func(b benchWriter) error {
			done, err := b.Record(ctx, []service.BenchRun{service.Measured(run, origin)}, name)
			if err == nil {
				a.say("baseline %s is %s", name, done[0].Title())
			}
			return err
		})
	}
	return writeBench(a, ctx, func(b benchWriter) error {
		done, err := b.SetBaseline(ctx, name, source)
		if err == nil {
			a.say("baseline %s is %s", name, done.Title)
		}
		return err
	})
}

func baselineList(a *app, ctx context.Context) error {
	list, err := readBench(a, ctx, func(b *service.Benchmarks) ([]service.BenchBaseline, error) { return b.Baselines(ctx) })
	if err != nil {
		return err
	}
	if a.flags.asJSON {
		return a.printJSON(map[string]any{"baselines": list})
	}
	return view.Table(a.out, func(line func(...any)) {
		for _, b := range list {
			line(b.Name, b.Title, b.Branch, b.Recorded.Format(time.DateOnly), b.Machine)
		}
	})
}

func benchAcceptCommand(a *app) *cobra.Command {
	var reason, source string
	c := &cobra.Command{
		Use:   "accept SERIES --reason TEXT",
		Short: "Accept a change of speed: comparisons of the series begin again with this run",
		Long: `Accepts the values of a series in a recorded run as the new normal. The history of
the series begins anew there, and gates compare with these values even if their
baseline is older. SERIES is a title "package.Name unit", or a part of it that
only one series of the run has.`,
		Example: `  sakusen bench accept "sakusen/tuner/stats.LLR-2 sec/op" --reason "exact tables"`,
		Args:    exactly(1, "one SERIES"),
		RunE: func(c *cobra.Command, args []string) error {
			if reason == "" {
				return usage(errors.New("--reason: expected why the change is accepted, got nothing"))
			}
			return writeBench(a, c.Context(), func(b benchWriter) error {
				done, err := b.Accept(c.Context(), service.BenchAccept{Series: args[0], Source: source, Reason: reason})
				if err == nil {
					a.say("%s begins anew with %s: %s", done.Series, done.Title, reason)
				}
				return err
			})
		},
	}
	c.Flags().StringVar(&reason, "reason", "", "why the change is accepted")
	c.Flags().StringVar(&source, "run", "latest", "SOURCE of the new values, a recorded run")
	return c
}

func benchPruneCommand(a *app) *cobra.Command {
	var days int
	var dry bool
	c := &cobra.Command{
		Use:   "prune --days N",
		Short: "Remove recorded runs older than N days",
		Long:  `Removes runs recorded more than N days ago, except those that a baseline names or an accepted change begins with.`,
		Args:  noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if days < 1 || days > 36500 {
				return usage(fmt.Errorf("--days: expected 1 to 36500, got %d", days))
			}
			ctx := c.Context()
			return writeBench(a, ctx, func(b benchWriter) error {
				n, err := b.Prune(ctx, days, dry)
				if err != nil {
					return err
				}
				if a.flags.asJSON {
					return a.printJSON(map[string]any{"runs": n, "removed": !dry})
				}
				what := "removed"
				if dry {
					what = "would be removed"
				}
				_, err = fmt.Fprintf(a.out, "%d runs %s\n", n, what)
				return err
			})
		},
	}
	c.Flags().IntVar(&days, "days", 0, "age in days")
	c.Flags().BoolVar(&dry, "dry-run", false, "only count")
	return c
}
