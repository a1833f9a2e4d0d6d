package blocks

import (
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
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

// ofLabel joins and selects the one series s of a label, whose values are those of with; inSeries
// does so with rows of a series.
const (
	ofLabel  = "block_contexts c USING (context_id) WHERE c.game = ? AND c.rules = ? AND c.signatures = ? AND c.seed = ? AND c.phase = ? AND c.posted = ? AND s.entrants = ?"
	inSeries = "block_series s USING (series_id) JOIN " + ofLabel
)

// with returns the values for ofLabel, and further ones behind them.
func (l *label) with(more ...any) []any {
	return append([]any{l.game, l.rules, l.signatures, l.seed, l.phase, l.posted, l.entrants}, more...)
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

// packFormat is the first byte of a packed run.
const packFormat = 1

// Bounds of a packed run, so that damaged bytes cannot ask for much memory.
const (
	maxSeats      = 64
	maxComponents = 1024
	maxBlocks     = 4096    // blocks in one row
	maxValues     = 1 << 22 // numbers in one row
)

// rowBlocks returns the number of blocks of such a run that one row may hold.
func rowBlocks(r *arena.Run) int {
	return max(1, min(maxBlocks, maxValues/(r.Rotations*r.Seats*r.Width())))
}

// packRun turns a run into bytes: its shape, the transcript digests as they are, then a
// column for each number of each seat in each rotation. A column is its smallest value, a
// number of bits, and every value less the smallest in so many bits: frame of
// reference, whatever the range.
func packRun(r *arena.Run) []byte {
	out := []byte{packFormat}
	for _, n := range []int{r.Seats, r.Components, r.Rotations} {
		out = binary.AppendUvarint(out, uint64(n))
	}
	for _, d := range r.Digests {
		out = binary.LittleEndian.AppendUint64(out, d)
	}
	columns := r.Rotations * r.Seats * r.Width()
	for column := range columns {
		out = packColumn(out, r.Values[column:], columns)
	}
	return out
}

// packColumn appends the column that is every step-th of these values, from the first. Bits
// fill bytes from the lowest.
func packColumn(out []byte, values []int64, step int) []byte {
	least, most := int64(math.MaxInt64), int64(math.MinInt64)
	for i := 0; i < len(values); i += step {
		least, most = min(least, values[i]), max(most, values[i])
	}
	width := bits.Len64(uint64(most) - uint64(least))
	out = append(binary.AppendVarint(out, least), byte(width))
	held, n := uint64(0), 0 // n bits, fewer than 64
	for i := 0; i < len(values); i += step {
		x := uint64(values[i]) - uint64(least)
		held |= x << n
		if n += width; n >= 64 {
			out = binary.LittleEndian.AppendUint64(out, held)
			n -= 64
			held = x >> (width - n)
		}
	}
	for ; n > 0; n -= 8 {
		out = append(out, byte(held))
		held >>= 8
	}
	return out
}

// unpackRun undoes packRun.
func unpackRun(packed []byte, from int64, blocks int) (*arena.Run, error) {
	if len(packed) == 0 || packed[0] != packFormat {
		return nil, fmt.Errorf("packed run: expected format %d, got %.1x", packFormat, packed)
	}
	in := packed[1:]
	var shape [3]uint64
	for i := range shape {
		x, n := binary.Uvarint(in)
		if n <= 0 {
			return nil, fmt.Errorf("packed run: %w", io.ErrUnexpectedEOF)
		}
		shape[i], in = x, in[n:]
	}
	seats, components, rotations := shape[0], shape[1], shape[2]
	if seats < 1 || seats > maxSeats || components > maxComponents || rotations < 1 || rotations > seats || blocks < 1 || blocks > maxBlocks {
		return nil, fmt.Errorf("packed run: %d seats, %d components, %d rotations, %d blocks", seats, components, rotations, blocks)
	}
	run := arena.NewRun(int(seats), int(components), int(rotations), from, 0)
	run.Blocks = blocks
	games, columns := blocks*run.Rotations, run.Rotations*run.Seats*run.Width()
	if len(in) < 8*games+2*columns || columns*blocks > maxValues {
		return nil, fmt.Errorf("packed run: %d bytes for %d games and %d columns of %d blocks", len(in), games, columns, blocks)
	}
	run.Digests = make([]uint64, games)
	for i := range run.Digests {
		run.Digests[i] = binary.LittleEndian.Uint64(in[8*i:])
	}
	in = in[8*games:]
	run.Values = make([]int64, columns*blocks)
	for column := range columns {
		n, err := unpackColumn(run.Values[column:], columns, blocks, in)
		if err != nil {
			return nil, fmt.Errorf("packed run: column %d: %w", column, err)
		}
		in = in[n:]
	}
	if len(in) > 0 {
		return nil, fmt.Errorf("packed run: %d bytes too many", len(in))
	}
	return run, nil
}

// unpackColumn undoes packColumn for so many blocks, and returns the number of bytes that it
// has read.
func unpackColumn(values []int64, step, blocks int, in []byte) (read int, err error) {
	least, begin := binary.Varint(in)
	if begin <= 0 || begin >= len(in) {
		return 0, io.ErrUnexpectedEOF
	}
	width := int(in[begin])
	begin++
	if width > 64 {
		return 0, fmt.Errorf("numbers of %d bits", width)
	}
	end := begin + (width*blocks+7)/8
	if end > len(in) {
		return 0, io.ErrUnexpectedEOF
	}
	rest := in[begin:end]
	held, n := uint64(0), 0 // n bits, fewer than 64
	for i := range blocks {
		x := held
		if n >= width {
			held >>= width
			n -= width
		} else {
			var word [8]byte
			rest = rest[copy(word[:], rest):]
			next := binary.LittleEndian.Uint64(word[:])
			x |= next << n
			held = next >> (width - n)
			n += 64 - width
		}
		values[i*step] = int64(x&(1<<width-1) + uint64(least))
	}
	if held != 0 {
		return 0, errors.New("bits after the last number")
	}
	return end, nil
}
