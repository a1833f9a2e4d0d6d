package web

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
	"sakusen/tuner/view"
	"sakusen/tuner/web/api"
)

// What a search thinks of its best is told in Elo, whether the study runs or rests, says
// that it is not proved, and no list calls the share of a champion among its own
// generation a gain.
func TestGainsOfStudiesThatHaveNotEnded(t *testing.T) {
	value, steps := 0.64, 40.0
	best := &service.StudyBest{Value: &value, Interval: &[2]float64{0.6, 0.68}}
	for _, c := range []struct {
		s           service.Study
		gain, below string
		found       string
	}{
		{service.Study{State: "paused", Best: best, About: service.About{Seats: 2}}, "+100 Elo", "not proved", "Nothing is played"},
		{service.Study{State: "queued", Best: best, About: service.About{Seats: 2}}, "+100 Elo", "not proved", "It begins"},
		{service.Study{State: "paused", Best: best, About: service.About{Pooled: true}}, "", "", "Nothing is played"},
		{service.Study{State: "stopped", Best: &service.StudyBest{Value: &steps}, About: service.About{Objective: tuner.Objective{Of: "metric", Metric: "nodes"}}}, "40 nodes", "not proved", "It was ended"},
		{service.Study{State: "running", Progress: &service.Progress{Phase: "tune", Params: "x1=0.25,x2=-3"}}, "", "", "Best so far: x1 = 0.25, x2 = −3"},
	} {
		v := studyListOf(store.Filter{}, &service.Found{Studies: []service.Study{c.s}}, service.Turns{})
		row := v.Rows[0]
		if row.Gain != c.gain || row.Interval != c.below || !strings.HasPrefix(row.Found, c.found) {
			t.Errorf("%s: %q, %q, %q; expected %q, %q, %q", c.s.State, row.Gain, row.Interval, row.Found, c.gain, c.below, c.found)
		}
	}
}

// The tab of trials counts those that a running study has asked for by now.
func TestTabCountsTrials(t *testing.T) {
	d := &service.StudyDetail{Study: service.Study{State: "running", Progress: &service.Progress{Trials: 12345}}}
	if got := studyOf(d).Tabs[1].Name; got != "Trials 12 345" {
		t.Errorf("the tab says %q", got)
	}
}

// A running study that waits for the disk is among those that need a person.
func TestFullDiskNeedsAPerson(t *testing.T) {
	v := nowOf(&service.Now{Running: []service.Study{{Study: "one", State: "running"}, {Study: "two", State: "running", Message: service.WaitsForDisk}}, Counts: map[string]int{"running": 2}}, time.Now(), true)
	if len(v.Needs) != 1 || v.Needs[0].S.Study != "two" || !strings.Contains(v.Needs[0].Why, "Make room") || v.More() != 0 {
		t.Errorf("%+v, %d more", v.Needs, v.More())
	}
}

// A study that ended without an answer, and so without a validation, has a page.
func TestNoAnswerHasAPage(t *testing.T) {
	d := &service.StudyDetail{Study: service.Study{State: "done"}, Result: &tuner.Result{Notes: []string{"no candidate is within the limits"}}}
	d.About.Result = d.Result
	if v := studyOf(d); v.A.Word != "No answer" || v.A.Next == "" {
		t.Errorf("%+v", v.A)
	}
	if some := (&nowView{}); some.Full(service.NowListed-1) || !some.Full(service.NowListed) {
		t.Error("a list that may leave out others is not told from one that is whole")
	}
	if v := nowOf(&service.Now{Undecided: []service.Study{d.Study}}, time.Now(), true); v.Needs[0].Why != "No candidate is within the limits. Widen the ranges or the limits, and run it again." {
		t.Errorf("the front page says %q", v.Needs[0].Why)
	}
	set := pageSet{may: func(api.Role, string) (bool, error) { return true, nil }, theirs: new(sync.Map)}
	html, err := set.part(api.Read, "study", "head", studyOf(d))
	if text := string(html); err != nil || strings.Count(strings.ToLower(text), "no candidate is within the limits") != 1 || strings.Contains(text, "complete") {
		t.Errorf("%v %s", err, text)
	}
	if line := view.Find(view.Compared([]*service.StudyDetail{d}), "compared").Lines[0]; line.Cells[2].Value != "not tested" {
		t.Errorf("compared: %+v", line)
	}
}

// What fails in the server itself is told as a page to a browser.
func TestPanicIsAPage(t *testing.T) {
	s, err := New(Options{Service: &service.Service{}, Hosts: []string{"localhost"}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	for accept, want := range map[string]string{"text/html": "<h1>", "*/*": `{"error":`} {
		r := httptest.NewRequest("GET", "http://localhost/studies/one", nil)
		r.Header.Set("Accept", accept)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if body := w.Body.String(); w.Code != http.StatusInternalServerError || !strings.Contains(body, want) || !strings.Contains(body, "its log says why") {
			t.Errorf("%s: %d %.300s", accept, w.Code, body)
		}
	}
}
