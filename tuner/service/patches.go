package service

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/tuner/contest"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight/replay"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store"
)

// Patches is what can be done with tests of patches.
type Patches struct{ *Jobs }

// Patches are the tests of patches in the database.
func (s *Service) Patches() *Patches { return &Patches{s.Jobs(daemon.Test)} }

// Submit queues a test, or only checks it. One that has not ended and was asked for the same is
// returned instead; then created is false.
func (t *Patches) Submit(ctx context.Context, r PatchRequest, priority int, check bool) (id int, created bool, err error) {
	if err := admits(ctx, priority); err != nil {
		return 0, false, err
	}
	f, err := t.read(r)
	if err != nil {
		return 0, false, Mistakes("the test file has mistakes", err)
	}
	if check {
		return 0, false, nil
	}
	return t.add(ctx, f.Name, r, priority)
}

// read reads the test file of a request. What it names is embedded: its rules read no files.
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
	sample := &replay.Sample{Host: s.keeping(share), Sender: s.sender}
	err = f.Play(ctx, contest.PatchOptions{Host: sample, Progress: w.progress, Each: func() {
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

// PatchReplayed plays a sample of a test's games again and returns what was the same; nil where
// its games cannot be played again.
func PatchReplayed(ctx context.Context, f *contest.Patch, sample *replay.Sample, host arena.Host) (*entry.Replayed, error) {
	for i := range f.Stages {
		if why, err := f.Stages[i].Ruleset().Recorded(f.Programs()...); err != nil || why != "" {
			return nil, err
		}
	}
	return sample.Again(ctx, host)
}

// patchReport is what is known of a test, with what each worker has played.
func (s execution) patchReport(ctx context.Context, f *contest.Patch) (*contest.PatchReport, error) {
	r, err := f.Report()
	for i := 0; err == nil && i < len(r.Stages); i++ {
		series, counts := f.Stages[i].Series(), map[string][]int64(nil)
		key, bad := s.keys.Key(ctx, &series)
		if err = bad; err == nil {
			counts, err = s.store.Blocks().ByWorker(ctx, key)
		}
		if r.Stages[i].Workers = contest.PatchWorkers(counts); len(r.Stages[i].Workers) == 1 && r.Stages[i].Workers[0].Worker == "" {
			r.Stages[i].Workers = nil // all was played here
		}
	}
	return r, err
}

// Report returns what came of a test, so far where it has not ended; nil where there is nothing
// yet.
func (t *Patches) Report(ctx context.Context, id int) (*contest.PatchReport, error) {
	_, text, err := t.sofar(ctx, id)
	if err != nil || text == nil {
		return nil, err
	}
	r := new(contest.PatchReport)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("test %d: stored result: %w", id, err)
	}
	return r, nil
}
