package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strconv"

	"sakusen/tuner"
	"sakusen/tuner/service"
	"sakusen/tuner/web/api"
)

// jobAPI is the API of the jobs of a kind.
type jobAPI struct {
	*Server
	*service.Jobs
}

// jobLists are the operations on all tournaments and experiments.
func (s *Server) jobLists() []route {
	v1, tournaments, experiments := api.V1, s.o.Service.Tournaments(), s.o.Service.Experiments()
	t, e := jobAPI{s, tournaments.Jobs}, jobAPI{s, experiments.Jobs}
	return append(append([]route{
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
	}, t.routes(&v1.Tournaments)...), e.routes(&v1.Runs)...)
}

// queued is the answer to a submission.
func (c *call) queued(id int, created, checked bool) *api.JobID {
	if checked {
		return &api.JobID{}
	}
	if created {
		c.created(fmt.Sprintf("%s/%d", c.r.URL.Path, id))
	}
	return &api.JobID{ID: &id}
}

// routes are the operations on one job.
func (a jobAPI) routes(ops *api.Jobs) []route {
	return []route{
		answered(ops.Get, func(c *call, in *api.OfJob) (*service.JobDetail, error) { return a.Show(c, in.ID) }),
		a.found(answered(ops.Delete, func(c *call, in *api.OfJob) (*api.DeletedJob, error) {
			return &api.DeletedJob{Deleted: in.ID}, a.o.Service.Queue().Delete(c, a.Key(in.ID))
		})),
		a.found(answered(ops.Pause, a.act(service.Queue.Pause))),
		a.found(answered(ops.Resume, a.act(service.Queue.Resume))),
		a.found(answered(ops.Stop, a.act(service.Queue.Stop))),
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
	list, err = a.List(ctx, in.Before, in.Limit)
	return list, nextOf(list, in.Limit, func(j *service.Job) int { return j.ID }), err
}

// act does something with a job. It answers with the state that was set: when the answer is
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

// state is a job after a change, in the state that was set, or as it is where none was.
func (a jobAPI) state(ctx context.Context, id int, state tuner.State) (*api.JobState, error) {
	d, err := a.Show(ctx, id)
	if err != nil {
		return nil, err
	}
	return &api.JobState{ID: id, State: cmp.Or(string(state), d.State), Priority: d.Priority}, nil
}
