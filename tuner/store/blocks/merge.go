package blocks

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/store/sqlitedb"
)

// creditRows are the credits, whose rows carry a hash.
var creditRows = sqlitedb.Sealed{
	Table: "block_credits", Columns: "series_id, first, blocks, worker",
	Name: "'the credit of ' || worker || ' for blocks from ' || first || ' of series ' || series_id",
}

// span is a stretch of blocks and who played it.
type span struct {
	first, blocks int64
	worker        string
}

// credit notes who played the blocks from..to of a series, which were not there
// before. Blocks without a worker are not credited.
func credit(c *sqlitedb.Change, series, from, to int64, worker string) error {
	if worker == "" {
		return nil
	}
	// Credits of a series do not overlap: the one that ends here is the last before.
	var before span
	err := c.Tx.QueryRow("SELECT first, blocks, worker FROM block_credits WHERE series_id = ? AND first < ? ORDER BY first DESC LIMIT 1", series, from).
		Scan(&before.first, &before.blocks, &before.worker)
	if err == nil && before.worker == worker && before.first+before.blocks == from {
		_, err := creditRows.Update(c, "series_id = ? AND first = ?", []any{series, before.first}, "blocks = ?", to-before.first)
		return err
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	_, err = creditRows.Insert(c, "series_id = ? AND first = ?", []any{series, from}, "series_id, first, blocks, worker", series, from, to-from, worker)
	return err
}

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

func saveRun(c *sqlitedb.Change, key tuner.BlockKey, run *arena.Run) error {
	series, err := series(c, key)
	if err != nil {
		return err
	}
	to := run.From + int64(run.Blocks)
	stored, err := neighbours(c, series, run.From, to)
	if err != nil {
		return err
	}
	parts := []*arena.Run{}
	credit := func(from, to int64) error { return credit(c, series, from, to, run.Worker) }
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
	return replaceRuns(c, series, stored, parts)
}

// same checks that the blocks contained in both runs are equal.
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

// neighbours returns the stored runs that overlap from..to or touch it.
func neighbours(c *sqlitedb.Change, series, from, to int64) ([]*arena.Run, error) {
	l, err := labelAt(c.Tx, series)
	if err != nil {
		return nil, err
	}
	var runs []*arena.Run
	err = sqlitedb.EachRow(c.Tx, "SELECT "+rowColumns+" FROM block_runs r WHERE r.series_id = ? AND r.first >= ? AND r.first <= ? AND r.first + r.blocks >= ? ORDER BY r.first",
		[]any{series, from - maxBlocks, to, from}, func(rows *sql.Rows) error {
			var p packedRow
			if err := rows.Scan(p.into()...); err != nil {
				return err
			}
			run, err := p.run(&l)
			if err != nil {
				return c.Damage(err.Error())
			}
			runs = append(runs, run)
			return nil
		})
	return runs, err
}

// replaceRuns joins parts that follow each other, cuts them into rows of at
// most rowBlocks and writes those that are not stored yet.
func replaceRuns(c *sqlitedb.Change, series int64, stored, parts []*arena.Run) error {
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
		if _, err := c.Exec("DELETE FROM block_runs WHERE series_id = ? AND first = ?", series, first); err != nil {
			return err
		}
	}
	l, err := labelAt(c.Tx, series)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if slices.ContainsFunc(stored, func(s *arena.Run) bool { return s.From == row.From && s.Blocks == row.Blocks }) {
			continue
		}
		packed := packRun(row)
		if _, err := c.Exec("INSERT INTO block_runs (series_id, first, blocks, packed, sum) VALUES (?, ?, ?, ?, ?)",
			series, row.From, row.Blocks, packed, l.sum(row.From, row.Blocks, packed)); err != nil {
			return err
		}
	}
	return nil
}
