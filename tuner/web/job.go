package web

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"sakusen/tuner"
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
	// Result is what the command prints as JSON, null until the job is done;
	// Partial is the same of what is played so far, null where there is none.
	Result  json.RawMessage `json:"result"`
	Partial json.RawMessage `json:"partial"`
}

// Seed is a number of 64 bits without sign; as JSON it is read from a decimal
// text or a number, and written as a text.
type Seed uint64

// UnmarshalJSON implements json.Unmarshaler.
func (s *Seed) UnmarshalJSON(text []byte) error {
	var t string
	if json.Unmarshal(text, &t) != nil {
		t = string(text)
	}
	n, err := strconv.ParseUint(t, 10, 64)
	if err != nil {
		return errors.New("seed: expected a whole number from 0 to 18446744073709551615")
	}
	*s = Seed(n)
	return nil
}

// MarshalJSON implements json.Marshaler.
func (s Seed) MarshalJSON() ([]byte, error) {
	return strconv.AppendQuote(nil, strconv.FormatUint(uint64(s), 10)), nil
}

// TournamentRequest is a tournament file to be played, and all that its result
// depends on.
type TournamentRequest struct {
	File     string `json:"file"`                // YAML
	FileName string `json:"file_name,omitempty"` // for messages
	Blocks   int64  `json:"blocks,omitempty"`    // of each pairing; 0 takes the file's
	Seed     *Seed  `json:"seed,omitempty"`      // in place of the file's
}

// ExperimentRequest is an embedded experiment to be run, and all that its result
// depends on.
type ExperimentRequest struct {
	Name        string `json:"name"`
	Games       int64  `json:"games,omitempty"`       // the scale; 0 takes the experiment's
	Simulations int64  `json:"simulations,omitempty"` // of each search; 0 takes the experiment's
	Seed        *Seed  `json:"seed,omitempty"`        // in place of the experiment's
}

// JobLibrary is what is served of jobs.
type JobLibrary interface {
	// Jobs lists at most limit jobs of a kind, the newest first, before the one
	// with the given id; 0 begins with the newest.
	Jobs(ctx context.Context, kind string, before, limit int) ([]Job, error)
	Job(ctx context.Context, kind string, id int) (*JobDetail, error)
	// Tournament queues a tournament, or only checks it. One that has not ended
	// and was asked for the same is returned instead; then created is false.
	Tournament(ctx context.Context, r TournamentRequest, priority int, check bool) (id int, created bool, err error)
	// Run queues an experiment, as Tournament does.
	Run(ctx context.Context, r ExperimentRequest, priority int, check bool) (id int, created bool, err error)
	// Experiments are those that can be run, with the last run of each.
	Experiments(ctx context.Context) ([]ExperimentLine, error)
	// Examples are embedded tournament files by name.
	Examples(ctx context.Context) ([]Example, error)
	// Crosstable is a tournament's result for people, that so far where it has not
	// ended; nil where there is none yet.
	Crosstable(ctx context.Context, id int) (*Crosstable, error)
	// Comparison is a run's rows for people, those so far where it has not ended;
	// nil where there are none yet.
	Comparison(ctx context.Context, id int) (*Comparison, error)
}

// ExperimentLine is an experiment that can be run.
type ExperimentLine struct {
	Name        string `json:"name"`
	Doc         string `json:"doc"`
	Source      string `json:"source"`
	Games       *int64 `json:"games"`       // the default scale; null where nothing is to scale
	Simulations *int64 `json:"simulations"` // of each search; null where nothing searches by them
	Seed        *Seed  `json:"seed"`        // the default; null where nothing is left to chance
	Last        *Job   `json:"last_run"`
}

// Example is an embedded file of a tournament or a study.
type Example struct{ Name, File string }

// JobProgressOf is a job's progress as it is served.
func JobProgressOf(p tuner.Progress) *JobProgress {
	return &JobProgress{Blocks: p.Blocks, Of: p.MaxBlocks, Games: p.Games, PerSecond: p.PerSecond, Left: p.Left.Seconds()}
}

// JobName is a job's name for a Control: "tournament/12".
func JobName(kind string, id int) string { return kind + "/" + strconv.Itoa(id) }
