package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store"
)

// Jobs is what can be done with the jobs of a kind: tournaments, runs of experiments, or
// tests of patches.
type Jobs struct {
	s    *Service
	Kind daemon.Kind
}

// Jobs returns the jobs of a kind.
func (s *Service) Jobs(kind daemon.Kind) *Jobs { return &Jobs{s, kind} }

// Key returns the key of a job in the queue.
func (j *Jobs) Key(id int) daemon.Key { return daemon.JobKey(j.Kind, id) }

// List lists the jobs that a filter lets through.
func (j *Jobs) List(ctx context.Context, f store.Filter) ([]Job, error) {
	page, err := j.s.store.Jobs.List(ctx, string(j.Kind), f)
	out := []Job{}
	for _, one := range page {
		out = append(out, j.line(one))
	}
	return out, err
}

// Count counts the jobs of each outcome that a filter lets through.
func (j *Jobs) Count(ctx context.Context, f store.Filter) (map[string]int, error) {
	return j.s.store.Jobs.Count(ctx, string(j.Kind), f)
}

// SetNote writes about a job, in place of what was written before.
func (j *Jobs) SetNote(ctx context.Context, id int, text string) error {
	text, err := noteText(text)
	if err == nil {
		var one store.Job
		if one, err = findJob(ctx, j.s.store, j.Key(id)); err == nil {
			err = resting(fmt.Sprintf("%s %d", j.Kind, id), one.State, one.Note, text)
		}
	}
	if err != nil {
		return err
	}
	return j.s.store.Jobs.SetNote(ctx, id, text)
}

// Archive puts a job away, so that lists leave it out, or back again: by a tag in its note.
func (j *Jobs) Archive(ctx context.Context, id int, away bool) error {
	one, err := findJob(ctx, j.s.store, j.Key(id))
	if err != nil {
		return err
	}
	return j.SetNote(ctx, id, put(one.Note, away))
}

// line returns a job as lists show it, with its progress if it runs.
func (j *Jobs) line(one store.Job) Job {
	line := Job{Job: one}
	line.Created, line.Updated = one.Created.Truncate(time.Second), one.Updated.Truncate(time.Second)
	if p, ok := j.s.daemon.Progress(j.Key(one.ID)); ok {
		line.Progress = JobProgressOf(p)
	}
	return line
}

// Show returns one job, whole.
func (j *Jobs) Show(ctx context.Context, id int) (*JobDetail, error) {
	one, err := findJob(ctx, j.s.store, j.Key(id))
	if err != nil {
		return nil, err
	}
	return &JobDetail{Job: j.line(one), Request: one.Request, Result: one.Result, Partial: one.Partial}, nil
}

// submit queues a job of a request that read names where it has no mistake, or only checks it. One
// that has not ended and was asked for the same is returned instead; then created is false.
func (j *Jobs) submit(ctx context.Context, request any, priority int, check bool, read func() (name string, err error)) (id int, created bool, err error) {
	if err := admits(ctx, priority); err != nil {
		return 0, false, err
	}
	name, err := read()
	if err != nil || check {
		return 0, false, err
	}
	text, err := json.Marshal(request)
	if err != nil {
		return 0, false, err
	}
	id, created, err = j.s.store.Jobs.Create(ctx, store.Job{Kind: string(j.Kind), Name: name, Request: text, Priority: priority})
	if err != nil {
		return 0, false, err
	}
	j.s.daemon.Queue()
	return id, created, nil
}

// sofar returns a job with its result or, if it has not ended, the result so far; nil if there
// is none yet.
func sofar[R any](ctx context.Context, j *Jobs, id int) (one store.Job, r *R, err error) {
	one, err = findJob(ctx, j.s.store, j.Key(id))
	text := one.Result
	if text == nil {
		text = one.Partial
	}
	if err != nil || text == nil {
		return one, nil, err
	}
	r = new(R)
	if err := json.Unmarshal(text, r); err != nil {
		return one, nil, fmt.Errorf("%s %d: stored result: %w", j.Kind, id, err)
	}
	return one, r, nil
}

// findJob finds a job.
func findJob(ctx context.Context, s *store.Store, key daemon.Key) (store.Job, error) {
	j, err := s.Jobs.Get(ctx, string(key.Kind), key.ID)
	if errors.Is(err, store.ErrJobNotFound) {
		err = &Error{Code: NotFound, Message: fmt.Sprintf("no %s %d", key.Kind, key.ID), Err: err}
	}
	return j, err
}

// Job is a tournament, a run of an experiment or a test of a patch, in a list.
type Job struct {
	store.Job
	// Progress is there while the job runs.
	Progress *JobProgress `json:"progress,omitempty"`
}

// JobProgress is how far a running job is.
type JobProgress struct {
	Blocks    int64   `json:"blocks"`
	Of        int64   `json:"blocks_of"`
	Games     int64   `json:"games"`
	PerSecond float64 `json:"games_per_second"`
	Left      float64 `json:"seconds_left"` // 0 where unknown
}

// JobDetail is one job, whole.
type JobDetail struct {
	Job
	Request json.RawMessage `json:"request" help:"Everything on which the result depends."`
	// Result is what the command prints as JSON, null until the job is done. Partial is the
	// same for what is played so far, null if there is nothing yet.
	Result  json.RawMessage `json:"result"`
	Partial json.RawMessage `json:"partial" help:"The result of the games played so far, in the form of result; null if there is none."`
}

// TournamentRequest is a tournament file to be played, and all that its result
// depends on.
type TournamentRequest struct {
	File     string      `json:"file" help:"The tournament file, in YAML. The files that it names are embedded in it." need:"a tournament file"`
	FileName string      `json:"file_name,omitempty" help:"The file's name, used in messages." bytes:"200"`
	Blocks   int64       `json:"blocks,omitempty" help:"Blocks for each pairing; if 0 or absent, as the file says." min:"0" max:"1099511627776"`
	Seed     *param.Seed `json:"seed,omitempty" schema:"Seed"`
}

// PatchRequest is the file of a test of a patch, and all that its result depends on.
type PatchRequest struct {
	File     string `json:"file" help:"The test file, in YAML. The files that it names are embedded in it." need:"a test file"`
	FileName string `json:"file_name,omitempty" help:"The file's name, used in messages." bytes:"200"`
}

// ExperimentRequest is an embedded experiment to be run, and all that its result
// depends on.
type ExperimentRequest struct {
	Name        string      `json:"name" need:"that of an experiment"`
	Games       int64       `json:"games,omitempty" help:"The number of games, at most 1000 times the experiment's own; if 0 or absent, the experiment's own." min:"0"`
	Simulations int64       `json:"simulations,omitempty" help:"Simulations in each search; if 0 or absent, the experiment's own number." min:"0" max:"1000000"`
	Seed        *param.Seed `json:"seed,omitempty" schema:"Seed"`
	// Rules in place of the experiment's own, by name.
	Rules map[string]string `json:"rules,omitempty" help:"Rules that replace the experiment's, by name. Rules that the experiment measures cannot be replaced."`
}

// ExperimentInfo is an experiment that can be run.
type ExperimentInfo struct {
	Name        string      `json:"name"`
	Doc         string      `json:"doc"`
	Source      string      `json:"source"`
	Games       *int64      `json:"games"`       // the default scale; null where nothing is to scale
	Simulations *int64      `json:"simulations"` // of each search; null where nothing searches by them
	Seed        *param.Seed `json:"seed"`        // the default; null where nothing is left to chance
}

// DescribeExperiment returns an experiment in JSON.
func DescribeExperiment(e *experiment.Experiment) ExperimentInfo {
	out := ExperimentInfo{Name: e.Name, Doc: e.Doc, Source: e.Source, Seed: (*param.Seed)(e.Seed)}
	if e.Games > 0 {
		out.Games = &e.Games
	}
	if e.Simulations > 0 {
		out.Simulations = &e.Simulations
	}
	return out
}

// ExperimentLine is an experiment that can be run, with its last run.
type ExperimentLine struct {
	ExperimentInfo
	Last *Job `json:"last_run"`
}

// Example is an embedded file of a tournament or a study.
type Example struct{ Name, File string }

// JobPath returns the page of a job.
func JobPath(kind daemon.Kind, id int) string {
	return map[daemon.Kind]string{daemon.Tournament: "/tournaments/", daemon.Experiment: "/experiments/runs/", daemon.Test: "/tests/"}[kind] + strconv.Itoa(id)
}

// JobProgressOf returns a job's progress as it is served.
func JobProgressOf(p tuner.Progress) *JobProgress {
	return &JobProgress{Blocks: p.Blocks, Of: p.MaxBlocks, Games: p.Games, PerSecond: p.PerSecond, Left: p.Left.Seconds()}
}
