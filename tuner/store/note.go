package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"sakusen/tuner/store/goptunadb"
	"sakusen/tuner/store/sqlitedb"
)

// noteKey is the study's attribute, in Goptuna's words one of the user's, that
// somebody has written about it.
const noteKey = "note"

// Note is what somebody has written about a study, empty where nothing is.
func Note(ctx context.Context, s *Store, study int) (string, error) {
	var text string
	err := s.db.Reader().QueryRowContext(ctx, "SELECT value FROM sakusen_study_attrs WHERE study_id = ? AND owner = 'user' AND key = ?", study, noteKey).Scan(&text)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("note: %w", err)
	}
	return text, nil
}

// SetNote writes about a study, in place of what was written before; an empty text
// takes that away.
func SetNote(ctx context.Context, s *Store, study int, text string) error {
	err := s.changes.Change(ctx, "note", func(c *sqlitedb.Change) error {
		if text == "" {
			_, err := c.Exec("DELETE FROM sakusen_study_attrs WHERE study_id = ? AND owner = 'user' AND key = ?", study, noteKey)
			return err
		}
		return goptunadb.SetStudyAttr(c, study, goptunadb.User, noteKey, text)
	})
	if err != nil {
		return fmt.Errorf("note: %w", err)
	}
	return nil
}
