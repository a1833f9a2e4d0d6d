package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"sakusen/bench"
	"sakusen/bench/ledger"
	"sakusen/bench/runner"
	"sakusen/cmd/benchcmd"
	"sakusen/tuner/service"
	"sakusen/tuner/view"
)

// originFlags say where a run was measured.
type originFlags struct {
	commit, branch, machine, dir string
	format                       string // of what is recorded: "" and benchfmt are benchmark text
}

func (f *originFlags) add(c *cobra.Command) {
	fs := c.Flags()
	fs.StringVar(&f.commit, "commit", "", "commit that was measured (default: that of the folder)")
	fs.StringVar(&f.branch, "branch", "", "its branch (default: that of the folder, or what the build server says)")
	fs.StringVar(&f.machine, "machine", "", "machine class, inside which times are compared (default: from the text, the settings, the processor's name)")
	fs.StringVarP(&f.dir, "dir", "C", "", "folder of the module (default: the current one)")
}

func benchRecordCommand(a *app) *cobra.Command {
	var f originFlags
	c := &cobra.Command{
		Use:   "record [FILE...] [-- COMMAND...]",
		Short: "Keep the output of go test -bench in the database",
		Long: `Keeps the output of go test -bench, plain or -json, in the database: its text, its
values, the commit, the branch and the machine class. The output comes from files,
from standard input (no file, or -), or from a command after --. The same text of
the same commit is kept once. A run in which a package failed or results were lost
is kept as incomplete: no gate takes it for its baseline by itself.

--format json takes the numbers of other tools: a list of objects with name, unit,
value (or values, several samples) and, if known, pkg, better (higher or lower)
and interval ([low, high], which is kept but not used: comparisons need samples).
It also reads what github-action-benchmark keeps (data.js; the last commit) and
Bencher's metric format.`,
		Example: `  go test -run '^$' -bench . -count 10 ./... | sakusen bench record
  sakusen bench record -- go test -run '^$' -bench . -count 10 ./...`,
		RunE: func(c *cobra.Command, args []string) error {
			if f.format != "benchfmt" && f.format != "json" {
				return usage(fmt.Errorf("--format: expected benchfmt or json, got %q", f.format))
			}
			files, command := args, []string(nil)
			if at := c.ArgsLenAtDash(); at >= 0 {
				files, command = args[:at], args[at:]
			}
			return a.bench.record(c.Context(), &f, files, command)
		},
	}
	f.add(c)
	c.Flags().StringVar(&f.format, "format", "benchfmt", "benchfmt (plain or of go test -json), or json: numbers of other tools")
	return c
}

func (a benchCommands) record(ctx context.Context, f *originFlags, files, command []string) error {
	var runs []*bench.Run
	var failed error
	if len(command) > 0 {
		run, err := a.commandOutput(ctx, f, command)
		if run == nil {
			return err
		}
		runs, failed = append(runs, run), err
	} else if len(files) == 0 {
		files = []string{"-"}
	}
	for _, file := range files {
		run, err := a.file(f, file)
		if err != nil {
			return usage(err)
		}
		runs = append(runs, run)
	}
	origin, err := f.origin(a.app, ctx)
	if err != nil {
		return err
	}
	var given []service.BenchRun
	for _, run := range runs {
		given = append(given, service.Measured(run, origin))
	}
	var reports []service.BenchRecorded
	err = a.writeBench(ctx, func(b benchWriter) (err error) {
		reports, err = b.Record(ctx, given, "")
		return err
	})
	if err != nil {
		return err
	}
	for _, run := range runs {
		for _, w := range run.Warnings {
			a.say("warning: %s", w)
		}
	}
	return errors.Join(a.printRecorded(reports), failed)
}

func (a benchCommands) printRecorded(runs []service.BenchRecorded) error {
	return a.show(map[string]any{"runs": runs}, view.Recorded(runs))
}

// file reads benchmark text that was measured on this machine, unless it
// says otherwise.
func (a benchCommands) file(f *originFlags, file string) (*bench.Run, error) {
	if file == "-" {
		return a.measured(a.in, "standard input", f)
	}
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return a.measured(in, file, f)
}

// measured reads text and gives it its machine class: the flag, what the text
// says, the settings.
func (a benchCommands) measured(in io.Reader, name string, f *originFlags) (*bench.Run, error) {
	return bench.Read(in, name, bench.ReadOptions{Machine: f.machine, Usual: a.settings.Text("bench.machine_class"), JSON: f.format == "json"})
}

// commandOutput runs a command, shows what it prints and reads it. If the command
// fails after it printed results, both the results and the error are returned.
func (a benchCommands) commandOutput(ctx context.Context, f *originFlags, command []string) (*bench.Run, error) {
	out, failed := runner.Output(ctx, f.dir, command, a.err)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	run, err := a.measured(out, command[0], f)
	if err != nil {
		return nil, usage(errors.Join(failed, err))
	}
	return run, usage(failed)
}

// origin is where a run was measured: what the flags say, and the folder's git
// repository.
func (f *originFlags) origin(a *app, ctx context.Context) (ledger.Origin, error) {
	o, err := service.BenchOrigin(ctx, f.dir, f.commit, f.branch, a.bench.baselineBranch(ctx, f.dir), a.env)
	if err == nil && o.Commit != "" && o.Branch == "" {
		a.say("warning: no branch is checked out here and no build server names one: the run is in no branch's history unless --branch names it")
	}
	return o, err
}

func benchSignCommand(a *app) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "sign [GAME [STRATEGY...]]",
		Short: "Print the signature of each strategy's play",
		Long: `Prints a signature of each strategy: a hash of games that it plays against itself
with fixed seeds under the default rules. It changes if and only if the play
changes. As benchmark text (--format benchfmt) a signature is two exact metrics,
its upper and its lower 32 bits, which bench gate requires to be equal. Signatures
are the same on every machine of one GOARCH.`,
		Example: `  sakusen bench sign battleship
  sakusen bench sign --format benchfmt > new.txt && sakusen bench gate --exact old.txt new.txt`,
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "benchfmt" {
				return usage(fmt.Errorf("--format: expected text or benchfmt, got %q", format))
			}
			signs, err := service.Signatures(c.Context(), a.catalogue, args...)
			if err != nil {
				return err
			}
			switch {
			case a.flags.asJSON:
				return a.printJSON(map[string]any{"signatures": signs})
			case format == "benchfmt":
				_, err = io.WriteString(a.out, service.SignatureText(signs))
				return err
			}
			return view.Table(a.out, func(line func(...any)) {
				for _, s := range signs {
					line(s.Game, s.Strategy, s.Signature)
				}
			})
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text or benchfmt")
	return c
}

func benchBaselineCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "baseline",
		Short: "Give names to recorded runs: set, list, promote, rm",
		Long: `Gives names to recorded runs. A SOURCE baseline:NAME is the run of that name. Runs
with a name are never pruned.`,
	}
	var f originFlags
	set := &cobra.Command{
		Use: "set NAME SOURCE", Short: "Give a run a name; a file is recorded first",
		RunE: func(c *cobra.Command, args []string) error {
			return a.bench.baselineSet(c.Context(), &f, args[0], args[1])
		},
	}
	f.add(set)
	c.AddCommand(
		set,
		&cobra.Command{
			Use: "list", Short: "List the names",
			RunE: func(c *cobra.Command, _ []string) error { return a.bench.baselineList(c.Context()) },
		},
		&cobra.Command{
			Use: "promote FROM TO", Short: "Give the run that is named FROM the name TO too",
			RunE: func(c *cobra.Command, args []string) error {
				return a.bench.baselineSet(c.Context(), &f, args[1], "baseline:"+args[0])
			},
		},
		&cobra.Command{
			Use: "rm NAME", Short: "Remove a name; its run stays recorded",
			RunE: func(c *cobra.Command, args []string) error {
				return a.bench.writeBench(c.Context(), func(b benchWriter) error { return b.RemoveBaseline(c.Context(), args[0]) })
			},
		},
	)
	return c
}

func (a benchCommands) baselineSet(ctx context.Context, f *originFlags, name, source string) error {
	if name == "" {
		return usage(errors.New("NAME is empty: expected a name"))
	}
	if !benchcmd.IsRecorded(source) {
		if source == "-" {
			return usage(errors.New("baseline set: expected a file or a recorded run, got standard input (bench record keeps it)"))
		}
		run, err := a.file(f, source)
		if err != nil {
			return usage(err)
		}
		origin, err := f.origin(a.app, ctx)
		if err != nil {
			return err
		}
		return a.writeBench(ctx, func(b benchWriter) error {
			done, err := b.Record(ctx, []service.BenchRun{service.Measured(run, origin)}, name)
			if err == nil {
				a.say("baseline %s is %s", name, done[0].Title)
			}
			return err
		})
	}
	return a.writeBench(ctx, func(b benchWriter) error {
		done, err := b.SetBaseline(ctx, name, source)
		if err == nil {
			a.say("baseline %s is %s", name, done.Title)
		}
		return err
	})
}

func (a benchCommands) baselineList(ctx context.Context) error {
	list, err := readBench(a.app, ctx, func(b *service.Benchmarks) ([]ledger.Baseline, error) { return b.Baselines(ctx) })
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
		RunE: func(c *cobra.Command, args []string) error {
			if reason == "" {
				return usage(errors.New("--reason: expected why the change is accepted, got nothing"))
			}
			return a.bench.writeBench(c.Context(), func(b benchWriter) error {
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
		RunE: func(c *cobra.Command, _ []string) error {
			if days < 1 || days > 36500 {
				return usage(fmt.Errorf("--days: expected 1 to 36500, got %d", days))
			}
			ctx := c.Context()
			return a.bench.writeBench(ctx, func(b benchWriter) error {
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
