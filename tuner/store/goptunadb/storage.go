package goptunadb

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"github.com/c-bata/goptuna"

	"sakusen/tuner/store/sqlitedb"
)

// Storage is the studies of a database as goptuna sees them. It may be used from
// any goroutine.
type Storage struct {
	studies
	trials
}

// studies are the methods of [goptuna.Storage] that are of studies, trials those that are of
// trials.
type (
	studies struct{ *file }
	trials  struct{ *file }
)

// file is the database of a storage, with what is kept of it in memory.
type file struct {
	db      *sqlitedb.DB
	mu      sync.Mutex
	settled map[int][]goptuna.FrozenTrial // by study: the trials before the first that may change
}

var _ goptuna.Storage = (*Storage)(nil)

// Open opens a database for reading and writing, and creates it where there is
// none. Close it with [Storage.Close].
func Open(ctx context.Context, path string) (*Storage, error) {
	db, err := sqlitedb.Open(ctx, path, sqlitedb.Options{})
	return attach(ctx, db, err)
}

// openReadOnly opens a database for reading, also while another process writes it.
func openReadOnly(ctx context.Context, path string) (*Storage, error) {
	db, err := sqlitedb.OpenReadOnly(ctx, path)
	return attach(ctx, db, err)
}

// attach returns the storage in what was opened, which it closes if it fails.
func attach(ctx context.Context, db *sqlitedb.DB, err error) (*Storage, error) {
	if err != nil {
		return nil, err
	}
	s, err := New(ctx, db)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

// New returns the storage in a database that is open; it makes the tables where there
// are none.
func New(ctx context.Context, db *sqlitedb.DB) (*Storage, error) {
	if err := Migrate(ctx, db); err != nil {
		return nil, err
	}
	f := &file{db: db, settled: map[int][]goptuna.FrozenTrial{}}
	return &Storage{studies{f}, trials{f}}, nil
}

// Close closes the database.
func (s *Storage) Close() error { return s.studies.db.Close() }

// write runs do in a transaction of its own. As with goptuna's own storages, a power cut
// may lose the last transactions.
func (s *file) write(do func(*sqlitedb.Change) error) error {
	return s.db.ChangeReplayable(context.Background(), "", do)
}

// read runs do on one consistent state of the file.
func (s *file) read(do func(*sql.Tx) error) error {
	tx, err := s.db.Reader().BeginTx(context.Background(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	return do(tx)
}

// trials returns all trials of a study, of which those before the first that may still
// change come from memory.
func (s *file) trials(tx *sql.Tx, study int) ([]goptuna.FrozenTrial, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.settled[study]
	fresh, err := Trials(tx, study, len(known), -1)
	if err != nil {
		return nil, err
	}
	all := append(known[:len(known):len(known)], fresh...)
	n := len(known)
	for n < len(all) && all[n].State.IsFinished() {
		n++
	}
	s.settled[study] = all[:n:n]
	return all, nil
}

// own checks that a study is there and has neither a record of Sakusen's nor a log.
func own(tx *sql.Tx, study int) error {
	var logged bool
	err := tx.QueryRow("SELECT EXISTS (SELECT 1 FROM study_records r WHERE r.study_id = s.study_id) OR EXISTS (SELECT 1 FROM entries e WHERE e.study_id = s.study_id) FROM sakusen_studies s WHERE s.study_id = ?", study).Scan(&logged)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return goptuna.ErrInvalidStudyID
	case err == nil && logged:
		return ErrHasLog
	}
	return err
}
