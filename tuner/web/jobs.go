package web

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store"
	"sakusen/tuner/view"
	"sakusen/tuner/web/api"
	"sakusen/tuner/web/chart"
)

// jobAPI is the API of the jobs of a kind.
type jobAPI struct {
	*Server
	*service.Jobs
}

// jobLists returns the operations on all tournaments, experiments and tests of patches.
func (s *Server) jobLists() []route {
	v1, tournaments, experiments := api.V1, s.o.Service.Tournaments(), s.o.Service.Experiments()
	patches := s.o.Service.Patches()
	t, e, p := jobAPI{s, tournaments.Jobs}, jobAPI{s, experiments.Jobs}, jobAPI{s, patches.Jobs}
	return slices.Concat([]route{
		answered(v1.ListTournaments, func(c *call, in *api.JobsPage) (*api.TournamentList, error) {
			list, next, err := t.page(c, in)
			return &api.TournamentList{Tournaments: list, Next: next}, err
		}),
		answered(v1.SubmitTournament, func(c *call, in *api.Body[api.SubmittedTournament]) (*api.JobID, error) {
			id, created, err := tournaments.Submit(c, in.Body.TournamentRequest, in.Body.Priority, in.Body.Check)
			return c.queued(id, created, in.Body.Check), err
		}),
		answered(v1.ListExperiments, func(c *call, _ *api.None) (*api.ExperimentList, error) {
			list, err := experiments.All(c)
			return &api.ExperimentList{Experiments: list}, err
		}),
		answered(v1.ListExperimentRuns, func(c *call, in *api.JobsPage) (*api.RunList, error) {
			list, next, err := e.page(c, in)
			return &api.RunList{Runs: list, Next: next}, err
		}),
		answered(v1.SubmitExperimentRun, func(c *call, in *api.Body[api.SubmittedExperiment]) (*api.JobID, error) {
			id, created, err := experiments.Submit(c, in.Body.ExperimentRequest, in.Body.Priority, in.Body.Check)
			return c.queued(id, created, in.Body.Check), err
		}),
		answered(v1.ListTests, func(c *call, in *api.JobsPage) (*api.TestList, error) {
			list, next, err := p.page(c, in)
			return &api.TestList{Tests: list, Next: next}, err
		}),
		answered(v1.SubmitTest, func(c *call, in *api.Body[api.SubmittedTest]) (*api.JobID, error) {
			id, created, err := patches.Submit(c, in.Body.PatchRequest, in.Body.Priority, in.Body.Check)
			return c.queued(id, created, in.Body.Check), err
		}),
	}, t.routes(&v1.Tournaments), e.routes(&v1.Runs), p.routes(&v1.Tests))
}

// queued returns the answer to a submission.
func (c *call) queued(id int, created, checked bool) *api.JobID {
	if checked {
		return &api.JobID{}
	}
	if created {
		c.created(fmt.Sprintf("%s/%d", c.r.URL.Path, id))
	}
	return &api.JobID{ID: &id}
}

// routes returns the operations on one job.
func (a jobAPI) routes(ops *api.Jobs) []route {
	return []route{
		answered(ops.Get, func(c *call, in *api.OfJob) (*service.JobDetail, error) { return a.Show(c, in.ID) }),
		a.found(answered(ops.Delete, func(c *call, in *api.OfJob) (*api.DeletedJob, error) {
			return &api.DeletedJob{Deleted: in.ID}, a.o.Service.Queue().Delete(c, a.Key(in.ID))
		})),
		a.found(answered(ops.Pause, a.act(service.Queue.Pause))),
		a.found(answered(ops.Resume, a.act(service.Queue.Resume))),
		a.found(answered(ops.Stop, a.act(service.Queue.Stop))),
		a.found(answered(ops.PutNote, func(c *call, in *api.NotedJob) (*api.JobState, error) {
			if err := a.SetNote(c, in.ID, in.Body.Note); err != nil {
				return nil, err
			}
			return a.state(c, in.ID, "")
		})),
		a.found(answered(ops.Prioritise, func(c *call, in *api.PrioritisedJob) (*api.JobState, error) {
			if err := a.o.Service.Queue().Prioritise(c, a.Key(in.ID), *in.Body.Priority); err != nil {
				return nil, err
			}
			return a.state(c, in.ID, "")
		})),
	}
}

// found has a route look for the job before it judges the body: one that is not there, or is of
// another kind, is not found.
func (a jobAPI) found(of route) route {
	handle := of.handle
	of.handle = func(w http.ResponseWriter, r *http.Request) error {
		if id, err := strconv.Atoi(r.PathValue("id")); err == nil {
			if _, err := a.Show(r.Context(), id); err != nil {
				return err
			}
		}
		return handle(w, r)
	}
	return of
}

// page reads a page of jobs, the newest first; next is the key of the next one, nil on the
// last.
func (a jobAPI) page(ctx context.Context, in *api.JobsPage) (list []service.Job, next *int, err error) {
	list, err = a.List(ctx, in.Filter("newest", in.Before, in.Limit))
	return list, nextOf(list, in.Limit, func(j *service.Job) int { return j.ID }), err
}

// act runs an action on a job. It answers with the state that was set: when the answer is
// written, the daemon may have taken the job up.
func (a jobAPI) act(do hold) func(*call, *api.ActOnJob) (*api.JobState, error) {
	return func(c *call, in *api.ActOnJob) (*api.JobState, error) {
		state, err := do(a.o.Service.Queue(), c, a.Key(in.ID))
		if err != nil {
			return nil, err
		}
		return a.state(c, in.ID, state)
	}
}

// state returns a job after a change, in the state that was set, or as it is where none was.
func (a jobAPI) state(ctx context.Context, id int, state tuner.State) (*api.JobState, error) {
	d, err := a.Show(ctx, id)
	if err != nil {
		return nil, err
	}
	return &api.JobState{ID: id, State: string(cmp.Or(state, d.State)), Priority: d.Priority}, nil
}

// jobPages are the pages of the jobs of a kind.
type jobPages struct {
	jobAPI
	ops  *api.Jobs
	path string // of a job, without its number
	kind *listKind
}

// id returns the job of this kind that the path names; one of another kind is not found.
func (p jobPages) id(r *http.Request) (int, error) {
	d, err := p.detail(r)
	if err != nil {
		return 0, err
	}
	return d.ID, nil
}

// detail returns the job that the path names.
func (p jobPages) detail(r *http.Request) (*service.JobDetail, error) {
	in, err := p.ops.Get.Decode(r)
	if err != nil {
		return nil, err
	}
	return p.Show(r.Context(), in.ID)
}

// list returns the list of jobs that the query asks for.
func (p jobPages) list(r *http.Request) (*list, error) {
	f, err := p.kind.filter(r)
	if err != nil {
		return nil, err
	}
	jobs, err := p.List(r.Context(), f)
	if err != nil {
		return nil, err
	}
	outcomes, err := p.Count(r.Context(), f)
	v := listOf(p.kind, f, outcomes)
	if !v.Any && err == nil { // some may be archived
		outcomes, err = p.Count(r.Context(), store.Filter{Both: true})
		v.Any = len(outcomes) > 0
	}
	for _, j := range jobs {
		found := p.jobFound(r.Context(), p.Kind, j)
		row := listRow{Key: strconv.Itoa(j.ID), At: p.path + strconv.Itoa(j.ID), ID: fmt.Sprint("job-", j.ID), Head: j.Name, Below: fmt.Sprintf("%d · %s", j.ID, j.Created.UTC().Format("2 Jan 2006")),
			Tags: tag.FindAllString(j.Note, mostTags), Tone: found.Tone, Sign: found.Sign, Word: cmp.Or(found.Word, outcomeNames[string(j.State)], string(j.State)), State: string(j.State), Found: cmp.Or(found.Text, j.Message),
			Share: -1, Games: numeral.Count(j.Games), Changed: j.Updated}
		if j.State == "failed" {
			row.Tone, row.Sign, row.Found = "bad", "!", view.Failed(j.Message)
		}
		if j.State != "done" {
			row.Far, row.Share, row.Games = view.JobFar(j), view.JobShare(j), view.JobLeft(j)
			if row.Games != "" {
				row.Games += " left"
			}
		}
		v.Rows = append(v.Rows, row)
	}
	return v, err
}

// together runs an action on the ticked jobs.
func (p jobPages) together(r *http.Request) (any, error) {
	id := func(text string) int { n, _ := strconv.Atoi(text); return n } // 0, which no job has, for a text that is no number
	do := p.held(r, func(one string) daemon.Key { return p.Key(id(one)) }, func(one string, away bool) error { return p.Archive(r.Context(), id(one), away) })
	out, err := do.together(r, p.kind, p.list)
	if again, ok := out.(instead); ok && p.kind == &lists.runs { // which are on the page of experiments
		again.data, err = p.listExperiments(r, again.data.(*list), "", nil)
		return again, err
	}
	return out, err
}

// note stores a user's note on a job.
func (p jobPages) note(r *http.Request) (any, error) {
	id, err := p.id(r)
	if err == nil {
		err = p.SetNote(r.Context(), id, r.PostFormValue("note"))
	}
	return redirect(p.path + strconv.Itoa(id)), err
}

// hold runs an action on a job and shows its page again.
func (p jobPages) hold(do hold) load {
	return func(r *http.Request) (any, error) {
		id, err := p.id(r)
		if err == nil {
			_, err = do(p.o.Service.Queue(), r.Context(), p.Key(id))
		}
		return redirect(p.path + strconv.Itoa(id)), err
	}
}

// forget deletes a job and shows the list.
func (p jobPages) forget(r *http.Request) (any, error) {
	id, err := p.id(r)
	if err == nil {
		err = p.o.Service.Queue().Delete(r.Context(), p.Key(id))
	}
	return redirect(p.kind.Home), err
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
	if v.Kind == string(daemon.Experiment) {
		return "run"
	}
	return v.Kind
}

// listed shows the list.
func (p jobPages) listed(r *http.Request) (any, error) { return p.list(r) }

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
		Pairs    bool // two play a game
		File     string
	}{jobView: p.view(d), Table: t, File: fileOf(d)}
	if t != nil {
		v.Sections = view.Tournament(t.Report)
		view.Watched(v.Sections, t.Report, t.Rules)
		v.Pairs = len(t.Report.Pairings) > 0 && len(t.Report.Pairings[0].Entrants) == 2
	}
	return v, nil
}

// fileOf returns the file of a request, empty where it has none.
func fileOf(d *service.JobDetail) string {
	var asked struct{ File string }
	_ = json.Unmarshal(d.Request, &asked)
	return asked.File
}

// experimentsView is the page of all experiments.
type experimentsView struct {
	*list             // of runs
	Experiments       []service.ExperimentLine
	Find              string // what they are searched for
	First, Last, Many int    // of those that were found
	Before, After     string // the addresses of the pages beside it
	Wrong             string // the experiment that cannot be run as asked
	Errors            []string
}

// listedExperiments is the number of experiments on a page.
const listedExperiments = 20

// experimentsPage lists what can be run, and what was.
func (p jobPages) experimentsPage(r *http.Request) (any, error) {
	runs, err := p.list(r)
	if err != nil {
		return nil, err
	}
	return p.listExperiments(r, runs, "", nil)
}

// listExperiments returns the page with a list of runs; wrong is the experiment that cannot be run as asked.
func (p jobPages) listExperiments(r *http.Request, runs *list, wrong string, mistakes []string) (*experimentsView, error) {
	v := &experimentsView{list: runs, Find: cmp.Or(wrong, strings.TrimSpace(r.URL.Query().Get("find"))), Wrong: wrong, Errors: mistakes}
	all, err := p.o.Service.Experiments().All(r.Context())
	if err == nil {
		v.First, err = query(r, "first", 1, 1, mostSkip)
	}
	if len(v.Find) > 200 {
		err = problem(http.StatusBadRequest, "find: expected at most 200 bytes")
	}
	if err != nil {
		return nil, err
	}
	for _, word := range strings.Fields(strings.ToLower(v.Find)) {
		all = slices.DeleteFunc(all, func(e service.ExperimentLine) bool {
			return !strings.Contains(strings.ToLower(e.Name+" "+e.Doc+" "+e.Source), word)
		})
	}
	v.Many = len(all)
	v.First = min(v.First, max(1, v.Many))
	v.Last = min(v.First+listedExperiments-1, v.Many)
	v.Experiments = all[min(v.First-1, v.Many):v.Last]
	page := func(first int) string {
		return listAddress(p.kind.Home, map[string]string{"find": v.Find, "first": strconv.Itoa(first)}, 0) + "#all"
	}
	if v.First > 1 {
		v.Before = page(max(1, v.First-listedExperiments))
	}
	if v.Last < v.Many {
		v.After = page(v.Last + 1)
	}
	return v, nil
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
		runs, err := p.list(r)
		if err != nil {
			return nil, err
		}
		v, err := p.listExperiments(r, runs, request.Name, wrong)
		return mistaken(v), err
	}
	return redirect(p.path + strconv.Itoa(id)), nil
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
			rows.Ask(games, d.Games)
		}
	}
	return v, nil
}

// plotRows returns the rows as they are drawn.
func plotRows(rows []view.ComparedRow) []chart.Row {
	out := make([]chart.Row, len(rows))
	for i, r := range rows {
		out[i] = chart.Row{Label: r.Label, Metric: r.Metric, Printed: view.Typeset(r.PrintedText), Measured: view.Typeset(r.MeasuredText),
			PrintedValue: r.PrintedValue, MeasuredValue: r.MeasuredValue, PrintedCI: r.PrintedCI.Ends(), MeasuredCI: r.CI.Ends()}
	}
	return out
}
