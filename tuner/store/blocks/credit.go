package blocks

import (
	"database/sql"
	"errors"

	"sakusen/tuner/sqlitedb"
)

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
	var first int64
	err := c.Tx.QueryRow("SELECT first FROM block_credits WHERE series_id = ? AND worker = ? AND first + blocks = ?", series, worker, from).Scan(&first)
	if err == nil {
		_, err = c.Exec("UPDATE block_credits SET blocks = ? WHERE series_id = ? AND first = ?", to-first, series, first)
		return err
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	_, err = c.Exec("INSERT INTO block_credits (series_id, first, blocks, worker) VALUES (?, ?, ?, ?)", series, from, to-from, worker)
	return err
}
