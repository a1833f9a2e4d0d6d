package web

import (
	"context"

	"sakusen/tuner"
	"sakusen/tuner/daemon"
	"sakusen/tuner/service"
	"sakusen/tuner/store/blocks"
)

// Library is what is served. Its errors have the codes of the service.
type Library interface {
	Chronicler
	JobLibrary
	// Studies lists at most limit studies after the one with the given id.
	Studies(ctx context.Context, after, limit int) ([]service.Study, error)
	Study(ctx context.Context, name string) (*service.StudyDetail, error)
	// Trials lists at most limit trials from a number on.
	Trials(ctx context.Context, name string, from, limit int) ([]service.Trial, error)
	// Log lists at most limit entries of the log after a sequence number.
	Log(ctx context.Context, name string, after, limit int) ([]service.LogEntry, error)
	// Submit queues a study and returns its name; one that is there already with
	// the same spec is left as it is.
	Submit(ctx context.Context, s service.Submission) (name string, err error)
	Export(ctx context.Context, name, format string, force bool) (service.Document, error)
	Games(ctx context.Context) ([]service.GameInfo, error)
	Strategies(ctx context.Context, game string) ([]service.StrategyInfo, error)
	// Forms are the games with what can be tuned in each.
	Forms(ctx context.Context) ([]service.Game, error)
	// StudyFiles are the embedded study files by name.
	StudyFiles(ctx context.Context) ([]service.Example, error)
	// Series lists the benchmarks' series; History is one of them.
	Series(ctx context.Context) ([]service.SeriesLine, error)
	History(ctx context.Context, series string) (*service.SeriesHistory, error)
	// Prune deletes blocks that nobody has added to for so many days, or, dry,
	// counts them.
	Prune(ctx context.Context, days int, dry bool) (blocks.Pruned, error)
	// Ready says why the server cannot serve now, nil where it can.
	Ready(ctx context.Context) error
}

// Control is what is done to studies and jobs.
type Control interface {
	Pause(ctx context.Context, key daemon.Key) error
	Resume(ctx context.Context, key daemon.Key) error
	Stop(ctx context.Context, key daemon.Key) error
	Delete(ctx context.Context, key daemon.Key) error
	Prioritise(ctx context.Context, key daemon.Key, priority int) error
	Progress(key daemon.Key) (tuner.Progress, bool)
	Running() int
}

// JobLibrary is what is served of jobs.
type JobLibrary interface {
	// Jobs lists at most limit jobs of a kind, the newest first, before the one
	// with the given id; 0 begins with the newest.
	Jobs(ctx context.Context, kind string, before, limit int) ([]service.Job, error)
	Job(ctx context.Context, kind string, id int) (*service.JobDetail, error)
	// Tournament queues a tournament, or only checks it. One that has not ended
	// and was asked for the same is returned instead; then created is false.
	Tournament(ctx context.Context, r service.TournamentRequest, priority int, check bool) (id int, created bool, err error)
	// Run queues an experiment, as Tournament does.
	Run(ctx context.Context, r service.ExperimentRequest, priority int, check bool) (id int, created bool, err error)
	// Experiments are those that can be run, with the last run of each.
	Experiments(ctx context.Context) ([]service.ExperimentLine, error)
	// Examples are embedded tournament files by name.
	Examples(ctx context.Context) ([]service.Example, error)
	// Crosstable is a tournament's result for people, that so far where it has not
	// ended; nil where there is none yet.
	Crosstable(ctx context.Context, id int) (*service.Crosstable, error)
	// Comparison is a run's rows for people, those so far where it has not ended;
	// nil where there are none yet.
	Comparison(ctx context.Context, id int) (*service.Comparison, error)
}

// Writer is what commands write through the server that holds the database, and
// the blocks that are read from it. Its errors are as Library's.
type Writer interface {
	// RecordBench keeps benchmark runs; baseline, unless empty, becomes the name
	// of the first one.
	RecordBench(ctx context.Context, runs []service.BenchRun, baseline string) ([]service.BenchRecorded, error)
	// SetBaseline gives the run that source means a name.
	SetBaseline(ctx context.Context, name, source string) (service.BenchNamed, error)
	RemoveBaseline(ctx context.Context, name string) error
	// AcceptBench lets a series begin anew with a run.
	AcceptBench(ctx context.Context, a service.BenchAccept) (service.BenchAccepted, error)
	// PruneBench removes runs older than so many days, or, dry, counts them.
	PruneBench(ctx context.Context, days int, dry bool) (int64, error)
	// Drop takes a worker's blocks out and has the study begin anew.
	Drop(ctx context.Context, study, worker string) (service.Dropped, error)
	// Blocks lists at most limit runs of blocks of a study's game and seeds, after
	// the one with the given id; each with its digests and values where asked.
	Blocks(ctx context.Context, study string, after int64, limit int, values bool) ([]service.BlockRun, error)
	// SaveBlocks keeps blocks of a match that were played elsewhere.
	SaveBlocks(ctx context.Context, p service.PlayedBlocks) error
}
