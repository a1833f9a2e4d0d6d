package store

import (
	"context"
	"iter"

	"github.com/c-bata/goptuna"

	"sakusen/tuner/entry"
	"sakusen/tuner/store/goptunadb"
)

// pageRows is the number of rows that one query reads: enough that queries are
// few, and so few that a long study does not have to fit into memory.
const pageRows = 1000

// paged iterates over rows that are read a page at a time. page reads at most so many rows
// after the last one, which was the n-th, counted from 1; n is 0 before the first. An error
// is returned once, at the end.
func paged[T any](page func(last T, n, limit int) ([]T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var last, none T
		for n := 0; ; {
			rows, err := page(last, n, pageRows)
			if err != nil {
				yield(none, err)
				return
			}
			for _, row := range rows {
				if last = row; !yield(row, nil) {
					return
				}
			}
			if n += len(rows); len(rows) < pageRows {
				return
			}
		}
	}
}

// AllStudies are all studies, the oldest first.
func (s *Store) AllStudies(ctx context.Context) iter.Seq2[Listing, error] {
	return paged(func(last Listing, _, limit int) ([]Listing, error) { return s.Studies(ctx, last.ID, limit) })
}

// AllTrials are a study's trials by number; if a row is not what was written, the error is a
// [*sqlitedb.DamagedError].
func (s *Store) AllTrials(ctx context.Context, studyID int) iter.Seq2[goptuna.FrozenTrial, error] {
	return paged(func(_ goptuna.FrozenTrial, n, limit int) ([]goptuna.FrozenTrial, error) {
		if n == 0 {
			if err := goptunadb.Refuse(ctx, s.db, studyID); err != nil {
				return nil, err
			}
		}
		return s.TrialPage(ctx, studyID, n, limit)
	})
}

// EntriesAfter are the entries of a study's log behind the given number, in
// order.
func (s *Store) EntriesAfter(ctx context.Context, studyID, after int) iter.Seq2[entry.Entry, error] {
	return paged(func(_ entry.Entry, n, limit int) ([]entry.Entry, error) {
		return s.EntryPage(ctx, studyID, after+n, limit)
	})
}
