package cli

import (
	"context"

	"sakusen/tuner/chronicle"
	"sakusen/tuner/daemon"
	"sakusen/tuner/entry"
	"sakusen/tuner/service"
	"sakusen/tuner/store/blocks"
)

// library hands the server's questions to the service.
type library struct{ *service.Service }

func (l library) studies() *service.Studies { return l.Service.Studies() }

func (l library) Studies(ctx context.Context, after, limit int) ([]service.Study, error) {
	return l.studies().List(ctx, after, limit)
}
func (l library) Study(ctx context.Context, name string) (*service.StudyDetail, error) {
	return l.studies().Show(ctx, name)
}
func (l library) Trials(ctx context.Context, name string, from, limit int) ([]service.Trial, error) {
	return l.studies().Trials(ctx, name, from, limit)
}
func (l library) Log(ctx context.Context, name string, after, limit int) ([]service.LogEntry, error) {
	return l.studies().Log(ctx, name, after, limit)
}
func (l library) Submit(ctx context.Context, s service.Submission) (string, error) {
	return l.studies().Submit(ctx, s)
}
func (l library) Export(ctx context.Context, name, format string, force bool) (service.Document, error) {
	return l.studies().Export(ctx, name, format, force)
}
func (l library) Games(context.Context) ([]service.GameInfo, error) { return l.Service.Games() }
func (l library) Strategies(_ context.Context, game string) ([]service.StrategyInfo, error) {
	return l.Service.Strategies(game)
}
func (l library) Forms(context.Context) ([]service.Game, error) { return l.Service.Forms() }
func (l library) StudyFiles(context.Context) ([]service.Example, error) {
	return l.studies().Files()
}
func (l library) Series(ctx context.Context) ([]service.SeriesLine, error) {
	b, err := l.Benchmarks(ctx)
	if err != nil {
		return nil, err
	}
	return b.Series(ctx)
}
func (l library) History(ctx context.Context, series string) (*service.SeriesHistory, error) {
	b, err := l.Benchmarks(ctx)
	if err != nil {
		return nil, err
	}
	return b.History(ctx, series)
}
func (l library) Prune(ctx context.Context, days int, dry bool) (blocks.Pruned, error) {
	return l.Service.Blocks().Prune(ctx, days, dry)
}
func (l library) Chronicle(ctx context.Context, name string) (*chronicle.Chronicle, error) {
	return l.studies().Chronicle(ctx, name)
}
func (l library) EachEntry(ctx context.Context, id, after, limit int, each func(entry.Entry) error) error {
	return l.studies().EachEntry(ctx, id, after, limit, each)
}
func (l library) EntriesAt(ctx context.Context, id int, seqs []int) (map[int]entry.Entry, error) {
	return l.studies().EntriesAt(ctx, id, seqs)
}
func (l library) TrialsAt(ctx context.Context, name string, numbers []int) ([]service.Trial, error) {
	return l.studies().TrialsAt(ctx, name, numbers)
}
func (l library) Recent(ctx context.Context, before, limit int) ([]service.Study, error) {
	return l.studies().Recent(ctx, before, limit)
}
func (l library) UnderWay(ctx context.Context, limit int) ([]service.Study, error) {
	return l.studies().UnderWay(ctx, limit)
}
func (l library) Jobs(ctx context.Context, kind string, before, limit int) ([]service.Job, error) {
	return l.Service.Jobs(daemon.Kind(kind)).List(ctx, before, limit)
}
func (l library) Job(ctx context.Context, kind string, id int) (*service.JobDetail, error) {
	return l.Service.Jobs(daemon.Kind(kind)).Show(ctx, id)
}
func (l library) Tournament(ctx context.Context, r service.TournamentRequest, priority int, check bool) (int, bool, error) {
	return l.Tournaments().Submit(ctx, r, priority, check)
}
func (l library) Run(ctx context.Context, r service.ExperimentRequest, priority int, check bool) (int, bool, error) {
	return l.Service.Experiments().Submit(ctx, r, priority, check)
}
func (l library) Experiments(ctx context.Context) ([]service.ExperimentLine, error) {
	return l.Service.Experiments().All(ctx)
}
func (l library) Examples(context.Context) ([]service.Example, error) {
	return l.Tournaments().Examples()
}
func (l library) Crosstable(ctx context.Context, id int) (*service.Crosstable, error) {
	return l.Tournaments().Crosstable(ctx, id)
}
func (l library) Comparison(ctx context.Context, id int) (*service.Comparison, error) {
	return l.Service.Experiments().Comparison(ctx, id)
}
func (l library) RecordBench(ctx context.Context, runs []service.BenchRun, baseline string) ([]service.BenchRecorded, error) {
	b, err := l.Benchmarks(ctx)
	if err != nil {
		return nil, err
	}
	return b.Record(ctx, runs, baseline)
}
func (l library) SetBaseline(ctx context.Context, name, source string) (service.BenchNamed, error) {
	b, err := l.Benchmarks(ctx)
	if err != nil {
		return service.BenchNamed{}, err
	}
	return b.SetBaseline(ctx, name, source)
}
func (l library) RemoveBaseline(ctx context.Context, name string) error {
	b, err := l.Benchmarks(ctx)
	if err != nil {
		return err
	}
	return b.RemoveBaseline(ctx, name)
}
func (l library) AcceptBench(ctx context.Context, a service.BenchAccept) (service.BenchAccepted, error) {
	b, err := l.Benchmarks(ctx)
	if err != nil {
		return service.BenchAccepted{}, err
	}
	return b.Accept(ctx, a)
}
func (l library) PruneBench(ctx context.Context, days int, dry bool) (int64, error) {
	b, err := l.Benchmarks(ctx)
	if err != nil {
		return 0, err
	}
	return b.Prune(ctx, days, dry)
}
func (l library) Drop(ctx context.Context, study, worker string) (service.Dropped, error) {
	return l.studies().Drop(ctx, study, worker)
}
func (l library) Blocks(ctx context.Context, study string, after int64, limit int, values bool) ([]service.BlockRun, error) {
	return l.Service.Blocks().Page(ctx, study, after, limit, values)
}
func (l library) SaveBlocks(ctx context.Context, p service.PlayedBlocks) error {
	return l.Service.Blocks().Save(ctx, p)
}
