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

// command returns the commands about benchmarks.
func (a benchCommands) command() command {
	p := a.program()
	return command{
		use: "bench", short: "Record, compare and check the benchmarks of any Go module",
		long: `Records, compares and gates the results of go test -bench, of any Go module.

A SOURCE is a file of benchmark text, plain or from go test -json, - for
standard input, or a recorded run: run:12, latest, baseline:NAME, commit:4f2a (the last
run of this commit).`,
		sub: []command{
			{made: benchcmd.RunCommand(p)},
			{
				use: "record [FILE...] [-- COMMAND...]", short: "Keep the output of go test -bench in the database", bind: a.record,
				long: `Keeps the output of go test -bench, plain or -json, in the database: its text, its
values, the commit, the branch and the machine class. The output comes from files,
from standard input (no file, or -), or from a command after --. The same text of
the same commit is kept once. A run in which a package failed or results were lost is kept
as incomplete: a gate uses it as baseline only if it is named.

--format json takes the numbers of other tools: a list of objects with name, unit,
value (or values, several samples) and, if known, pkg, better (higher or lower)
and interval ([low, high], which is kept but not used: comparisons need samples).
It also reads what github-action-benchmark keeps (data.js; the last commit) and
Bencher's metric format.`,
				example: `  go test -run '^$' -bench . -count 10 ./... | sakusen bench record
  sakusen bench record -- go test -run '^$' -bench . -count 10 ./...`,
			},
			{made: benchcmd.CompareCommand(p)},
			{made: a.gate.command(p)},
			{made: benchcmd.BisectCommand(p)},
			{made: benchcmd.CommentCommand(p)},
			{
				use: "sign [GAME [STRATEGY...]]", short: "Print the signature of each strategy's play", bind: a.sign,
				long: `Prints a signature of each strategy: a hash of games that it plays against itself
with fixed seeds under the default rules. It changes if and only if the play
changes. As benchmark text (--format benchfmt) a signature is two exact metrics,
its upper and its lower 32 bits, which bench gate requires to be equal. Signatures
are the same on every machine of one GOARCH.`,
				example: `  sakusen bench sign battleship
  sakusen bench sign --format benchfmt > new.txt && sakusen bench gate --exact old.txt new.txt`,
			},
			{
				use: "baseline", short: "Give names to recorded runs: set, list, promote, rm",
				long: `Gives names to recorded runs. A SOURCE baseline:NAME is the run of that name. Runs
with a name are never pruned.`,
				sub: []command{
					{use: "set NAME SOURCE", short: "Give a run a name; if SOURCE is a file, it is recorded first", bind: a.baselineSet},
					{use: "list", short: "List the names of recorded runs", do: a.baselineList},
					{use: "promote FROM TO", short: "Give the run named FROM the second name TO", do: func(ctx context.Context, args []string) error {
						return a.baseline(ctx, args[1], "baseline:"+args[0])
					}},
					{use: "rm NAME", short: "Remove a name; the run that had it stays recorded", do: func(ctx context.Context, args []string) error {
						return a.changeBench(ctx, func(b benchWriter) error { return b.RemoveBaseline(ctx, args[0]) })
					}},
				},
			},
			{
				use: "accept SERIES --reason TEXT", short: "Accept a change of speed: comparisons of the series begin again with this run", bind: a.accept,
				long: `Accepts the values of a series in a recorded run as the new normal. The history of
the series begins anew there, and gates compare with these values even if their
baseline is older. SERIES is a title "package.Name unit", or a part of it that
only one series of the run has.`,
				example: `  sakusen bench accept "sakusen/tuner/stats.LLR-2 sec/op" --reason "exact tables"`,
			},
			{
				use: "history [SERIES]", short: "Show the medians of each run as a chart, and where their level changed", bind: a.history,
				long: `Shows the recorded medians of each series whose title "package.Name unit" contains
SERIES, run by run, on the baseline branch, and where their level changed. A change is
reported as an alarm after four runs on the new level. The history of
an accepted series begins anew where it was accepted. Runs of trees with
uncommitted changes belong to no branch; --all-branches shows them too.

Exit code: 0, or 4 if nothing is recorded.`,
			},
			{
				use: "site DIR", short: "Write histories, verdicts and change points as static pages", bind: a.site,
				long: `Writes a page for each recorded series of the baseline branch into DIR, and
lists them in index.html, index-2.html and so on, those that got worse first. The pages
show the change of the last run against the baseline in per cent, histories, where the
level changed, and which functions took the time. The baseline of a series is the run with
which it begins, the first one or the one accepted last, or that of --baseline.
The pages need no server; only their search field needs a script.

--webhook sends each alarm (a change of level that four runs confirm) once, as a
POST of JSON with event, series, unit, machine, run, commit, before, after, what,
p and text. DIR/alarms.json lists the alarms already sent: keep this file between runs.

Exit code: 0; 4 if nothing is recorded; 5 if the webhook fails.`,
			},
			{
				use: "prune --days N", short: "Remove recorded runs older than N days", bind: a.prune,
				long: `Removes runs recorded more than N days ago, except runs that have a name (bench baseline) and runs with which an accepted change begins.`,
			},
			{
				use: "changepoints", short: "Find where the level of a series of numbers changed: numbers in, JSON out", bind: a.changepoints,
				long: `Reads numbers from standard input, separated by white space or commas, and
prints where their level changed, as one JSON document: indexes from 0 of the
first value of each new level. The scheme is that of Hunter (Fleming et al.
2023) and Apache Otava; it is deterministic.`,
				example: `  seq 1 20 | sakusen bench changepoints --max-p 0.0001 --window 30`,
			},
			{
				use: "export [SOURCE]", short: "Print a recorded run as benchmark text that benchstat reads", bind: a.export,
				long: `Prints a recorded run (default: the latest) as the text that was recorded, so
that benchstat and bench record read the same values from it.`,
			},
		},
	}
}

func (a benchCommands) export(c *cobra.Command) action {
	format := c.Flags().String("format", "benchfmt", "benchfmt")
	return func(ctx context.Context, args []string) error {
		if *format != "benchfmt" {
			return usage(fmt.Errorf("--format: expected benchfmt, got %q", *format))
		}
		text, err := readBench(a.app, ctx, func(b *service.Benchmarks) (string, error) { return b.Text(ctx, append(args, "latest")[0]) })
		if err != nil {
			return err
		}
		_, err = io.WriteString(a.out, text)
		return err
	}
}

// program returns this program as the commands see it that it shares with sakusen-bench.
func (a benchCommands) program() *benchcmd.Program {
	return &benchcmd.Program{
		Name: "sakusen bench", In: a.in, Out: a.out, Err: a.err, Env: a.env, JSON: &a.flags.asJSON, Say: a.say,
		Setting: func(name string) string { return a.settings.Text(name) }, Kept: keptRuns{a},
	}
}

// keptRuns keeps runs in the database.
type keptRuns struct{ benchCommands }

// Place reports where runs are kept.
func (a keptRuns) Place() string { return "the database" }

// Run reads a recorded run.
func (a keptRuns) Run(ctx context.Context, source string) (*bench.Run, error) {
	return readBench(a.app, ctx, func(b *service.Benchmarks) (*bench.Run, error) {
		run, _, err := b.Run(ctx, source)
		return run, err
	})
}

// Old reads a recorded run, with the levels that were accepted after it.
func (a keptRuns) Old(ctx context.Context, source string) (*bench.Run, error) {
	old, err := readBench(a.app, ctx, func(b *service.Benchmarks) (*service.Compared, error) { return b.Compared(ctx, source) })
	return a.renewed(old), err
}

// Before finds the recorded run to compare a change with.
func (a keptRuns) Before(ctx context.Context, of *bench.Run, commits []string, machine string) (*bench.Run, error) {
	old, err := readBench(a.app, ctx, func(b *service.Benchmarks) (*service.Compared, error) { return b.ForkPoint(ctx, of, commits, machine) })
	if err == nil && old != nil {
		a.say("comparing with %s", old.Title)
	}
	return a.renewed(old), err
}

// renewed reports how many series of a recorded run are compared from a later, accepted run on.
func (a keptRuns) renewed(old *service.Compared) *bench.Run {
	if old == nil {
		return nil
	}
	if old.Renewed > 0 {
		a.say("%s: %d series count from where a change was accepted", old.Name, old.Renewed)
	}
	return old.Run
}

// Record records the sides of a measurement; the noise is a second run of the base.
func (a keptRuns) Record(ctx context.Context, o runner.Options, d *runner.Decided, branch string) error {
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
func (a keptRuns) Fill(ctx context.Context, o runner.Options, past []runner.Past, read func(text, name string) (*bench.Run, error)) error {
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

// baselineBranch returns the branch whose histories are kept.
func (a benchCommands) baselineBranch(ctx context.Context, dir string) string {
	return a.program().BaselineBranch(ctx, dir)
}

// readBench reads recorded benchmarks.
func readBench[T any](a *app, ctx context.Context, ask func(*service.Benchmarks) (T, error)) (answer T, err error) {
	if err := a.bench.there(); err != nil {
		return answer, err
	}
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

// there refuses what needs recorded benchmarks where there is no database.
func (a benchCommands) there() error {
	if a.database.databaseExists() {
		return nil
	}
	return usage(fmt.Errorf("%s: there is no database yet: sakusen bench record and bench run --record make one, and --db names another", a.settings.Text("database")))
}

// changeBench does what writeBench does, of what is recorded already.
func (a benchCommands) changeBench(ctx context.Context, do func(benchWriter) error) error {
	if err := a.there(); err != nil {
		return err
	}
	return a.writeBench(ctx, do)
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
