package blocks

import (
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/tuner"
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

// into are the places for labelColumns.
func (l *label) into() []any {
	return []any{&l.game, &l.rules, &l.signatures, &l.seed, &l.phase, &l.posted, &l.entrants}
}

func labelOf(key tuner.BlockKey) label {
	return label{key.Game, key.Rules, key.Signatures, seedText(key.Seed), int64(key.Phase), key.Posted, entrantsHash(key.Entrants)}
}

// labelAt is the label of a stored series.
func labelAt(tx *sql.Tx, series int64) (l label, err error) {
	err = tx.QueryRow("SELECT "+labelColumns+" FROM block_series s JOIN block_contexts c USING (context_id) WHERE s.series_id = ?", series).Scan(l.into()...)
	return l, err
}

// sum is what a row of blocks is recognised by: the first 8 bytes of the sha256 of
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

// into are the places for rowColumns.
func (p *packedRow) into() []any { return []any{&p.first, &p.blocks, &p.packed, &p.sum} }

// run is the row's blocks. An error says that they are not what was written.
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
