package count

import "sakusen/engines/battleship"

// New returns a Counter for positions on the board.
func New(board *battleship.Board) *Counter {
	c := &Counter{board: board}
	for s := range board.Squares() {
		at := battleship.Square(s)
		c.flip[s] = uint8(board.Column(at)*board.Height() + board.Row(at))
		c.flop[c.flip[s]] = uint8(s)
	}
	c.kernel.squares, c.kernel.flip = board.Squares(), &c.flip
	c.kernel.width, c.kernel.height = board.Width(), board.Height()
	return c
}

// Count counts the placements consistent with k and, for every square not
// shot, those with a ship on it. k must be of the Counter's board.
func (c *Counter) Count(k *battleship.Knowledge) { c.CountMissing(k, battleship.Set{}) }

// CountMissing is Count as if shots at the given squares, none of them shot
// before, had all missed.
func (c *Counter) CountMissing(k *battleship.Knowledge, missed battleship.Set) {
	c.tally.on = true
	c.count(k, missed)
	c.tally.spread(c)
}

// Placements returns the number of placements consistent with k if shots at
// the given squares had all missed. What Count found is lost.
func (c *Counter) Placements(k *battleship.Knowledge, missed battleship.Set) Number {
	c.tally.on = false
	c.count(k, missed)
	return c.total
}

// Possible reports whether any placement is consistent with k; known is false
// if to find out takes more than the limit. What Count found is lost.
func (c *Counter) Possible(k *battleship.Knowledge, limit Effort) (possible, known bool) {
	// Most possible positions are recognised at once; the others are counted.
	c.tally.on, c.sweeping, c.any = false, false, true
	c.budget = int(min(limit.Steps/(formSteps*float64(c.board.Squares())), fewForms))
	t := c.task(k, battleship.Set{})
	c.tally.reset(c.board.Squares(), c.wide(&t))
	c.total = c.solve(&t).mul(t.times)
	c.any = false
	if possible = !c.total.IsZero(); possible || c.budget > 0 {
		return possible, true
	}
	if e := c.Effort(k); e.Steps > limit.Steps || e.Bytes > limit.Bytes {
		return false, false
	}
	c.count(k, battleship.Set{})
	return !c.total.IsZero(), true
}

// Total returns the number of placements found by the last count.
func (c *Counter) Total() Number { return c.total }

// At returns how many of the placements found by the last Count have a ship
// on s; 0 for squares shot.
func (c *Counter) At(s battleship.Square) Number { return c.tally.at(s) }

// Best returns the squares with the greatest count, and that count; no squares
// if no placement has a ship on any square not shot.
func (c *Counter) Best() (battleship.Set, Number) {
	var best battleship.Set
	var most Number
	for rest := c.unshot; !rest.Empty(); {
		s := rest.Pop()
		n := c.tally.at(s)
		if n.IsZero() {
			continue
		}
		switch n.Cmp(most) {
		case 1:
			best, most = battleship.SetOf(s), n
		case 0:
			best.Add(s)
		}
	}
	return best, most
}

func (c *Counter) count(k *battleship.Knowledge, missed battleship.Set) {
	t := c.task(k, missed)
	c.tally.reset(c.board.Squares(), c.wide(&t))
	if c.sweeping = c.choose(&t, k); !c.sweeping {
		c.total = c.solve(&t).mul(t.times)
		return
	}
	c.total = c.residue(&t)
}
