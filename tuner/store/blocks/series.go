package blocks

import (
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/store/sqlitedb"
)

// series finds or adds the row of a key and notes that it was used.
func series(c *sqlitedb.Change, key tuner.BlockKey) (int64, error) {
	var context, series int64
	args := []any{key.Game, key.Rules, key.Signatures, seedText(key.Seed), int64(key.Phase), key.Posted}
	err := c.Tx.QueryRow("SELECT context_id FROM block_contexts WHERE game = ? AND rules = ? AND signatures = ? AND seed = ? AND phase = ? AND posted = ?", args...).Scan(&context)
	if errors.Is(err, sql.ErrNoRows) {
		context, err = c.Insert("INSERT INTO block_contexts (game, rules, signatures, seed, phase, posted) VALUES (?, ?, ?, ?, ?, ?)", args...)
	}
	if err != nil {
		return 0, err
	}
	entrants, now := entrantsHash(key.Entrants), c.Now().Unix()
	err = c.Tx.QueryRow("SELECT series_id FROM block_series WHERE context_id = ? AND entrants = ?", context, entrants).Scan(&series)
	if errors.Is(err, sql.ErrNoRows) {
		return c.Insert("INSERT INTO block_series (context_id, entrants, updated) VALUES (?, ?, ?)", context, entrants, now)
	}
	if err != nil {
		return 0, err
	}
	_, err = c.Exec("UPDATE block_series SET updated = ? WHERE series_id = ?", now, series)
	return series, err
}

// entrantsHash identifies entrants in their order, with 128 bits.
func entrantsHash(entrants []string) []byte {
	h := sha256.New()
	for _, e := range entrants {
		fmt.Fprintf(h, "%d %s\n", len(e), e)
	}
	return h.Sum(nil)[:16]
}

func seedText(seed uint64) string { return param.Seed(seed).String() }
