package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/export"
	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
	"sakusen/tuner/web/plot"
)

// studyView is what the page of a study shows.
type studyView struct {
	frame
	D          *service.StudyDetail
	Doc, Text  string // of the spec; Text is all of it
	Spec       *tuner.Spec
	Race       string
	Objective  string
	Passed     bool
	Formats    []string
	Refused    string // why nothing is exported, empty where it is
	Validation template.HTML
	Speed      string // of a study that runs
	Plots      template.HTML
	Shows      string // which state of the log the plots show
	Reading    bool   // the log has not been read to its end
	Table      *trialTable
	Curve      bool   // values of trials can be compared
	Pooled     bool   // generations play themselves
	Live       bool   // the table shows the latest trials
	query      string // what is asked for, without the part
}

// Source is where a part of the page comes from.
func (v *studyView) Source(part string) string {
	out := "/studies/" + v.D.Study.Study + "?part=" + part
	if v.query != "" {
		out += "&" + v.query
	}
	return out
}

// studyPage shows one study, or, with part, what of it changes: its
// state, head, export, plots, trials or provenance.
func (s studyPages) studyPage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.studyView(r)
	if err != nil {
		return err
	}
	part := r.URL.Query().Get("part")
	if part == "" {
		s.render(w, r, http.StatusOK, "study", v)
		return nil
	}
	if part == "plots" && r.URL.Query().Get("seen") == v.Shows && !v.Reading {
		w.WriteHeader(http.StatusNoContent) // who asks has it
		return nil
	}
	var b bytes.Buffer
	if err := s.pages["study"].ExecuteTemplate(&b, part, v); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.Write(b.Bytes())
	return nil
}

// parts are what can be asked for of a study's page.
func partOf(r *http.Request) (string, error) {
	part := r.URL.Query().Get("part")
	switch part {
	case "", "state", "head", "export", "plots", "trials", "provenance":
		return part, nil
	}
	return "", problem(http.StatusBadRequest, fmt.Sprintf("part: expected state, head, export, plots, trials or provenance, got %.40q", part))
}

// studyView gathers what is asked for.
func (s studyPages) studyView(r *http.Request) (*studyView, error) {
	n, err := name(r)
	if err != nil {
		return nil, err
	}
	part, err := partOf(r)
	if err != nil {
		return nil, err
	}
	d, err := s.o.Library.Study(r.Context(), n)
	if err != nil {
		return nil, err
	}
	s.progress(&d.Study)
	v := &studyView{frame: s.frame(n, "studies"), D: d, Spec: &tuner.Spec{}}
	if spec, err := tuner.ParseSpec(d.Spec); err == nil {
		v.Spec = spec
		v.Doc, v.Race = v.Spec.Doc, v.Spec.Race.String()
		v.Objective = v.Spec.Objective.Name()
		v.Pooled = v.Spec.Evaluate != nil
		v.Curve = !v.Spec.Duels && !v.Pooled
	}
	v.Formats = append(export.Formats(), "optuna")
	if d.Result != nil && d.Result.Front != nil {
		for _, f := range export.FrontFormats() {
			v.Formats = append(v.Formats, "front."+f)
		}
	}
	v.verdict()
	v.speed()
	if part == "state" || part == "head" || part == "export" {
		return v, nil
	}
	var text bytes.Buffer
	if json.Indent(&text, d.Spec, "", "  ") == nil {
		v.Text = text.String()
	}
	if part == "provenance" {
		return v, nil
	}
	return v, s.addPlots(r, v, part)
}

// addPlots adds the plots and the table.
func (s studyPages) addPlots(r *http.Request, v *studyView, part string) error {
	q := r.URL.Query()
	want := plot.Wanted{X: q.Get("x"), Y: q.Get("y")}
	var err error
	if want.From, err = query(r, "from", 0, 0, mostKey); err != nil {
		return err
	}
	if want.To, err = query(r, "to", 0, 0, mostKey); err != nil {
		return err
	}
	order, err := orderOf(r)
	if err != nil {
		return err
	}
	c, err := s.chronicle(r.Context(), v.D)
	if err == nil {
		err = s.read(r.Context(), c, v.D.Entries, chronicleWait)
	}
	if err != nil {
		return err
	}
	q.Del("part")
	q.Del("seen")
	v.query = q.Encode()
	if part != "trials" {
		c.mu.Lock()
		v.Reading = c.log.Entries < v.D.Entries && c.busy != nil
		known := map[string]bool{"": true}
		for i := range c.log.Spec.Tune.Params {
			known[c.log.Spec.Tune.Params[i].Name] = true
		}
		c.mu.Unlock()
		if !known[want.X] || !known[want.Y] {
			return problem(http.StatusBadRequest, "x and y: expected parameters that the study tunes")
		}
		d, err := s.draw(c, v.D, want)
		if err != nil {
			return err
		}
		v.Plots, v.Shows = d.html, d.version
	}
	if part == "plots" {
		return nil
	}
	v.Live = order.After < 0
	v.Table, err = s.table(r.Context(), c, order)
	return err
}

// verdict says what came of a study that has ended, and why it is not exported
// where it is not.
func (v *studyView) verdict() {
	r := v.D.Result
	switch {
	case r == nil:
		v.Refused = "The study has not ended: there is nothing to export but its trials so far."
		return
	case r.Best == nil:
		v.Refused = "The study found no candidate to export."
		return
	case r.Validation == nil:
		v.Refused = "The answer was not validated: its claim is that of the search, which is too high, as it is the best of many."
		return
	}
	v.Validation = plot.Validation(r, v.Spec)
	v.Passed = r.Validation.Verdict == "pass"
	switch r.Validation.Verdict {
	case "fail":
		v.Refused = "The validation failed: on seeds that no search has seen, the answer is not better than the baseline by what the study asks for."
	case "inconclusive":
		v.Refused = "The validation is inconclusive: its blocks are too few to tell, so nothing is proved."
	}
}

// speed says how fast a study runs, and for how long.
func (v *studyView) speed() {
	p := v.D.Progress
	if p == nil {
		return
	}
	v.Speed = "phase " + p.Phase
	if p.PerSecond > 0 {
		v.Speed += fmt.Sprintf(", %s games per second", numeral.Text(p.PerSecond))
	}
	if p.Left > 0 {
		v.Speed += ", at most " + time.Duration(p.Left*float64(time.Second)).Round(time.Second).String() + " left"
	}
}
