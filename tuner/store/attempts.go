package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"unicode/utf8"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/store/sqlitedb"
)

// sameQuestion selects the attempts at a question: the same game, strategy and
// rules, and a baseline of the same text or of the same play.
const sameQuestion = `game = ? AND strategy = ? AND rules = ? AND (baseline = ? OR play <> '' AND play = ?)`

// Attempt returns the number, from 1, of a validation that begins now: the one that was
// reserved when the study was submitted, so that numbers follow the order of
// submissions and not who is faster. It is among all
// that the database has seen of the same question, those of deleted and renamed
// studies included.
//
// One attempt proves one winner. Asked again for the same one, after a kill, or
// after a worker's blocks were dropped and the study began anew, it is the same
// number. For another one it is another attempt, with a level of its own, unless
// a worker's false games had chosen the winner before and there was no verdict
// ([Anew]).
func (l *Log) Attempt(ctx context.Context, q tuner.Question) (int, error) {
	number := 0
	if err := attemptRows.Refuse(ctx, l.db, "TRUE"); err != nil {
		return 0, fmt.Errorf("validation attempts: %w", err)
	}
	err := l.db.Change(ctx, "count", func(c *sqlitedb.Change) error {
		var occasion int
		row := c.Tx.QueryRow("SELECT count(*) FROM entries WHERE study_id = ? AND kind = ?", l.id, string(entry.KindAttempt))
		if err := row.Scan(&occasion); err != nil {
			return err
		}
		var err error
		number, err = l.counted(c, occasion, q.Winner, []any{q.Game, q.Strategy, q.Rules, q.Baseline, q.Play})
		if err == nil && number == 0 {
			number, err = l.reserve(c, &q, occasion)
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("study %q: validation attempt: %w", l.header.Name, err)
	}
	return number, nil
}

// reserve counts an attempt.
func (l *Log) reserve(c *sqlitedb.Change, q *tuner.Question, occasion int) (number int, err error) {
	if number, err = nextNumber(c.Tx, []any{q.Game, q.Strategy, q.Rules, q.Baseline, q.Play}); err != nil {
		return 0, err
	}
	_, err = attemptRows.Insert(c, "attempt_id = ?", nil, "game, rules, strategy, baseline, play, attempt, study, study_id, occasion, winner, created",
		q.Game, q.Rules, q.Strategy, q.Baseline, q.Play, number, l.header.Name, l.id, occasion, q.Winner, c.Now().UnixNano())
	return number, err
}

// counted returns the number that this study and occasion already have for the winner, 0 if they
// have none.
func (l *Log) counted(c *sqlitedb.Change, occasion int, winner string, same []any) (number int, err error) {
	var id int64
	var former string
	args := append([]any{l.id, occasion}, same...)
	err = c.Tx.QueryRow("SELECT attempt_id, attempt, winner FROM validation_attempts WHERE study_id = ? AND occasion = ? AND "+sameQuestion, args...).Scan(&id, &number, &former)
	switch {
	case err == nil && former == reserved: // it was reserved when the study was submitted
		_, err = attemptRows.Update(c, "attempt_id = ?", []any{id}, "winner = ?", winner)
		return number, err
	case err == nil && former != winner:
		// It was counted for another winner and never begun; it stays counted.
		if _, err := c.Exec("UPDATE validation_attempts SET study_id = NULL WHERE attempt_id = ?", id); err != nil {
			return 0, err
		}
	case err == nil || !errors.Is(err, sql.ErrNoRows):
		return number, err
	}
	// The former logs of this study are NAME@1, NAME@2, ...
	prefix := l.header.Name + "@"
	args = append([]any{winner, utf8.RuneCountInString(prefix), prefix, occasion}, same...)
	err = c.Tx.QueryRow(`SELECT attempt_id, attempt FROM validation_attempts WHERE winner = ?
		AND study_id IN (SELECT study_id FROM sakusen_studies WHERE substr(name, 1, ?) = ?) AND occasion = ? AND `+sameQuestion, args...).Scan(&id, &number)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	if err == nil {
		_, err = c.Exec("UPDATE validation_attempts SET study_id = ? WHERE attempt_id = ?", l.id, id)
	}
	return number, err
}

// nextNumber returns the number of the next attempt at a question.
func nextNumber(tx *sql.Tx, same []any) (number int, err error) {
	err = tx.QueryRow("SELECT 1 + max(coalesce(max(attempt), 0), count(*)) FROM validation_attempts WHERE "+sameQuestion, same...).Scan(&number)
	return number, err
}

// NextAttempt returns the number of the next attempt at a question. Nothing is counted.
func (s *Store) NextAttempt(ctx context.Context, q tuner.Question) (int, error) {
	number := 0
	err := s.db.Read(ctx, func(tx *sql.Tx) (err error) {
		number, err = nextNumber(tx, []any{q.Game, q.Strategy, q.Rules, q.Baseline, q.Play})
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("validation attempts: %w", err)
	}
	return number, nil
}
