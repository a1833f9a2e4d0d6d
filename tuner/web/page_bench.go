package web

import (
	"cmp"
	"context"
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"sakusen/tuner/service"
	"sakusen/tuner/web/api"
	"sakusen/tuner/web/chart"
	"sakusen/tuner/web/pages"
)

// benchPages are the pages of benchmarks.
type benchPages struct{ *Server }

// list shows how the benchmarks stand, what got worse first.
func (s benchPages) list(w http.ResponseWriter, r *http.Request) error {
	board, err := withBenchmarks(r.Context(), s.o.Service, func(b *service.Benchmarks, ctx context.Context) (*service.BenchBoard, error) {
		return b.Board(ctx, r.URL.Query().Get("against"))
	})
	if err != nil {
		return err
	}
	s.render(w, r, http.StatusOK, "bench", struct {
		pages.Frame
		*service.BenchBoard
	}{s.frame("Benchmarks", "bench"), board})
	return nil
}

// seriesView is one series as its page shows it.
type seriesView struct {
	pages.Frame
	H         *service.SeriesHistory
	M         *service.BenchMeasure
	Plot      template.HTML
	Against   string
	Baselines []service.BenchBaseline
	Mistake   string // in what was to be accepted
	Reason    string // as it was typed
}

// Newest are the runs, the last one first.
func (v *seriesView) Newest() []service.SeriesPoint {
	out := make([]service.SeriesPoint, 0, len(v.H.Points))
	for i := len(v.H.Points) - 1; i >= 0; i-- {
		out = append(out, v.H.Points[i])
	}
	return out
}

// Changed is the change of level that begins with a run, nil where none does.
func (v *seriesView) Changed(run int64) *service.SeriesChange {
	for i := range v.H.Changes {
		if v.H.Changes[i].Run == run {
			return &v.H.Changes[i]
		}
	}
	return nil
}

// view reads what the page of a series shows.
func (s benchPages) view(r *http.Request, title string) (*seriesView, error) {
	q := r.URL.Query()
	v := &seriesView{Frame: s.frame(title, "bench"), Against: q.Get("against")}
	return withBenchmarks(r.Context(), s.o.Service, func(b *service.Benchmarks, ctx context.Context) (out *seriesView, err error) {
		if v.M, err = b.Measured(ctx, title, q.Get("machine"), v.Against); err != nil {
			return nil, err
		}
		if v.H, err = b.Served(ctx, v.M); err == nil {
			v.Baselines, err = b.Baselines(ctx)
		}
		v.Plot = chart.Benchmark(plotSeries(v.H))
		return v, err
	})
}

// series shows one series: how its last run stands, its medians run by run, where
// their level changed and in which functions.
func (s benchPages) series(w http.ResponseWriter, r *http.Request) error {
	v, err := s.view(r, r.PathValue("series"))
	if err != nil {
		return err
	}
	s.render(w, r, http.StatusOK, "series", v)
	return nil
}

// accept lets a series begin anew with its last run, or says what is missing.
func (s benchPages) accept(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return service.New(service.Invalid, "the form cannot be read")
	}
	given := service.BenchAccept{Series: r.PostForm.Get("series"), Source: r.PostForm.Get("source"), Reason: strings.TrimSpace(r.PostForm.Get("reason"))}
	err := api.Line("reason", given.Reason, "1-2000")
	if err != nil {
		v, missing := s.view(r, given.Series)
		if missing != nil {
			return missing
		}
		v.Mistake, v.Reason = "Say why: "+err.Error(), r.PostForm.Get("reason")
		s.render(w, r, http.StatusBadRequest, "series", v)
		return nil
	}
	if err := cmp.Or(api.Line("series", given.Series, "1-2000"), api.Line("source", given.Source, "1-400")); err != nil {
		return err
	}
	if _, err := withBenchmarks(r.Context(), s.o.Service, func(b *service.Benchmarks, ctx context.Context) (service.BenchAccepted, error) {
		return b.Accept(ctx, given)
	}); err != nil {
		return err
	}
	s.Hub.recorded()
	http.Redirect(w, r, "/bench/"+(&url.URL{Path: given.Series}).EscapedPath(), http.StatusSeeOther)
	return nil
}

// plotSeries is a series as it is drawn.
func plotSeries(h *service.SeriesHistory) *chart.BenchmarkSeries {
	out := &chart.BenchmarkSeries{Title: h.Title, Unit: h.Unit}
	for _, p := range h.Points {
		out.Points = append(out.Points, chart.BenchmarkRun{Run: p.Run, Commit: p.Commit, Center: p.Center, Text: p.Text})
	}
	for _, c := range h.Changes {
		out.Changes = append(out.Changes, chart.Change{Index: c.Index, Before: c.Before, After: c.After, Text: c.Text})
	}
	return out
}
