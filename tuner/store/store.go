package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"github.com/c-bata/goptuna"

	"sakusen/tuner/sqlitedb"
	"sakusen/tuner/store/blocks"
)

// SeriesName is the name of this room's migrations.
const SeriesName = "store"

//go:embed schema/*.sql
var schema embed.FS

// Options are for tests; the zero value is what programs use.
type Options struct {
	// Now tells the time; nil is time.Now.
	Now func() time.Time
	// Point is called at every point where a kill is worth a test.
	Point func(name string)
}

// Store is the goptuna.Storage, the study logs and the blocks of one database.
// It may be used from any goroutine. Each call is a transaction of its own; a
// [Session] joins several.
type Store struct {
	storage
	db      *sqlitedb.DB
	changes *sqlitedb.Transactor
	blocks  *blocks.Cache

	writing sync.Mutex // held by the change that is being made
	loading sync.Mutex // held while the cache is loaded or shrinks

	mu       sync.RWMutex // guards what follows
	studies  map[int]*study
	places   map[int]place
	dists    map[string]*distribution
	distByID map[int64]*distribution
}

// New migrates db and returns its store. On a database opened for reading it
// verifies the schema, and writing calls return
// [sqlitedb.ErrReadOnlyHandle]; each study is then read from the file when it
// is first asked for and stays as it was (see [Store.Forget]), while the
// listings always read the file.
func New(ctx context.Context, db *sqlitedb.DB, options Options) (*Store, error) {
	files, err := fs.Sub(schema, "schema")
	if err != nil {
		return nil, err
	}
	if err := db.Migrate(ctx, SeriesName, files); err != nil {
		return nil, err
	}
	s := &Store{
		db:       db,
		changes:  sqlitedb.NewTransactor(db, options.Now, options.Point),
		studies:  make(map[int]*study),
		places:   make(map[int]place),
		dists:    make(map[string]*distribution),
		distByID: make(map[int64]*distribution),
	}
	s.storage.store = s
	s.blocks = blocks.New(s.changes)
	return s, nil
}

// DB is the database of the store.
func (s *Store) DB() *sqlitedb.DB { return s.db }

// Point marks a point at which a kill is worth a test, for code that works on
// the store, such as "rung.between".
func (s *Store) Point(name string) { s.changes.Point(name) }

// Blocks is the cache of played blocks.
func (s *Store) Blocks() *blocks.Cache { return s.blocks }

// Forget drops a study from the cache; it is read again when it is asked for.
func (s *Store) Forget(studyID int) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.loading.Lock()
	defer s.loading.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(studyID)
}

// drop takes a study out of the cache; the caller holds loading and mu.
func (s *Store) drop(studyID int) {
	st, ok := s.studies[studyID]
	if !ok {
		return
	}
	for number := range st.trials.len() {
		delete(s.places, st.trials.at(number).ID)
	}
	delete(s.studies, studyID)
}

// study returns the cached study, which is loaded if it is not there.
func (s *Store) study(id int) (*study, error) {
	s.mu.RLock()
	st, ok := s.studies[id]
	s.mu.RUnlock()
	if ok {
		return st, nil
	}
	s.loading.Lock()
	defer s.loading.Unlock()
	s.mu.RLock()
	st, ok = s.studies[id]
	s.mu.RUnlock()
	if ok {
		return st, nil
	}
	st, err := s.load(id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, goptuna.ErrInvalidStudyID
	}
	if err != nil {
		return nil, fmt.Errorf("load study %d: %w", id, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.studies[id] = st
	for _, t := range st.trials.list {
		s.places[t.ID] = place{study: id, number: t.Number}
	}
	return st, nil
}

// place finds a committed trial, and loads its study if need be.
func (s *Store) place(trialID int) (place, error) {
	s.mu.RLock()
	at, ok := s.places[trialID]
	s.mu.RUnlock()
	if ok {
		return at, nil
	}
	err := s.db.Reader().QueryRow("SELECT study_id, number FROM trials WHERE trial_id = ?", trialID).Scan(&at.study, &at.number)
	if errors.Is(err, sql.ErrNoRows) {
		return place{}, goptuna.ErrInvalidTrialID
	}
	if err != nil {
		return place{}, fmt.Errorf("trial %d: %w", trialID, err)
	}
	if _, err := s.study(at.study); err != nil {
		return place{}, err
	}
	return at, nil
}
