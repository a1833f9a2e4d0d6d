package client

import (
	"context"
	"fmt"
	"iter"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/service"
	"sakusen/tuner/web/api"
)

// BeginStudy submits a study of a name, and resumes it where it rests. Without an error the
// daemon has it, also where the context has ended.
func (c *Client) BeginStudy(ctx context.Context, name string, given service.Submission) error {
	return c.settle(ctx, func(ctx context.Context) error {
		if _, err := Call(ctx, c, api.V1.SubmitStudy, &api.Body[service.Submission]{Body: given}); err != nil {
			return err
		}
		at, err := Call(ctx, c, api.V1.GetStudy, &api.OfStudy{Study: name})
		if err == nil && (at.State == "paused" || at.State == "stopped" || at.State == "failed") {
			_, err = Call(ctx, c, api.V1.ResumeStudy, &api.ActOnStudy{OfStudy: api.OfStudy{Study: name}})
		}
		return err
	})
}

// AwaitStudy waits for a study to end or to be held, and tells how far it is. An ended
// context is an error beside the study as it was seen last.
func (c *Client) AwaitStudy(ctx context.Context, name string, tell func(*service.StudyDetail)) (*service.StudyDetail, error) {
	for {
		d, err := Call(ctx, c, api.V1.GetStudy, &api.OfStudy{Study: name})
		if err != nil {
			return nil, err
		}
		if d.State != "queued" && d.State != "running" {
			return d, nil
		}
		tell(d)
		if err := sleep(ctx, pollEvery); err != nil {
			return d, err
		}
	}
}

// Job is a tournament, a run of an experiment or a test of a patch, of a daemon's database.
type Job struct {
	ID   int
	c    *Client
	ops  *api.Jobs
	list func(context.Context, *api.JobsPage) ([]service.Job, error)
}

// Tournament queues a tournament, or finds the same one and resumes it where it is paused.
// Without an error the daemon has it, also where the context has ended.
func (c *Client) Tournament(ctx context.Context, given service.TournamentRequest) (*Job, error) {
	return begin(ctx, c, &api.V1.Tournaments, api.V1.SubmitTournament, api.SubmittedTournament{TournamentRequest: given},
		api.V1.ListTournaments, func(page *api.TournamentList) []service.Job { return page.Tournaments })
}

// Test queues a test of a patch, with a priority; it is else as Tournament.
func (c *Client) Test(ctx context.Context, given service.PatchRequest, priority int) (*Job, error) {
	return begin(ctx, c, &api.V1.Tests, api.V1.SubmitTest, api.SubmittedTest{PatchRequest: given, Submitted: api.Submitted{Priority: priority}},
		api.V1.ListTests, func(page *api.TestList) []service.Job { return page.Tests })
}

// Experiment queues a run of an experiment; it is else as Tournament.
func (c *Client) Experiment(ctx context.Context, given service.ExperimentRequest) (*Job, error) {
	return begin(ctx, c, &api.V1.Runs, api.V1.SubmitExperimentRun, api.SubmittedExperiment{ExperimentRequest: given},
		api.V1.ListExperimentRuns, func(page *api.RunList) []service.Job { return page.Runs })
}

// begin submits a job, and resumes it where it is paused. jobs are those of a page of its list.
func begin[In, Page any](ctx context.Context, c *Client, ops *api.Jobs, submit api.Op[api.Body[In], api.JobID], given In, list api.Op[api.JobsPage, Page], jobs func(*Page) []service.Job) (*Job, error) {
	j := &Job{c: c.WithRetry(), ops: ops, list: func(ctx context.Context, in *api.JobsPage) ([]service.Job, error) {
		page, err := Call(ctx, c.WithRetry(), list, in) // a daemon that is restarted goes on with the job
		if err != nil {
			return nil, err
		}
		return jobs(page), nil
	}}
	return j, c.settle(ctx, func(ctx context.Context) error {
		answer, err := Call(ctx, c, submit, &api.Body[In]{Body: given})
		if err != nil {
			return err
		}
		j.ID = *answer.ID
		now, err := j.look(ctx)
		if err == nil && now != nil && now.State == "paused" {
			_, err = Call(ctx, c, ops.Resume, &api.ActOnJob{OfJob: api.OfJob{ID: j.ID}})
		}
		return err
	})
}

// Show returns the job with its result so far, which may be long.
func (j *Job) Show(ctx context.Context) (*service.JobDetail, error) {
	return Call(ctx, j.c, j.ops.Get, &api.OfJob{ID: j.ID})
}

// look returns the job without its result; nil where it is gone.
func (j *Job) look(ctx context.Context) (*service.Job, error) {
	page, err := j.list(ctx, &api.JobsPage{Before: j.ID + 1, Page: api.Page{Limit: 1}})
	if err != nil || len(page) == 0 || page[0].ID != j.ID {
		return nil, err
	}
	return &page[0], nil
}

// Await waits for the job to end or to be held, and tells how far it is: nil where it
// was deleted. Its result is with [Job.Show].
func (j *Job) Await(ctx context.Context, tell func(*service.JobProgress)) (*service.Job, error) {
	for {
		now, err := j.look(ctx)
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

// Benchmarks writes the benchmarks of a daemon's database, as service.Benchmarks does those of an
// open one.
type Benchmarks struct{ *Client }

// Record keeps runs; baseline, unless empty, becomes the name of the first. On an
// error the answer is what was recorded until then.
func (b Benchmarks) Record(ctx context.Context, runs []service.BenchRun, baseline string) ([]service.BenchRecorded, error) {
	out := []service.BenchRecorded{}
	for _, run := range runs { // one by one: the size of a request is bounded
		answer, err := Call(ctx, b.Client, api.V1.RecordRun, &api.Body[api.Recording]{Body: api.Recording{Runs: []service.BenchRun{run}, Baseline: baseline}})
		if err != nil {
			return out, err
		}
		out = append(out, answer.Runs...)
		baseline = ""
	}
	return out, nil
}

// SetBaseline gives the recorded run that source means a name.
func (b Benchmarks) SetBaseline(ctx context.Context, name, source string) (n service.BenchNamed, err error) {
	in := &api.Naming{OfBaseline: api.OfBaseline{Name: name}}
	in.Body.Source = source
	return value(Call(ctx, b.Client, api.V1.PutBaseline, in))
}

// RemoveBaseline takes a name away; its run stays.
func (b Benchmarks) RemoveBaseline(ctx context.Context, name string) error {
	_, err := Call(ctx, b.Client, api.V1.DeleteBaseline, &api.OfBaseline{Name: name})
	return err
}

// Accept lets a series begin anew with the values of a run.
func (b Benchmarks) Accept(ctx context.Context, a service.BenchAccept) (n service.BenchAccepted, err error) {
	return value(Call(ctx, b.Client, api.V1.AcceptSeries, &api.Body[service.BenchAccept]{Body: a}))
}

// Prune removes runs recorded more than so many days ago that nothing names, or,
// dry, counts them.
func (b Benchmarks) Prune(ctx context.Context, days int, dry bool) (int64, error) {
	answer, err := value(Call(ctx, b.Client, api.V1.PruneRuns, &api.Body[api.Pruning]{Body: api.Pruning{Days: days, Dry: dry}}))
	return answer.Runs, err
}

// value returns an answer by value, its zero value beside an error.
func value[T any](answer *T, err error) (out T, _ error) {
	if err != nil {
		return out, err
	}
	return *answer, nil
}

// Through returns a cache of blocks that is read from the file that a daemon holds,
// as any process may, and written through the daemon.
func (c *Client) Through(read tuner.Blocks) tuner.Blocks { return &posted{read, c} }

// posted stores blocks in the daemon.
type posted struct {
	tuner.Blocks
	c *Client
}

// postedValues bounds the numbers of one request.
const postedValues = 1 << 18

// Load implements tuner.Blocks: what the daemon has played and, for blocks that it has not,
// what clients have posted, with the worker service.PostedBy.
func (p *posted) Load(ctx context.Context, key tuner.BlockKey, from, to int64) iter.Seq2[*arena.Run, error] {
	apart := key
	apart.Posted = true
	return func(yield func(*arena.Run, error) bool) {
		at := from
		fill := func(to int64) bool {
			if at >= to {
				return true
			}
			for r, err := range p.Blocks.Load(ctx, apart, at, to) {
				if err == nil {
					r.Worker = service.PostedBy
				}
				if !yield(r, err) || err != nil {
					return false
				}
			}
			return true
		}
		for r, err := range p.Blocks.Load(ctx, key, from, to) {
			if err != nil {
				yield(nil, err)
				return
			}
			if !fill(r.From) || !yield(r, nil) {
				return
			}
			at = r.From + int64(r.Blocks)
		}
		fill(to)
	}
}

// Save implements tuner.Blocks. The daemon accepts blocks of matches only; an experiment
// may have others, which are not stored.
func (p *posted) Save(ctx context.Context, key tuner.BlockKey, run *arena.Run) error {
	if key.Phase != arena.Match {
		return nil
	}
	most := int64(max(1, postedValues/(run.Rotations*run.Seats*run.Width())))
	for at, end := run.From, run.From+int64(run.Blocks); at < end; at += most {
		part := run.Slice(at, min(at+most, end))
		played := service.PlayedBlocks{
			Game: key.Game, Rules: key.Rules, Signatures: key.Signatures, Entrants: key.Entrants,
			Seed: param.Seed(key.Seed).String(), From: part.From, Blocks: part.Blocks, BlockDetail: *service.DetailOf(part),
		}
		if _, err := request(ctx, p.c, api.V1.PostBlocks, &api.Body[service.PlayedBlocks]{Body: played}); err != nil {
			return fmt.Errorf("save blocks: %w", err)
		}
	}
	return nil
}
