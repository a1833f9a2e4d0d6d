package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"sakusen/bench/ledger"
	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store"
	"sakusen/tuner/store/blocks"
	"sakusen/tuner/store/goptunadb"
	"sakusen/tuner/store/sqlitedb"
)

// Check is what a check of a whole database found.
type Check struct {
	Database    string          `json:"database"` // its path
	OK          bool            `json:"ok"`
	Integrity   []string        `json:"integrity"`
	ForeignKeys []string        `json:"foreign_keys"`
	Studies     []string        `json:"studies"`    // log entries and blocks that cannot be read
	Benchmarks  []string        `json:"benchmarks"` // runs whose text or values are not as recorded
	Schema      map[string]int  `json:"schema"`     // version by series of migrations
	Workers     []blocks.Worker `json:"workers"`
}

// Problems returns all that is wrong.
func (c *Check) Problems() []string {
	return slices.Concat(c.Integrity, c.ForeignKeys, c.Studies, c.Benchmarks)
}

// CheckDatabase reads a whole database. Parts that cannot be read after damaged ones is not
// looked at: a file without integrity has no studies, damaged studies no workers. An error
// says that the check itself failed, such as for a schema that this program does not know.
func CheckDatabase(ctx context.Context, db *sqlitedb.DB, path string) (*Check, error) {
	r, err := db.Check(ctx)
	if err != nil {
		return nil, err
	}
	c := &Check{
		Database: path, Integrity: append([]string{}, r.Integrity...), ForeignKeys: append([]string{}, r.ForeignKeys...),
		Studies: []string{}, Benchmarks: []string{}, Schema: map[string]int{}, Workers: []blocks.Worker{},
	}
	for _, s := range r.Series {
		c.Schema[s.Name] = s.Version
	}
	if len(r.Integrity) == 0 {
		err := c.contents(ctx, db, len(r.ForeignKeys) == 0)
		switch {
		case err != nil && r.OK():
			return nil, err
		case err != nil: // nothing in a damaged file need make sense
			c.Integrity = append(c.Integrity, err.Error())
		}
	}
	c.OK = r.OK() && len(c.Studies)+len(c.Benchmarks) == 0
	return c, nil
}

// contents checks the studies and the benchmarks, if the file has them; in a damaged file
// only the benchmarks.
func (c *Check) contents(ctx context.Context, db *sqlitedb.DB, sound bool) error {
	_, hasStudies := c.Schema[goptunadb.Series]
	_, hasBenchmarks := c.Schema[ledger.SeriesName]
	if hasBenchmarks {
		l, err := ledger.Open(ctx, db)
		if err != nil {
			return err
		}
		found, err := l.Check(ctx)
		if err != nil {
			return err
		}
		c.Benchmarks = append(c.Benchmarks, found...)
	}
	if !hasStudies && hasBenchmarks {
		return nil
	}
	s, err := store.New(ctx, db) // which also checks that this program knows the schema
	if err != nil || !sound {
		return err
	}
	found, err := s.Check(ctx)
	c.Studies = append(c.Studies, found...)
	if len(found) > 0 && err != nil { // nothing in a damaged file need make sense
		c.Studies = append(c.Studies, err.Error())
	}
	if len(found) > 0 {
		return nil
	}
	if err != nil {
		return err
	}
	workers, err := s.Blocks().Workers(ctx, blocks.Scope{})
	c.Workers = append(c.Workers, workers...)
	return err
}

// Dump writes the named studies as JSON, or all where no name is given; see [store.Store.Dump].
// damaged tells of studies that were left out. An error tells a name that is not there, and
// a database without a study.
func Dump(ctx context.Context, s *store.Store, w io.Writer, names ...string) (damaged, err error) {
	if len(names) == 0 {
		n, damaged, err := s.Dump(ctx, w, "")
		if err == nil && n == 0 {
			err = &Error{Code: NotFound, Reason: Nothing, Message: s.DB().Path() + ": it has no study"}
		}
		return damaged, err
	}
	for _, name := range names {
		if name == "" {
			return nil, &Error{Code: Invalid, Message: "a study's name is empty: expected a name, or none for all studies"}
		}
		_, _, err := s.Dump(ctx, w, name)
		if errors.Is(err, store.ErrStudyNotFound) {
			return nil, ErrorOf(err)
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// workers returns those who played a study's blocks, worst first.
func (t *Studies) workers(ctx context.Context, name string) ([]blocks.Worker, error) {
	scope, err := scope(ctx, t.s.store, name)
	if err != nil {
		return nil, err
	}
	return t.s.store.Blocks().Workers(ctx, scope)
}

// Drop takes a worker's blocks out and has the study begin anew; the log so far
// is kept under a name of its own. The study does not run in that time.
func (t *Studies) Drop(ctx context.Context, name, worker string) (Dropped, error) {
	var out Dropped
	if (&book{t.s}).ofFormer(ctx, name) {
		return out, New(Invalid, fmt.Sprintf("study %q is an earlier log that was replaced, and cannot be resumed", name))
	}
	err := t.s.daemon.Still(ctx, daemon.StudyKey(name), "drop", func() error {
		where, err := scope(ctx, t.s.store, name)
		if err != nil {
			return err
		}
		if out.Others, err = t.met(ctx, name, worker); err != nil {
			return err
		}
		out.Dropped, err = t.s.store.DropWorker(ctx, name, worker, where)
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

// scope returns the blocks of a study: those of its game under its seeds, in the phases
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

// Untrusted is what was taken out of the database with the blocks of a worker that is not
// trusted any more.
type Untrusted struct {
	Blocks int64
	Again  []string // studies that play them again by themselves
	Held   []string // studies that have begun anew and wait to be resumed
}

// DropWorker takes all blocks out of the database that a worker has played for this daemon.
// Studies that have met them begin anew, as after [Studies.Drop]: those that run, wait or
// have failed go on by themselves; one that has ended waits to be resumed. Results that
// people have told of games played elsewhere stays, of that worker as well. Running studies
// are interrupted for that time.
func (b *Blocks) DropWorker(ctx context.Context, worker string) (Untrusted, error) {
	s := b.s
	var out Untrusted
	if n, err := s.store.Blocks().PlayedBy(ctx, worker, blocks.Scope{}); err != nil || n == 0 {
		return out, err
	}
	err := s.daemon.Rest(ctx, func() error {
		var anew []store.Anew
		var kept []blocks.Scope
		for l, err := range s.store.Studies.All(ctx) {
			if err != nil {
				return err
			}
			if former(l.Name) || l.Foreign {
				continue
			}
			d, spec, err := find(ctx, s.store, l.Name)
			if err != nil { // it cannot be resumed
				s.o.Log.Warn("a study cannot be read and stays as it is", "study", l.Name, "error", err)
				continue
			}
			scope, err := scopeOf(ctx, s.store, d, spec)
			if err != nil {
				return err
			}
			n, err := s.store.Blocks().PlayedBy(ctx, worker, scope)
			if err != nil {
				return err
			}
			again := store.Anew{Study: l.Name, State: tuner.Queued}
			if setup, err := tuner.Prepare(spec, s.games.all()); err == nil {
				recorded, err := setup.Recorded(setup.Strategies()...)
				again.Exact = err == nil && recorded == ""
			}
			switch {
			case n == 0:
			case spec.Elsewhere():
				kept = append(kept, scope)
			case l.State == tuner.Queued || l.State == tuner.Running || l.State == tuner.Failed: // perhaps by what they were
				anew, out.Again = append(anew, again), append(out.Again, l.Name)
			default:
				again.State, again.Message = tuner.Paused, "blocks of worker "+worker+" were deleted, because other games of it gave different results: resume the study to play them again"
				anew = append(anew, again)
				out.Held = append(out.Held, l.Name)
			}
		}
		var err error
		out.Blocks, err = s.store.DropEverywhere(ctx, worker, anew, kept)
		return err
	})
	return out, err
}
