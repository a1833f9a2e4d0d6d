package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/c-bata/goptuna"

	"sakusen/tuner/entry"
	"sakusen/tuner/store/goptunadb"
)

// EachEntry hands over at most limit entries of a study's log after the given
// number, in order, without holding more than one.
func (s *Store) EachEntry(ctx context.Context, studyID, after, limit int, each func(entry.Entry) error) error {
	return entries(ctx, s, "WHERE study_id = ? AND seq > ? ORDER BY seq LIMIT ?", []any{studyID, after, limit},
		func(_ int, e entry.Entry) error { return each(e) })
}

// EntryPage reads at most limit entries of a study's log from the file, those
// after the given number.
func (s *Store) EntryPage(ctx context.Context, studyID, after, limit int) (out []entry.Entry, err error) {
	err = s.EachEntry(ctx, studyID, after, limit, func(e entry.Entry) error {
		out = append(out, e)
		return nil
	})
	return out, err
}

// mostPlaces bounds the list of numbers of one query.
const mostPlaces = 1000

// EntriesAt reads the entries with the given numbers, at most 1 000; those that
// are not there are left out.
func (s *Store) EntriesAt(ctx context.Context, studyID int, seqs []int) (map[int]entry.Entry, error) {
	out := make(map[int]entry.Entry, len(seqs))
	where, args, err := among(studyID, seqs)
	if err != nil || len(seqs) == 0 {
		return out, err
	}
	err = entries(ctx, s, where, args, func(seq int, e entry.Entry) error {
		out[seq] = e
		return nil
	})
	return out, err
}

func entries(ctx context.Context, s *Store, where string, args []any, each func(seq int, e entry.Entry) error) error {
	rows, err := s.db.Reader().QueryContext(ctx, "SELECT seq, kind, payload FROM entries "+where, args...)
	if err != nil {
		return fmt.Errorf("log: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var seq int
		var e entry.Entry
		var payload string
		if err := rows.Scan(&seq, &e.Kind, &payload); err != nil {
			return fmt.Errorf("log: %w", err)
		}
		e.Payload = json.RawMessage(payload)
		if err := each(seq, e); err != nil {
			return err
		}
	}
	return rows.Err()
}

// TrialsAt reads the trials with the given numbers, at most 1 000, in ascending
// order; those that are not there are left out.
func (s *Store) TrialsAt(ctx context.Context, studyID int, numbers []int) ([]goptuna.FrozenTrial, error) {
	if len(numbers) > mostPlaces {
		return nil, fmt.Errorf("trials: expected at most %d numbers, got %d", mostPlaces, len(numbers))
	}
	tx, err := s.db.Reader().BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, fmt.Errorf("trials: %w", err)
	}
	defer tx.Rollback()
	numbers = slices.Compact(slices.Sorted(slices.Values(numbers)))
	var out []goptuna.FrozenTrial
	for i := 0; i < len(numbers); {
		n := 1 // neighbours are read at once
		for i+n < len(numbers) && numbers[i+n] == numbers[i]+n {
			n++
		}
		some, err := goptunadb.Trials(tx, studyID, numbers[i], n)
		if err != nil {
			return nil, fmt.Errorf("trials: %w", err)
		}
		for _, t := range some {
			if t.Number < numbers[i]+n {
				out = append(out, t)
			}
		}
		i += n
	}
	return out, nil
}

// among is the condition that picks entries of a study by number.
func among(studyID int, numbers []int) (string, []any, error) {
	if len(numbers) > mostPlaces {
		return "", nil, fmt.Errorf("expected at most %d numbers, got %d", mostPlaces, len(numbers))
	}
	args := []any{studyID}
	for _, n := range numbers {
		args = append(args, n)
	}
	marks := strings.TrimSuffix(strings.Repeat("?, ", len(numbers)), ", ")
	return "WHERE study_id = ? AND seq IN (" + marks + ")", args, nil
}

// BestTrial is [goptunadb.Best] of a study.
func BestTrial(ctx context.Context, s *Store, studyID int, direction goptuna.StudyDirection) (best goptuna.FrozenTrial, found bool, err error) {
	tx, err := s.db.Reader().BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return best, false, fmt.Errorf("best trial: %w", err)
	}
	defer tx.Rollback()
	return goptunadb.Best(ctx, tx, studyID, direction)
}
