package web

import (
	"context"
	"html/template"
	"net/http"
	"slices"

	"sakusen/tuner/service"
	"sakusen/tuner/web/pages"
	"sakusen/tuner/web/plot"
)

// studyPages are the pages of studies and benchmarks.
type studyPages struct{ *Server }

// listedStudies is the number of studies on a page.
const listedStudies = 50

// home lists the studies: on the first page those that run, then the youngest
// first.
func (s studyPages) home(w http.ResponseWriter, r *http.Request) error {
	before, err := query(r, "before", mostKey, 1, mostKey)
	var list []service.Study
	if err == nil {
		list, err = s.o.Service.Studies().Recent(r.Context(), before, listedStudies)
	}
	if err != nil {
		return err
	}
	next := 0
	if len(list) == listedStudies {
		next = list[len(list)-1].ID
	}
	if before == mostKey { // running studies come first, however many were queued later
		running, err := s.o.Service.Studies().UnderWay(r.Context(), listedStudies)
		if err != nil {
			return err
		}
		list = slices.DeleteFunc(list, func(study service.Study) bool {
			return slices.ContainsFunc(running, func(other service.Study) bool { return other.Study == study.Study })
		})
		list = append(running, list...)
	}
	s.render(w, r, http.StatusOK, "studies", struct {
		pages.Frame
		Studies []service.Study
		Next    int
		Later   bool // there may be younger ones
	}{s.frame("Studies", "studies"), list, next, before < mostKey})
	return nil
}

// actPage does something with a study and shows its page again.
func (s studyPages) actPage(do func(*service.Studies, context.Context, string) error) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		n, err := name(r)
		if err == nil {
			err = do(s.o.Service.Studies(), r.Context(), n)
		}
		if err != nil {
			return err
		}
		http.Redirect(w, r, "/studies/"+n, http.StatusSeeOther)
		return nil
	}
}

// priorityPage sets how urgent a study is.
func (s studyPages) priorityPage(w http.ResponseWriter, r *http.Request) error {
	return s.actPage(func(studies *service.Studies, ctx context.Context, study string) error {
		var wrong []string
		priority := formPriority(r, &wrong)
		if len(wrong) > 0 {
			return problem(http.StatusBadRequest, wrong[0])
		}
		return studies.Prioritise(ctx, study, priority)
	})(w, r)
}

// deletePage deletes a study and shows those that are left.
func (s studyPages) deletePage(w http.ResponseWriter, r *http.Request) error {
	n, err := name(r)
	if err == nil {
		err = s.o.Service.Studies().Delete(r.Context(), n)
	}
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}

// benchPage lists the benchmarks' series.
func (s studyPages) benchPage(w http.ResponseWriter, r *http.Request) error {
	list, err := benchmarks(s.Server, r, (*service.Benchmarks).Series)
	if err != nil {
		return err
	}
	s.render(w, r, http.StatusOK, "bench", struct {
		pages.Frame
		Series []service.SeriesLine
	}{s.frame("Benchmarks", "bench"), list})
	return nil
}

// seriesPage is one series: its medians run by run and where their level
// changed.
func (s studyPages) seriesPage(w http.ResponseWriter, r *http.Request) error {
	h, err := s.seriesNamed(r)
	if err != nil {
		return err
	}
	s.render(w, r, http.StatusOK, "series", struct {
		pages.Frame
		H    *service.SeriesHistory
		Plot template.HTML
	}{s.frame(h.Title, "bench"), h, plot.Benchmark(plotSeries(h))})
	return nil
}

// plotSeries is a series as it is drawn.
func plotSeries(h *service.SeriesHistory) *plot.BenchmarkSeries {
	out := &plot.BenchmarkSeries{Title: h.Title, Unit: h.Unit}
	for _, p := range h.Points {
		out.Points = append(out.Points, plot.BenchmarkRun{Run: p.Run, Commit: p.Commit, Center: p.Center, Text: p.Text})
	}
	for _, c := range h.Changes {
		out.Changes = append(out.Changes, plot.Change{Index: c.Index, Before: c.Before, After: c.After, Text: c.Text})
	}
	return out
}
