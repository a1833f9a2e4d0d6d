package service

import (
	"encoding/json"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/contest/experiment"
)

// The kinds of jobs.
const (
	Tournament = "tournament"
	Experiment = "experiment"
)

// Job is a tournament or a run of an experiment, in a list.
type Job struct {
	ID       int    `json:"id"`
	Name     string `json:"name"` // of the tournament or the experiment
	State    string `json:"state"`
	Message  string `json:"message"`
	Priority int    `json:"priority"`
	Blocks   int64  `json:"blocks"`    // played so far, as last told
	Of       int64  `json:"blocks_of"` // of so many; 0 where that is not known
	Games    int64  `json:"games"`
	Created  string `json:"created"` // RFC 3339
	Updated  string `json:"updated"`
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
	Request json.RawMessage `json:"request"`
	// Result is what the command prints as JSON, null until the job is done. Partial is the
	// same for what is played so far, null if there is nothing yet.
	Result  json.RawMessage `json:"result"`
	Partial json.RawMessage `json:"partial"`
}

// TournamentRequest is a tournament file to be played, and all that its result
// depends on.
type TournamentRequest struct {
	File     string      `json:"file"`                // YAML
	FileName string      `json:"file_name,omitempty"` // for messages
	Blocks   int64       `json:"blocks,omitempty"`    // of each pairing; 0 takes the file's
	Seed     *param.Seed `json:"seed,omitempty"`      // in place of the file's
}

// ExperimentRequest is an embedded experiment to be run, and all that its result
// depends on.
type ExperimentRequest struct {
	Name        string      `json:"name"`
	Games       int64       `json:"games,omitempty"`       // the scale; 0 takes the experiment's
	Simulations int64       `json:"simulations,omitempty"` // of each search; 0 takes the experiment's
	Seed        *param.Seed `json:"seed,omitempty"`        // in place of the experiment's
	// Rules in place of the experiment's own, by name.
	Rules map[string]string `json:"rules,omitempty"`
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

// DescribeExperiment is an experiment in JSON.
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

// JobProgressOf is a job's progress as it is served.
func JobProgressOf(p tuner.Progress) *JobProgress {
	return &JobProgress{Blocks: p.Blocks, Of: p.MaxBlocks, Games: p.Games, PerSecond: p.PerSecond, Left: p.Left.Seconds()}
}
