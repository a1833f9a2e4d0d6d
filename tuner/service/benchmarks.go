package service

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"sakusen/bench"
	"sakusen/bench/ledger"
	"sakusen/tuner/store/sqlitedb"
)

// Benchmarks is what is recorded of go test -bench in an open database: runs,
// their names, accepted changes, and how series went.
type Benchmarks struct {
	ledger *ledger.Ledger
	branch string // on which baselines are measured
}

// OpenBenchmarks is the benchmarks of a database.
func OpenBenchmarks(ctx context.Context, db *sqlitedb.DB) (*Benchmarks, error) {
	l, err := ledger.Open(ctx, db)
	if err != nil {
		return nil, err
	}
	return &Benchmarks{ledger: l}, nil
}

// mostCauses bounds the causes of a run.
const mostCauses = 100

// Record keeps runs; baseline, unless empty, becomes the name of the first. What
// was recorded before is not recorded again. On an error the answer is what was
// recorded until then.
func (b *Benchmarks) Record(ctx context.Context, runs []BenchRun, baseline string) ([]BenchRecorded, error) {
	read := make([]*bench.Run, len(runs))
	for i, given := range runs {
		var err error
		if read[i], err = bench.Read(strings.NewReader(given.Text), given.Name, bench.ReadOptions{Machine: given.Machine}); err != nil {
			return nil, Wrap(Invalid, fmt.Errorf("runs[%d].text: %w", i, err))
		}
		if len(given.Causes) > mostCauses {
			return nil, Wrap(Invalid, fmt.Errorf("runs[%d].causes: expected at most %d, got %d", i, mostCauses, len(given.Causes)))
		}
		for k := range given.Causes {
			if err := given.Causes[k].Check(); err != nil {
				return nil, Wrap(Invalid, fmt.Errorf("runs[%d].causes[%d]: %w", i, k, err))
			}
		}
	}
	out := []BenchRecorded{}
	for i, run := range read {
		given := runs[i]
		e, fresh, err := b.ledger.Record(ctx, run, ledger.Origin{Commit: given.Commit, Branch: given.Branch, Dirty: given.Dirty, GoVersion: given.Go, Dated: given.Dated})
		if err == nil && i == 0 && baseline != "" {
			err = b.ledger.SetBaseline(ctx, baseline, e.ID)
		}
		if err == nil && len(given.Causes) > 0 {
			err = b.ledger.Explain(ctx, e.ID, given.Against, given.Causes)
		}
		if err != nil {
			return out, err
		}
		out = append(out, BenchRecorded{
			Run: e.ID, New: fresh, Name: e.Name, Commit: e.Commit, Branch: e.Branch, Dirty: e.Dirty, Machine: e.Machine, Go: e.GoVersion,
			Series: len(run.Order), Samples: e.Samples, SHA256: e.Digest,
		})
	}
	return out, nil
}

// SetBaseline gives the recorded run that source means a name.
func (b *Benchmarks) SetBaseline(ctx context.Context, name, source string) (BenchNamed, error) {
	e, err := b.find(ctx, source)
	if err != nil {
		return BenchNamed{}, err
	}
	return BenchNamed{Name: name, Run: e.ID, Title: e.Title()}, b.ledger.SetBaseline(ctx, name, e.ID)
}

// RemoveBaseline takes a name away; its run stays.
func (b *Benchmarks) RemoveBaseline(ctx context.Context, name string) error {
	return b.ledger.RemoveBaseline(ctx, name)
}

// Baselines are the names, each with its run.
func (b *Benchmarks) Baselines(ctx context.Context) ([]BenchBaseline, error) {
	list, err := b.ledger.Baselines(ctx)
	out := []BenchBaseline{}
	for _, n := range list {
		out = append(out, BenchBaseline{n.Name, n.Run.ID, n.Run.Commit, n.Run.Branch, n.Run.Machine, n.Run.Recorded, n.Updated, n.Run.Title()})
	}
	return out, err
}

// Accept lets a series begin anew with the values of a run.
func (b *Benchmarks) Accept(ctx context.Context, given BenchAccept) (BenchAccepted, error) {
	e, err := b.find(ctx, given.Source)
	if err != nil {
		return BenchAccepted{}, err
	}
	run, err := b.ledger.Run(ctx, e.ID)
	if err != nil {
		return BenchAccepted{}, err
	}
	s, err := run.Find(given.Series)
	if err != nil {
		return BenchAccepted{}, Wrap(Invalid, err)
	}
	return BenchAccepted{Series: s.Title(), Run: e.ID, Title: e.Title()}, b.ledger.Accept(ctx, s, e.ID, given.Reason)
}

// Prune removes runs recorded more than so many days ago that nothing names, or,
// dry, counts them.
func (b *Benchmarks) Prune(ctx context.Context, days int, dry bool) (int64, error) {
	return b.ledger.Prune(ctx, time.Now().AddDate(0, 0, -days), dry)
}

// Compared is a recorded run as the side to compare with: series that were
// accepted later have the values with which they began anew.
type Compared struct {
	*bench.Run
	Title   string // of the recorded run
	Renewed int    // series with later values
}

// Compared reads the recorded run that source means.
func (b *Benchmarks) Compared(ctx context.Context, source string) (*Compared, error) {
	e, err := b.find(ctx, source)
	if err != nil {
		return nil, err
	}
	return b.renewed(ctx, e)
}

// ForkPoint is the first of the commits that was recorded as it was committed, on
// a machine class unless that is empty; nil where none was.
func (b *Benchmarks) ForkPoint(ctx context.Context, commits []string, machine string) (*Compared, error) {
	for _, commit := range commits {
		e, err := b.ledger.OfCommit(ctx, commit, machine)
		if errors.Is(err, ledger.ErrNotFound) || err == nil && e.Dirty { // not what was committed
			continue
		}
		if err != nil {
			return nil, err
		}
		return b.renewed(ctx, e)
	}
	return nil, nil
}

func (b *Benchmarks) renewed(ctx context.Context, e ledger.RecordedRun) (*Compared, error) {
	run, err := b.ledger.Run(ctx, e.ID)
	if err != nil {
		return nil, err
	}
	n, err := b.ledger.Renew(ctx, run, e.ID)
	return &Compared{run, e.Title(), n}, err
}

// IsRecorded tells whether a source of benchmarks means something in the
// database: latest, run:N, baseline:NAME or commit:HASH.
func IsRecorded(source string) bool {
	kind, _, found := strings.Cut(source, ":")
	return source == "latest" || found && (kind == "run" || kind == "baseline" || kind == "commit")
}

// find finds the recorded run that a source means.
func (b *Benchmarks) find(ctx context.Context, source string) (ledger.RecordedRun, error) {
	kind, name, _ := strings.Cut(source, ":")
	switch kind {
	case "latest":
		return b.ledger.Latest(ctx)
	case "run":
		id, err := strconv.ParseInt(name, 10, 64)
		if err != nil {
			return ledger.RecordedRun{}, New(Invalid, fmt.Sprintf("%s: expected the number of a run", source))
		}
		return b.ledger.Entry(ctx, id)
	case "commit":
		return b.ledger.OfCommit(ctx, name, "")
	case "baseline":
		return b.ledger.OfBaseline(ctx, name)
	}
	return ledger.RecordedRun{}, New(Invalid, fmt.Sprintf("%s: expected run:N, latest, baseline:NAME or commit:HASH", source))
}

// Run reads the recorded run that a source means.
func (b *Benchmarks) Run(ctx context.Context, source string) (*bench.Run, error) {
	e, err := b.find(ctx, source)
	if err != nil {
		return nil, err
	}
	return b.ledger.Run(ctx, e.ID)
}

// Text is the recorded run that a source means as it was recorded, in the format
// of go test -bench.
func (b *Benchmarks) Text(ctx context.Context, source string) (string, error) {
	e, err := b.find(ctx, source)
	if err != nil {
		return "", err
	}
	return b.ledger.Export(ctx, e.ID)
}
