package goptunadb

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"

	"github.com/c-bata/goptuna"

	"sakusen/tuner/store/sqlitedb"
)

// Owner separates the attributes of users from those of the system.
type Owner string

// The owners of attributes.
const (
	User   Owner = "user"
	System Owner = "system"
)

// CreateStudy adds a study and returns its id. A name that is taken is
// [ErrStudyExists].
func CreateStudy(c *sqlitedb.Change, name string, direction goptuna.StudyDirection) (int, error) {
	// Asked beforehand, since a failed statement would fail the whole change.
	var taken bool
	err := c.Tx.QueryRow("SELECT EXISTS (SELECT 1 FROM sakusen_studies WHERE name = ?)", name).Scan(&taken)
	if err == nil && taken {
		err = ErrStudyExists
	}
	var id int64
	if err == nil {
		id, err = c.Insert("INSERT INTO sakusen_studies (name, direction, created) VALUES (?, ?, ?)", name, string(direction), c.Now().UnixNano())
	}
	if err == nil {
		err = studyRows.Seal(c.Tx, ofStudy, id)
	}
	if err != nil {
		return -1, fmt.Errorf("create study %q: %w", name, err)
	}
	return int(id), nil
}

// DeleteStudy deletes a study with its trials, its log and its attributes. The
// blocks that it played and the count of its validations stay. An id that is
// not there is goptuna.ErrInvalidStudyID.
func DeleteStudy(c *sqlitedb.Change, study int) error {
	result, err := c.Exec("DELETE FROM sakusen_studies WHERE study_id = ?", study)
	if err != nil {
		return fmt.Errorf("delete study %d: %w", study, err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return goptuna.ErrInvalidStudyID
	}
	return nil
}

// CreateNewStudy creates a study, which minimises, and returns its id. An
// empty name is replaced by one of goptuna's manner; a name that is taken is
// [ErrStudyExists].
func (s *Storage) CreateNewStudy(name string) (id int, err error) {
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
func (s *Storage) DeleteStudy(study int) error {
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
func (s *Storage) SetStudyDirection(study int, direction goptuna.StudyDirection) error {
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

// SetStudyName gives a study another name, which is free.
func SetStudyName(c *sqlitedb.Change, study int, name string) error {
	return setStudy(c, study, "name = ?", name)
}

// setStudy changes a column of a study, whose row must be what was written.
func setStudy(c *sqlitedb.Change, study int, column, value string) error {
	_, err := studyRows.Update(c, ofStudy, []any{study}, column, value)
	return err
}

// SetStudyUserAttr sets an attribute of the user.
func (s *Storage) SetStudyUserAttr(study int, key, value string) error {
	return s.setStudyAttr(study, User, key, value)
}

// SetStudySystemAttr sets an attribute of the system.
func (s *Storage) SetStudySystemAttr(study int, key, value string) error {
	return s.setStudyAttr(study, System, key, value)
}

func (s *Storage) setStudyAttr(study int, owner Owner, key, value string) error {
	return s.write(func(c *sqlitedb.Change) error {
		if err := own(c.Tx, study); err != nil && !errors.Is(err, ErrHasLog) {
			return err
		}
		return SetStudyAttr(c, study, owner, key, value)
	})
}

// SetStudyAttr sets an attribute of a study.
func SetStudyAttr(c *sqlitedb.Change, study int, owner Owner, key, value string) error {
	_, err := c.Exec("INSERT OR REPLACE INTO sakusen_study_attrs (study_id, owner, key, value, sum) VALUES (?1, ?2, ?3, ?4, seal(?1, ?2, ?3, ?4))", study, string(owner), key, value)
	if err != nil {
		return fmt.Errorf("study %d: attribute %q: %w", study, key, err)
	}
	return nil
}

// CopyStudyAttrs gives a study those attributes of another one that a condition on owner and
// key, in SQL, selects.
func CopyStudyAttrs(c *sqlitedb.Change, from, to int, which string, args ...any) error {
	_, err := c.Exec("INSERT INTO sakusen_study_attrs (study_id, owner, key, value, sum) SELECT ?1, owner, key, value, seal(?1, owner, key, value) FROM sakusen_study_attrs WHERE study_id = ?2 AND ("+which+")",
		append([]any{to, from}, args...)...)
	return err
}

// Summary reads a study without its trials; an id that is not there is
// goptuna.ErrInvalidStudyID.
func Summary(tx *sql.Tx, study int) (goptuna.StudySummary, error) {
	out := goptuna.StudySummary{ID: study, UserAttrs: map[string]string{}, SystemAttrs: map[string]string{}}
	err := tx.QueryRow("SELECT name, direction FROM sakusen_studies WHERE study_id = ?", study).Scan(&out.Name, &out.Direction)
	if errors.Is(err, sql.ErrNoRows) {
		return out, goptuna.ErrInvalidStudyID
	}
	if err != nil {
		return out, fmt.Errorf("study %d: %w", study, err)
	}
	err = sqlitedb.EachRow(tx, "SELECT owner, key, value FROM sakusen_study_attrs WHERE study_id = ?", []any{study}, func(r *sql.Rows) error {
		var owner Owner
		var key, value string
		err := r.Scan(&owner, &key, &value)
		if owner == User {
			out.UserAttrs[key] = value
		} else {
			out.SystemAttrs[key] = value
		}
		return err
	})
	return out, err
}

// study is Summary in a transaction of its own.
func (s *Storage) study(study int) (out goptuna.StudySummary, err error) {
	err = s.read(func(tx *sql.Tx) error {
		out, err = Summary(tx, study)
		return err
	})
	return out, err
}

// GetStudyIDFromName finds a study, or returns [ErrStudyNotFound].
func (s *Storage) GetStudyIDFromName(name string) (int, error) {
	var id int
	err := s.changes.Reader().QueryRow("SELECT study_id FROM sakusen_studies WHERE name = ?", name).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrStudyNotFound
	}
	if err != nil {
		return -1, fmt.Errorf("%q: %w", name, err)
	}
	return id, nil
}

// GetStudyIDFromTrialID finds the study of a trial, or returns [ErrStudyNotFound].
func (s *Storage) GetStudyIDFromTrialID(trial int) (int, error) {
	t, err := s.GetTrial(trial)
	if errors.Is(err, goptuna.ErrInvalidTrialID) {
		err = fmt.Errorf("trial %d: %w", trial, ErrStudyNotFound)
	}
	return t.StudyID, err
}

// GetStudyNameFromID returns a study's name, or [ErrStudyNotFound].
func (s *Storage) GetStudyNameFromID(study int) (string, error) {
	out, err := s.study(study)
	if errors.Is(err, goptuna.ErrInvalidStudyID) {
		err = fmt.Errorf("study %d: %w", study, ErrStudyNotFound)
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

// GetAllStudySummaries reads every study with all its trials; the store's list of
// studies is the cheap one.
func (s *Storage) GetAllStudySummaries() (out []goptuna.StudySummary, err error) {
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
