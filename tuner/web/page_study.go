package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"sakusen/tuner/service"
	"sakusen/tuner/store"
	"sakusen/tuner/web/chart"
	"sakusen/tuner/web/pages"
)

// studyPages are the pages of studies.
type studyPages struct{ *Server }

// studyPage shows one study or, with part, one changing part of its page: its state, head,
// tabs, plots, trials or provenance.
func (s studyPages) studyPage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.studyView(r)
	if _, foreign := errors.AsType[*store.ForeignStudyError](err); foreign {
		return foreignPage(s.Server, w, r)
	}
	if err != nil {
		return err
	}
	part := r.URL.Query().Get("part")
	if part == "" {
		status := http.StatusOK
		if v.Refusal != "" {
			status = http.StatusBadRequest
		}
		s.render(w, r, status, "study", v)
		return nil
	}
	if part == "plots" && r.URL.Query().Get("seen") == v.Shows && !v.Reading {
		w.WriteHeader(http.StatusNoContent) // who asks has it
		return nil
	}
	return s.part(w, r, "study", part, v)
}

// partOf is the part of a study's page that is asked for, empty for the whole.
func partOf(r *http.Request) (string, error) {
	part := r.URL.Query().Get("part")
	switch part {
	case "", "state", "head", "tabs", "plots", "trials", "provenance":
		return part, nil
	}
	return "", service.New(service.Invalid, fmt.Sprintf("part: expected state, head, tabs, plots, trials or provenance, got %.40q", part))
}

// studyView gathers what is asked for.
func (s studyPages) studyView(r *http.Request) (*pages.Study, error) {
	n, err := name(r)
	if err != nil {
		return nil, err
	}
	part, err := partOf(r)
	if err != nil {
		return nil, err
	}
	d, err := s.o.Service.Studies().Show(r.Context(), n)
	if err != nil {
		return nil, err
	}
	if d.Foreign {
		return nil, &store.ForeignStudyError{Study: n}
	}
	v := pages.StudyOf(s.frame(n, "studies"), d)
	if d.State == "queued" {
		turns, err := service.TurnsOf(r.Context(), s.o.Service)
		if err != nil {
			return nil, err
		}
		v.A.Text = pages.Waits(turns, d.Study)
		v.A.Next = "A higher priority moves it forward: Reschedule."
	}
	q := r.URL.Query()
	if v.Tab, err = tabOf(q); err != nil {
		return nil, err
	}
	q.Del("part")
	q.Del("seen")
	v.Query = q.Encode()
	switch part {
	case "state", "tabs":
		return v, nil
	case "provenance":
		v.WriteSpec()
		return v, nil
	}
	return v, s.addPlots(r, v, part)
}

// tabOf is the tab that is open: the one that is asked for, or the one that has
// what is asked for.
func tabOf(q url.Values) (string, error) {
	tab := q.Get("tab")
	switch {
	case tab != "":
		if !slices.Contains(pages.TabKeys(), tab) {
			return "", service.New(service.Invalid, fmt.Sprintf("tab: expected %s, got %.40q", strings.Join(pages.TabKeys(), ", "), tab))
		}
		return tab, nil
	case q.Has("order") || q.Has("show") || q.Has("after"):
		return "trials", nil
	case q.Has("x") || q.Has("y"):
		return "parameters", nil
	}
	return "summary", nil
}

// addPlots adds the plots, the table and what the log says of the answer.
func (s studyPages) addPlots(r *http.Request, v *pages.Study, part string) error {
	q := r.URL.Query()
	want := chart.Wanted{Tab: v.Tab, X: q.Get("x"), Y: q.Get("y")}
	var err error
	if want.From, err = query(r, "from", 0, 0, mostKey); err != nil {
		return err
	}
	if want.To, err = query(r, "to", 0, 0, mostKey); err != nil {
		return err
	}
	order, err := orderOf(r)
	if err != nil {
		if err = s.misread(v, r, part, err); err != nil {
			return err
		}
		order = pages.Ranking{Order: "latest", Show: "all", After: -1}
	}
	c, err := s.chronicle(r.Context(), v.D)
	if err == nil {
		err = s.read(r.Context(), c, v.D.Entries, chronicleWait)
	}
	if err != nil {
		return err
	}
	c.mu.Lock()
	v.Evidence = pages.Evidence(v.D.Result, v.Spec, c.log)
	if v.D.State == "running" {
		v.Evidence = pages.Underway(v.D.Progress, v.Spec, c.log)
	}
	v.Excluded = pages.Excluded(c.log)
	v.Reading = c.log.Entries < v.D.Entries && c.busy != nil
	known := map[string]bool{"": true}
	for i := range c.log.Spec.Tune.Params {
		known[c.log.Spec.Tune.Params[i].Name] = true
	}
	c.mu.Unlock()
	if !known[want.X] || !known[want.Y] {
		return service.New(service.Invalid, "x and y: expected parameters that the study tunes")
	}
	if part == "plots" || part == "" && (v.Tab == "summary" || v.Tab == "race" || v.Tab == "parameters") {
		d, err := s.draw(c, v.D, want)
		if err != nil {
			return err
		}
		v.Plots, v.Shows = d.html, d.version
	}
	if part == "trials" || part == "" && v.Tab == "trials" {
		v.Live = order.After < 0
		v.Table, err = s.table(r.Context(), c, order)
	}
	if v.Tab == "spec" {
		v.WriteSpec()
	}
	if b := v.D.Best; err == nil && b != nil && v.D.Result == nil && v.Changes == nil {
		var best []service.Trial
		if best, err = s.o.Service.Studies().TrialsAt(r.Context(), v.D.Study.Study, []int{b.Trial}); err == nil && len(best) == 1 {
			v.Changes, v.Same = pages.Changes(v.Spec, best[0].Params)
		}
	}
	return err
}

// refuse shows a study's page again with what was wrong with one of its forms, which has
// what was typed. What is no mistake of the form is left to the caller.
func (s studyPages) refuse(w http.ResponseWriter, r *http.Request, err error) error {
	p, ok := asProblem(err)
	if !ok || p.Status != http.StatusBadRequest && p.Status != http.StatusConflict {
		return err
	}
	v, failed := s.studyView(r)
	if failed != nil {
		return err
	}
	v.Refuse(p.Text, r.Form)
	s.render(w, r, p.Status, "study", v)
	return nil
}

// misread is a page whose address cannot be understood in part: it says so, and has what
// was typed.
func (s studyPages) misread(v *pages.Study, r *http.Request, part string, err error) error {
	p, ok := asProblem(err)
	if !ok || part != "" {
		return err
	}
	v.Refuse(p.Text, r.URL.Query())
	return nil
}
