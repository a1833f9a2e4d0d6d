package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/experiment"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
)

// Experiments implements web.JobLibrary.
func (l *library) Experiments(ctx context.Context) ([]service.ExperimentLine, error) {
	all, err := l.experiments()
	if err != nil {
		return nil, err
	}
	last, err := l.store.LastRuns(ctx, store.Experiment)
	if err != nil {
		return nil, err
	}
	out := []service.ExperimentLine{}
	for _, e := range all {
		line := service.ExperimentLine{Name: e.Name, Doc: e.Doc, Source: e.Source}
		if e.Games > 0 {
			line.Games = &e.Games
		}
		if e.Simulations > 0 {
			line.Simulations = &e.Simulations
		}
		line.Seed = (*param.Seed)(e.Seed)
		if j, ok := last[e.Name]; ok {
			job := jobLine(j)
			line.Last = &job
		}
		out = append(out, line)
	}
	return out, nil
}

// mostScale is how many times its own scale an experiment may be asked for.
const mostScale = 1000

// Run implements web.JobLibrary.
func (l *library) Run(ctx context.Context, r service.ExperimentRequest, priority int, check bool) (int, bool, error) {
	e, err := l.namedExperiment(r.Name)
	if err != nil {
		return 0, false, service.Wrap(service.Invalid, err)
	}
	var wrong []string
	if r.Games != 0 && e.Games == 0 {
		wrong = append(wrong, fmt.Sprintf("games: expected none, as %s plays no games", e.Name))
	} else if r.Games < 0 || r.Games > mostScale*max(1, e.Games) {
		wrong = append(wrong, fmt.Sprintf("games: expected 1 to %d, got %d", mostScale*e.Games, r.Games))
	}
	if r.Simulations != 0 && e.Simulations == 0 {
		wrong = append(wrong, fmt.Sprintf("simulations: expected none, as %s does not search by simulations", e.Name))
	} else if r.Simulations != 0 && (r.Simulations < leastSimulations || r.Simulations > mostSimulations) {
		wrong = append(wrong, fmt.Sprintf("simulations: expected %d to %d, got %d", leastSimulations, mostSimulations, r.Simulations))
	}
	if r.Seed != nil && e.Seed == nil {
		wrong = append(wrong, fmt.Sprintf("seed: expected none, as %s has no other", e.Name))
	}
	if len(wrong) > 0 {
		return 0, false, service.New(service.Invalid, "the experiment cannot be run so", wrong...)
	}
	if check {
		return 0, false, nil
	}
	return l.queueJob(ctx, store.Experiment, e.Name, r, priority)
}

// runExperimentJob runs an experiment.
func (b *book) runExperimentJob(ctx context.Context, j store.Job, share arena.Host, w *jobWatch) (any, error) {
	var request service.ExperimentRequest
	if err := json.Unmarshal(j.Request, &request); err != nil {
		return nil, fmt.Errorf("stored request: %w", err)
	}
	e, err := b.namedExperiment(request.Name)
	if err != nil {
		return nil, err
	}
	pieces, err := b.pieces(ctx, j.ID)
	if err != nil {
		return nil, err
	}
	o := experiment.Options{
		Host: share, Games: request.Games, Simulations: request.Simulations, Seed: (*uint64)(request.Seed),
		Workers: b.workers(), Pieces: pieces, Progress: w.progress,
		Each: func(r *experiment.Report) { w.partial(func() (any, error) { return r, nil }) },
	}
	if e.Keeps() {
		o.Host = b.keeping(share)
	}
	if s, ok := share.(*arena.Share); ok {
		o.Turn = s.Do
	}
	return e.Report(ctx, o)
}

// jobPieces are a job's finished parts in the record.
type jobPieces struct {
	ctx   context.Context // a part that is finished is kept even where the job is interrupted
	store *store.Store
	id    int

	mu    sync.Mutex
	known map[string]json.RawMessage
}

func (b *book) pieces(ctx context.Context, id int) (*jobPieces, error) {
	known, err := b.store.JobPieces(ctx, id)
	return &jobPieces{ctx: context.WithoutCancel(ctx), store: b.store, id: id, known: known}, err
}

// key tells apart what another version of the program has made.
func (p *jobPieces) key(name string) string { return commit() + " " + name }

// Find implements experiment.Pieces.
func (p *jobPieces) Find(name string) (json.RawMessage, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	value, ok := p.known[p.key(name)]
	return value, ok
}

// Keep implements experiment.Pieces.
func (p *jobPieces) Keep(name string, value json.RawMessage) error {
	p.mu.Lock()
	p.known[p.key(name)] = value
	p.mu.Unlock()
	return p.store.AddJobPiece(p.ctx, p.id, p.key(name), value)
}

// Comparison implements web.JobLibrary.
func (l *library) Comparison(ctx context.Context, id int) (*service.Comparison, error) {
	j, err := l.job(ctx, store.Experiment, id)
	if err != nil {
		return nil, err
	}
	text := j.Result
	if text == nil {
		text = j.Partial
	}
	if text == nil {
		return nil, nil
	}
	var r experiment.Report
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("experiment %d: stored result: %w", id, err)
	}
	out := &service.Comparison{
		Whole: j.Result != nil, Agree: r.Summary.Agree, Differ: r.Summary.Differ,
		TooFewGames: r.Summary.TooFewGames, NotPrinted: r.Summary.NotPrinted,
	}
	for i := range r.Rows {
		out.Rows = append(out.Rows, comparisonRow(&r.Rows[i]))
	}
	return out, nil
}

// comparisonRow is a row for people and for drawing.
func comparisonRow(row *experiment.Row) service.ComparisonRow {
	out := service.ComparisonRow{Label: row.Label, Metric: row.Metric, Verdict: row.Verdict(), Note: row.Note}
	out.Printed, out.Measured = row.Texts()
	out.PrintedValue, out.MeasuredValue = numberOf(row.Printed), numberOf(row.Measured)
	out.PrintedCI, out.MeasuredCI = row.PrintedCI.Ends(), row.CI.Ends()
	return out
}

// numberOf is a value that can be drawn, nil where it is none.
func numberOf(v experiment.Value) *float64 {
	x, err := strconv.ParseFloat(v.String(), 64)
	if err != nil {
		return nil
	}
	return &x
}
