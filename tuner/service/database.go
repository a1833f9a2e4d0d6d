package service

import (
	"context"
	"errors"
	"io"
	"slices"

	"sakusen/bench/ledger"
	"sakusen/tuner/store"
	"sakusen/tuner/store/blocks"
	"sakusen/tuner/store/goptunadb"
	"sakusen/tuner/store/sqlitedb"
)

// Check is what a check of a whole database found.
type Check struct {
	Database    string         `json:"database"` // its path
	OK          bool           `json:"ok"`
	Integrity   []string       `json:"integrity"`
	ForeignKeys []string       `json:"foreign_keys"`
	Studies     []string       `json:"studies"`    // log entries and blocks that cannot be read
	Benchmarks  []string       `json:"benchmarks"` // runs whose text or values are not as recorded
	Schema      map[string]int `json:"schema"`     // version by series of migrations
	Workers     []Worker       `json:"workers"`
}

// Problems are all that is wrong.
func (c *Check) Problems() []string {
	return slices.Concat(c.Integrity, c.ForeignKeys, c.Studies, c.Benchmarks)
}

// CheckDatabase reads a whole database. What cannot be read after what is damaged
// is not looked at: a file without integrity has no studies, damaged studies no
// workers. An error says that the check itself failed, such as for a schema that
// this program does not know.
func CheckDatabase(ctx context.Context, db *sqlitedb.DB, path string) (*Check, error) {
	r, err := db.Check(ctx)
	if err != nil {
		return nil, err
	}
	c := &Check{
		Database: path, Integrity: append([]string{}, r.Integrity...), ForeignKeys: append([]string{}, r.ForeignKeys...),
		Studies: []string{}, Benchmarks: []string{}, Schema: map[string]int{}, Workers: []Worker{},
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
	s, err := store.New(ctx, db, store.Options{}) // which also checks that this program knows the schema
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
	c.Workers = workersOf(workers)
	return err
}

// Dump writes the named studies as JSON, or all where no name is given; see [store.Dump].
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
