package blocks

import (
	"database/sql"
	"errors"

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
	_, err = c.Exec("INSERT INTO block_credits (series_id, first, blocks, worker) VALUES (?, ?, ?, ?)", series, from, to-from, worker)
	if err != nil {
		return err
	}
	return creditRows.Seal(c.Tx, "series_id = ? AND first = ?", series, from)
}
