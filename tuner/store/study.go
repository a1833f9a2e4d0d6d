package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/c-bata/goptuna"

	"sakusen/engines/param"
	"sakusen/tuner/entry"
	"sakusen/tuner/store/goptunadb"
	"sakusen/tuner/store/sqlitedb"
)

// Study is one study in the file, by its id: its log and its trials to be read a part at a
// time, and what people have given it. A run writes through its [Log].
type Study struct {
	db *sqlitedb.DB
	id int
}

// Source is a study file as it was submitted.
type Source struct {
	Name string // of the file, for messages
	Text string // YAML; empty where it is not known
}

// Source returns the study file as it was submitted.
func (t *Study) Source(ctx context.Context) (Source, error) {
	var src Source
	err := t.db.Reader().QueryRowContext(ctx, "SELECT source_name, source FROM study_records WHERE study_id = ?", t.id).Scan(&src.Name, &src.Text)
	if err != nil {
		return src, fmt.Errorf("source of study %d: %w", t.id, err)
	}
	return src, nil
}

// EachEntry hands over at most limit entries of the study's log after the given
// number, in order, without holding more than one.
func (t *Study) EachEntry(ctx context.Context, after, limit int, each func(entry.Entry) error) error {
	return t.entries(ctx, "seq > ? ORDER BY seq LIMIT ?", []any{after, limit}, func(_ int, e entry.Entry) error { return each(e) })
}

// EntryPage reads at most limit entries of the study's log, those after the given number.
func (t *Study) EntryPage(ctx context.Context, after, limit int) (out []entry.Entry, err error) {
	err = t.EachEntry(ctx, after, limit, func(e entry.Entry) error {
		out = append(out, e)
		return nil
	})
	return out, err
}

// EntriesAfter iterates over the entries of the study's log behind the given number, in
// order.
func (t *Study) EntriesAfter(ctx context.Context, after int) iter.Seq2[entry.Entry, error] {
	return paged(func(_ entry.Entry, n, limit int) ([]entry.Entry, error) { return t.EntryPage(ctx, after+n, limit) })
}

// mostPlaces bounds the list of numbers of one query.
const mostPlaces = 1000

// EntriesAt reads the entries with the given numbers, at most 1 000; those that
// are not there are left out.
func (t *Study) EntriesAt(ctx context.Context, seqs []int) (map[int]entry.Entry, error) {
	out := make(map[int]entry.Entry, len(seqs))
	if len(seqs) > mostPlaces {
		return out, fmt.Errorf("expected at most %d numbers, got %d", mostPlaces, len(seqs))
	}
	if len(seqs) == 0 {
		return out, nil
	}
	args := make([]any, len(seqs))
	for i, n := range seqs {
		args[i] = n
	}
	err := t.entries(ctx, "seq IN ("+strings.TrimSuffix(strings.Repeat("?, ", len(seqs)), ", ")+")", args, func(seq int, e entry.Entry) error {
		out[seq] = e
		return nil
	})
	return out, err
}

func (t *Study) entries(ctx context.Context, which string, args []any, each func(seq int, e entry.Entry) error) error {
	args = append([]any{t.id}, args...)
	return sqlitedb.Each(ctx, t.db.Reader(), "SELECT seq, kind, payload FROM entries WHERE study_id = ? AND "+which, args, func(rows *sql.Rows) error {
		var seq int
		var e entry.Entry
		if err := rows.Scan(&seq, &e.Kind, (*[]byte)(&e.Payload)); err != nil {
			return fmt.Errorf("log: %w", err)
		}
		return each(seq, e)
	})
}

// LastEntry returns the last entry of a kind in the study's log, such as the present
// incumbent.
func (t *Study) LastEntry(ctx context.Context, kind entry.Kind) (last entry.Entry, found bool, err error) {
	err = t.db.Reader().QueryRowContext(ctx, "SELECT kind, payload FROM entries INDEXED BY entries_by_kind WHERE study_id = ? AND kind = ? ORDER BY seq DESC LIMIT 1", t.id, string(kind)).
		Scan(&last.Kind, (*[]byte)(&last.Payload))
	if errors.Is(err, sql.ErrNoRows) {
		return entry.Entry{}, false, nil
	}
	if err != nil {
		return entry.Entry{}, false, fmt.Errorf("last entry %s: %w", kind, err)
	}
	return last, true, nil
}

// TrialPage reads at most limit trials of the study, from the
// given number on; the next page begins behind the last one's number.
func (t *Study) TrialPage(ctx context.Context, from, limit int) (page []goptuna.FrozenTrial, err error) {
	if limit < 1 {
		return nil, fmt.Errorf("page of trials: expected a limit of at least 1, got %d", limit)
	}
	err = t.db.Read(ctx, func(tx *sql.Tx) error {
		page, err = goptunadb.Trials(tx, t.id, from, limit)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("page of trials: %w", err)
	}
	return page, nil
}

// AllTrials iterates over the study's trials by number; if a row is not what was written, the
// error is a [*sqlitedb.DamagedError].
func (t *Study) AllTrials(ctx context.Context) iter.Seq2[goptuna.FrozenTrial, error] {
	return paged(func(_ goptuna.FrozenTrial, n, limit int) ([]goptuna.FrozenTrial, error) {
		if n == 0 {
			if err := t.db.Read(ctx, func(tx *sql.Tx) error { return goptunadb.Refuse(tx, t.id) }); err != nil {
				return nil, err
			}
		}
		return t.TrialPage(ctx, n, limit)
	})
}

// TrialsAt reads the trials with the given numbers, at most 1 000, in ascending
// order; those that are not there are left out.
func (t *Study) TrialsAt(ctx context.Context, numbers []int) (out []goptuna.FrozenTrial, err error) {
	if len(numbers) > mostPlaces {
		return nil, fmt.Errorf("trials: expected at most %d numbers, got %d", mostPlaces, len(numbers))
	}
	numbers = slices.Compact(slices.Sorted(slices.Values(numbers)))
	err = t.db.Read(ctx, func(tx *sql.Tx) error {
		for i := 0; i < len(numbers); {
			n := 1 // neighbours are read at once
			for i+n < len(numbers) && numbers[i+n] == numbers[i]+n {
				n++
			}
			some, err := goptunadb.Trials(tx, t.id, numbers[i], n)
			if err != nil {
				return err
			}
			for _, trial := range some {
				if trial.Number < numbers[i]+n {
					out = append(out, trial)
				}
			}
			i += n
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("trials: %w", err)
	}
	return out, nil
}

// BestTrial returns [goptunadb.Best] of the study.
func (t *Study) BestTrial(ctx context.Context, direction goptuna.StudyDirection) (best goptuna.FrozenTrial, found bool, err error) {
	err = t.db.Read(ctx, func(tx *sql.Tx) error {
		best, found, err = goptunadb.Best(ctx, tx, t.id, direction)
		return err
	})
	return best, found, err
}

// noteKey is the study's attribute, in Goptuna's words one of the user's, that
// holds what people have written about it.
const noteKey = "note"

// Note returns what people have written about the study, empty where nothing is.
func (t *Study) Note(ctx context.Context) (text string, err error) {
	err = t.db.Reader().QueryRowContext(ctx, "SELECT value FROM sakusen_study_attrs WHERE study_id = ? AND owner = 'user' AND key = ?", t.id, noteKey).Scan(&text)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("note: %w", err)
	}
	return text, nil
}

// SetNote writes about the study, in place of what was written before; an empty text
// takes that away.
func (t *Study) SetNote(ctx context.Context, text string) error {
	err := t.db.Change(ctx, "note", func(c *sqlitedb.Change) error {
		if text == "" {
			_, err := c.Exec("DELETE FROM sakusen_study_attrs WHERE study_id = ? AND owner = 'user' AND key = ?", t.id, noteKey)
			return err
		}
		return goptunadb.SetStudyAttr(c, t.id, goptunadb.User, noteKey, text)
	})
	if err != nil {
		return fmt.Errorf("note: %w", err)
	}
	return nil
}

// givenKeys begin the study's attributes, in Goptuna's words of the system, with the points
// that people gave it: given/0000 and so on.
const givenKeys = "given/"

// mostGiven bounds the points that are given to one study.
const mostGiven = 1000

// ErrGiven says that a study has been given the same point before.
var ErrGiven = errors.New("the point was given before")

// ErrSearched says that the search of a study has ended.
var ErrSearched = errors.New("the search has ended")

func (t *Study) given(tx *sql.Tx) (all []param.Values, err error) {
	if err := goptunadb.RefuseAttrs(tx, t.id); err != nil {
		return nil, err
	}
	err = sqlitedb.EachRow(tx, "SELECT value FROM sakusen_study_attrs WHERE study_id = ? AND owner = 'system' AND key GLOB ? ORDER BY key", []any{t.id, givenKeys + "*"}, func(rows *sql.Rows) error {
		var text string
		var v param.Values
		if err := rows.Scan(&text); err != nil {
			return err
		}
		err := json.Unmarshal([]byte(text), &v)
		all = append(all, v)
		return err
	})
	return all, err
}

// Give has the study try a point, one value for every dimension, and returns how many it has
// been given. One that it has been given before is [ErrGiven]; a study that is at its answer,
// its final or its proof tries nothing more: [ErrSearched].
func (t *Study) Give(ctx context.Context, point param.Values) (n int, err error) {
	err = t.db.Change(ctx, "given", func(c *sqlitedb.Change) error {
		var last string
		err := c.Tx.QueryRow("SELECT kind FROM entries WHERE study_id = ? ORDER BY seq DESC LIMIT 1", t.id).Scan(&last)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		switch entry.Kind(last) {
		case entry.KindAnswer, entry.KindFinal, entry.KindDefaults, entry.KindAttempt, entry.KindReplayed, entry.KindValidation, entry.KindDifferent:
			return ErrSearched
		}
		all, err := t.given(c.Tx)
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
		return goptunadb.SetStudyAttr(c, t.id, goptunadb.System, fmt.Sprintf("%s%04d", givenKeys, len(all)), string(text))
	})
	return n, err
}
