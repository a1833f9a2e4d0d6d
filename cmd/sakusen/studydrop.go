package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/client"
	"sakusen/tuner/entry"
	"sakusen/tuner/rating"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
	"sakusen/tuner/store/blocks"
)

func (a *app) studyDropCommand() *cobra.Command {
	var worker string
	c := &cobra.Command{
		Use:   "drop STUDY --worker NAME",
		Short: "Take a worker's blocks out of the database and have the study begin anew",
		Long: `Takes all blocks that a worker played out of the database and has the study
begin anew. Evidence is never changed: the log so far is kept as STUDY@1, STUDY@2,
..., stopped and not exportable. The next sakusen tune replays the study from its
first entry; it plays only what was dropped, and what follows otherwise from it.
A daemon that holds the database replays it by itself; the study must not run
there (study pause).

Exit code: 4 where the worker has played no block of the study.`,
		Args: exactly(1, "one STUDY"),
		RunE: func(c *cobra.Command, args []string) error {
			if worker == "" {
				return usage(errors.New("--worker: expected the name of a worker (see sakusen db check)"))
			}
			return a.studyDrop(c.Context(), args[0], worker)
		},
	}
	c.Flags().StringVar(&worker, "worker", "", "the worker whose blocks go")
	return c
}

// scope is the blocks of a study: those of its game under its seeds, in the phases
// that a study plays.
func (a *app) scope(ctx context.Context, s *store.Store, d store.Details, spec *tuner.Spec) (blocks.Scope, error) {
	scope := blocks.Scope{
		Game: spec.Game, Seeds: []uint64{spec.Sampler.Seed},
		Phases: []arena.Phase{arena.Tune, arena.Final, arena.Validation},
	}
	e, found, err := s.LastEntry(ctx, d.ID, entry.KindAttempt)
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

func (a *app) studyDrop(ctx context.Context, name, worker string) error {
	if !a.there() {
		return usage(fmt.Errorf("%s: there is no such database", a.settings.Text("database")))
	}
	var done service.Dropped
	next := "sakusen tune replays the study"
	err := atDatabase(a, ctx,
		func(s *store.Store) error {
			dropped, others, err := a.drop(ctx, s, name, worker)
			if errors.Is(err, store.ErrStudyNotFound) {
				return usage(fmt.Errorf("%s: no study named %q (see sakusen study list)", a.settings.Text("database"), name))
			}
			done = service.Dropped{Blocks: dropped.Blocks, Archived: dropped.Archived, Others: others}
			return err
		},
		func(c *client.Client) (err error) {
			next = "the daemon replays the study"
			done, err = c.Studies().Drop(ctx, name, worker)
			return err
		})
	if err != nil {
		return err
	}
	return a.tellDropped(name, worker, done, next)
}

// tellDropped says what was dropped, and what follows.
func (a *app) tellDropped(name, worker string, d service.Dropped, next string) error {
	if a.flags.asJSON {
		return a.printJSON(map[string]any{
			"study": name, "worker": worker, "blocks": d.Blocks, "archived": d.Archived, "others": d.Others,
		})
	}
	a.say("study %s: %d blocks of worker %s dropped; the log so far is kept as %s", name, d.Blocks, worker, d.Archived)
	for _, o := range d.Others {
		a.say("study %s has met blocks of that worker too: sakusen study show %s", o, o)
	}
	a.say("%s", next)
	return nil
}

// drop drops the worker and names the other studies that have met its blocks.
func (a *app) drop(ctx context.Context, s *store.Store, name, worker string) (store.Dropped, []string, error) {
	if strings.Contains(name, "@") {
		return store.Dropped{}, nil, usage(fmt.Errorf("study %q is a former log, which nobody resumes", name))
	}
	d, err := s.Details(ctx, name)
	if err != nil {
		return store.Dropped{}, nil, err
	}
	others := []string{}
	for l, err := range s.AllStudies(ctx) {
		if err != nil {
			return store.Dropped{}, nil, err
		}
		if l.Name == name || strings.Contains(l.Name, "@") {
			continue
		}
		scope, err := a.scopeOf(ctx, s, l.Name)
		if err != nil {
			return store.Dropped{}, nil, err
		}
		if n, err := s.Blocks().PlayedBy(ctx, worker, scope); err != nil {
			return store.Dropped{}, nil, err
		} else if n > 0 {
			others = append(others, l.Name)
		}
	}
	scope, err := a.scopeOf(ctx, s, d.Name)
	if err != nil {
		return store.Dropped{}, nil, err
	}
	dropped, err := s.DropWorker(ctx, name, worker, scope)
	return dropped, others, err
}

// scopeOf is the scope of a study by name.
func (a *app) scopeOf(ctx context.Context, s *store.Store, name string) (blocks.Scope, error) {
	d, err := s.Details(ctx, name)
	if err != nil {
		return blocks.Scope{}, err
	}
	spec, err := storedSpec(d)
	if err != nil {
		return blocks.Scope{}, err
	}
	return a.scope(ctx, s, d, spec)
}

// workerLine is a worker's blocks beside all others'.
type workerLine struct {
	Worker     string        `json:"worker"`
	Game       string        `json:"game"`
	Blocks     int64         `json:"blocks"`
	Chi2       rating.Number `json:"chi2"`
	DF         int           `json:"df"`
	P          rating.Number `json:"p"`
	Suspicious bool          `json:"suspicious"`
	Reason     string        `json:"reason,omitempty"`
}

func workerLines(workers []blocks.Worker) []workerLine {
	out := []workerLine{}
	for _, w := range workers {
		out = append(out, workerLine{w.Name, w.Game, w.Blocks, w.Test.Chi2, w.Test.DF, w.Test.P, w.Suspicious, w.Test.Reason})
	}
	return out
}

// workerText tells of a suspicious worker.
func workerText(w blocks.Worker) string {
	return fmt.Sprintf("the %d blocks of worker %s differ from the others' on the same entrants of %s (chi-square %.1f, %d degrees of freedom, p %.2g)",
		w.Blocks, w.Name, w.Game, w.Test.Chi2.Value, w.Test.DF, w.Test.P.Value)
}
