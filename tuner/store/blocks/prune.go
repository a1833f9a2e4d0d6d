package blocks

import (
	"context"
	"fmt"
	"time"

	"sakusen/tuner/store/sqlitedb"
)

// Pruned is what a pruning takes, or would take.
type Pruned struct {
	Series int64 `json:"series"`
	Runs   int64 `json:"runs"`
	Blocks int64 `json:"blocks"`
}

// pruneBatch bounds the series that one transaction deletes, so that a study
// that runs beside it waits for no longer than that.
const pruneBatch = 200

// Prune deletes the blocks of series that nobody has added to since before, in
// short transactions, and what their keys had in common. Blocks are a cache of
// pure results: studies keep what they counted, and what is missing is played
// again. dry only counts.
func (b *Cache) Prune(ctx context.Context, before time.Time, dry bool) (Pruned, error) {
	var p Pruned
	err := b.w.Reader().QueryRowContext(ctx, `SELECT count(DISTINCT s.series_id), count(r.run_id), coalesce(sum(r.blocks), 0)
		FROM block_series s LEFT JOIN block_runs r USING (series_id) WHERE s.updated < ?`, before.Unix()).Scan(&p.Series, &p.Runs, &p.Blocks)
	if err != nil {
		return p, fmt.Errorf("prune blocks: %w", err)
	}
	for !dry {
		var n int64
		err := b.w.ChangeReplayable(ctx, "prune", func(c *sqlitedb.Change) error {
			result, err := c.Exec("DELETE FROM block_series WHERE series_id IN (SELECT series_id FROM block_series WHERE updated < ? LIMIT ?)", before.Unix(), pruneBatch)
			if err != nil {
				return err
			}
			if n, err = result.RowsAffected(); err != nil {
				return err
			}
			_, err = c.Exec("DELETE FROM block_contexts WHERE NOT EXISTS (SELECT 1 FROM block_series s WHERE s.context_id = block_contexts.context_id)")
			return err
		})
		if err != nil {
			return p, fmt.Errorf("prune blocks: %w", err)
		}
		if n < pruneBatch {
			break
		}
	}
	return p, nil
}
