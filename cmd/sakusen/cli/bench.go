package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"sakusen/bench"
	"sakusen/bench/runner"
	"sakusen/cmd/benchcmd"
	"sakusen/tuner/serve/client"
	"sakusen/tuner/service"
	"sakusen/tuner/store/sqlitedb"
)

// benchCommand holds the commands about benchmarks.
func benchCommand(a *app) *cobra.Command {
	p := a.bench.program()
	c := &cobra.Command{
		Use:   "bench",
		Short: "Record, compare and check the benchmarks of any Go module",
		Long: `Records, compares and gates the results of go test -bench, of any Go module.

A SOURCE is a file of benchmark text, plain or from go test -json, - for
standard input, or something recorded: run:12, latest, baseline:NAME,
commit:4f2a (its last run).`,
	}
	c.AddCommand(
		benchcmd.RunCommand(p),
		benchRecordCommand(a),
		benchcmd.CompareCommand(p),
		a.gate.command(p),
		benchcmd.BisectCommand(p),
		benchcmd.CommentCommand(p),
		benchSignCommand(a),
		benchBaselineCommand(a),
		benchAcceptCommand(a),
		benchHistoryCommand(a),
		benchSiteCommand(a),
		benchPruneCommand(a),
		benchChangepointsCommand(a),
		benchExportCommand(a),
	)
	return c
}

func benchExportCommand(a *app) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "export [SOURCE]",
		Short: "Print a recorded run as benchmark text that benchstat reads",
		Long: `Prints a recorded run (default: the latest) as the text that was recorded, so
that benchstat and bench record read back what they read then.`,
		RunE: func(c *cobra.Command, args []string) error {
			if format != "benchfmt" {
				return usage(fmt.Errorf("--format: expected benchfmt, got %q", format))
			}
			source := "latest"
			if len(args) > 0 {
				source = args[0]
			}
			text, err := readBench(a, c.Context(), func(b *service.Benchmarks) (string, error) { return b.Text(c.Context(), source) })
			if err != nil {
				return err
			}
			_, err = io.WriteString(a.out, text)
			return err
		},
	}
	c.Flags().StringVar(&format, "format", "benchfmt", "benchfmt")
	return c
}

// program is this program to the commands that it shares with sakusen-bench.
func (a benchCommands) program() *benchcmd.Program {
	return &benchcmd.Program{
		Name: "sakusen bench", In: a.in, Out: a.out, Err: a.err, Env: a.env, JSON: &a.flags.asJSON, Say: a.say,
		Setting: func(name string) string { return a.settings.Text(name) }, Kept: a,
	}
}

// Place, Run, Old, Before, Record and Fill keep runs in the database.
func (a benchCommands) Place() string { return "the database" }

// Run reads a recorded run.
func (a benchCommands) Run(ctx context.Context, source string) (*bench.Run, error) {
	return readBench(a.app, ctx, func(b *service.Benchmarks) (*bench.Run, error) {
		run, _, err := b.Run(ctx, source)
		return run, err
	})
}

// Old reads a recorded run, with the levels that were accepted after it.
func (a benchCommands) Old(ctx context.Context, source string) (*bench.Run, error) {
	old, err := readBench(a.app, ctx, func(b *service.Benchmarks) (*service.Compared, error) { return b.Compared(ctx, source) })
	return a.renewed(old), err
}

// Before finds the recorded run to compare a change with.
func (a benchCommands) Before(ctx context.Context, commits []string, machine string) (*bench.Run, error) {
	old, err := readBench(a.app, ctx, func(b *service.Benchmarks) (*service.Compared, error) { return b.ForkPoint(ctx, commits, machine) })
	if err == nil && old != nil {
		a.say("comparing with %s", old.Title)
	}
	return a.renewed(old), err
}

// renewed says how many series of a recorded run are compared from a later, accepted run on.
func (a benchCommands) renewed(old *service.Compared) *bench.Run {
	if old == nil {
		return nil
	}
	if old.Renewed > 0 {
		a.say("%s: %d series count from where a change was accepted", old.Name, old.Renewed)
	}
	return old.Run
}

// Record records the sides of a measurement; the noise is a second run of the base.
func (a benchCommands) Record(ctx context.Context, o runner.Options, d *runner.Decided, branch string) error {
	sides, err := service.BenchSides(ctx, o, d, branch, a.baselineBranch(ctx, o.Dir), a.env)
	if err != nil {
		return err
	}
	return a.writeBench(ctx, func(b benchWriter) error {
		done, err := b.Record(ctx, sides, "")
		for i, r := range done {
			a.say("%s: recorded as %s", sides[i].Name, r.Title)
		}
		return err
	})
}

// Fill records measured commits of a range.
func (a benchCommands) Fill(ctx context.Context, o runner.Options, past []runner.Past, read func(text, name string) (*bench.Run, error)) error {
	runs, err := service.BenchPast(ctx, o.Dir, past, a.baselineBranch(ctx, o.Dir), read)
	if err != nil {
		return usage(err)
	}
	var reports []service.BenchRecorded
	err = a.writeBench(ctx, func(b benchWriter) (err error) {
		reports, err = b.Record(ctx, runs, "")
		return err
	})
	return errors.Join(err, a.printRecorded(reports))
}

// baselineBranch is the branch whose histories are kept.
func (a benchCommands) baselineBranch(ctx context.Context, dir string) string {
	return a.program().BaselineBranch(ctx, dir)
}

// readBench reads recorded benchmarks.
func readBench[T any](a *app, ctx context.Context, ask func(*service.Benchmarks) (T, error)) (answer T, err error) {
	db, err := sqlitedb.OpenReadOnly(ctx, a.settings.Text("database"))
	if err != nil {
		return answer, err
	}
	b, err := service.OpenBenchmarks(ctx, db)
	if err == nil {
		answer, err = ask(b)
	}
	return answer, errors.Join(err, db.Close())
}

// benchWriter is where benchmarks are written: the database, or the daemon that
// holds it.
type benchWriter interface {
	Record(ctx context.Context, runs []service.BenchRun, baseline string) ([]service.BenchRecorded, error)
	SetBaseline(ctx context.Context, name, source string) (service.BenchNamed, error)
	RemoveBaseline(ctx context.Context, name string) error
	Accept(ctx context.Context, a service.BenchAccept) (service.BenchAccepted, error)
	Prune(ctx context.Context, days int, dry bool) (int64, error)
}

// writeBench writes benchmarks to the database, or through the daemon.
func (a benchCommands) writeBench(ctx context.Context, do func(benchWriter) error) error {
	p, err := a.link.openToWrite(ctx, ledgerPatience)
	if err != nil {
		return err
	}
	if p.daemon != nil {
		return do(client.Benchmarks{Client: p.daemon})
	}
	b, err := service.OpenBenchmarks(ctx, p.db)
	if err == nil {
		err = do(b)
	}
	return errors.Join(err, p.close())
}

// ledgerPatience is how long a command that writes benchmarks waits for another one to end.
// Recording takes some milliseconds, and the jobs of one build often end at the same time.
const ledgerPatience = 2 * time.Second
