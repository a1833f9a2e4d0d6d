package store

import (
	"context"
	"fmt"
	"time"
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

// PruneBlocks deletes the blocks of series that nobody has added to since
// before, in short transactions. Blocks are a cache of pure results: studies
// keep what they counted, and what is missing is played again. dry only counts.
func (s *Store) PruneBlocks(ctx context.Context, before time.Time, dry bool) (Pruned, error) {
	var p Pruned
	err := s.db.Reader().QueryRowContext(ctx, `SELECT count(DISTINCT s.series_id), count(r.run_id), coalesce(sum(r.blocks), 0)
		FROM block_series s LEFT JOIN block_runs r USING (series_id) WHERE s.updated < ?`, before.Unix()).Scan(&p.Series, &p.Runs, &p.Blocks)
	if err != nil {
		return p, fmt.Errorf("prune blocks: %w", err)
	}
	for !dry {
		var n int64
		err := s.transact(ctx, "prune", func(c *change) error {
			result, err := c.exec("DELETE FROM block_series WHERE series_id IN (SELECT series_id FROM block_series WHERE updated < ? LIMIT ?)", before.Unix(), pruneBatch)
			if err != nil {
				return err
			}
			n, err = result.RowsAffected()
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
