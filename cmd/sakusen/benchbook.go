package main

import (
	"context"
	"net/http"
	"net/url"

	"sakusen/tuner/service"
)

// daemonBench is the benchmarks of a daemon's database.
type daemonBench struct{ *apiClient }

func (b *daemonBench) Record(ctx context.Context, runs []service.BenchRun, baseline string) ([]service.BenchRecorded, error) {
	out := []service.BenchRecorded{}
	for _, run := range runs { // one by one: there is a bound for the size of a request
		var answer struct{ Runs []service.BenchRecorded }
		if err := b.call(ctx, http.MethodPost, "/api/v1/bench/runs", map[string]any{"runs": []service.BenchRun{run}, "baseline": baseline}, &answer); err != nil {
			return out, err
		}
		out = append(out, answer.Runs...)
		baseline = ""
	}
	return out, nil
}

func (b *daemonBench) SetBaseline(ctx context.Context, name, source string) (n service.BenchNamed, err error) {
	err = b.call(ctx, http.MethodPut, "/api/v1/bench/baselines/"+url.PathEscape(name), map[string]string{"source": source}, &n)
	return n, err
}

func (b *daemonBench) RemoveBaseline(ctx context.Context, name string) error {
	return b.call(ctx, http.MethodDelete, "/api/v1/bench/baselines/"+url.PathEscape(name), nil, nil)
}

func (b *daemonBench) Accept(ctx context.Context, a service.BenchAccept) (done service.BenchAccepted, err error) {
	err = b.call(ctx, http.MethodPost, "/api/v1/bench/accept", a, &done)
	return done, err
}

func (b *daemonBench) Prune(ctx context.Context, days int, dry bool) (int64, error) {
	var answer struct{ Runs int64 }
	err := b.call(ctx, http.MethodPost, "/api/v1/bench/prune", map[string]any{"days": days, "dry_run": dry}, &answer)
	return answer.Runs, err
}
