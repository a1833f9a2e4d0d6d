package storage

import (
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"

	"github.com/c-bata/goptuna"

	"sakusen/tuner/sqlitedb"
	"sakusen/tuner/store"
	"sakusen/tuner/store/rows"
)

// CreateNewStudy creates a study, which minimises, and returns its id. An
// empty name is replaced by one of goptuna's manner; a name that is taken is
// [rows.ErrStudyExists].
func (s *Storage) CreateNewStudy(name string) (id int, err error) {
	if name == "" {
		name = goptuna.DefaultStudyNamePrefix + rand.Text()
	}
	err = s.write(func(c *sqlitedb.Change) (err error) {
		id, err = rows.CreateStudy(c, name, goptuna.StudyDirectionMinimize)
		return err
	})
	return id, err
}

// DeleteStudy deletes a study, which has no log, with its trials and attributes.
func (s *Storage) DeleteStudy(study int) error {
	return s.write(func(c *sqlitedb.Change) error {
		if err := own(c.Tx, study); err != nil {
			return err
		}
		s.mu.Lock()
		delete(s.settled, study)
		s.mu.Unlock()
		return rows.DeleteStudy(c, study)
	})
}

// SetStudyDirection sets the direction of the objective: minimize or maximize.
func (s *Storage) SetStudyDirection(study int, direction goptuna.StudyDirection) error {
	return s.write(func(c *sqlitedb.Change) error {
		var now string
		if err := c.Tx.QueryRow("SELECT direction FROM studies WHERE study_id = ?", study).Scan(&now); err == nil && now == string(direction) {
			return nil // goptuna sets it whenever a study is loaded with a direction
		}
		if err := own(c.Tx, study); err != nil {
			return err
		}
		return rows.SetDirection(c, study, direction)
	})
}

// SetStudyUserAttr sets an attribute of the user.
func (s *Storage) SetStudyUserAttr(study int, key, value string) error {
	return s.setStudyAttr(study, rows.User, key, value)
}

// SetStudySystemAttr sets an attribute of the system.
func (s *Storage) SetStudySystemAttr(study int, key, value string) error {
	return s.setStudyAttr(study, rows.System, key, value)
}

func (s *Storage) setStudyAttr(study int, owner rows.Owner, key, value string) error {
	return s.write(func(c *sqlitedb.Change) error {
		if err := own(c.Tx, study); err != nil && !errors.Is(err, ErrHasLog) {
			return err
		}
		if _, err := c.Exec("INSERT OR REPLACE INTO study_attrs (study_id, owner, key, value) VALUES (?, ?, ?, ?)", study, string(owner), key, value); err != nil {
			return fmt.Errorf("study %d: attribute %q: %w", study, key, err)
		}
		return nil
	})
}

// summary reads a study without its trials.
func summary(tx *sql.Tx, study int) (goptuna.StudySummary, error) {
	out := goptuna.StudySummary{ID: study, UserAttrs: map[string]string{}, SystemAttrs: map[string]string{}}
	err := tx.QueryRow("SELECT name, direction FROM studies WHERE study_id = ?", study).Scan(&out.Name, &out.Direction)
	if errors.Is(err, sql.ErrNoRows) {
		return out, goptuna.ErrInvalidStudyID
	}
	if err != nil {
		return out, fmt.Errorf("study %d: %w", study, err)
	}
	err = sqlitedb.EachRow(tx, "SELECT owner, key, value FROM study_attrs WHERE study_id = ?", []any{study}, func(r *sql.Rows) error {
		var owner rows.Owner
		var key, value string
		if err := r.Scan(&owner, &key, &value); err != nil {
			return err
		}
		if owner == rows.User {
			out.UserAttrs[key] = value
		} else {
			out.SystemAttrs[key] = value
		}
		return nil
	})
	return out, err
}

// study is summary in a transaction of its own.
func (s *Storage) study(study int) (out goptuna.StudySummary, err error) {
	err = s.read(func(tx *sql.Tx) error {
		out, err = summary(tx, study)
		return err
	})
	return out, err
}

// GetStudyIDFromName finds a study, or returns [store.ErrStudyNotFound].
func (s *Storage) GetStudyIDFromName(name string) (int, error) {
	var id int
	err := s.changes.Reader().QueryRow("SELECT study_id FROM studies WHERE name = ?", name).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		err = store.ErrStudyNotFound
	}
	if err != nil {
		return -1, fmt.Errorf("%q: %w", name, err)
	}
	return id, nil
}

// GetStudyIDFromTrialID finds the study of a trial, or returns
// [store.ErrStudyNotFound].
func (s *Storage) GetStudyIDFromTrialID(trial int) (int, error) {
	t, err := s.GetTrial(trial)
	if errors.Is(err, goptuna.ErrInvalidTrialID) {
		err = fmt.Errorf("trial %d: %w", trial, store.ErrStudyNotFound)
	}
	return t.StudyID, err
}

// GetStudyNameFromID returns a study's name, or [store.ErrStudyNotFound].
func (s *Storage) GetStudyNameFromID(study int) (string, error) {
	out, err := s.study(study)
	if errors.Is(err, goptuna.ErrInvalidStudyID) {
		err = fmt.Errorf("study %d: %w", study, store.ErrStudyNotFound)
	}
	return out.Name, err
}

// GetStudyDirection returns the direction of the objective.
func (s *Storage) GetStudyDirection(study int) (goptuna.StudyDirection, error) {
	out, err := s.study(study)
	return out.Direction, err
}

// GetStudyUserAttrs returns the user's attributes.
func (s *Storage) GetStudyUserAttrs(study int) (map[string]string, error) {
	out, err := s.study(study)
	return out.UserAttrs, err
}

// GetStudySystemAttrs returns the system's attributes.
func (s *Storage) GetStudySystemAttrs(study int) (map[string]string, error) {
	out, err := s.study(study)
	return out.SystemAttrs, err
}

// GetAllStudySummaries reads every study with all its trials;
// [store.Store.Studies] is the cheap listing.
func (s *Storage) GetAllStudySummaries() ([]goptuna.StudySummary, error) {
	var out []goptuna.StudySummary
	err := s.read(func(tx *sql.Tx) error {
		var ids []int
		err := sqlitedb.EachRow(tx, "SELECT study_id FROM studies ORDER BY study_id", nil, func(r *sql.Rows) error {
			var id int
			err := r.Scan(&id)
			ids = append(ids, id)
			return err
		})
		for _, id := range ids {
			one, err := summary(tx, id)
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
			one.BestTrial, _ = best(one.Direction, trials)
			out = append(out, one)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("study summaries: %w", err)
	}
	return out, nil
}
