package blocks

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"iter"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/store/sqlitedb"
)

// gamesName is the name of the migrations of games that are kept. A file has their
// table from the first such game on.
const gamesName = "games"

//go:embed schemagames.sql
var gamesSchema string

// gameRows are the texts of games, whose rows carry a hash.
var gameRows = sqlitedb.Sealed{
	Table: "block_games", Columns: "series_id, block, rotation, text",
	Name: "'game ' || rotation || ' of block ' || block || ' of series ' || series_id",
}

// tapesName is the name of the migrations of what was answered in games by the clock. A file has
// their table from the first such game on.
const tapesName = "tapes"

//go:embed schematapes.sql
var tapesSchema string

// tapeRows are what was answered in games, whose rows carry a hash.
var tapeRows = sqlitedb.Sealed{
	Table: "block_tapes", Columns: "series_id, block, rotation, tape",
	Name: "'the answers in game ' || rotation || ' of block ' || block || ' of series ' || series_id",
}

// mostTapeKept bounds what is kept of a game, bytes.
const mostTapeKept = 8 << 10

var _ tuner.GameKeeper = (*Cache)(nil)

// SaveGames does what [Cache.Save] does, with the texts of some of the run's games, in the
// same transaction, while the series has fewer than [tuner.KeptGames]. A game that has a
// text keeps it: its block is not played twice.
func (b *Cache) SaveGames(ctx context.Context, key tuner.BlockKey, run *arena.Run, games []tuner.KeptGame) error {
	if run.Blocks == 0 || len(games) == 0 {
		return b.Save(ctx, key, run)
	}
	err := b.open(ctx, gamesName, gamesSchema)
	if err == nil && run.Tapes != nil {
		err = b.open(ctx, tapesName, tapesSchema)
	}
	if err != nil {
		return fmt.Errorf("save games: %w", err)
	}
	err = b.db.ChangeReplayable(ctx, "blocks", func(c *sqlitedb.Change) error {
		if err := SaveIn(c, key, run); err != nil {
			return err
		}
		in, err := series(c, key)
		if err != nil {
			return err
		}
		for _, g := range games {
			_, err := c.Exec(`INSERT OR IGNORE INTO block_games (series_id, block, rotation, text)
				SELECT ?1, ?2, ?3, ?4 WHERE (SELECT count(*) FROM block_games WHERE series_id = ?1) < ?5`, in, g.Block, g.Rotation, g.Text, tuner.KeptGames(key.Phase))
			if err == nil {
				err = gameRows.Seal(c.Tx, "series_id = ? AND block = ? AND rotation = ? AND sum = 0", in, g.Block, g.Rotation)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("save blocks: %w", err)
	}
	return nil
}

// open makes a table of games where it is not there yet.
func (b *Cache) open(ctx context.Context, name, schema string) error {
	b.games.Lock()
	defer b.games.Unlock()
	err := b.db.Migrate(ctx, name, schema)
	if err == nil {
		return nil
	}
	if n, failed := b.db.Version(ctx, name); failed == nil && n == 1 {
		return nil // another process was faster
	}
	return err
}

// Game returns the text of a game, empty where none was kept.
func (b *Cache) Game(ctx context.Context, key tuner.BlockKey, block int64, rotation int) (text string, err error) {
	if n, err := b.db.Version(ctx, gamesName); err != nil || n == 0 {
		return "", err
	}
	l, series := labelOf(key), int64(0)
	err = b.db.Reader().QueryRowContext(ctx,
		"SELECT g.text, g.series_id FROM block_games g JOIN "+inSeries+" AND g.block = ? AND g.rotation = ?", l.with(block, rotation)...).Scan(&text, &series)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("load a game: %w", err)
	}
	if err := gameRows.Refuse(ctx, b.db, "series_id = ? AND block = ? AND rotation = ?", series, block, rotation); err != nil {
		return "", fmt.Errorf("load a game: %w", err)
	}
	return text, nil
}

// dropGames deletes the texts, and what was answered, of a stretch of blocks.
func dropGames(c *sqlitedb.Change, series int64, s span) error {
	for _, table := range []string{gameRows.Table, tapeRows.Table} {
		if has, err := hasTable(c, table); err != nil {
			return err
		} else if !has {
			continue
		}
		if _, err := c.Exec("DELETE FROM "+table+" WHERE series_id = ? AND block >= ? AND block < ?", series, s.first, s.first+s.blocks); err != nil {
			return err
		}
	}
	return nil
}

func hasTable(c *sqlitedb.Change, name string) (bool, error) {
	var tables int
	err := c.Tx.QueryRow("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?", name).Scan(&tables)
	return tables > 0, err
}

// saveTapes stores what was answered in the games of a run that is stored, of which a game keeps
// what it has.
func saveTapes(c *sqlitedb.Change, key tuner.BlockKey, run *arena.Run) error {
	if len(run.Tapes) == 0 || len(run.Tapes) != len(run.Digests) {
		return nil
	}
	if has, err := hasTable(c, tapeRows.Table); err != nil || !has {
		return err
	}
	in, err := series(c, key)
	for i := 0; err == nil && i < len(run.Tapes); i++ {
		if len(run.Tapes[i]) > mostTapeKept {
			continue
		}
		block, rotation := run.From+int64(i/run.Rotations), i%run.Rotations
		if _, err = c.Exec("INSERT OR IGNORE INTO block_tapes (series_id, block, rotation, tape) VALUES (?, ?, ?, ?)", in, block, rotation, run.Tapes[i]); err == nil {
			err = tapeRows.Seal(c.Tx, "series_id = ? AND block = ? AND rotation = ? AND sum = 0", in, block, rotation)
		}
	}
	return err
}

// Tapes yields what was answered in the stored games of a series, of the blocks from..to, in
// order.
func (b *Cache) Tapes(ctx context.Context, key tuner.BlockKey, from, to int64) iter.Seq2[tuner.Tape, error] {
	return func(yield func(tuner.Tape, error) bool) {
		if n, err := b.db.Version(ctx, tapesName); err != nil || n == 0 {
			if err != nil {
				yield(tuner.Tape{}, err)
			}
			return
		}
		l, errEnough := labelOf(key), errors.New("no more are wanted")
		err := sqlitedb.Each(ctx, b.db.Reader(), "SELECT g.block, g.rotation, g.tape FROM block_tapes g JOIN "+inSeries+" AND g.block >= ? AND g.block < ? ORDER BY g.block, g.rotation",
			l.with(from, to), func(rows *sql.Rows) error {
				var t tuner.Tape
				if err := rows.Scan(&t.Block, &t.Rotation, &t.Text); err != nil {
					return err
				}
				if !yield(t, nil) {
					return errEnough
				}
				return nil
			})
		if err != nil && !errors.Is(err, errEnough) {
			yield(tuner.Tape{}, fmt.Errorf("load what was answered: %w", err))
		}
	}
}
