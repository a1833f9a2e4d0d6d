package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"sakusen/bench"
	"sakusen/tuner/service"
	"sakusen/tuner/store/sqlitedb"
)

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
func writeBench(a *app, ctx context.Context, do func(benchWriter) error) error {
	p, err := openToWrite(a, ctx, ledgerPatience)
	if err != nil {
		return err
	}
	if p.daemon != nil {
		return do(p.daemon.Benchmarks())
	}
	b, err := service.OpenBenchmarks(ctx, p.db)
	if err == nil {
		err = do(b)
	}
	return errors.Join(err, p.close())
}

// benchSource reads a SOURCE.
func benchSource(a *app, ctx context.Context, source string) (*bench.Run, error) {
	if source == "-" {
		run, err := bench.Read(a.in, "standard input", bench.ReadOptions{})
		return run, usage(err)
	}
	if service.IsRecorded(source) {
		return readBench(a, ctx, func(b *service.Benchmarks) (*bench.Run, error) { return b.Run(ctx, source) })
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
