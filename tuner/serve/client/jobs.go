package client

import (
	"context"
	"fmt"
	"net/http"

	"sakusen/tuner/service"
)

// Tournaments are the tournaments of a daemon's database.
type Tournaments struct{ Jobs }

// Experiments are the runs of experiments of a daemon's database.
type Experiments struct{ Jobs }

// Jobs are what tournaments and experiments have in common: they are submitted,
// run, and have a result.
type Jobs struct {
	c    *Client
	path string
}

// Tournaments are the daemon's tournaments.
func (c *Client) Tournaments() *Tournaments { return &Tournaments{Jobs{c, "/tournaments"}} }

// Experiments are the daemon's experiments.
func (c *Client) Experiments() *Experiments { return &Experiments{Jobs{c, "/experiments/runs"}} }

// Begin queues a tournament, or finds the same one; the answer is its number.
func (t *Tournaments) Begin(ctx context.Context, given service.TournamentRequest) (int, error) {
	return t.begin(ctx, given)
}

// Begin queues an experiment, or finds the same one; the answer is its number.
func (e *Experiments) Begin(ctx context.Context, given service.ExperimentRequest) (int, error) {
	return e.begin(ctx, given)
}

// begin queues a job, or finds the same one and resumes it where it is paused. Without an error
// the daemon has it, also where the context has ended.
func (j *Jobs) begin(ctx context.Context, given any) (int, error) {
	var answer struct{ ID int }
	err := j.c.settle(ctx, func(ctx context.Context) error {
		if err := j.c.call(ctx, http.MethodPost, j.path, given, &answer); err != nil {
			return err
		}
		now, err := j.Look(ctx, answer.ID)
		if err == nil && now != nil && now.State == "paused" {
			err = j.Resume(ctx, answer.ID)
		}
		return err
	})
	return answer.ID, err
}

// Show is a job with its result so far, which may be long.
func (j *Jobs) Show(ctx context.Context, id int) (*service.JobDetail, error) {
	var d service.JobDetail
	if err := j.c.call(ctx, http.MethodGet, fmt.Sprintf("%s/%d", j.path, id), nil, &d); err != nil {
		return nil, err
	}
	return &d, nil
}

// Look is a job without its result; nil where there is none of that number.
func (j *Jobs) Look(ctx context.Context, id int) (*service.Job, error) {
	var page struct{ Tournaments, Runs []service.Job }
	if err := j.c.call(ctx, http.MethodGet, fmt.Sprintf("%s?before=%d&limit=1", j.path, id+1), nil, &page); err != nil {
		return nil, err
	}
	if now := append(page.Tournaments, page.Runs...); len(now) > 0 && now[0].ID == id {
		return &now[0], nil
	}
	return nil, nil
}

// Resume puts a job back into the queue.
func (j *Jobs) Resume(ctx context.Context, id int) error {
	return j.c.act(ctx, http.MethodPost, fmt.Sprintf("%s/%d/resume", j.path, id), struct{}{}, nil)
}

// Await waits for a job to end or to be held, and tells how far it is: nil where it
// was deleted. Its result is with [Jobs.Show].
func (j *Jobs) Await(ctx context.Context, id int, tell func(*service.JobProgress)) (*service.Job, error) {
	for {
		now, err := j.Look(ctx, id)
		if err != nil || now == nil {
			return nil, err
		}
		if now.State != "queued" && now.State != "running" {
			return now, nil
		}
		if now.Progress != nil {
			tell(now.Progress)
		}
		if err := sleep(ctx, pollEvery); err != nil {
			return now, err
		}
	}
}
