package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/store/goptunadb"
	"sakusen/tuner/store/sqlitedb"
)

// givenKeys are the study's attributes, in Goptuna's words of the system, with the points
// that somebody gave it: given/0000 and so on.
const givenKeys = "given/"

// mostGiven bounds the points that are given to one study.
const mostGiven = 1000

// ErrGiven says that a study has been given the same point before.
var ErrGiven = errors.New("the point was given before")

// ErrSearched says that the search of a study has ended.
var ErrSearched = errors.New("the search has ended")

var _ tuner.Receiver = (*Log)(nil)

// Given are the points that were given to the study, in the order in which they came.
func (l *Log) Given(ctx context.Context) ([]param.Values, error) {
	if err := goptunadb.RefuseAttrs(ctx, l.store.db, l.id); err != nil {
		return nil, fmt.Errorf("points given: %w", err)
	}
	rows, err := l.store.db.Reader().QueryContext(ctx, "SELECT value FROM sakusen_study_attrs WHERE study_id = ? AND owner = 'system' AND key GLOB ? ORDER BY key", l.id, givenKeys+"*")
	if err != nil {
		return nil, fmt.Errorf("points given: %w", err)
	}
	defer rows.Close()
	var all []param.Values
	for rows.Next() {
		var text string
		var v param.Values
		if err := rows.Scan(&text); err != nil {
			return nil, fmt.Errorf("points given: %w", err)
		}
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			return nil, fmt.Errorf("points given: %w", err)
		}
		all = append(all, v)
	}
	return all, rows.Err()
}

// Give has a study try a point, one value for every dimension, and returns how many it has
// been given. One that it has been given before is [ErrGiven]; a study that is at its answer,
// its final or its proof tries nothing more: [ErrSearched].
func Give(ctx context.Context, s *Store, study int, point param.Values) (int, error) {
	l := &Log{store: s, id: study}
	n := 0
	err := s.changes.Change(ctx, "given", func(c *sqlitedb.Change) error {
		var last string
		err := c.Tx.QueryRow("SELECT kind FROM entries WHERE study_id = ? ORDER BY seq DESC LIMIT 1", study).Scan(&last)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		switch entry.Kind(last) {
		case entry.KindAnswer, entry.KindFinal, entry.KindAttempt, entry.KindReplayed, entry.KindValidation, entry.KindDifferent:
			return ErrSearched
		}
		all, err := l.Given(ctx)
		if err != nil {
			return err
		}
		if n = len(all) + 1; n > mostGiven {
			return fmt.Errorf("a study takes at most %d points", mostGiven)
		}
		if slices.ContainsFunc(all, func(v param.Values) bool { return slices.Equal(v, point) }) {
			return ErrGiven
		}
		text, err := json.Marshal(point)
		if err != nil {
			return err
		}
		return goptunadb.SetStudyAttr(c, study, goptunadb.System, fmt.Sprintf("%s%04d", givenKeys, len(all)), string(text))
	})
	return n, err
}
