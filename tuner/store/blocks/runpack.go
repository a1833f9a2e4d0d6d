package blocks

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"

	"sakusen/engines/arena"
)

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
