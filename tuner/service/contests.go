package service

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/studies"
	"sakusen/tuner/contest"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight/replay"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/stats"
	"sakusen/tuner/store"
)

// Tournaments is what can be done with tournaments.
type Tournaments struct{ *Jobs }

// Tournaments returns the tournaments of the database.
func (s *Service) Tournaments() *Tournaments { return &Tournaments{s.Jobs(daemon.Tournament)} }

// Submit queues a tournament, or only checks it. One that has not ended and was
// asked for the same is returned instead; then created is false.
func (t *Tournaments) Submit(ctx context.Context, r TournamentRequest, priority int, check bool) (id int, created bool, err error) {
	return t.submit(ctx, r, priority, check, func() (string, error) {
		f, err := t.read(r)
		if err != nil {
			return "", Mistakes("the tournament file has mistakes", err)
		}
		return f.Name, nil
	})
}

// read reads the tournament file of a request. What it names is
// embedded: its rules read no files.
func (t *Tournaments) read(r TournamentRequest) (*contest.Tournament, error) {
	f, err := contest.ReadTournament(cmp.Or(r.FileName, "tournament.yaml"), []byte(r.File), t.s.games.all())
	if err == nil && r.Seed != nil {
		f.Seed = uint64(*r.Seed)
	}
	return f, err
}

// runTournament plays a tournament.
func (s execution) runTournament(ctx context.Context, j store.Job, share arena.Host, w *jobWatch) (*contest.TournamentReport, error) {
	var request TournamentRequest
	if err := json.Unmarshal(j.Request, &request); err != nil {
		return nil, fmt.Errorf("stored request: %w", err)
	}
	f, err := s.Tournaments().read(request)
	if err != nil {
		return nil, err
	}
	sample := &replay.Sample{Host: s.keeping(share), Senders: s.senders}
	r, err := f.Play(ctx, contest.TournamentOptions{
		Host: sample, Blocks: request.Blocks,
		Progress: func(blocks, of, games int64, _ string) { w.progress(blocks, of, games) },
		Each: func(r *contest.TournamentResult) {
			w.partial(func() (any, error) { return r.Report() })
		},
	})
	if err != nil {
		return nil, err
	}
	return ReplayedReport(ctx, r, sample, s.own(share))
}

// ReplayedReport returns the report of a tournament that has ended, a sample of which
// was played again.
func ReplayedReport(ctx context.Context, r *contest.TournamentResult, sample *replay.Sample, host arena.Host) (*contest.TournamentReport, error) {
	var names []string
	for _, e := range r.File.Entrants {
		names = append(names, e.Strategy)
	}
	recorded, err := r.File.Ruleset.Recorded(names...)
	if err != nil {
		return nil, err
	}
	var told *entry.Replayed
	if recorded == "" { // else no two games are alike
		if told, err = sample.Again(ctx, host); err != nil {
			return nil, err
		}
	}
	report, err := r.Report()
	if err != nil {
		return nil, err
	}
	report.Replayed = told
	return report, nil
}

// PlayedTournament is a tournament's result, that so far where it has not ended.
type PlayedTournament struct {
	Report *contest.TournamentReport
	Whole  bool         // it has ended
	Doc    string       // of its file
	Rules  param.Values // empty where its file cannot be read any more
}

// Played returns what came of a tournament so far; nil where there is nothing yet.
func (t *Tournaments) Played(ctx context.Context, id int) (*PlayedTournament, error) {
	j, report, err := sofar[contest.TournamentReport](ctx, t.Jobs, id)
	if err != nil || report == nil {
		return nil, err
	}
	out := &PlayedTournament{Report: report, Whole: j.Result != nil}
	var r TournamentRequest
	if err := json.Unmarshal(j.Request, &r); err != nil {
		return nil, fmt.Errorf("tournament %d: stored request: %w", id, err)
	}
	if f, err := t.read(r); err == nil { // another version of the program may not be able to read it
		out.Doc, out.Rules = f.Doc, f.Ruleset.Rules
	}
	return out, nil
}

// littleCup is the example that a form begins with.
const littleCup = `# A small round robin: the entrants, the number of games and the seed.
version: 1
name: little-cup
game: battleship
entrants:
  - R                  # shoots at random
  - RNB                # shoots at random, then at the neighbours of hits
  - CB                 # shoots in a checkerboard pattern
  - {name: mine, strategy: mp, params: [{name: start_squares, value: 40}]}
format: round_robin    # or gauntlet: the first against all others
selfplay: false
blocks: 500            # of each pairing: games in every order of the seats
seed: 1
`

// Examples returns embedded tournament files by name.
func (t *Tournaments) Examples() ([]Example, error) {
	out := []Example{{Name: "little-cup", File: littleCup}}
	for _, name := range studies.ExperimentNames() {
		text, err := studies.ReadExperiment(name)
		if err != nil {
			return nil, err
		}
		out = append(out, Example{Name: name, File: string(text)})
	}
	return out, nil
}

// Experiments is what can be done with experiments: published tables and figures
// that are run again. Its jobs are their runs.
type Experiments struct{ *Jobs }

// Experiments returns the experiments there are, with the runs of the database.
func (s *Service) Experiments() *Experiments { return &Experiments{s.Jobs(daemon.Experiment)} }

// mostScale bounds what may be asked for, times an experiment's own games.
const mostScale = 1000

// All returns the experiments that can be run, with the last run of each.
func (x *Experiments) All(ctx context.Context) ([]ExperimentLine, error) {
	all, err := x.s.o.Experiments()
	if err != nil {
		return nil, err
	}
	last, err := x.s.store.Jobs.LastRuns(ctx, store.Experiment)
	if err != nil {
		return nil, err
	}
	out := []ExperimentLine{}
	for i := range all {
		line := ExperimentLine{ExperimentInfo: DescribeExperiment(&all[i])}
		if j, ok := last[line.Name]; ok {
			job := x.line(j)
			line.Last = &job
		}
		out = append(out, line)
	}
	return out, nil
}

// named finds an experiment by its name, never by a path.
func (x *Experiments) named(name string) (experiment.Experiment, error) {
	all, err := x.s.o.Experiments()
	if err != nil {
		return experiment.Experiment{}, err
	}
	return experiment.Find(all, name)
}

// Submit queues a run of an experiment, or only checks what is asked for. One
// that has not ended and was asked for the same is returned instead; then created
// is false.
func (x *Experiments) Submit(ctx context.Context, r ExperimentRequest, priority int, check bool) (id int, created bool, err error) {
	return x.submit(ctx, &r, priority, check, func() (string, error) {
		e, err := x.named(r.Name)
		if err != nil {
			return "", err
		}
		rules, err := ExperimentRules(x.s.games.all(), &e, r.rules())
		wrong := r.wrong(&e)
		if err != nil {
			wrong = append(wrong, err.Error())
		}
		if len(wrong) > 0 {
			return "", New(Invalid, "the experiment cannot be run with these settings", wrong...)
		}
		if rules != nil {
			r.Rules = rules.Map()
		}
		return e.Name, nil
	})
}

// rules returns the request's rules, by name.
func (r *ExperimentRequest) rules() param.Values {
	var all param.Values
	for _, name := range slices.Sorted(maps.Keys(r.Rules)) {
		all = append(all, param.Value{Name: name, Text: r.Rules[name]})
	}
	return all
}

// ExperimentRules returns rules that an experiment is asked to play by, in full; nil
// where none are given.
func ExperimentRules(c arena.Catalogue, e *experiment.Experiment, given param.Values) (param.Values, error) {
	if len(given) == 0 {
		return nil, nil
	}
	if e.Declare != nil {
		f, err := param.Bind(e.Declare)
		if err != nil {
			return nil, err
		}
		values, errs := f.Assign(given)
		return values, errors.Join(errs...)
	}
	if e.Game == "" {
		return nil, fmt.Errorf("rules: expected none, as %s measures its own rules", e.Name)
	}
	game, err := c.Game(e.Game)
	if err != nil {
		return nil, err
	}
	rs, err := game.OpenRules(given)
	if err != nil {
		return nil, err
	}
	return rs.Rules, nil
}

// wrong returns what is wrong with a request for an experiment.
func (r *ExperimentRequest) wrong(e *experiment.Experiment) []string {
	var wrong []string
	if r.Games != 0 && e.Games == 0 {
		wrong = append(wrong, fmt.Sprintf("games: %s plays no games", e.Name))
	} else if r.Games < 0 || r.Games > mostScale*max(1, e.Games) {
		wrong = append(wrong, fmt.Sprintf("games: expected 1 to %d, got %d", mostScale*e.Games, r.Games))
	}
	if r.Simulations != 0 && e.Simulations == 0 {
		wrong = append(wrong, fmt.Sprintf("simulations: %s does not search by simulations", e.Name))
	} else if r.Simulations != 0 && (r.Simulations < experiment.LeastSimulations || r.Simulations > experiment.MostSimulations) {
		wrong = append(wrong, fmt.Sprintf("simulations: expected %d to %d, got %d", experiment.LeastSimulations, experiment.MostSimulations, r.Simulations))
	}
	if r.Seed != nil && e.Seed == nil {
		wrong = append(wrong, fmt.Sprintf("seed: %s has a fixed seed", e.Name))
	}
	return wrong
}

// runExperiment runs an experiment.
func (s execution) runExperiment(ctx context.Context, j store.Job, share arena.Host, w *jobWatch) (*experiment.Report, error) {
	var request ExperimentRequest
	if err := json.Unmarshal(j.Request, &request); err != nil {
		return nil, fmt.Errorf("stored request: %w", err)
	}
	e, err := s.Experiments().named(request.Name)
	if err != nil {
		return nil, err
	}
	rules, err := ExperimentRules(s.games.all(), &e, request.rules())
	if err != nil {
		return nil, err
	}
	pieces, err := s.pieces(ctx, j.ID)
	if err != nil {
		return nil, err
	}
	o := experiment.Options{
		Host: share, Games: request.Games, Simulations: request.Simulations, Seed: (*uint64)(request.Seed),
		Workers: s.o.Settings.Workers, Pieces: pieces, Progress: w.progress, Rules: rules,
		Each: func(r *experiment.Report) { w.partial(func() (any, error) { return r, nil }) },
	}
	o.Interim = func(rows func() ([]experiment.Row, error)) {
		w.partial(func() (any, error) {
			all, err := rows()
			return e.Interim(all), err
		})
	}
	if e.Keeps() {
		o.Host = s.keeping(share)
	}
	if s, ok := share.(*arena.Share); ok {
		o.Acquire = s.Do
	}
	return e.Report(ctx, o)
}

// Report returns what a run of an experiment measured, so far where it has not ended; nil
// where there is nothing yet.
func (x *Experiments) Report(ctx context.Context, id int) (r *experiment.Report, whole bool, err error) {
	j, r, err := sofar[experiment.Report](ctx, x.Jobs, id)
	return r, j.Result != nil, err
}

// Patches is what can be done with tests of patches.
type Patches struct{ *Jobs }

// Patches returns the tests of patches in the database.
func (s *Service) Patches() *Patches { return &Patches{s.Jobs(daemon.Test)} }

// Submit queues a test, or only checks it. One that was asked for the same is returned instead, if it
// has not ended or its games would be the same ones; then created is false.
func (t *Patches) Submit(ctx context.Context, r PatchRequest, priority int, check bool) (id int, created bool, err error) {
	if !check && admits(ctx, priority) == nil {
		if id, err = t.finished(ctx, r); id != 0 || err != nil {
			return id, false, err
		}
	}
	return t.submit(ctx, r, priority, check, func() (string, error) {
		f, err := t.read(r)
		if err != nil {
			return "", Mistakes("the test file has mistakes", err)
		}
		return f.Name, nil
	})
}

// finished returns the test that has ended with what a request asks for, 0 where there is none, its
// players have changed since, or some of its games were dropped.
func (t *Patches) finished(ctx context.Context, r PatchRequest) (id int, err error) {
	f, err := t.read(r)
	if err != nil {
		return 0, nil // Submit says why
	}
	text, err := json.Marshal(r)
	if err != nil {
		return 0, err
	}
	j, err := t.s.store.Jobs.Done(ctx, store.Test, f.Name, text)
	if errors.Is(err, store.ErrJobNotFound) {
		return 0, nil
	}
	var done contest.PatchReport
	if err == nil {
		err = json.Unmarshal(j.Result, &done)
	}
	for i := 0; err == nil && i < len(done.Stages); i++ {
		series, kept := f.Stages[i].Series(), int64(0)
		series.To = done.Stages[i].Match.Blocks
		records, err := t.s.Blocks().Records(ctx, &series)
		if err != nil {
			return 0, err
		}
		for _, r := range records {
			kept += r.Blocks
		}
		if kept != series.To {
			return 0, nil
		}
	}
	return j.ID, err
}

// read reads the test file of a request. Named files are embedded in it: its rules read no files.
func (t *Patches) read(r PatchRequest) (*contest.Patch, error) {
	return contest.ReadPatch(cmp.Or(r.FileName, "test.yaml"), []byte(r.File), t.s.games.all())
}

// runPatch plays a test of a patch.
func (s execution) runPatch(ctx context.Context, j store.Job, share arena.Host, w *jobWatch) (*contest.PatchReport, error) {
	var request PatchRequest
	if err := json.Unmarshal(j.Request, &request); err != nil {
		return nil, fmt.Errorf("stored request: %w", err)
	}
	f, err := s.Patches().read(request)
	if err != nil {
		return nil, err
	}
	sample := &replay.Sample{Host: s.keeping(share), Senders: s.senders}
	err = f.Play(ctx, contest.PatchOptions{Host: sample, Records: s.Blocks().Records, Progress: w.progress, Each: func() {
		w.partial(func() (any, error) { return s.patchReport(ctx, f) })
	}})
	if err != nil {
		return nil, err
	}
	told, err := PatchReplayed(ctx, f, sample, s.own(share))
	if err != nil {
		return nil, err
	}
	r, err := s.patchReport(ctx, f)
	if err == nil {
		r.Replayed = told
	}
	return r, err
}

// PatchReplayed plays a sample of a test's games again and returns the counts of equal
// games; nil if its games cannot be played again.
func PatchReplayed(ctx context.Context, f *contest.Patch, sample *replay.Sample, host arena.Host) (*entry.Replayed, error) {
	for i := range f.Stages {
		if why, err := f.Stages[i].Ruleset().Recorded(f.Programs()...); err != nil || why != "" {
			return nil, err
		}
	}
	return sample.Again(ctx, host)
}

// patchReport returns what is known of a test, with what each worker has played.
func (s execution) patchReport(ctx context.Context, f *contest.Patch) (*contest.PatchReport, error) {
	r, err := f.Report()
	for i := 0; err == nil && i < len(r.Stages); i++ {
		series, records := f.Stages[i].Series(), map[string]stats.Record(nil)
		records, err = s.Blocks().Records(ctx, &series)
		if r.Stages[i].Workers = contest.PatchWorkers(records); len(r.Stages[i].Workers) == 1 && r.Stages[i].Workers[0].Worker == "" {
			r.Stages[i].Workers = nil // all was played here
		}
	}
	return r, err
}

// Report returns what came of a test, so far where it has not ended; nil where there is nothing
// yet.
func (t *Patches) Report(ctx context.Context, id int) (*contest.PatchReport, error) {
	_, r, err := sofar[contest.PatchReport](ctx, t.Jobs, id)
	return r, err
}
