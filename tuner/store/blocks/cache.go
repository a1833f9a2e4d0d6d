package blocks

import (
	"context"
	"fmt"
	"sync"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/sqlitedb"
)

// Cache is the blocks of one database. It may be used from any goroutine.
type Cache struct {
	w     *sqlitedb.Transactor
	games sync.Mutex // while their table is made
	group group
}

var _ tuner.Blocks = (*Cache)(nil)

// New is the cache in a database whose tables are there.
func New(w *sqlitedb.Transactor) *Cache { return &Cache{w: w} }

// Load returns the stored runs inside from..to (to excluded), cut to it, in
// order and without overlap; what is missing is missing. A row that is not what
// was written is a [*sqlitedb.DamagedError].
func (b *Cache) Load(ctx context.Context, key tuner.BlockKey, from, to int64) ([]*arena.Run, error) {
	if from >= to {
		return nil, nil
	}
	var runs []*arena.Run
	l := labelOf(key)
	rows, err := b.w.Reader().QueryContext(ctx,
		"SELECT "+rowColumns+` FROM block_runs r JOIN block_series s USING (series_id) JOIN block_contexts c USING (context_id)
		WHERE c.game = ? AND c.rules = ? AND c.signatures = ? AND c.seed = ? AND c.phase = ? AND c.posted = ? AND s.entrants = ?
		AND r.first > ? AND r.first < ? AND r.first + r.blocks > ? ORDER BY r.first`,
		l.game, l.rules, l.signatures, l.seed, l.phase, l.posted, l.entrants, from-maxBlocks, to, from)
	if err != nil {
		return nil, fmt.Errorf("load blocks: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var p packedRow
		if err := rows.Scan(p.into()...); err != nil {
			return nil, fmt.Errorf("load blocks: %w", err)
		}
		run, err := p.run(&l)
		if err != nil {
			return nil, fmt.Errorf("load blocks: %w", b.w.Damage(err.Error()))
		}
		runs = append(runs, run.Slice(max(from, run.From), min(to, run.From+int64(run.Blocks))))
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("load blocks: %w", err)
	}
	return runs, nil
}

// SaveIn is [Cache.Save] of at least one block, as part of a change.
func SaveIn(c *sqlitedb.Change, key tuner.BlockKey, run *arena.Run) error {
	if run.Seats < 1 || run.Seats > maxSeats || run.Components > maxComponents || run.Rotations*run.Seats*run.Width() > maxValues {
		return fmt.Errorf("a run of %d seats, %d components and %d rotations", run.Seats, run.Components, run.Rotations)
	}
	if run.From < 0 || len(run.Digests) != run.Blocks*run.Rotations || len(run.Values) != len(run.Digests)*run.Seats*run.Width() {
		return fmt.Errorf("a run of %d blocks from %d with %d digests and %d values", run.Blocks, run.From, len(run.Digests), len(run.Values))
	}
	return saveRun(c, key, run)
}

// Count is the number of blocks stored.
func (b *Cache) Count(ctx context.Context) (blocks int64, err error) {
	err = b.w.Reader().QueryRowContext(ctx, "SELECT coalesce(sum(blocks), 0) FROM block_runs").Scan(&blocks)
	return blocks, err
}
