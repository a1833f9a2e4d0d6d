package client

import (
	"context"
	"fmt"
	"iter"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/insight"
	"sakusen/tuner/queue/fleet"
	"sakusen/tuner/service"
	"sakusen/tuner/store/blocks"
	"sakusen/tuner/web/api"
)

// Studies are the studies of a daemon's database.
type Studies struct{ c *Client }

// Studies are the daemon's studies.
func (c *Client) Studies() *Studies { return &Studies{c} }

// Workers returns what the daemon tells of workers on other machines.
func (c *Client) Workers(ctx context.Context) (*fleet.Fleet, error) {
	return ask(ctx, c, api.V1.GetWorkers, &api.None{})
}

// Submit queues a study, or only checks it, and returns its name. One that is
// there already with the same spec is left as it is.
func (s *Studies) Submit(ctx context.Context, given service.Submission) (string, error) {
	answer, err := act(ctx, s.c, api.V1.SubmitStudy, &api.Body[service.Submission]{Body: given})
	if err != nil {
		return "", err
	}
	return answer.Study, nil
}

// Begin submits a study of a name, and resumes it where it rests. Without an error the daemon
// has it, also where the context has ended.
func (s *Studies) Begin(ctx context.Context, name string, given service.Submission) error {
	return s.c.settle(ctx, func(ctx context.Context) error {
		if _, err := s.Submit(ctx, given); err != nil {
			return err
		}
		at, err := s.Show(ctx, name)
		if err == nil && (at.State == "paused" || at.State == "stopped" || at.State == "failed") {
			_, err = s.Resume(ctx, name)
		}
		return err
	})
}

// Forecast says how long a study would take and what it could prove.
func (s *Studies) Forecast(ctx context.Context, given service.Submission) (*insight.Forecast, error) {
	return ask(ctx, s.c, api.V1.ForecastStudy, &api.Body[service.Submission]{Body: given})
}

// Show returns a study with its result.
func (s *Studies) Show(ctx context.Context, name string) (*service.StudyDetail, error) {
	return ask(ctx, s.c, api.V1.GetStudy, &api.OfStudy{Study: name})
}

// Pause interrupts a study until it is resumed, and returns the state that it is
// then in.
func (s *Studies) Pause(ctx context.Context, name string) (state string, err error) {
	return s.control(ctx, name, api.V1.PauseStudy)
}

// Resume puts a study that was paused, stopped or failed back into the queue, and
// returns the state that it is then in.
func (s *Studies) Resume(ctx context.Context, name string) (state string, err error) {
	return s.control(ctx, name, api.V1.ResumeStudy)
}

// Stop ends a study for good unless it is resumed, and returns the state that it is
// then in.
func (s *Studies) Stop(ctx context.Context, name string) (state string, err error) {
	return s.control(ctx, name, api.V1.StopStudy)
}

func (s *Studies) control(ctx context.Context, name string, op api.Op[api.ActOnStudy, api.StudyState]) (string, error) {
	answer, err := act(ctx, s.c, op, &api.ActOnStudy{OfStudy: api.OfStudy{Study: name}})
	if err != nil {
		return "", err
	}
	return answer.State, nil
}

// Try has a study try a point, and says which that is with all its values.
func (s *Studies) Try(ctx context.Context, name string, named param.Values) (*service.TryPoint, error) {
	in := &api.Trying{OfStudy: api.OfStudy{Study: name}}
	in.Body.Point = map[string]any{}
	for _, v := range named {
		in.Body.Point[v.Name] = v.Text
	}
	return act(ctx, s.c, api.V1.TryPoint, in)
}

// Drop takes a worker's blocks out and has the study begin anew.
func (s *Studies) Drop(ctx context.Context, name, worker string) (service.Dropped, error) {
	in := &api.Dropping{OfStudy: api.OfStudy{Study: name}}
	in.Body.Worker = worker
	done, err := act(ctx, s.c, api.V1.DropWorker, in)
	if err != nil {
		return service.Dropped{}, err
	}
	return *done, nil
}

// Delete deletes a study.
func (s *Studies) Delete(ctx context.Context, name string) error {
	_, err := act(ctx, s.c, api.V1.DeleteStudy, &api.OfStudy{Study: name})
	return err
}

// Await waits for a study to end or to be held, and tells how far it is. An ended
// context is an error beside the study as it was seen last.
func (s *Studies) Await(ctx context.Context, name string, tell func(*service.StudyDetail)) (*service.StudyDetail, error) {
	for {
		d, err := s.Show(ctx, name)
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

// Ask hands out games of a study that are played elsewhere.
func (s *Studies) Ask(ctx context.Context, name string, r service.AskRequest) (*service.Asked, error) {
	return act(ctx, s.c, api.V1.Ask, &api.Asking{OfStudy: api.OfStudy{Study: name}, Body: r})
}

// Tell takes results of such games.
func (s *Studies) Tell(ctx context.Context, name string, given service.Tellings) (*service.Accepted, error) {
	return act(ctx, s.c, api.V1.Tell, &api.Telling{OfStudy: api.OfStudy{Study: name}, Body: given})
}

// Tournaments are the tournaments of a daemon's database.
type Tournaments struct{ Jobs }

// Experiments are the runs of experiments of a daemon's database.
type Experiments struct{ Jobs }

// Jobs are what tournaments and experiments have in common: they are submitted,
// run, and have a result.
type Jobs struct {
	c    *Client
	ops  *api.Jobs
	page func(ctx context.Context, c *Client, in *api.JobsPage) ([]service.Job, error)
}

// Tournaments are the daemon's tournaments.
func (c *Client) Tournaments() *Tournaments {
	return &Tournaments{Jobs{c, &api.V1.Tournaments, func(ctx context.Context, c *Client, in *api.JobsPage) ([]service.Job, error) {
		page, err := ask(ctx, c, api.V1.ListTournaments, in)
		if err != nil {
			return nil, err
		}
		return page.Tournaments, nil
	}}}
}

// Experiments are the daemon's experiments.
func (c *Client) Experiments() *Experiments {
	return &Experiments{Jobs{c, &api.V1.Runs, func(ctx context.Context, c *Client, in *api.JobsPage) ([]service.Job, error) {
		page, err := ask(ctx, c, api.V1.ListExperimentRuns, in)
		if err != nil {
			return nil, err
		}
		return page.Runs, nil
	}}}
}

// Begin queues a tournament, or finds the same one; the answer is its number.
func (t *Tournaments) Begin(ctx context.Context, given service.TournamentRequest) (int, error) {
	return t.begin(ctx, func(ctx context.Context) (*api.JobID, error) {
		return ask(ctx, t.c, api.V1.SubmitTournament, &api.Body[api.SubmittedTournament]{Body: api.SubmittedTournament{TournamentRequest: given}})
	})
}

// Begin queues an experiment, or finds the same one; the answer is its number.
func (e *Experiments) Begin(ctx context.Context, given service.ExperimentRequest) (int, error) {
	return e.begin(ctx, func(ctx context.Context) (*api.JobID, error) {
		return ask(ctx, e.c, api.V1.SubmitExperimentRun, &api.Body[api.SubmittedExperiment]{Body: api.SubmittedExperiment{ExperimentRequest: given}})
	})
}

// begin queues a job, or finds the same one and resumes it where it is paused. Without an error
// the daemon has it, also where the context has ended.
func (j *Jobs) begin(ctx context.Context, submit func(context.Context) (*api.JobID, error)) (id int, err error) {
	err = j.c.settle(ctx, func(ctx context.Context) error {
		answer, err := submit(ctx)
		if err != nil {
			return err
		}
		id = *answer.ID
		now, err := j.look(ctx, id)
		if err == nil && now != nil && now.State == "paused" {
			_, err = act(ctx, j.c, j.ops.Resume, &api.ActOnJob{OfJob: api.OfJob{ID: id}})
		}
		return err
	})
	return id, err
}

// Show returns a job with its result so far, which may be long.
func (j *Jobs) Show(ctx context.Context, id int) (*service.JobDetail, error) {
	return ask(ctx, j.c, j.ops.Get, &api.OfJob{ID: id})
}

// look returns a job without its result; nil where there is none of that number.
func (j *Jobs) look(ctx context.Context, id int) (*service.Job, error) {
	page, err := j.page(ctx, j.c, &api.JobsPage{Before: id + 1, Page: api.Page{Limit: 1}})
	if err != nil || len(page) == 0 || page[0].ID != id {
		return nil, err
	}
	return &page[0], nil
}

// Await waits for a job to end or to be held, and tells how far it is: nil where it
// was deleted. Its result is with [Jobs.Show].
func (j *Jobs) Await(ctx context.Context, id int, tell func(*service.JobProgress)) (*service.Job, error) {
	for {
		now, err := j.look(ctx, id)
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

// Benchmarks are the benchmarks of a daemon's database.
type Benchmarks struct{ c *Client }

// Benchmarks are the daemon's benchmarks.
func (c *Client) Benchmarks() *Benchmarks { return &Benchmarks{c} }

// Record keeps runs; baseline, unless empty, becomes the name of the first. On an
// error the answer is what was recorded until then.
func (b *Benchmarks) Record(ctx context.Context, runs []service.BenchRun, baseline string) ([]service.BenchRecorded, error) {
	out := []service.BenchRecorded{}
	for _, run := range runs { // one by one: the size of a request is bounded
		answer, err := act(ctx, b.c, api.V1.RecordRun, &api.Body[api.Recording]{Body: api.Recording{Runs: []service.BenchRun{run}, Baseline: baseline}})
		if err != nil {
			return out, err
		}
		out = append(out, answer.Runs...)
		baseline = ""
	}
	return out, nil
}

// SetBaseline gives the recorded run that source means a name.
func (b *Benchmarks) SetBaseline(ctx context.Context, name, source string) (n service.BenchNamed, err error) {
	in := &api.Naming{OfBaseline: api.OfBaseline{Name: name}}
	in.Body.Source = source
	done, err := act(ctx, b.c, api.V1.PutBaseline, in)
	if err != nil {
		return n, err
	}
	return *done, nil
}

// RemoveBaseline takes a name away; its run stays.
func (b *Benchmarks) RemoveBaseline(ctx context.Context, name string) error {
	_, err := act(ctx, b.c, api.V1.DeleteBaseline, &api.OfBaseline{Name: name})
	return err
}

// Accept lets a series begin anew with the values of a run.
func (b *Benchmarks) Accept(ctx context.Context, a service.BenchAccept) (n service.BenchAccepted, err error) {
	done, err := act(ctx, b.c, api.V1.AcceptSeries, &api.Body[service.BenchAccept]{Body: a})
	if err != nil {
		return n, err
	}
	return *done, nil
}

// Prune removes runs recorded more than so many days ago that nothing names, or,
// dry, counts them.
func (b *Benchmarks) Prune(ctx context.Context, days int, dry bool) (int64, error) {
	answer, err := act(ctx, b.c, api.V1.PruneRuns, &api.Body[api.Pruning]{Body: api.Pruning{Days: days, Dry: dry}})
	if err != nil {
		return 0, err
	}
	return answer.Runs, nil
}

// Blocks are the blocks of a daemon's database.
type Blocks struct{ c *Client }

// Blocks are the daemon's blocks.
func (c *Client) Blocks() *Blocks { return &Blocks{c} }

// Prune deletes series of blocks that nobody has added to for so many days, or,
// dry, counts them.
func (b *Blocks) Prune(ctx context.Context, days int, dry bool) (blocks.Pruned, error) {
	pruned, err := act(ctx, b.c, api.V1.Prune, &api.Body[api.Pruning]{Body: api.Pruning{Days: days, Dry: dry}})
	if err != nil {
		return blocks.Pruned{}, err
	}
	return *pruned, nil
}

// Through is a cache of blocks that is read from the file that a daemon holds,
// as any process may, and written through the daemon.
func (b *Blocks) Through(read tuner.Blocks) tuner.Blocks { return &posted{read, b.c} }

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
		if _, err := ask(ctx, p.c, api.V1.PostBlocks, &api.Body[service.PlayedBlocks]{Body: played}); err != nil {
			return fmt.Errorf("save blocks: %w", err)
		}
	}
	return nil
}
