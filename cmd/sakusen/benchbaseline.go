package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"sakusen/bench"
	"sakusen/bench/ledger"
	"sakusen/tuner/web"
)

// baselineReport is a baseline in JSON.
type baselineReport struct {
	Name     string    `json:"name"`
	Run      int64     `json:"run"`
	Commit   string    `json:"commit"`
	Branch   string    `json:"branch"`
	Machine  string    `json:"machine"`
	Recorded time.Time `json:"recorded"`
	Updated  time.Time `json:"updated"`
}

func benchBaselineCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "baseline",
		Short: "Name recorded runs: set, list, promote, rm",
		Long: `Names recorded runs. A SOURCE baseline:NAME is the run of that name. Runs with a
name are never pruned.`,
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
			Use: "promote FROM TO", Short: "Let the name TO mean the run of the name FROM", Args: exactly(2, "FROM and TO"),
			RunE: func(c *cobra.Command, args []string) error {
				return baselineSet(a, c.Context(), &f, args[1], "baseline:"+args[0])
			},
		},
		&cobra.Command{
			Use: "rm NAME", Short: "Take a name away; its run stays", Args: exactly(1, "one NAME"),
			RunE: func(c *cobra.Command, args []string) error {
				return writeBench(a, c.Context(), func(b benchBook) error { return b.removeBaseline(c.Context(), args[0]) })
			},
		},
	)
	return c
}

func baselineSet(a *app, ctx context.Context, f *originFlags, name, source string) error {
	if name == "" {
		return usage(errors.New("NAME: expected a name, got an empty one"))
	}
	if !recorded(source) {
		if source == "-" {
			return usage(errors.New("baseline set: expected a file or a recorded run, got standard input (bench record keeps it)"))
		}
		run, err := benchFile(a, f, source)
		if err != nil {
			return usage(err)
		}
		origin, err := benchOrigin(a, ctx, f)
		if err != nil {
			return err
		}
		return writeBench(a, ctx, func(b benchBook) error {
			done, err := b.record(ctx, []*bench.Run{run}, []ledger.Origin{origin}, name)
			if err == nil {
				a.say("baseline %s is %s", name, titleOf(done[0]))
			}
			return err
		})
	}
	return writeBench(a, ctx, func(b benchBook) error {
		done, err := b.setBaseline(ctx, name, source)
		if err == nil {
			a.say("baseline %s is %s", name, done.Title)
		}
		return err
	})
}

// titleOf is a recorded run for people.
func titleOf(r web.BenchRecorded) string {
	return ledger.Entry{ID: r.Run, Origin: ledger.Origin{Commit: r.Commit, Dirty: r.Dirty}}.Title()
}

func baselineList(a *app, ctx context.Context) error {
	return readLedger(a, ctx, func(l *ledger.Ledger) error {
		list, err := l.Baselines(ctx)
		if err != nil {
			return err
		}
		if !a.flags.asJSON {
			return table(a.out, func(line func(...any)) {
				for _, b := range list {
					line(b.Name, b.Run.Title(), b.Run.Branch, b.Run.Recorded.Format(time.DateOnly), b.Run.Machine)
				}
			})
		}
		reports := []baselineReport{}
		for _, b := range list {
			reports = append(reports, baselineReport{b.Name, b.Run.ID, b.Run.Commit, b.Run.Branch, b.Run.Machine, b.Run.Recorded, b.Updated})
		}
		return a.printJSON(map[string]any{"baselines": reports})
	})
}
