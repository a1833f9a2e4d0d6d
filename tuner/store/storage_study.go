package store

import (
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/c-bata/goptuna"
)

// CreateNewStudy creates a study, which minimises, and returns its id. An
// empty name is replaced by one of goptuna's manner; a name that is taken is
// [ErrStudyExists].
func (s *storage) CreateNewStudy(name string) (int, error) {
	if name == "" {
		name = goptuna.DefaultStudyNamePrefix + rand.Text()
	}
	var id int
	err := s.write(func(c *change) (err error) {
		id, err = c.createStudy(name)
		return err
	})
	if err != nil {
		return -1, err
	}
	return id, nil
}

func (c *change) createStudy(name string) (int, error) {
	// Asked beforehand, since a failed statement would end a whole batch.
	var taken int
	if err := c.Tx.QueryRow("SELECT count(*) FROM studies WHERE name = ?", name).Scan(&taken); err != nil {
		return -1, fmt.Errorf("create study %q: %w", name, err)
	}
	if taken > 0 {
		return -1, fmt.Errorf("create study %q: %w", name, ErrStudyExists)
	}
	id, err := c.Insert("INSERT INTO studies (name, created) VALUES (?, ?)", name, c.Now().UnixNano())
	if err != nil {
		return -1, fmt.Errorf("create study %q: %w", name, err)
	}
	c.keep(&studyChange{head: head{
		id: int(id), name: name, direction: goptuna.StudyDirectionMinimize,
		user: map[string]string{}, system: map[string]string{},
	}})
	return int(id), nil
}

// DeleteStudy deletes a study with its trials, its log and its attributes.
// The blocks that it played and the count of its validations stay.
func (s *storage) DeleteStudy(studyID int) error {
	return s.write(func(c *change) error {
		sc, err := c.study(studyID)
		if err != nil {
			return err
		}
		if _, err := c.Exec("DELETE FROM studies WHERE study_id = ?", studyID); err != nil {
			return fmt.Errorf("delete study %d: %w", studyID, err)
		}
		sc.deleted = true
		for id, at := range c.created {
			if at.study == studyID {
				delete(c.created, id)
			}
		}
		return nil
	})
}

// SetStudyDirection sets the direction of the objective: minimize or maximize.
func (s *storage) SetStudyDirection(studyID int, direction goptuna.StudyDirection) error {
	if direction != goptuna.StudyDirectionMinimize && direction != goptuna.StudyDirectionMaximize {
		return fmt.Errorf("study %d: direction: expected minimize or maximize, got %q", studyID, direction)
	}
	return s.write(func(c *change) error {
		sc, err := c.study(studyID)
		if err != nil {
			return err
		}
		if _, err := c.Exec("UPDATE studies SET direction = ? WHERE study_id = ?", string(direction), studyID); err != nil {
			return fmt.Errorf("study %d: direction: %w", studyID, err)
		}
		sc.direction = direction
		return nil
	})
}

// SetStudyUserAttr sets an attribute of the user.
func (s *storage) SetStudyUserAttr(studyID int, key, value string) error {
	return s.setStudyAttr(studyID, ownerUser, key, value)
}

// SetStudySystemAttr sets an attribute of the system.
func (s *storage) SetStudySystemAttr(studyID int, key, value string) error {
	return s.setStudyAttr(studyID, ownerSystem, key, value)
}

func (s *storage) setStudyAttr(studyID int, o owner, key, value string) error {
	return s.write(func(c *change) error {
		sc, err := c.study(studyID)
		if err != nil {
			return err
		}
		if _, err := c.Exec("INSERT OR REPLACE INTO study_attrs (study_id, owner, key, value) VALUES (?, ?, ?, ?)", studyID, string(o), key, value); err != nil {
			return fmt.Errorf("study %d: attribute %q: %w", studyID, key, err)
		}
		attrs := sc.attrs(o)
		*attrs = with(*attrs, key, value)
		return nil
	})
}

// head reads a study's head.
func (s *storage) head(studyID int) (head, error) {
	if s.open != nil {
		sc, err := s.open.study(studyID)
		if err != nil {
			return head{}, err
		}
		return sc.head, nil
	}
	st, err := s.store.study(studyID)
	if err != nil {
		return head{}, err
	}
	s.store.mu.RLock()
	defer s.store.mu.RUnlock()
	return st.head, nil
}

// GetStudyIDFromName finds a study, or returns [ErrStudyNotFound].
func (s *storage) GetStudyIDFromName(name string) (int, error) {
	const query = "SELECT study_id FROM studies WHERE name = ?"
	var row *sql.Row
	if s.open != nil {
		row = s.open.Tx.QueryRow(query, name)
	} else {
		row = s.store.db.Reader().QueryRow(query, name)
	}
	var id int
	if err := row.Scan(&id); errors.Is(err, sql.ErrNoRows) {
		return -1, fmt.Errorf("%q: %w", name, ErrStudyNotFound)
	} else if err != nil {
		return -1, fmt.Errorf("%q: %w", name, err)
	}
	return id, nil
}

// GetStudyIDFromTrialID finds the study of a trial, or returns [ErrStudyNotFound].
func (s *storage) GetStudyIDFromTrialID(trialID int) (int, error) {
	t, err := s.GetTrial(trialID)
	if errors.Is(err, goptuna.ErrInvalidTrialID) {
		return -1, fmt.Errorf("trial %d: %w", trialID, ErrStudyNotFound)
	}
	if err != nil {
		return -1, err
	}
	return t.StudyID, nil
}

// GetStudyNameFromID returns a study's name, or [ErrStudyNotFound].
func (s *storage) GetStudyNameFromID(studyID int) (string, error) {
	h, err := s.head(studyID)
	if errors.Is(err, goptuna.ErrInvalidStudyID) {
		return "", fmt.Errorf("study %d: %w", studyID, ErrStudyNotFound)
	}
	return h.name, err
}

// GetStudyDirection returns the direction of the objective.
func (s *storage) GetStudyDirection(studyID int) (goptuna.StudyDirection, error) {
	h, err := s.head(studyID)
	if err != nil {
		return goptuna.StudyDirectionMinimize, err
	}
	return h.direction, nil
}

// GetStudyUserAttrs returns a copy of the user's attributes.
func (s *storage) GetStudyUserAttrs(studyID int) (map[string]string, error) {
	h, err := s.head(studyID)
	return maps.Clone(h.user), err
}

// GetStudySystemAttrs returns a copy of the system's attributes.
func (s *storage) GetStudySystemAttrs(studyID int) (map[string]string, error) {
	h, err := s.head(studyID)
	return maps.Clone(h.system), err
}

// GetAllStudySummaries reads every study with all its trials; [Store.Studies]
// is the cheap listing.
func (s *storage) GetAllStudySummaries() ([]goptuna.StudySummary, error) {
	query := s.store.db.Reader().Query
	if s.open != nil {
		query = s.open.Tx.Query
	}
	rows, err := query("SELECT study_id FROM studies ORDER BY study_id")
	if err != nil {
		return nil, fmt.Errorf("study summaries: %w", err)
	}
	defer rows.Close()
	var ids []int
	for rows.Next() {
		var id int
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("study summaries: %w", err)
		}
		ids = append(ids, id)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("study summaries: %w", err)
	}
	rows.Close() // before loading, which reads on the same handle
	summaries := make([]goptuna.StudySummary, 0, len(ids))
	for _, id := range ids {
		summary, err := s.summary(id)
		if errors.Is(err, goptuna.ErrInvalidStudyID) {
			continue // deleted meanwhile
		}
		if err != nil {
			return nil, err
		}
		summaries = append(summaries, summary)
	}
	return summaries, nil
}

func (s *storage) summary(studyID int) (goptuna.StudySummary, error) {
	h, err := s.head(studyID)
	if err != nil {
		return goptuna.StudySummary{}, err
	}
	trials, err := s.GetAllTrials(studyID)
	if err != nil {
		return goptuna.StudySummary{}, err
	}
	var start time.Time
	for i, t := range trials {
		if i == 0 || t.DatetimeStart.Before(start) {
			start = t.DatetimeStart
		}
	}
	best, _ := bestOf(&h, trials)
	return goptuna.StudySummary{
		ID: h.id, Name: h.name, Direction: h.direction, BestTrial: best,
		UserAttrs: maps.Clone(h.user), SystemAttrs: maps.Clone(h.system), DatetimeStart: start,
	}, nil
}

// bestOf is the first complete trial that no other one beats.
func bestOf(h *head, trials []goptuna.FrozenTrial) (best goptuna.FrozenTrial, found bool) {
	for i := range trials {
		t := &trials[i]
		if t.State == goptuna.TrialStateComplete && (!found || h.better(t.Value, best.Value)) {
			best, found = *t, true
		}
	}
	return best, found
}

// Writable reports whether the store can be written.
func (s *Store) Writable() bool { return s.db.Writable() }
