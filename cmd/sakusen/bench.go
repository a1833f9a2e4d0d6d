package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sakusen/bench"
	"sakusen/bench/ledger"
	"sakusen/tuner/sqlitedb"
)

// benchCommand is benchmarks: recorded, compared, gated.
func benchCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "bench",
		Short: "Records, compares and gates go test -bench results of any Go module",
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
		benchSignCommand(a),
		benchBaselineCommand(a),
		benchAcceptCommand(a),
		benchHistoryCommand(a),
		benchPruneCommand(a),
		benchChangepointsCommand(a),
		benchExportCommand(a),
	)
	return c
}

// readLedger opens the benchmarks of the database for reading.
func readLedger(a *app, ctx context.Context, do func(*ledger.Ledger) error) error {
	db, err := sqlitedb.OpenReadOnly(ctx, a.settings.Text("database"))
	if err != nil {
		return err
	}
	l, err := ledger.Open(ctx, db)
	if err == nil {
		err = do(l)
	}
	return errors.Join(err, db.Close())
}

// ledgerPatience is how long a command that writes benchmarks waits for another
// one to end: recording takes some milliseconds, and jobs of one build end
// together.
const ledgerPatience = 2 * time.Second

// openSoon opens the database for writing as soon as no other command writes it;
// for a daemon it does not wait.
func openSoon(a *app, ctx context.Context) (*sqlitedb.DB, error) {
	deadline := time.Now().Add(ledgerPatience)
	for {
		db, err := sqlitedb.Open(ctx, a.settings.Text("database"), sqlitedb.Options{Point: a.point})
		var locked *sqlitedb.LockedError
		if !errors.As(err, &locked) || locked.Address != "" || time.Now().After(deadline) {
			return db, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// benchSource reads a SOURCE.
func benchSource(a *app, ctx context.Context, source string) (*bench.Run, error) {
	if source == "-" {
		run, err := bench.Read(a.in, "standard input", bench.ReadOptions{})
		return run, usage(err)
	}
	if !recorded(source) {
		f, err := os.Open(source)
		if err != nil {
			return nil, usage(fmt.Errorf("%w (expected a file, -, run:N, latest, baseline:NAME or commit:HASH)", err))
		}
		defer f.Close()
		run, err := bench.Read(f, source, bench.ReadOptions{})
		return run, usage(err)
	}
	var run *bench.Run
	err := readLedger(a, ctx, func(l *ledger.Ledger) error {
		e, err := findEntry(ctx, l, source)
		if err != nil {
			return err
		}
		run, err = l.Run(ctx, e.ID)
		return err
	})
	return run, err
}

// recorded tells whether a SOURCE means something in the database.
func recorded(source string) bool {
	kind, _, found := strings.Cut(source, ":")
	return source == "latest" || found && (kind == "run" || kind == "baseline" || kind == "commit")
}

// findEntry finds the recorded run that a SOURCE means.
func findEntry(ctx context.Context, l *ledger.Ledger, source string) (e ledger.Entry, err error) {
	kind, name, _ := strings.Cut(source, ":")
	switch kind {
	case "latest":
		e, err = l.Latest(ctx)
	case "run":
		id, parse := strconv.ParseInt(name, 10, 64)
		if parse != nil {
			return e, usage(fmt.Errorf("%s: expected the number of a run", source))
		}
		e, err = l.Entry(ctx, id)
	case "commit":
		e, err = l.OfCommit(ctx, name, "")
	case "baseline":
		e, err = l.OfBaseline(ctx, name)
	default:
		return e, usage(fmt.Errorf("%s: expected run:N, latest, baseline:NAME or commit:HASH", source))
	}
	if errors.Is(err, ledger.ErrNotFound) {
		err = usage(err)
	}
	return e, err
}
