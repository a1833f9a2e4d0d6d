package web

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
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
		if text := p.jobFound(ctx, p.Kind(), j); text != "" {
			out[j.ID] = text
		}
	}
	return out
}

// hold does something with a job and shows its page again.
func (p jobPages) hold(do func(context.Context, int) (string, error)) load {
	return func(r *http.Request) (any, error) {
		id, err := p.id(r)
		if err == nil {
			_, err = do(r.Context(), id)
		}
		return elsewhere(p.path + strconv.Itoa(id)), err
	}
}

// forget deletes a job for a person.
func (p jobPages) forget(r *http.Request) (any, error) {
	id, err := p.id(r)
	if err == nil {
		err = p.Delete(r.Context(), id)
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
		Job: d.Job, Live: daemon.JobKey(p.Kind(), d.ID).String(), Path: p.path + strconv.Itoa(d.ID),
	}
}

// What names the kind of job for people.
func (v jobView) What() string {
	if strings.HasPrefix(v.Path, "/tournaments") {
		return "tournament"
	}
	return "run"
}

// formNumber is the number in a form's field, 0 where it is empty.
func formNumber(r *http.Request, name string, wrong *[]string) int64 {
	text := strings.TrimSpace(r.PostFormValue(name))
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		*wrong = append(*wrong, fmt.Sprintf("%s: expected a whole number from 1 on, got %.40q", name, text))
	}
	return n
}

// formSeed is the seed of a form, nil where it is left to the file.
func formSeed(r *http.Request, wrong *[]string) *param.Seed {
	text := strings.TrimSpace(r.PostFormValue("seed"))
	if text == "" {
		return nil
	}
	seed, err := param.ParseSeed(text)
	if err != nil {
		*wrong = append(*wrong, "seed: "+err.Error())
	}
	return &seed
}

// formPriority is how urgent a form's job is.
func formPriority(r *http.Request, wrong *[]string) int {
	n, err := daemon.ParsePriority(strings.TrimSpace(r.PostFormValue("priority")))
	if err != nil {
		*wrong = append(*wrong, "priority: "+err.Error())
	}
	return n
}

// mostBlocks bounds what may be asked for: no file asks for more.
const mostBlocks = int64(1) << 40

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

// tournamentForm is the form that submits a tournament.
type tournamentForm struct {
	Examples               []service.Example
	Example, File          string
	Blocks, Seed, Priority string
	Errors                 []string
}

// Good tells that the form was checked and has no mistake.
func (f *tournamentForm) Good() bool { return f.File != "" && len(f.Errors) == 0 }

func (p jobPages) form(r *http.Request) (*tournamentForm, error) {
	if err := r.ParseForm(); err != nil {
		return nil, service.New(service.Invalid, "the form cannot be read")
	}
	examples, err := p.o.Service.Tournaments().Examples()
	f := &tournamentForm{
		Examples: examples, Example: r.Form.Get("example"),
		File: r.PostForm.Get("file"), Blocks: r.PostForm.Get("blocks"), Seed: r.PostForm.Get("seed"), Priority: r.PostForm.Get("priority"),
	}
	return f, err
}

// newTournament shows the form with an example in it.
func (p jobPages) newTournament(r *http.Request) (any, error) {
	f, err := p.form(r)
	if err != nil {
		return nil, err
	}
	for i, e := range f.Examples {
		if i == 0 || e.Name == f.Example {
			f.File = e.File
		}
	}
	return f, nil
}

// try checks or queues the form's tournament. Mistakes are shown in the form.
func (p jobPages) try(r *http.Request, f *tournamentForm, check bool) (id int, err error) {
	var wrong []string
	request := service.TournamentRequest{File: f.File, FileName: "form.yaml", Blocks: formNumber(r, "blocks", &wrong), Seed: formSeed(r, &wrong)}
	priority := formPriority(r, &wrong)
	if request.Blocks > mostBlocks {
		wrong = append(wrong, "blocks: expected at most "+strconv.FormatInt(mostBlocks, 10))
	}
	id, _, err = p.o.Service.Tournaments().Submit(r.Context(), request, priority, check || len(wrong) > 0)
	said, err := mistakes(err)
	f.Errors = append(wrong, said...)
	return id, err
}

// checkTournament says what is wrong with the form as it stands.
func (p jobPages) checkTournament(r *http.Request) (any, error) {
	f, err := p.form(r)
	if err == nil {
		_, err = p.try(r, f, true)
	}
	return instead{part: "filecheck", data: f}, err
}

// createTournament queues the form's tournament, or shows what is wrong with it.
func (p jobPages) createTournament(r *http.Request) (any, error) {
	f, err := p.form(r)
	id := 0
	if err == nil {
		id, err = p.try(r, f, false)
	}
	if err != nil || len(f.Errors) > 0 {
		return mistaken(f), err
	}
	return elsewhere(p.path + strconv.Itoa(id)), nil
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
	v := &seriesView{Against: q.Get("against")}
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
