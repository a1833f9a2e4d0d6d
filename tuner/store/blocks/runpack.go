package blocks

import (
	"encoding/binary"
	"fmt"

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

// rowBlocks is the number of blocks of such a run that one row may hold.
func rowBlocks(r *arena.Run) int {
	return max(1, min(maxBlocks, maxValues/(r.Rotations*r.Seats*r.Width())))
}

// packRun turns a run into bytes: its shape, the transcript digests as they
// are, then a column for each number of each seat in each rotation. In the
// last seat's place stands the sum of all seats' scores, which is mostly the
// same in every game.
func packRun(r *arena.Run) []byte {
	out := []byte{packFormat}
	for _, n := range []int{r.Seats, r.Components, r.Rotations} {
		out = binary.AppendUvarint(out, uint64(n))
	}
	for _, d := range r.Digests {
		out = binary.LittleEndian.AppendUint64(out, d)
	}
	columns := columnsOf(r)
	diff, best := make([]int64, r.Blocks), make([]int64, r.Blocks)
	for i, column := range columns {
		field := i % r.Width()
		code := fit(column, 0)
		copy(best, column)
		for back := 1; back <= maxBack && field-back >= 2; back++ { // only among components
			differences(diff, column, columns[i-back])
			if c := fit(diff, back); c.cost < code.cost {
				code = c
				diff, best = best, diff
			}
		}
		out = packColumn(out, code, best)
	}
	return out
}

// columnsOf takes a run apart, by rotation, seat and number.
func columnsOf(r *arena.Run) [][]int64 {
	width := r.Width()
	columns := make([][]int64, r.Rotations*r.Seats*width)
	all := make([]int64, len(columns)*r.Blocks)
	for i := range columns {
		columns[i] = all[i*r.Blocks : (i+1)*r.Blocks]
	}
	per := len(columns)
	for b := range r.Blocks {
		for i, x := range r.Values[b*per : (b+1)*per] {
			columns[i][b] = x
		}
	}
	sumScores(columns, r, 1)
	return columns
}

// sumScores adds the other seats' scores to the last one's, or takes them away.
func sumScores(columns [][]int64, r *arena.Run, sign int64) {
	width := r.Width()
	for rotation := range r.Rotations {
		at := rotation * r.Seats
		last := columns[(at+r.Seats-1)*width]
		for seat := range r.Seats - 1 {
			for b, x := range columns[(at+seat)*width] {
				last[b] += sign * x
			}
		}
	}
}

// unpackRun undoes packRun.
func unpackRun(packed []byte, from int64, blocks int) (*arena.Run, error) {
	r := &bitReader{in: packed}
	if format := r.byte(); format != packFormat {
		return nil, fmt.Errorf("packed run: format %d, expected %d", format, packFormat)
	}
	seats, components, rotations := r.uvarint(), r.uvarint(), r.uvarint()
	if r.err != nil || seats < 1 || seats > maxSeats || components > maxComponents || rotations < 1 || rotations > seats || blocks < 1 || blocks > maxBlocks {
		return nil, fmt.Errorf("packed run: %d seats, %d components, %d rotations, %d blocks", seats, components, rotations, blocks)
	}
	run := &arena.Run{Seats: int(seats), Components: int(components), Rotations: int(rotations), From: from, Blocks: blocks}
	games := blocks * run.Rotations
	if len(r.in) < 8*games {
		return nil, fmt.Errorf("packed run: %d bytes for %d digests", len(r.in), games)
	}
	run.Digests = make([]uint64, games)
	for i := range run.Digests {
		run.Digests[i] = binary.LittleEndian.Uint64(r.in[8*i:])
	}
	r.in = r.in[8*games:]
	columns := make([][]int64, run.Rotations*run.Seats*run.Width())
	if len(r.in) < 2*len(columns) || len(columns)*blocks > maxValues {
		return nil, fmt.Errorf("packed run: %d bytes for %d columns of %d blocks", len(r.in), len(columns), blocks)
	}
	for i := range columns {
		columns[i] = make([]int64, blocks)
		err := unpackColumn(r, columns[i], func(back int) ([]int64, bool) {
			if i-back < 0 {
				return nil, false
			}
			return columns[i-back], true
		})
		if err != nil {
			return nil, fmt.Errorf("packed run: column %d: %w", i, err)
		}
	}
	if len(r.in) > 0 {
		return nil, fmt.Errorf("packed run: %d bytes too many", len(r.in))
	}
	sumScores(columns, run, -1)
	run.Values = make([]int64, len(columns)*blocks)
	for b := range blocks {
		for i, column := range columns {
			run.Values[b*len(columns)+i] = column[b]
		}
	}
	return run, nil
}
