package service

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/studies"
	"sakusen/tuner/contest"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight/replay"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store"
)

// Tournaments is what can be done with tournaments.
type Tournaments struct{ *Jobs }

// Tournaments are the tournaments of the database.
func (s *Service) Tournaments() *Tournaments { return &Tournaments{s.Jobs(daemon.Tournament)} }

// Submit queues a tournament, or only checks it. One that has not ended and was
// asked for the same is returned instead; then created is false.
func (t *Tournaments) Submit(ctx context.Context, r TournamentRequest, priority int, check bool) (id int, created bool, err error) {
	f, err := t.read(r)
	if err != nil {
		return 0, false, Mistakes("the tournament file has mistakes", err)
	}
	if check {
		return 0, false, nil
	}
	return t.add(ctx, f.Name, r, priority)
}

// read reads the tournament file of a request. What it names is
// embedded: its rules read no files.
func (t *Tournaments) read(r TournamentRequest) (*contest.Tournament, error) {
	f, err := contest.ReadTournament(cmp.Or(r.FileName, "tournament.yaml"), []byte(r.File), t.s.o.Catalogue)
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
	sample := &replay.Sample{Host: s.keeping(share)}
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
	return ReplayedReport(ctx, r, sample, share)
}

// ReplayedReport is the report of a tournament that has ended, a sample of which
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
	j, text, err := t.sofar(ctx, id)
	if err != nil || text == nil {
		return nil, err
	}
	out := &PlayedTournament{Report: new(contest.TournamentReport), Whole: j.Result != nil}
	if err := json.Unmarshal(text, out.Report); err != nil {
		return nil, fmt.Errorf("tournament %d: stored result: %w", id, err)
	}
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
const littleCup = `# A small round robin: who meets whom, how often, under which seed.
version: 1
name: little-cup
game: battleship
entrants:
  - R                  # shoots at random
  - RNB                # and at the neighbours of hits
  - CB                 # like a checkerboard
  - {name: mine, strategy: mp, params: [{name: start_squares, value: 40}]}
format: round_robin    # or gauntlet: the first against all others
selfplay: false
blocks: 500            # of each pairing: games in every order of the seats
seed: 1
`

// Examples are embedded tournament files by name.
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
