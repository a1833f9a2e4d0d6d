package blocks

import (
	"context"
	"database/sql"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/tuner/store/sqlitedb"
)

// PlayedBy is the number of stored blocks that a worker has played.
func (b *Cache) PlayedBy(ctx context.Context, worker string, scope Scope) (int64, error) {
	n, err := playedBy(func(query string, args ...any) *sql.Row {
		return b.w.Reader().QueryRowContext(ctx, query, args...)
	}, worker, scope)
	if err != nil {
		return 0, fmt.Errorf("worker %q: %w", worker, err)
	}
	return n, nil
}

// Played is PlayedBy inside a change.
func Played(c *sqlitedb.Change, worker string, scope Scope) (int64, error) {
	return playedBy(c.Tx.QueryRow, worker, scope)
}

func playedBy(row func(query string, args ...any) *sql.Row, worker string, scope Scope) (n int64, err error) {
	where, args := scope.where()
	err = row(`SELECT coalesce(sum(k.blocks), 0) FROM block_credits k JOIN block_series s USING (series_id)
		JOIN block_contexts c USING (context_id) WHERE k.worker = ? AND `+where, append([]any{worker}, args...)...).Scan(&n)
	return n, err
}

// Drop takes all of a worker's blocks out of the database, but those in the scopes that
// are kept, and returns how many they were.
func Drop(c *sqlitedb.Change, worker string, kept ...Scope) (int64, error) {
	spans := map[int64][]span{}
	query, args := "SELECT k.series_id, k.first, k.blocks FROM block_credits k JOIN block_series s USING (series_id) JOIN block_contexts c USING (context_id) WHERE k.worker = ?", []any{worker}
	for _, scope := range kept {
		where, more := scope.where()
		query, args = query+" AND NOT ("+where+")", append(args, more...)
	}
	err := sqlitedb.EachRow(c.Tx, query+" ORDER BY k.series_id, k.first", args, func(rows *sql.Rows) error {
		var series int64
		var s span
		err := rows.Scan(&series, &s.first, &s.blocks)
		spans[series] = append(spans[series], s)
		return err
	})
	if err != nil {
		return 0, err
	}
	dropped := int64(0)
	for series, list := range spans {
		for _, s := range list {
			// Runs that lie inside are dropped as they are: those at the ends are at most two.
			if _, err := c.Exec("DELETE FROM block_runs WHERE series_id = ? AND first >= ? AND first + blocks <= ?", series, s.first, s.first+s.blocks); err != nil {
				return 0, err
			}
			stored, err := neighbours(c, series, s.first, s.first+s.blocks)
			if err != nil {
				return 0, err
			}
			var left []*arena.Run
			for _, r := range stored {
				end := r.From + int64(r.Blocks)
				if cut := min(end, s.first); cut > r.From {
					left = append(left, r.Slice(r.From, cut))
				}
				if cut := max(r.From, s.first+s.blocks); cut < end {
					left = append(left, r.Slice(cut, end))
				}
			}
			if err := replaceRuns(c, series, stored, left); err != nil {
				return 0, err
			}
			if err := dropGames(c, series, s); err != nil {
				return 0, err
			}
			dropped += s.blocks
		}
	}
	for series, list := range spans {
		for _, s := range list {
			if _, err := c.Exec("DELETE FROM block_credits WHERE series_id = ? AND first = ?", series, s.first); err != nil {
				return 0, err
			}
		}
	}
	return dropped, nil
}
