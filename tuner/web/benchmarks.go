package web

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"sakusen/bench"
	"sakusen/bench/ledger"
	"sakusen/tuner/service"
	"sakusen/tuner/view"
	"sakusen/tuner/web/api"
	"sakusen/tuner/web/chart"
)

// benchmarkAPI is the API of benchmarks.
type benchmarkAPI struct{ *Server }

// withBenchmarks calls a function with the benchmarks of the database.
func withBenchmarks[T any](ctx context.Context, s *service.Service, do func(*service.Benchmarks, context.Context) (T, error)) (out T, err error) {
	b, err := s.Benchmarks(ctx)
	if err != nil {
		return out, err
	}
	return do(b, ctx)
}

// benchmarked binds an operation to a function of the benchmarks.
func benchmarked[In, Out any](s benchmarkAPI, op api.Op[In, Out], do func(context.Context, *service.Benchmarks, *In) (Out, error)) route {
	return answered(op, func(c *call, in *In) (*Out, error) {
		out, err := withBenchmarks(c, s.o.Service, func(b *service.Benchmarks, ctx context.Context) (Out, error) { return do(ctx, b, in) })
		if err == nil && op.Method != http.MethodGet {
			s.Hub.recorded()
		}
		return &out, err
	})
}

func (s benchmarkAPI) routes() []route {
	v1 := api.V1
	return []route{
		benchmarked(s, v1.ListSeries, func(ctx context.Context, b *service.Benchmarks, in *api.SeriesPage) (api.SeriesList, error) {
			found, err := b.Series(ctx, in.Q, in.After, in.Limit)
			if err != nil {
				return api.SeriesList{}, err
			}
			out := api.SeriesList{Series: []api.SeriesLine{}, Total: found.Total}
			if found.Next > 0 {
				out.Next = &found.Next
			}
			for _, h := range found.Series {
				out.Series = append(out.Series, api.SeriesLine{Title: h.Title, Name: h.Name, Unit: h.Unit, Runs: len(h.Runs), Changes: len(h.Changes)})
			}
			return out, nil
		}),
		benchmarked(s, v1.GetSeries, func(ctx context.Context, b *service.Benchmarks, in *api.OfSeriesRuns) (api.SeriesFound, error) {
			m, err := b.Measured(ctx, in.Series, "", "")
			if err != nil {
				return api.SeriesFound{}, err
			}
			points := m.Runs[max(0, len(m.Runs)-in.Limit):]
			return api.SeriesFound{History: api.SeriesHistory{Title: m.Title, Unit: m.Unit, Runs: len(m.Runs), Points: points, Changes: m.Changes, Causes: m.Causes}}, nil
		}),
		benchmarked(s, v1.RecordRun, func(ctx context.Context, b *service.Benchmarks, in *api.Body[api.Recording]) (api.Recorded, error) {
			runs, err := b.Record(ctx, in.Body.Runs, in.Body.Baseline)
			return api.Recorded{Runs: runs}, err
		}),
		benchmarked(s, v1.AcceptSeries, func(ctx context.Context, b *service.Benchmarks, in *api.Body[service.BenchAccept]) (service.BenchAccepted, error) {
			return b.Accept(ctx, in.Body)
		}),
		benchmarked(s, v1.PruneRuns, func(ctx context.Context, b *service.Benchmarks, in *api.Body[api.Pruning]) (api.RunsPruned, error) {
			n, err := b.Prune(ctx, in.Body.Days, in.Body.Dry)
			return api.RunsPruned{Runs: n, Removed: !in.Body.Dry}, err
		}),
		benchmarked(s, v1.PutBaseline, func(ctx context.Context, b *service.Benchmarks, in *api.Naming) (service.BenchNamed, error) {
			return b.SetBaseline(ctx, in.Name, in.Body.Source)
		}),
		benchmarked(s, v1.DeleteBaseline, func(ctx context.Context, b *service.Benchmarks, in *api.OfBaseline) (api.Deleted, error) {
			return api.Deleted{Deleted: in.Name}, b.RemoveBaseline(ctx, in.Name)
		}),
	}
}

// benchPages are the pages of benchmarks.
type benchPages struct{ *Server }

// list shows a page of the benchmarks with the verdicts of their last runs, regressions first.
func (s benchPages) list(r *http.Request) (any, error) {
	q := r.URL.Query()
	f := service.BoardQuery{Against: q.Get("against"), Text: strings.TrimSpace(q.Get("q")), Verdict: q.Get("verdict")}
	var err error
	if f.Skip, err = query(r, "skip", 0, 0, mostSkip); err != nil {
		return nil, err
	}
	if len(f.Text) > 1000 {
		return nil, problem(http.StatusBadRequest, "q: expected at most 1000 bytes")
	}
	return withBenchmarks(r.Context(), s.o.Service, func(b *service.Benchmarks, ctx context.Context) (*board, error) {
		found, err := b.Board(ctx, f)
		return &board{found}, err
	})
}

// board is what a page of benchmarks shows.
type board struct{ *service.BenchBoard }

// From and To are the numbers of the first and the last benchmark of the page.
func (b *board) From() int { return b.Query.Skip + 1 }
func (b *board) To() int   { return b.Query.Skip + len(b.Lines) }

// Key returns the word for a verdict in addresses.
func (b *board) Key(v bench.Verdict) string { return cmp.Or(string(v), "none") }

// Of returns the address of the list of a verdict.
func (b *board) Of(verdict string) string {
	q := b.Query
	q.Verdict, q.Skip = verdict, 0
	return benchAddress(q)
}

// Behind returns the address of the page that begins after so many benchmarks.
func (b *board) Behind(skip int) string {
	q := b.Query
	q.Skip = skip
	return benchAddress(q)
}

func benchAddress(f service.BoardQuery) string {
	return listAddress("/bench", map[string]string{"against": f.Against, "q": f.Text, "verdict": f.Verdict}, f.Skip)
}

// mostDrawn and mostListed bound the runs on a series' page: in the plot, and in the table.
const mostDrawn, mostListed = 250, 200

// seriesView is one series as its page shows it.
type seriesView struct {
	*ledger.Measure
	Sections []view.Section
	Plot     template.HTML
	Against  string // name of the baseline, empty: the run with which the series begins
	Mistake  string // in the form that accepts a change
	Reason   string // as it was typed
}

// Bisect returns the command that looks for the commit of the last change of level, between the
// runs beside it; empty where the level has not changed, or by one commit.
func (v *seriesView) Bisect() string {
	n := len(v.Changes)
	if n == 0 {
		return ""
	}
	at := v.Changes[n-1].Index
	if at <= 0 || at >= len(v.Runs) || v.Runs[at-1].Commit == "" || v.Runs[at].Commit == "" || v.Runs[at-1].Commit == v.Runs[at].Commit {
		return ""
	}
	short := func(commit string) string { return commit[:min(12, len(commit))] }
	return fmt.Sprintf("sakusen bench bisect %q %s..%s", v.Title, short(v.Runs[at-1].Commit), short(v.Runs[at].Commit))
}

// view reads what the page of a series shows.
func (s benchPages) view(r *http.Request, title string) (*seriesView, error) {
	q := r.URL.Query()
	v := &seriesView{Against: q.Get("against")}
	return withBenchmarks(r.Context(), s.o.Service, func(b *service.Benchmarks, ctx context.Context) (out *seriesView, err error) {
		if v.Measure, err = b.Measured(ctx, title, q.Get("machine"), v.Against); err != nil {
			return nil, err
		}
		v.Plot, v.Sections = chart.Benchmark(v.Tail(mostDrawn)), view.Series(v.Measure, mostListed)
		return v, err
	})
}

// series shows one series: the verdict on its last run, its medians run by run, where their
// level changed and in which functions.
func (s benchPages) series(r *http.Request) (any, error) {
	if r.PathValue("series") == "" { // /bench/
		return redirect((&url.URL{Path: "/bench", RawQuery: r.URL.RawQuery}).String()), nil
	}
	return s.view(r, r.PathValue("series"))
}

// accept lets a series begin anew with its last run, or reports what the form lacks.
func (s benchPages) accept(r *http.Request) (any, error) {
	if err := r.ParseForm(); err != nil {
		return nil, service.New(service.Invalid, "the form cannot be read")
	}
	given := service.BenchAccept{Series: r.PostForm.Get("series"), Source: r.PostForm.Get("source"), Reason: strings.TrimSpace(r.PostForm.Get("reason"))}
	err := api.Line("reason", given.Reason, "1-2000")
	if err != nil {
		v, missing := s.view(r, given.Series)
		if missing != nil {
			return nil, missing
		}
		v.Mistake, v.Reason = "Say why: "+err.Error(), r.PostForm.Get("reason")
		return mistaken(v), nil
	}
	if err := cmp.Or(api.Line("series", given.Series, "1-2000"), api.Line("source", given.Source, "1-400")); err != nil {
		return nil, err
	}
	if _, err := withBenchmarks(r.Context(), s.o.Service, func(b *service.Benchmarks, ctx context.Context) (service.BenchAccepted, error) {
		return b.Accept(ctx, given)
	}); err != nil {
		return nil, err
	}
	s.Hub.recorded()
	return redirect("/bench/" + (&url.URL{Path: given.Series}).EscapedPath()), nil
}
