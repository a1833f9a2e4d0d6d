package web

import (
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner/contest"
	"sakusen/tuner/service"
	"sakusen/tuner/view"
	"sakusen/tuner/web/chart"
)

// tests lists the tests of patches.
func (p jobPages) tests(r *http.Request) (any, error) { return p.list(r) }

// stageView is a stage of a test as its page shows it.
type stageView struct {
	contest.PatchStageReport
	Number   int
	Plot     template.HTML
	Sections []view.Section
}

// test shows a test of a patch, as far as it is.
func (p jobPages) test(r *http.Request) (any, error) {
	d, err := p.detail(r)
	var report *contest.PatchReport
	if err == nil {
		report, err = p.o.Service.Patches().Report(r.Context(), d.ID)
	}
	if err != nil {
		return nil, err
	}
	v := struct {
		jobView
		Report *contest.PatchReport
		Found  string
		Pace   string // games a second
		Stages []stageView
		Text   string
		File   string
	}{jobView: p.view(d), Report: report, File: fileOf(d)}
	if report == nil {
		return v, nil
	}
	v.Found = view.PatchVerdict(report)
	if d.Progress != nil && d.Progress.PerSecond > 0 {
		v.Pace = fmt.Sprintf("%.3g", d.Progress.PerSecond)
	}
	for i := range report.Stages {
		s := stageView{PatchStageReport: report.Stages[i], Number: i + 1}
		var looks [][2]float64
		for _, l := range s.Path {
			looks = append(looks, [2]float64{float64(l.Games), l.LLR})
		}
		s.Plot = chart.LLR(looks, s.Match.SPRT.Lower, s.Match.SPRT.Upper)
		s.Sections = view.PatchStage(report, i)
		v.Stages = append(v.Stages, s)
	}
	v.Text = report.Text + map[bool]string{true: "https://", false: "http://"}[p.o.Secure] + r.Host + p.o.Base + v.Path
	return v, nil
}

// patchForms are the form of a test of a patch.
type patchForms struct{ *Server }

// patchForm is the form of a test.
type patchForm struct {
	Form    map[string]string
	Players []string // entrants that there are, of chess
	Errors  []string
}

// patchFields are the fields of the form, with what they begin with.
func patchFields() map[string]string {
	return map[string]string{"name": "", "new": "", "base": "", "short": "clock:8+0.08", "long": "", "bounds": "gain", "elo0": "", "elo1": "",
		"book": "", "rules": "", "max_games": "", "seed": "", "priority": ""}
}

// form reads the form, or its defaults.
func (s patchForms) form(r *http.Request) (*patchForm, error) {
	if err := r.ParseForm(); err != nil {
		return nil, service.New(service.Invalid, "the form cannot be read")
	}
	f := &patchForm{Form: patchFields()}
	for name := range f.Form {
		if r.Form.Has(name) {
			f.Form[name] = strings.TrimSpace(r.Form.Get(name))
		}
	}
	if list, err := s.o.Service.Strategies("chess"); err == nil { // a program may be without that game
		for _, one := range list {
			f.Players = append(f.Players, one.Name)
		}
	}
	return f, nil
}

// shown is the form.
func (s patchForms) shown(r *http.Request) (any, error) { return s.form(r) }

// created queues the test of the form, or shows what is wrong with it.
func (s patchForms) created(r *http.Request) (any, error) {
	f, err := s.form(r)
	if err != nil {
		return nil, err
	}
	asked := contest.PatchAsked{Name: f.Form["name"], New: f.Form["new"], Base: f.Form["base"], Bounds: []string{f.Form["bounds"]}, Seed: formSeed(r, &f.Errors)}
	for _, field := range []string{"short", "long"} {
		if f.Form[field] != "" {
			asked.Limits = append(asked.Limits, f.Form[field])
		}
	}
	if f.Form["bounds"] == "free" {
		asked.Bounds = []string{f.Form["elo0"] + "," + f.Form["elo1"]}
	}
	if f.Form["book"] != "" {
		asked.Rules = append(asked.Rules, param.Value{Name: "book", Text: f.Form["book"]})
	}
	for _, rule := range strings.Fields(f.Form["rules"]) {
		name, value, ok := strings.Cut(rule, "=")
		if !ok {
			f.Errors = append(f.Errors, fmt.Sprintf("rules: expected NAME=VALUE, got %.40q", rule))
		}
		asked.Rules = append(asked.Rules, param.Value{Name: name, Text: value})
	}
	asked.MaxGames = formNumber(r, "max_games", &f.Errors)
	priority := formPriority(r, &f.Errors)
	text, err := asked.File()
	if err != nil {
		f.Errors = append(f.Errors, "bounds: "+err.Error())
	}
	id := 0
	if err == nil {
		id, _, err = s.o.Service.Patches().Submit(r.Context(), service.PatchRequest{File: text, FileName: "form.yaml"}, priority, len(f.Errors) > 0)
		said, bad := mistakes(err)
		if bad != nil {
			return nil, bad
		}
		f.Errors = append(f.Errors, said...)
	}
	if len(f.Errors) > 0 {
		return mistaken(f), nil
	}
	return redirect("/tests/" + strconv.Itoa(id)), nil
}

// Choices are the bounds that the form offers.
func (f *patchForm) Choices() []string { return append(contest.PatchBounds(), "free") }

// Value is what a field holds.
func (f *patchForm) Value(name string) string { return f.Form[name] }
