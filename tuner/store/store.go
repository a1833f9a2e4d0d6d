package store

import (
	"context"
	"time"

	"sakusen/tuner/store/blocks"
	"sakusen/tuner/store/goptunadb"
	"sakusen/tuner/store/sqlitedb"
)

// Options are for tests; the zero value is what programs use.
type Options struct {
	// Now tells the time; nil is time.Now.
	Now func() time.Time
	// Point is called at every point where a kill is worth a test.
	Point func(name string)
}

// Store is the studies, their logs and the jobs of one database. It keeps
// nothing in memory and may be used from any goroutine. Each call is a
// transaction of its own.
type Store struct {
	db      *sqlitedb.DB
	changes *sqlitedb.Transactor
	blocks  *blocks.Cache
}

// New migrates db and returns its store. On a database opened for reading it
// verifies the schema, and writing calls return [sqlitedb.ErrReadOnlyHandle].
func New(ctx context.Context, db *sqlitedb.DB, options Options) (*Store, error) {
	if err := goptunadb.Migrate(ctx, db); err != nil {
		return nil, err
	}
	changes := sqlitedb.NewTransactor(db, options.Now, options.Point)
	return &Store{db: db, changes: changes, blocks: blocks.New(changes)}, nil
}

// DB is the database of the store.
func (s *Store) DB() *sqlitedb.DB { return s.db }

// Blocks is the cache of played blocks.
func (s *Store) Blocks() *blocks.Cache { return s.blocks }

// DeleteStudy deletes a study with its trials, its log and its attributes.
// The blocks that it played and the count of its validations stay.
func (s *Store) DeleteStudy(id int) error {
	return s.changes.Change(context.Background(), "", func(c *sqlitedb.Change) error {
		if err := release(c, id); err != nil {
			return err
		}
		return goptunadb.DeleteStudy(c, id)
	})
}
