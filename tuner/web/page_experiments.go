package web

import (
	"bytes"
	"cmp"
	"encoding/json"
	"html/template"
	"net/http"
	"slices"
	"strconv"

	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/service"
	"sakusen/tuner/view"
	"sakusen/tuner/web/chart"
	"sakusen/tuner/web/pages"
)

// fileOf is the tournament file of a request.
func fileOf(d *service.JobDetail) string {
	var r service.TournamentRequest
	if json.Unmarshal(d.Request, &r) != nil {
		return ""
	}
	return r.File
}

// requestText is a request for people.
func requestText(d *service.JobDetail) string {
	var b bytes.Buffer
	if json.Indent(&b, d.Request, "", "  ") != nil {
		return ""
	}
	return b.String()
}

// experimentsView is the page of all experiments.
type experimentsView struct {
	pages.Frame
	Experiments []service.ExperimentLine
	Runs        []service.Job
	Found       map[int]string // what came of runs
	Next        *int
	Wrong       string // the experiment that cannot be run as asked
	Errors      []string
}

// experimentsPage lists what can be run, and what was.
func (p jobPages) experimentsPage(w http.ResponseWriter, r *http.Request) error {
	return p.listExperiments(w, r, http.StatusOK, "", nil)
}

func (p jobPages) listExperiments(w http.ResponseWriter, r *http.Request, status int, wrong string, mistakes []string) error {
	list, err := p.o.Service.Experiments().All(r.Context())
	v := &experimentsView{Frame: p.frame("Experiments", "experiments"), Experiments: list, Wrong: wrong, Errors: mistakes}
	if err == nil {
		v.Runs, v.Next, err = p.list(r)
	}
	v.Found = map[int]string{}
	for _, j := range v.Runs {
		if j.State != "done" {
			continue
		}
		if report, whole, err := p.o.Service.Experiments().Report(r.Context(), j.ID); err == nil && report != nil { // else its own page says why
			if c := view.Compare(report, whole); c.Compared() > 0 {
				v.Found[j.ID] = c.Found()
			}
		}
	}
	if err != nil {
		return err
	}
	p.render(w, r, status, "experiments", v)
	return nil
}

// createRun queues an experiment, or says why it cannot be run so.
func (p jobPages) createRun(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return service.New(service.Invalid, "the form cannot be read")
	}
	var wrong []string
	request := service.ExperimentRequest{
		Name: r.PostForm.Get("name"), Games: formNumber(r, "games", &wrong),
		Simulations: formNumber(r, "simulations", &wrong), Seed: formSeed(r, &wrong),
	}
	priority := formPriority(r, &wrong)
	id, _, err := p.o.Service.Experiments().Submit(r.Context(), request, priority, len(wrong) > 0)
	if bad, ok := asProblem(err); ok {
		if err = nil; len(bad.Errors) == 0 {
			bad.Errors = []string{bad.Text}
		}
		wrong = append(wrong, bad.Errors...)
	}
	switch {
	case err != nil:
		return err
	case len(wrong) > 0:
		return p.listExperiments(w, r, http.StatusBadRequest, request.Name, wrong)
	default:
		http.Redirect(w, r, p.path+strconv.Itoa(id), http.StatusSeeOther)
	}
	return nil
}

// run shows one run: its rows, those so far while it runs.
func (p jobPages) run(w http.ResponseWriter, r *http.Request) error {
	d, err := p.detail(r)
	var rows *view.Comparison
	var all []service.ExperimentLine
	if err == nil {
		var report *experiment.Report
		var whole bool
		if report, whole, err = p.o.Service.Experiments().Report(r.Context(), d.ID); report != nil {
			rows = view.Compare(report, whole)
		}
	}
	if err == nil {
		all, err = p.o.Service.Experiments().All(r.Context())
	}
	if err != nil {
		return err
	}
	v := struct {
		jobView
		Of    service.ExperimentLine
		Rows  *view.Comparison
		Plots []chart.Comparison
		Apart template.HTML
		Again service.ExperimentRequest
	}{jobView: p.view(d, d.Name, "experiments"), Rows: rows}
	if err := json.Unmarshal(d.Request, &v.Again); err != nil {
		v.Again = service.ExperimentRequest{}
	}
	v.Request = requestText(d)
	for _, e := range all {
		if e.Name == d.Name {
			v.Of = e
		}
	}
	if rows != nil {
		v.Plots = chart.Comparisons(plotRows(rows.Rows))
		order := []string{"no", "undecided", "yes"} // what differs is looked at first
		slices.SortStableFunc(rows.Rows, func(a, b view.ComparedRow) int {
			return cmp.Compare(uint(slices.Index(order, a.Verdict())), uint(slices.Index(order, b.Verdict())))
		})
		if rows.Whole {
			games := v.Again.Games
			if games == 0 && v.Of.Games != nil {
				games = *v.Of.Games
			}
			rows.Ask(games)
		}
		var apart []chart.Deviation
		for _, r := range rows.Rows {
			apart = append(apart, chart.Deviation{Label: r.Label + ", " + r.Metric, Verdict: r.Verdict(), At: r.Deviation})
		}
		v.Apart = chart.Deviations(apart, experiment.Agreement)
	}
	p.render(w, r, http.StatusOK, "run", v)
	return nil
}

// plotRows are the rows as they are drawn.
func plotRows(rows []view.ComparedRow) []chart.Row {
	out := make([]chart.Row, len(rows))
	for i, r := range rows {
		out[i] = chart.Row{Label: r.Label, Metric: r.Metric, Printed: view.Typeset(r.PrintedText), Measured: view.Typeset(r.MeasuredText),
			PrintedValue: r.PrintedValue, MeasuredValue: r.MeasuredValue, PrintedCI: r.PrintedCI.Ends(), MeasuredCI: r.CI.Ends()}
	}
	return out
}
