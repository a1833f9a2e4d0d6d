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
	"sakusen/tuner/serve/client"
	"sakusen/tuner/service"
	"sakusen/tuner/store/sqlitedb"
)

// benchCommand holds the commands about benchmarks.
func benchCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "bench",
		Short: "Record, compare and check the benchmarks of any Go module",
		Long: `Records, compares and gates the results of go test -bench, of any Go module.

A SOURCE is a file of benchmark text, plain or from go test -json, - for
standard input, or something recorded: run:12, latest, baseline:NAME,
commit:4f2a (its last run).`,
	}
	c.AddCommand(
		benchRunCommand(a),
		benchRecordCommand(a),
		benchCompareCommand(a),
		benchGateCommand(a),
		benchBisectCommand(a),
		benchCommentCommand(a),
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

// source reads a SOURCE.
func (a benchCommands) source(ctx context.Context, source string) (*bench.Run, error) {
	if source == "-" {
		run, err := bench.Read(a.in, "standard input", bench.ReadOptions{})
		return run, usage(err)
	}
	if service.IsRecorded(source) {
		return readBench(a.app, ctx, func(b *service.Benchmarks) (*bench.Run, error) {
			run, _, err := b.Run(ctx, source)
			return run, err
		})
	}
	f, err := os.Open(source)
	if err != nil {
		return nil, usage(fmt.Errorf("%w (expected a file, -, run:N, latest, baseline:NAME or commit:HASH)", err))
	}
	defer f.Close()
	run, err := bench.Read(f, source, bench.ReadOptions{})
	return run, usage(err)
}

// ledgerPatience is how long a command that writes benchmarks waits for another one to end.
// Recording takes some milliseconds, and the jobs of one build often end at the same time.
const ledgerPatience = 2 * time.Second

// compareFlags are those of comparisons.
type compareFlags struct {
	format                       string
	alpha, confidence, threshold float64
	exact                        bool
}

func (f *compareFlags) options() (bench.Options, error) {
	if f.alpha <= 0 || f.alpha >= 1 {
		return bench.Options{}, fmt.Errorf("--alpha: expected a number between 0 and 1, got %g", f.alpha)
	}
	if f.confidence <= 0 || f.confidence >= 1 {
		return bench.Options{}, fmt.Errorf("--confidence: expected a number between 0 and 1, got %g", f.confidence)
	}
	if f.threshold <= 0 || f.threshold >= 1 {
		return bench.Options{}, fmt.Errorf("--threshold: expected a number between 0 and 1, got %g", f.threshold)
	}
	return bench.Options{Alpha: f.alpha, Confidence: f.confidence, Threshold: f.threshold, ExactOnly: f.exact}, nil
}

// print prints a comparison in the form that was asked for.
func (f *compareFlags) print(a *app, c *bench.Comparison) error {
	format := f.format
	if a.flags.asJSON {
		format = "json"
	}
	write := map[string]func(io.Writer) error{"text": c.WriteText, "markdown": c.WriteMarkdown, "csv": c.WriteCSV, "json": c.WriteJSON}[format]
	if write == nil {
		return usage(fmt.Errorf("--format: expected text, markdown, csv or json, got %q", format))
	}
	if err := write(a.out); err != nil {
		return err
	}
	if c.Paired == 0 {
		return verdict(exitNothing)
	}
	return nil
}

func benchCompareCommand(a *app) *cobra.Command {
	var f compareFlags
	c := &cobra.Command{
		Use:   "compare OLD NEW",
		Short: "Compare two runs: median, interval, change, p, q and verdict of each series",
		Long: `Compares two SOURCES, series by series. Centre, interval, change and p are those
of benchstat on the same files; q is p corrected for the number of series
(Benjamini and Hochberg). Series are paired by package, name, unit, goos, goarch
and machine class, and by nothing else; exact metrics (allocations, nodes,
signatures, units declared assume=exact) cross machine classes.

Verdicts: better, worse, same (a change that matters is ruled out),
inconclusive, new, missing, exact-changed.

Exit code: 0, or 4 if no series is on both sides.`,
		Example: `  sakusen bench compare old.txt new.txt
  sakusen bench compare baseline:main - --format markdown < new.txt`,
		RunE: func(c *cobra.Command, args []string) error {
			o, err := f.options()
			if err != nil {
				return usage(err)
			}
			if args[0] == "-" && args[1] == "-" {
				return usage(fmt.Errorf("OLD and NEW cannot both be standard input (-)"))
			}
			var runs [2]*bench.Run
			for i, arg := range args {
				if runs[i], err = a.bench.source(c.Context(), arg); err != nil {
					return err
				}
			}
			return f.print(a, bench.Compare(runs[0], runs[1], o))
		},
	}
	fs := c.Flags()
	fs.StringVar(&f.format, "format", "text", "text, markdown, csv or json")
	fs.Float64Var(&f.alpha, "alpha", 0.05, "level at which q counts")
	fs.Float64Var(&f.confidence, "confidence", 0.95, "of the intervals")
	fs.Float64Var(&f.threshold, "threshold", 0.05, "relative change that matters")
	fs.BoolVar(&f.exact, "exact", false, "exact metrics only")
	return c
}
