package count

import (
	"math/bits"

	"sakusen/engines/battleship"
)

// A field is the board as a sweep sees it: rows to go through, ships that lie
// across, in a row, or down. The sweep column by column sees it turned.
type field struct {
	width, height int
	square        [battleship.MaxSide][battleship.MaxSide]battleship.Square // by row and column
	free, open    [battleship.MaxSide]uint16                                // columns
	across, down  [][battleship.MaxSide]uint16                              // by size and row, columns in which a ship may start
}

// newField returns the field of a task, turned or not.
func (c *Counter) newField(t *task, turned bool) *field {
	b := c.board
	f := &field{width: b.Width(), height: b.Height()}
	if turned {
		f.width, f.height = f.height, f.width
	}
	at := func(s battleship.Square) (row, column int) {
		if turned {
			return b.Column(s), b.Row(s)
		}
		return b.Row(s), b.Column(s)
	}
	mark := func(rows *[battleship.MaxSide]uint16, set battleship.Set) {
		for s := range set.All() {
			row, column := at(s)
			rows[row] |= 1 << column
		}
	}
	for s := range b.All().All() {
		row, column := at(s)
		f.square[row][column] = s
	}
	mark(&f.free, t.free)
	mark(&f.open, t.open)
	for i := range c.sizes {
		if c.length[i] == 1 || t.left[i] == 0 {
			continue
		}
		from := c.fits(c.length[i], t.free.Or(t.open), t.open)
		if turned {
			from[0], from[1] = from[1], from[0]
		}
		var across, down [battleship.MaxSide]uint16
		mark(&across, from[0])
		mark(&down, from[1])
		f.across, f.down = append(f.across, across), append(f.down, down)
	}
	return f
}

// goes returns for a row the values that a column's place in a profile may
// have, a bit each: v when a ship may have v rows to go, this one too, that
// started at least so many rows above.
func (f *field) goes(lengths []int, row, least int) (values [battleship.MaxSide]uint32) {
	for i, length := range lengths {
		for above := least; above < length && above <= row; above++ {
			for columns := f.down[i][row-above]; columns != 0; columns &= columns - 1 {
				values[bits.TrailingZeros16(columns)] |= 1 << (length - above)
			}
		}
	}
	return values
}
