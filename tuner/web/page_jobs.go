package web

import (
	"cmp"
	"context"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"sakusen/bench"
	"sakusen/bench/ledger"
	"sakusen/tuner/service"
	"sakusen/tuner/view"
	"sakusen/tuner/web/api"
	"sakusen/tuner/web/chart"
)

// jobPages are the pages of the jobs of a kind.
type jobPages struct {
	jobAPI
	ops  *api.Jobs
	path string // of a job, without its number
	home string // of the list
}

// id is the job of this kind that the path names; one of another kind is not found.
func (p jobPages) id(r *http.Request) (int, error) {
	d, err := p.detail(r)
	if err != nil {
		return 0, err
	}
	return d.ID, nil
}

// detail is the job that the path names.
func (p jobPages) detail(r *http.Request) (*service.JobDetail, error) {
	in, err := p.ops.Get.Decode(r)
	if err != nil {
		return nil, err
	}
	return p.Show(r.Context(), in.ID)
}

// list is the page of jobs that the query names.
func (p jobPages) list(r *http.Request) (list []service.Job, next *int, err error) {
	in, err := api.V1.ListTournaments.Decode(r)
	if err != nil {
		return nil, nil, err
	}
	return p.page(r.Context(), in)
}

// found is what came of jobs, in words.
func (p jobPages) found(ctx context.Context, list []service.Job) map[int]string {
	out := map[int]string{}
	for _, j := range list {
		if text := p.jobFound(ctx, p.Kind, j); text != "" {
			out[j.ID] = text
		}
	}
	return out
}

// hold does something with a job and shows its page again.
func (p jobPages) hold(do hold) load {
	return func(r *http.Request) (any, error) {
		id, err := p.id(r)
		if err == nil {
			_, err = do(p.o.Service.Queue(), r.Context(), p.Key(id))
		}
		return elsewhere(p.path + strconv.Itoa(id)), err
	}
}

// forget deletes a job for a person.
func (p jobPages) forget(r *http.Request) (any, error) {
	id, err := p.id(r)
	if err == nil {
		err = p.o.Service.Queue().Delete(r.Context(), p.Key(id))
	}
	return elsewhere(p.home), err
}

// jobView is a job as its page shows it.
type jobView struct {
	service.Job
	Live    string // what its events say
	Path    string
	Request string
}

func (p jobPages) view(d *service.JobDetail) jobView {
	return jobView{
		Job: d.Job, Live: p.Key(d.ID).String(), Path: p.path + strconv.Itoa(d.ID),
	}
}

// What names the kind of job for people.
func (v jobView) What() string {
	if strings.HasPrefix(v.Path, "/tournaments") {
		return "tournament"
	}
	return "run"
}

// tournaments lists them.
func (p jobPages) tournaments(r *http.Request) (any, error) {
	list, next, err := p.list(r)
	if err != nil {
		return nil, err
	}
	return struct {
		Jobs  []service.Job
		Found map[int]string
		Next  *int
	}{list, p.found(r.Context(), list), next}, nil
}

// tournament shows one: its crosstable, that so far while it is played.
func (p jobPages) tournament(r *http.Request) (any, error) {
	d, err := p.detail(r)
	var t *service.PlayedTournament
	if err == nil {
		t, err = p.o.Service.Tournaments().Played(r.Context(), d.ID)
	}
	if err != nil {
		return nil, err
	}
	v := struct {
		jobView
		Table    *service.PlayedTournament
		Sections []view.Section
		File     string
	}{jobView: p.view(d), Table: t, File: fileOf(d)}
	if t != nil {
		v.Sections = view.Tournament(t.Report)
		view.Watched(v.Sections, t.Report, t.Rules)
	}
	return v, nil
}

// benchPages are the pages of benchmarks.
type benchPages struct{ *Server }

// list shows how the benchmarks stand, what got worse first.
func (s benchPages) list(r *http.Request) (any, error) {
	return withBenchmarks(r.Context(), s.o.Service, func(b *service.Benchmarks, ctx context.Context) (*service.BenchBoard, error) {
		return b.Board(ctx, r.URL.Query().Get("against"))
	})
}

// seriesView is one series as its page shows it.
type seriesView struct {
	*ledger.Measure
	Plot      template.HTML
	Against   string // name of the baseline, empty: the run with which the series begins
	Baselines []ledger.Baseline
	Mistake   string // in what was to be accepted
	Reason    string // as it was typed
}

// view reads what the page of a series shows.
func (s benchPages) view(r *http.Request, title string) (*seriesView, error) {
	q := r.URL.Query()
	v := &seriesView{Against: q.Get("against")}
	return withBenchmarks(r.Context(), s.o.Service, func(b *service.Benchmarks, ctx context.Context) (out *seriesView, err error) {
		if v.Measure, err = b.Measured(ctx, title, q.Get("machine"), v.Against); err != nil {
			return nil, err
		}
		v.Baselines, err = b.Baselines(ctx)
		v.Plot = chart.Benchmark(plotSeries(&v.History))
		return v, err
	})
}

// series shows one series: how its last run stands, its medians run by run, where
// their level changed and in which functions.
func (s benchPages) series(r *http.Request) (any, error) {
	return s.view(r, r.PathValue("series"))
}

// accept lets a series begin anew with its last run, or says what is missing.
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
	return elsewhere("/bench/" + (&url.URL{Path: given.Series}).EscapedPath()), nil
}

// plotSeries is a series as it is drawn.
func plotSeries(h *ledger.History) *chart.BenchmarkSeries {
	out := &chart.BenchmarkSeries{Title: h.Title, Unit: h.Unit}
	for _, p := range h.Runs {
		out.Points = append(out.Points, chart.BenchmarkRun{Run: p.Run, Commit: p.Commit, Center: p.Center, Text: bench.Amount(p.Center, h.Unit)})
	}
	for _, c := range h.Changes {
		out.Changes = append(out.Changes, chart.Change{Index: c.Index, Before: c.Before, After: c.After, Text: c.Text})
	}
	return out
}
