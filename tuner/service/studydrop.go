package service

import (
	"context"
	"encoding/json"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/stats"
	"sakusen/tuner/store"
	"sakusen/tuner/store/blocks"
)

// Worker is a worker's blocks beside all others'.
type Worker struct {
	Worker     string       `json:"worker"`
	Game       string       `json:"game"`
	Blocks     int64        `json:"blocks"`
	Chi2       stats.Number `json:"chi2"`
	DF         int          `json:"df"`
	P          stats.Number `json:"p"`
	Suspicious bool         `json:"suspicious"`
	Reason     string       `json:"reason,omitempty"`
}

// String tells of a suspicious worker.
func (w Worker) String() string {
	return fmt.Sprintf("the %d blocks of worker %s differ from the others' on the same entrants of %s (chi-square %.1f, %d degrees of freedom, p %.2g)",
		w.Blocks, w.Worker, w.Game, w.Chi2.Value, w.DF, w.P.Value)
}

// WorkerOf is a worker as it is shown.
func WorkerOf(w blocks.Worker) Worker {
	return Worker{w.Name, w.Game, w.Blocks, w.Test.Chi2, w.Test.DF, w.Test.P, w.Suspicious, w.Test.Reason}
}

// WorkersOf are workers, in the given order, as they are shown.
func WorkersOf(workers []blocks.Worker) []Worker {
	out := []Worker{}
	for _, w := range workers {
		out = append(out, WorkerOf(w))
	}
	return out
}

// Workers are those who played a study's blocks, worst first.
func (t *Studies) Workers(ctx context.Context, name string) ([]Worker, error) {
	scope, err := scope(ctx, t.s.store, name)
	if err != nil {
		return nil, err
	}
	workers, err := t.s.store.Blocks().Workers(ctx, scope)
	return WorkersOf(workers), err
}

// Drop takes a worker's blocks out and has the study begin anew; the log so far
// is kept under a name of its own. The study rests meanwhile.
func (t *Studies) Drop(ctx context.Context, name, worker string) (Dropped, error) {
	var out Dropped
	if t.ofFormer(ctx, name) {
		return out, New(Invalid, fmt.Sprintf("study %q is a former log, which nobody resumes", name))
	}
	err := t.s.daemon.Still(ctx, daemon.StudyKey(name), "drop", func() error {
		where, err := scope(ctx, t.s.store, name)
		if err != nil {
			return err
		}
		if out.Others, err = t.met(ctx, name, worker); err != nil {
			return err
		}
		d, err := t.s.store.DropWorker(ctx, name, worker, where)
		out.Blocks, out.Archived = d.Blocks, d.Archived
		return missing(name, err)
	})
	if err == nil {
		t.s.o.Log.Info("dropped", "study", name, "worker", worker, "blocks", out.Blocks, "archived", out.Archived)
	}
	return out, err
}

// met names the other studies that have used blocks of a worker.
func (t *Studies) met(ctx context.Context, name, worker string) ([]string, error) {
	others := []string{}
	for l, err := range t.s.store.Studies.All(ctx) {
		if err != nil {
			return nil, err
		}
		if l.Name == name || former(l.Name) || l.Foreign {
			continue
		}
		where, err := scope(ctx, t.s.store, l.Name)
		if err != nil {
			return nil, err
		}
		if n, err := t.s.store.Blocks().PlayedBy(ctx, worker, where); err != nil {
			return nil, err
		} else if n > 0 {
			others = append(others, l.Name)
		}
	}
	return others, nil
}

// scope is the blocks of a study: those of its game under its seeds, in the phases
// that a study plays.
func scope(ctx context.Context, s *store.Store, name string) (blocks.Scope, error) {
	d, spec, err := find(ctx, s, name)
	if err != nil {
		return blocks.Scope{}, err
	}
	return scopeOf(ctx, s, d, spec)
}

func scopeOf(ctx context.Context, s *store.Store, d store.Details, spec *tuner.Spec) (blocks.Scope, error) {
	scope := blocks.Scope{
		Game: spec.Game, Seeds: []uint64{spec.Sampler.Seed},
		Phases: []arena.Phase{arena.Tune, arena.Final, arena.Validation},
	}
	e, found, err := s.Study(d.ID).LastEntry(ctx, entry.KindAttempt)
	if err != nil || !found {
		return scope, err
	}
	var opened struct {
		Seed uint64 `json:"seed,string"`
	}
	if err := json.Unmarshal(e.Payload, &opened); err != nil {
		return scope, fmt.Errorf("study %q: validation attempt: %w", d.Name, err)
	}
	scope.Seeds = append(scope.Seeds, opened.Seed)
	return scope, nil
}
