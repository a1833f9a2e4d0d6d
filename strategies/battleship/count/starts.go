package count

import "sakusen/engines/battleship"

func (c *Counter) fits(length int, either, open battleship.Set) (from [2]battleship.Set) {
	for o := range from {
		if o == 1 && length == 1 {
			break
		}
		from[o] = c.board.Fits(either, length, o == 1)
		if !open.Empty() {
			from[o] = from[o].AndNot(c.board.Fits(open, length, o == 1))
		}
	}
	return from
}

// starts returns where a ship afloat of each size may start: on free squares
// and open hits, not all of it on hits.
func (c *Counter) starts(t *task, free, open battleship.Set) (from [battleship.MaxShips][2]battleship.Set) {
	either := free.Or(open)
	for i := range c.sizes {
		if t.left[i] == 0 {
			continue
		}
		from[i] = c.fits(c.length[i], either, open)
	}
	return from
}

// through returns the starts of lines of a length in direction o that hold at.
func (c *Counter) through(starts battleship.Set, length, o int, at battleship.Square) battleship.Set {
	var some battleship.Set
	step, back := 1, c.board.Column(at)
	if o == 1 {
		step, back = c.board.Width(), c.board.Row(at)
	}
	for i := range min(back+1, length) {
		if s := at - battleship.Square(i*step); starts.Has(s) {
			some.Add(s)
		}
	}
	return some
}
