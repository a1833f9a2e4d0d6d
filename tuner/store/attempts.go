package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"sakusen/tuner/entry"
	"sakusen/tuner/sqlitedb"
)

// Attempt is the number, from 1, of a validation that begins now, among all
// that the database has seen of the same game, strategy and baseline, those
// of deleted studies included. Asked again before the attempt is in the log,
// as after a kill, it is the same number.
func (l *Log) Attempt(ctx context.Context, game, strategy, baseline string) (int, error) {
	var attempt int
	err := l.store.changes.Change(ctx, "count", func(c *sqlitedb.Change) error {
		var occasion int
		row := c.Tx.QueryRow("SELECT count(*) FROM entries WHERE study_id = ? AND kind = ?", l.id, string(entry.KindAttempt))
		if err := row.Scan(&occasion); err != nil {
			return err
		}
		row = c.Tx.QueryRow("SELECT attempt FROM validation_attempts WHERE study_id = ? AND occasion = ? AND game = ? AND strategy = ? AND baseline = ?",
			l.id, occasion, game, strategy, baseline)
		if err := row.Scan(&attempt); err == nil || !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		row = c.Tx.QueryRow("SELECT 1 + coalesce(max(attempt), 0) FROM validation_attempts WHERE game = ? AND strategy = ? AND baseline = ?", game, strategy, baseline)
		if err := row.Scan(&attempt); err != nil {
			return err
		}
		_, err := c.Exec("INSERT INTO validation_attempts (game, strategy, baseline, attempt, study, study_id, occasion, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
			game, strategy, baseline, attempt, l.header.Name, l.id, occasion, c.Now().UnixNano())
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("study %q: validation attempt: %w", l.header.Name, err)
	}
	return attempt, nil
}

// Attempts is the number of validations that the database has seen of a game,
// a strategy and a baseline.
func (s *Store) Attempts(ctx context.Context, game, strategy, baseline string) (int, error) {
	var n int
	err := s.db.Reader().QueryRowContext(ctx, "SELECT count(*) FROM validation_attempts WHERE game = ? AND strategy = ? AND baseline = ?", game, strategy, baseline).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("validation attempts: %w", err)
	}
	return n, nil
}
