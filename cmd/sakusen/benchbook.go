package main

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"sakusen/bench"
	"sakusen/bench/ledger"
	"sakusen/tuner/web"
)

// benchBook is where benchmarks are written: the database, or the daemon that
// holds it.
type benchBook interface {
	// record keeps runs, each with where it was measured; baseline, unless empty,
	// becomes the name of the first.
	record(ctx context.Context, runs []*bench.Run, origins []ledger.Origin, baseline string) ([]web.BenchRecorded, error)
	setBaseline(ctx context.Context, name, source string) (web.BenchNamed, error)
	removeBaseline(ctx context.Context, name string) error
	accept(ctx context.Context, a web.BenchAccept) (web.BenchAccepted, error)
	prune(ctx context.Context, days int, dry bool) (int64, error)
}

// writeBench writes benchmarks to the database, or through the daemon.
func writeBench(a *app, ctx context.Context, do func(benchBook) error) error {
	db, err := openSoon(a, ctx)
	if err != nil {
		c, err := a.daemonOf(err)
		if err != nil {
			return err
		}
		return do(&daemonBench{c})
	}
	l, err := ledger.Open(ctx, db)
	if err == nil {
		err = do(&ledgerBench{l})
	}
	return errors.Join(err, db.Close())
}

// ledgerBench is the benchmarks of an open database.
type ledgerBench struct{ *ledger.Ledger }

func (b *ledgerBench) record(ctx context.Context, runs []*bench.Run, origins []ledger.Origin, baseline string) ([]web.BenchRecorded, error) {
	out := []web.BenchRecorded{}
	for i, run := range runs {
		e, fresh, err := b.Record(ctx, run, origins[i])
		if err == nil && i == 0 && baseline != "" {
			err = b.SetBaseline(ctx, baseline, e.ID)
		}
		if err != nil {
			return out, err
		}
		out = append(out, web.BenchRecorded{
			Run: e.ID, New: fresh, Name: e.Name, Commit: e.Commit, Branch: e.Branch, Dirty: e.Dirty, Machine: e.Machine, Go: e.GoVersion,
			Series: len(run.Order), Samples: e.Samples, SHA256: e.Digest,
		})
	}
	return out, nil
}

func (b *ledgerBench) setBaseline(ctx context.Context, name, source string) (web.BenchNamed, error) {
	e, err := findEntry(ctx, b.Ledger, source)
	if err != nil {
		return web.BenchNamed{}, err
	}
	return web.BenchNamed{Name: name, Run: e.ID, Title: e.Title()}, b.SetBaseline(ctx, name, e.ID)
}

func (b *ledgerBench) removeBaseline(ctx context.Context, name string) error {
	err := b.RemoveBaseline(ctx, name)
	if errors.Is(err, ledger.ErrNotFound) {
		return usage(err)
	}
	return err
}

func (b *ledgerBench) accept(ctx context.Context, a web.BenchAccept) (web.BenchAccepted, error) {
	e, err := findEntry(ctx, b.Ledger, a.Source)
	if err != nil {
		return web.BenchAccepted{}, err
	}
	run, err := b.Run(ctx, e.ID)
	if err != nil {
		return web.BenchAccepted{}, err
	}
	s, err := run.Find(a.Series)
	if err != nil {
		return web.BenchAccepted{}, usage(err)
	}
	return web.BenchAccepted{Series: s.Title(), Run: e.ID, Title: e.Title()}, b.Accept(ctx, s, e.ID, a.Reason)
}

func (b *ledgerBench) prune(ctx context.Context, days int, dry bool) (int64, error) {
	return b.Prune(ctx, daysAgo(days), dry)
}

// daemonBench is the benchmarks of a daemon's database.
type daemonBench struct{ *apiClient }

func (b *daemonBench) record(ctx context.Context, runs []*bench.Run, origins []ledger.Origin, baseline string) ([]web.BenchRecorded, error) {
	out := []web.BenchRecorded{}
	for i, run := range runs {
		o := origins[i]
		given := web.BenchRun{Name: run.Name, Text: run.Raw, Commit: o.Commit, Branch: o.Branch, Dirty: o.Dirty, Go: o.GoVersion}
		if plain, err := bench.Read(strings.NewReader(run.Raw), run.Name, bench.ReadOptions{}); err != nil || plain.Machine() != run.Machine() {
			given.Machine = run.Machine() // the text alone would have another
		}
		var answer struct{ Runs []web.BenchRecorded }
		if err := b.call(ctx, http.MethodPost, "/api/v1/bench/runs", map[string]any{"runs": []web.BenchRun{given}, "baseline": baseline}, &answer); err != nil {
			return out, err
		}
		out = append(out, answer.Runs...)
		baseline = ""
	}
	return out, nil
}

func (b *daemonBench) setBaseline(ctx context.Context, name, source string) (n web.BenchNamed, err error) {
	err = b.call(ctx, http.MethodPut, "/api/v1/bench/baselines/"+url.PathEscape(name), map[string]string{"source": source}, &n)
	return n, err
}

func (b *daemonBench) removeBaseline(ctx context.Context, name string) error {
	return b.call(ctx, http.MethodDelete, "/api/v1/bench/baselines/"+url.PathEscape(name), nil, nil)
}

func (b *daemonBench) accept(ctx context.Context, a web.BenchAccept) (done web.BenchAccepted, err error) {
	err = b.call(ctx, http.MethodPost, "/api/v1/bench/accept", a, &done)
	return done, err
}

func (b *daemonBench) prune(ctx context.Context, days int, dry bool) (int64, error) {
	var answer struct{ Runs int64 }
	err := b.call(ctx, http.MethodPost, "/api/v1/bench/prune", map[string]any{"days": days, "dry_run": dry}, &answer)
	return answer.Runs, err
}
