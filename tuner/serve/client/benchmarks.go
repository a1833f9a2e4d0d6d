package client

import (
	"context"
	"net/http"
	"net/url"

	"sakusen/tuner/service"
)

// Benchmarks are the benchmarks of a daemon's database.
type Benchmarks struct{ c *Client }

// Benchmarks are the daemon's benchmarks.
func (c *Client) Benchmarks() *Benchmarks { return &Benchmarks{c} }

// Record keeps runs; baseline, unless empty, becomes the name of the first. On an
// error the answer is what was recorded until then.
func (b *Benchmarks) Record(ctx context.Context, runs []service.BenchRun, baseline string) ([]service.BenchRecorded, error) {
	out := []service.BenchRecorded{}
	for _, run := range runs { // one by one: the size of a request is bounded
		var answer struct{ Runs []service.BenchRecorded }
		if err := b.c.act(ctx, http.MethodPost, "/bench/runs", map[string]any{"runs": []service.BenchRun{run}, "baseline": baseline}, &answer); err != nil {
			return out, err
		}
		out = append(out, answer.Runs...)
		baseline = ""
	}
	return out, nil
}

// SetBaseline gives the recorded run that source means a name.
func (b *Benchmarks) SetBaseline(ctx context.Context, name, source string) (n service.BenchNamed, err error) {
	err = b.c.act(ctx, http.MethodPut, "/bench/baselines/"+url.PathEscape(name), map[string]string{"source": source}, &n)
	return n, err
}

// RemoveBaseline takes a name away; its run stays.
func (b *Benchmarks) RemoveBaseline(ctx context.Context, name string) error {
	return b.c.act(ctx, http.MethodDelete, "/bench/baselines/"+url.PathEscape(name), nil, nil)
}

// Accept lets a series begin anew with the values of a run.
func (b *Benchmarks) Accept(ctx context.Context, a service.BenchAccept) (done service.BenchAccepted, err error) {
	err = b.c.act(ctx, http.MethodPost, "/bench/accept", a, &done)
	return done, err
}

// Prune removes runs recorded more than so many days ago that nothing names, or,
// dry, counts them.
func (b *Benchmarks) Prune(ctx context.Context, days int, dry bool) (int64, error) {
	var answer struct{ Runs int64 }
	err := b.c.act(ctx, http.MethodPost, "/bench/prune", map[string]any{"days": days, "dry_run": dry}, &answer)
	return answer.Runs, err
}
