package blocks

import (
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/store/sqlitedb"
)

// label is the key of a series as it is stored.
type label struct {
	game, rules, signatures, seed string
	phase                         int64
	posted                        bool
	entrants                      []byte
}

// labelColumns are those of a label, of block_contexts c and block_series s.
const labelColumns = "c.game, c.rules, c.signatures, c.seed, c.phase, c.posted, s.entrants"

// into returns the places for labelColumns.
func (l *label) into() []any {
	return []any{&l.game, &l.rules, &l.signatures, &l.seed, &l.phase, &l.posted, &l.entrants}
}

func labelOf(key tuner.BlockKey) label {
	return label{key.Game, key.Rules, key.Signatures, seedText(key.Seed), int64(key.Phase), key.Posted, entrantsHash(key.Entrants)}
}

// labelAt returns the label of a stored series.
func labelAt(tx *sql.Tx, series int64) (l label, err error) {
	err = tx.QueryRow("SELECT "+labelColumns+" FROM block_series s JOIN block_contexts c USING (context_id) WHERE s.series_id = ?", series).Scan(l.into()...)
	return l, err
}

// sum returns what a row of blocks is recognised by: the first 8 bytes of the sha256 of
// its label, its place and its bytes.
func (l *label) sum(first int64, blocks int, packed []byte) int64 {
	h := sha256.New()
	for _, text := range []string{l.game, l.rules, l.signatures, l.seed, string(l.entrants)} {
		fmt.Fprintf(h, "%d %s ", len(text), text)
	}
	fmt.Fprintf(h, "%d %t %d %d ", l.phase, l.posted, first, blocks)
	h.Write(packed)
	return int64(binary.BigEndian.Uint64(h.Sum(nil)))
}

// rowColumns are what a row of blocks holds, of block_runs r.
const rowColumns = "r.first, r.blocks, r.packed, r.sum"

// packedRow is a row of blocks as it is stored.
type packedRow struct {
	first  int64
	blocks int
	packed []byte
	sum    int64
}

// into returns the places for rowColumns.
func (p *packedRow) into() []any { return []any{&p.first, &p.blocks, &p.packed, &p.sum} }

// run returns the row's blocks. An error says that they are not what was written.
func (p *packedRow) run(l *label) (*arena.Run, error) {
	if p.sum != l.sum(p.first, p.blocks, p.packed) {
		return nil, fmt.Errorf("blocks %d to %d of %s under seed %s do not fit their hash", p.first, p.first+int64(p.blocks), l.game, l.seed)
	}
	run, err := unpackRun(p.packed, p.first, p.blocks)
	if err != nil {
		return nil, fmt.Errorf("blocks %d to %d of %s under seed %s: %w", p.first, p.first+int64(p.blocks), l.game, l.seed, err)
	}
	return run, nil
}

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

// Scope says which blocks are looked at: those of a game under some seeds in some
// phases, or all where it is zero. The phases matter: blocks of a match may have
// a study's seed, and are no evidence of that study.
type Scope struct {
	Game   string
	Seeds  []uint64
	Phases []arena.Phase
}

// where returns the scope as a condition on block_contexts.
func (s Scope) where() (string, []any) {
	if s.Game == "" {
		return "1", nil
	}
	args := []any{s.Game}
	for _, seed := range s.Seeds {
		args = append(args, seedText(seed))
	}
	for _, phase := range s.Phases {
		args = append(args, int64(phase))
	}
	return "c.game = ? AND c.seed IN (" + marks(len(s.Seeds)) + ") AND c.phase IN (" + marks(len(s.Phases)) + ")", args
}

// marks returns n question marks, for a list of n values in a query.
func marks(n int) string { return strings.TrimSuffix(strings.Repeat("?,", n), ",") }
