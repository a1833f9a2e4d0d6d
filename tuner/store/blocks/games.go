package blocks

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"

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

var _ tuner.GameKeeper = (*Cache)(nil)

// SaveGames is [Cache.Save] with the texts of some of the run's games, in the same
// transaction, while the series has fewer than [tuner.KeptGames]. A game that has a
// text keeps it: its block is not played twice.
func (b *Cache) SaveGames(ctx context.Context, key tuner.BlockKey, run *arena.Run, games []tuner.KeptGame) error {
	if run.Blocks == 0 || len(games) == 0 {
		return b.Save(ctx, key, run)
	}
	if err := b.openGames(ctx); err != nil {
		return fmt.Errorf("save games: %w", err)
	}
	err := b.db.ChangeReplayable(ctx, "blocks", func(c *sqlitedb.Change) error {
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

// openGames makes the table of games where it is not there yet.
func (b *Cache) openGames(ctx context.Context) error {
	b.games.Lock()
	defer b.games.Unlock()
	err := b.db.Migrate(ctx, gamesName, gamesSchema)
	if err == nil {
		return nil
	}
	if n, failed := b.db.Version(ctx, gamesName); failed == nil && n == 1 {
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
		`SELECT g.text, g.series_id FROM block_games g JOIN block_series s USING (series_id) JOIN block_contexts c USING (context_id)
		WHERE c.game = ? AND c.rules = ? AND c.signatures = ? AND c.seed = ? AND c.phase = ? AND c.posted = ? AND s.entrants = ?
		AND g.block = ? AND g.rotation = ?`,
		l.game, l.rules, l.signatures, l.seed, l.phase, l.posted, l.entrants, block, rotation).Scan(&text, &series)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("load a game: %w", err)
	}
	if err := gameRows.Refuse(ctx, b.db, "series_id = ? AND block = ? AND rotation = ?", series, block, rotation); err != nil {
		return "", fmt.Errorf("load a game: %w", err)
	}
	return text, nil
}

// dropGames deletes the texts of a stretch of blocks.
func dropGames(c *sqlitedb.Change, series int64, s span) error {
	var tables int
	err := c.Tx.QueryRow("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'block_games'").Scan(&tables)
	if err != nil || tables == 0 {
		return err
	}
	_, err = c.Exec("DELETE FROM block_games WHERE series_id = ? AND block >= ? AND block < ?", series, s.first, s.first+s.blocks)
	return err
}
