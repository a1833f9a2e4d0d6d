package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"sakusen/engines/arena"
	"sakusen/tuner"
)

// Blocks is the cache of played blocks: pure results of their key, so that
// nothing is played or counted twice and nothing is lost with it but time.
type Blocks struct{ store *Store }

var _ tuner.Blocks = (*Blocks)(nil)

// Blocks is the store's cache of blocks.
func (s *Store) Blocks() *Blocks { return &Blocks{s} }

// ImpureError says that a block was played twice with different results: play
// depends on something that its key does not hold, or changed without its
// signature.
type ImpureError struct {
	Key   tuner.BlockKey
	Block int64
}

func (e *ImpureError) Error() string {
	return fmt.Sprintf("%s: block %d of seed %d played differently than the one stored under the same rules, entrants and signatures (%s)",
		e.Key.Game, e.Block, e.Key.Seed, e.Key.Signatures)
}

// Load returns the stored runs inside from..to (to excluded), cut to it, in
// order and without overlap; what is missing is missing.
func (b *Blocks) Load(ctx context.Context, key tuner.BlockKey, from, to int64) ([]*arena.Run, error) {
	if from >= to {
		return nil, nil
	}
	var runs []*arena.Run
	rows, err := b.store.db.Reader().QueryContext(ctx,
		`SELECT r.first, r.blocks, r.packed FROM block_runs r JOIN block_series s USING (series_id) JOIN block_contexts c USING (context_id)
		WHERE c.game = ? AND c.rules = ? AND c.signatures = ? AND c.seed = ? AND c.phase = ? AND s.entrants = ?
		AND r.first > ? AND r.first < ? AND r.first + r.blocks > ? ORDER BY r.first`,
		key.Game, key.Rules, key.Signatures, seedText(key.Seed), int64(key.Phase), entrantsHash(key.Entrants), from-maxBlocks, to, from)
	if err != nil {
		return nil, fmt.Errorf("load blocks: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		run, err := scanRun(rows)
		if err != nil {
			return nil, fmt.Errorf("load blocks: %w", err)
		}
		runs = append(runs, run.Slice(max(from, run.From), min(to, run.From+int64(run.Blocks))))
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("load blocks: %w", err)
	}
	return runs, nil
}

// Save stores a run in one transaction. Blocks already there stay as they
// are; if they differ from the run's, nothing is stored and the error is an
// [*ImpureError].
func (b *Blocks) Save(ctx context.Context, key tuner.BlockKey, run *arena.Run) error {
	if run.Blocks == 0 {
		return nil
	}
	if run.Seats < 1 || run.Seats > maxSeats || run.Components > maxComponents || run.Rotations*run.Seats*run.Width() > maxValues {
		return fmt.Errorf("save blocks: a run of %d seats, %d components and %d rotations", run.Seats, run.Components, run.Rotations)
	}
	if run.From < 0 || len(run.Digests) != run.Blocks*run.Rotations || len(run.Values) != len(run.Digests)*run.Seats*run.Width() {
		return fmt.Errorf("save blocks: a run of %d blocks from %d with %d digests and %d values", run.Blocks, run.From, len(run.Digests), len(run.Values))
	}
	err := b.store.transact(ctx, "blocks", func(c *change) error { return c.saveRun(key, run) })
	if err != nil {
		return fmt.Errorf("save blocks: %w", err)
	}
	return nil
}

func (c *change) saveRun(key tuner.BlockKey, run *arena.Run) error {
	series, err := c.series(key)
	if err != nil {
		return err
	}
	to := run.From + int64(run.Blocks)
	stored, err := c.neighbours(series, run.From, to)
	if err != nil {
		return err
	}
	parts := []*arena.Run{}
	credit := func(from, to int64) error { return c.credit(series, from, to, run.Worker) }
	at := run.From
	for _, s := range stored {
		end := s.From + int64(s.Blocks)
		if s.From >= to || end <= run.From { // touches, does not overlap
			if s.From >= to && at < to {
				if err := credit(at, to); err != nil {
					return err
				}
				parts = append(parts, run.Slice(at, to))
				at = to
			}
			parts = append(parts, s)
			continue
		}
		if err := same(key, run, s); err != nil {
			return err
		}
		if at < s.From {
			if err := credit(at, s.From); err != nil {
				return err
			}
			parts = append(parts, run.Slice(at, s.From))
		}
		parts = append(parts, s)
		at = max(at, end)
	}
	if at < to {
		if err := credit(at, to); err != nil {
			return err
		}
		parts = append(parts, run.Slice(at, to))
	}
	return c.replaceRuns(series, stored, parts)
}

// same checks that the blocks which both runs hold are equal.
func same(key tuner.BlockKey, run, stored *arena.Run) error {
	if run.Seats != stored.Seats || run.Components != stored.Components || run.Rotations != stored.Rotations {
		return fmt.Errorf("runs of %d seats, %d components, %d rotations and of %d, %d, %d under one key",
			run.Seats, run.Components, run.Rotations, stored.Seats, stored.Components, stored.Rotations)
	}
	from, to := max(run.From, stored.From), min(run.From+int64(run.Blocks), stored.From+int64(stored.Blocks))
	for i := from; i < to; i++ {
		a, b := run.Slice(i, i+1), stored.Slice(i, i+1)
		if !slices.Equal(a.Digests, b.Digests) || !slices.Equal(a.Values, b.Values) {
			return &ImpureError{Key: key, Block: i}
		}
	}
	return nil
}

// neighbours are the stored runs that overlap from..to or touch it.
func (c *change) neighbours(series, from, to int64) ([]*arena.Run, error) {
	var runs []*arena.Run
	err := eachRow(c.tx, "SELECT first, blocks, packed FROM block_runs WHERE series_id = ? AND first >= ? AND first <= ? AND first + blocks >= ? ORDER BY first",
		[]any{series, from - maxBlocks, to, from}, func(rows *sql.Rows) error {
			run, err := scanRun(rows)
			runs = append(runs, run)
			return err
		})
	return runs, err
}

// replaceRuns joins parts that follow each other, cuts them into rows of at
// most rowBlocks and writes those that are not stored yet.
func (c *change) replaceRuns(series int64, stored, parts []*arena.Run) error {
	kept := map[int64]int{}
	for _, s := range stored {
		kept[s.From] = s.Blocks
	}
	var rows []*arena.Run
	for _, p := range parts {
		for p.Blocks > 0 {
			last, most := len(rows)-1, rowBlocks(p)
			if last < 0 || rows[last].From+int64(rows[last].Blocks) != p.From || rows[last].Blocks >= most {
				rows = append(rows, arena.NewRun(p.Seats, p.Components, p.Rotations, p.From, min(p.Blocks, most)))
				last++
			}
			cut := p.From + int64(min(p.Blocks, most-rows[last].Blocks))
			rows[last].Join(p.Slice(p.From, cut))
			p = p.Slice(cut, p.From+int64(p.Blocks))
		}
	}
	for _, row := range rows {
		if kept[row.From] == row.Blocks {
			delete(kept, row.From)
		}
	}
	for first := range kept {
		if _, err := c.exec("DELETE FROM block_runs WHERE series_id = ? AND first = ?", series, first); err != nil {
			return err
		}
	}
	for _, row := range rows {
		if slices.ContainsFunc(stored, func(s *arena.Run) bool { return s.From == row.From && s.Blocks == row.Blocks }) {
			continue
		}
		if _, err := c.exec("INSERT INTO block_runs (series_id, first, blocks, packed) VALUES (?, ?, ?, ?)", series, row.From, row.Blocks, packRun(row)); err != nil {
			return err
		}
	}
	return nil
}

// series finds or adds the row of a key and notes that it was used.
func (c *change) series(key tuner.BlockKey) (int64, error) {
	var context, series int64
	args := []any{key.Game, key.Rules, key.Signatures, seedText(key.Seed), int64(key.Phase)}
	err := c.tx.QueryRow("SELECT context_id FROM block_contexts WHERE game = ? AND rules = ? AND signatures = ? AND seed = ? AND phase = ?", args...).Scan(&context)
	if errors.Is(err, sql.ErrNoRows) {
		context, err = c.insert("INSERT INTO block_contexts (game, rules, signatures, seed, phase) VALUES (?, ?, ?, ?, ?)", args...)
	}
	if err != nil {
		return 0, err
	}
	entrants, now := entrantsHash(key.Entrants), c.store.clock().Unix()
	err = c.tx.QueryRow("SELECT series_id FROM block_series WHERE context_id = ? AND entrants = ?", context, entrants).Scan(&series)
	if errors.Is(err, sql.ErrNoRows) {
		return c.insert("INSERT INTO block_series (context_id, entrants, updated) VALUES (?, ?, ?)", context, entrants, now)
	}
	if err != nil {
		return 0, err
	}
	_, err = c.exec("UPDATE block_series SET updated = ? WHERE series_id = ?", now, series)
	return series, err
}

// Prune deletes the blocks of all series to which none was added since a
// time, and returns how many blocks that were.
func (b *Blocks) Prune(ctx context.Context, before time.Time) (blocks int64, err error) {
	err = b.store.transact(ctx, "prune", func(c *change) error {
		row := c.tx.QueryRow("SELECT coalesce(sum(r.blocks), 0) FROM block_runs r JOIN block_series s USING (series_id) WHERE s.updated < ?", before.Unix())
		if err := row.Scan(&blocks); err != nil {
			return err
		}
		if _, err := c.exec("DELETE FROM block_series WHERE updated < ?", before.Unix()); err != nil {
			return err
		}
		_, err := c.exec("DELETE FROM block_contexts WHERE NOT EXISTS (SELECT 1 FROM block_series s WHERE s.context_id = block_contexts.context_id)")
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("prune blocks: %w", err)
	}
	return blocks, nil
}

// Count is the number of blocks stored.
func (b *Blocks) Count(ctx context.Context) (blocks int64, err error) {
	err = b.store.db.Reader().QueryRowContext(ctx, "SELECT coalesce(sum(blocks), 0) FROM block_runs").Scan(&blocks)
	return blocks, err
}

func scanRun(rows *sql.Rows) (*arena.Run, error) {
	var first int64
	var blocks int
	var packed []byte
	if err := rows.Scan(&first, &blocks, &packed); err != nil {
		return nil, err
	}
	return unpackRun(packed, first, blocks)
}

// entrantsHash identifies entrants in their order, with 128 bits.
func entrantsHash(entrants []string) []byte {
	h := sha256.New()
	for _, e := range entrants {
		fmt.Fprintf(h, "%d %s\n", len(e), e)
	}
	return h.Sum(nil)[:16]
}

func seedText(seed uint64) string { return strconv.FormatUint(seed, 10) }
