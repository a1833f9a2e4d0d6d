package blocks

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"sync"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/store/sqlitedb"
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

// Load yields the stored runs inside from..to (to excluded), cut to it, in order and
// without overlap; what is missing is missing. One run is in memory at a time, and the
// database is free between two of them. A row that is not what was written is a
// [*sqlitedb.DamagedError].
func (b *Cache) Load(ctx context.Context, key tuner.BlockKey, from, to int64) iter.Seq2[*arena.Run, error] {
	return func(yield func(*arena.Run, error) bool) {
		l := labelOf(key)
		for at := from; at < to; {
			run, err := b.next(ctx, &l, at, to)
			if err != nil {
				yield(nil, fmt.Errorf("load blocks: %w", err))
				return
			}
			if run == nil || !yield(run, nil) {
				return
			}
			at = run.From + int64(run.Blocks)
		}
	}
}

// next is the first stored run inside from..to, cut to it; nil if there is none.
func (b *Cache) next(ctx context.Context, l *label, from, to int64) (*arena.Run, error) {
	var p packedRow
	err := b.w.Reader().QueryRowContext(ctx,
		"SELECT "+rowColumns+` FROM block_runs r JOIN block_series s USING (series_id) JOIN block_contexts c USING (context_id)
		WHERE c.game = ? AND c.rules = ? AND c.signatures = ? AND c.seed = ? AND c.phase = ? AND c.posted = ? AND s.entrants = ?
		AND r.first > ? AND r.first < ? AND r.first + r.blocks > ? ORDER BY r.first LIMIT 1`,
		l.game, l.rules, l.signatures, l.seed, l.phase, l.posted, l.entrants, from-maxBlocks, to, from).Scan(p.into()...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	run, err := p.run(l)
	if err != nil {
		return nil, b.w.Damage(err.Error())
	}
	return run.Slice(max(from, run.From), min(to, run.From+int64(run.Blocks))), nil
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
