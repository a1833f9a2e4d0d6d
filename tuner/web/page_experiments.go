package web

import (
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
)

// fileOf is the tournament file of a request.
func fileOf(d *service.JobDetail) string {
	var r service.TournamentRequest
	if json.Unmarshal(d.Request, &r) != nil {
		return ""
	}
	return r.File
}

// experimentsView is the page of all experiments.
type experimentsView struct {
	Experiments []service.ExperimentLine
	Runs        []service.Job
	Found       map[int]string // what came of runs
	Next        *int
	Wrong       string // the experiment that cannot be run as asked
	Errors      []string
}

// experimentsPage lists what can be run, and what was.
func (p jobPages) experimentsPage(r *http.Request) (any, error) { return p.listExperiments(r, "", nil) }

func (p jobPages) listExperiments(r *http.Request, wrong string, mistakes []string) (*experimentsView, error) {
	list, err := p.o.Service.Experiments().All(r.Context())
	v := &experimentsView{Experiments: list, Wrong: wrong, Errors: mistakes}
	if err == nil {
		v.Runs, v.Next, err = p.list(r)
	}
	v.Found = p.found(r.Context(), v.Runs)
	return v, err
}

// createRun queues an experiment, or says why it cannot be run so.
func (p jobPages) createRun(r *http.Request) (any, error) {
	if err := r.ParseForm(); err != nil {
		return nil, service.New(service.Invalid, "the form cannot be read")
	}
	var wrong []string
	request := service.ExperimentRequest{
		Name: r.PostForm.Get("name"), Games: formNumber(r, "games", &wrong),
		Simulations: formNumber(r, "simulations", &wrong), Seed: formSeed(r, &wrong),
	}
	priority := formPriority(r, &wrong)
	id, _, err := p.o.Service.Experiments().Submit(r.Context(), request, priority, len(wrong) > 0)
	said, err := mistakes(err)
	if err != nil {
		return nil, err
	}
	if wrong = append(wrong, said...); len(wrong) > 0 {
		v, err := p.listExperiments(r, request.Name, wrong)
		return mistaken(v), err
	}
	return elsewhere(p.path + strconv.Itoa(id)), nil
}

// run shows one run: its rows, those so far while it runs.
func (p jobPages) run(r *http.Request) (any, error) {
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
		return nil, err
	}
	v := struct {
		jobView
		Of    service.ExperimentLine
		Rows  *view.Comparison
		Plots []chart.Comparison
		Apart template.HTML
		Again service.ExperimentRequest
	}{jobView: p.view(d), Rows: rows}
	if err := json.Unmarshal(d.Request, &v.Again); err != nil {
		v.Again = service.ExperimentRequest{}
	}
	v.Request = indented(d.Request)
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
	return v, nil
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
