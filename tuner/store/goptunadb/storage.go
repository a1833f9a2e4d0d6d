package goptunadb

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
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

// OpenReadOnly opens a database for reading, also while another process writes it.
func OpenReadOnly(ctx context.Context, path string) (*Storage, error) {
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
	return s.db.Read(context.Background(), do)
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

// CreateNewStudy creates a study, which minimises, and returns its id. An
// empty name is replaced by one of goptuna's manner; a name that is taken is
// [ErrStudyExists].
func (s *studies) CreateNewStudy(name string) (id int, err error) {
	if name == "" {
		name = goptuna.DefaultStudyNamePrefix + rand.Text()
	}
	err = s.write(func(c *sqlitedb.Change) (err error) {
		id, err = CreateStudy(c, name, goptuna.StudyDirectionMinimize)
		return err
	})
	return id, err
}

// DeleteStudy deletes a study, which has no log, with its trials and attributes.
func (s *studies) DeleteStudy(study int) error {
	return s.write(func(c *sqlitedb.Change) error {
		if err := own(c.Tx, study); err != nil {
			return err
		}
		s.mu.Lock()
		delete(s.settled, study)
		s.mu.Unlock()
		return DeleteStudy(c, study)
	})
}

// SetStudyDirection sets the direction of the objective: minimize or maximize.
func (s *studies) SetStudyDirection(study int, direction goptuna.StudyDirection) error {
	if direction != goptuna.StudyDirectionMinimize && direction != goptuna.StudyDirectionMaximize {
		return fmt.Errorf("study %d: direction: expected minimize or maximize, got %q", study, direction)
	}
	return s.write(func(c *sqlitedb.Change) error {
		var now string
		if err := c.Tx.QueryRow("SELECT direction FROM sakusen_studies WHERE study_id = ?", study).Scan(&now); err == nil && now == string(direction) {
			return nil // goptuna sets it whenever a study is loaded with a direction
		}
		if err := own(c.Tx, study); err != nil {
			return err
		}
		return setStudy(c, study, "direction = ?", string(direction))
	})
}

// SetStudyUserAttr sets an attribute of the user.
func (s *studies) SetStudyUserAttr(study int, key, value string) error {
	return s.setStudyAttr(study, User, key, value)
}

// SetStudySystemAttr sets an attribute of the system.
func (s *studies) SetStudySystemAttr(study int, key, value string) error {
	return s.setStudyAttr(study, System, key, value)
}

func (s *studies) setStudyAttr(study int, owner Owner, key, value string) error {
	return s.write(func(c *sqlitedb.Change) error {
		if err := own(c.Tx, study); err != nil && !errors.Is(err, ErrHasLog) {
			return err
		}
		return SetStudyAttr(c, study, owner, key, value)
	})
}

// study does what Summary does, in a transaction of its own.
func (s *studies) study(study int) (out goptuna.StudySummary, err error) {
	err = s.read(func(tx *sql.Tx) error {
		out, err = Summary(tx, study)
		return err
	})
	return out, err
}

// GetStudyIDFromName finds a study, or returns [ErrStudyNotFound].
func (s *studies) GetStudyIDFromName(name string) (int, error) {
	var id int
	err := s.db.Reader().QueryRow("SELECT study_id FROM sakusen_studies WHERE name = ?", name).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrStudyNotFound
	}
	if err != nil {
		return -1, fmt.Errorf("%q: %w", name, err)
	}
	return id, nil
}

// GetStudyNameFromID returns a study's name, or [ErrStudyNotFound].
func (s *studies) GetStudyNameFromID(study int) (string, error) {
	out, err := s.study(study)
	if errors.Is(err, goptuna.ErrInvalidStudyID) {
		err = fmt.Errorf("study %d: %w", study, ErrStudyNotFound)
	}
	return out.Name, err
}

// GetStudyDirection returns the direction of the objective.
func (s *studies) GetStudyDirection(study int) (goptuna.StudyDirection, error) {
	out, err := s.study(study)
	return out.Direction, err
}

// GetStudyUserAttrs returns the user's attributes.
func (s *studies) GetStudyUserAttrs(study int) (map[string]string, error) {
	out, err := s.study(study)
	return out.UserAttrs, err
}

// GetStudySystemAttrs returns the system's attributes.
func (s *studies) GetStudySystemAttrs(study int) (map[string]string, error) {
	out, err := s.study(study)
	return out.SystemAttrs, err
}

// GetAllStudySummaries reads every study with all its trials; the store's list of
// studies is the cheap one.
func (s *studies) GetAllStudySummaries() (out []goptuna.StudySummary, err error) {
	err = s.read(func(tx *sql.Tx) error {
		var ids []int
		err := sqlitedb.EachRow(tx, "SELECT study_id FROM sakusen_studies ORDER BY study_id", nil, func(r *sql.Rows) error {
			var id int
			err := r.Scan(&id)
			ids = append(ids, id)
			return err
		})
		for _, id := range ids {
			one, err := Summary(tx, id)
			if err != nil {
				return err
			}
			trials, err := s.trials(tx, id)
			if err != nil {
				return err
			}
			for i, t := range trials {
				if i == 0 || t.DatetimeStart.Before(one.DatetimeStart) {
					one.DatetimeStart = t.DatetimeStart
				}
			}
			if one.BestTrial, _, err = Best(context.Background(), tx, id, one.Direction); err != nil {
				return err
			}
			out = append(out, one)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("study summaries: %w", err)
	}
	return out, nil
}

// GetAllTrials returns the trials of a study by number. The maps of finished
// trials are shared and must not be changed.
func (s *studies) GetAllTrials(study int) (out []goptuna.FrozenTrial, err error) {
	err = s.read(func(tx *sql.Tx) error {
		if err := own(tx, study); err != nil && !errors.Is(err, ErrHasLog) {
			return err
		}
		out, err = s.trials(tx, study)
		return err
	})
	return out, err
}

// GetBestTrial returns the first complete trial with a value that no other one beats, or
// goptuna.ErrNoCompletedTrials.
func (s *studies) GetBestTrial(study int) (best goptuna.FrozenTrial, err error) {
	err = s.read(func(tx *sql.Tx) error {
		one, err := Summary(tx, study)
		if err != nil {
			return err
		}
		var found bool
		if best, found, err = Best(context.Background(), tx, study, one.Direction); err == nil && !found {
			err = goptuna.ErrNoCompletedTrials
		}
		return err
	})
	return best, err
}
