package count

import (
	"math/bits"

	"sakusen/engines/battleship"
)

// A Counter counts the placements of a fleet that would have given exactly
// the answers a shooter has, and how many of them have a ship on each square
// not shot; ships are told apart, those of one class too. It is exact for
// every position the rules allow. A Counter allocates nothing after New while
// at most five ships longer than 1 are afloat; with more it may take memory,
// see Effort. Use one for each goroutine.
type Counter struct {
	ships
	flip     [battleship.MaxSquares]uint8 // from board order to column by column
	flop     [battleship.MaxSquares]uint8 // and back
	kernel   kernel
	tally    tally
	total    Number
	any      bool // stop at the first placement
	budget   int  // closed forms left when any
	sweeping bool // by sweeps
}

// ships are those of the position that is counted: where they may lie, and what it takes to
// count them.
type ships struct {
	board   *battleship.Board
	unshot  battleship.Set
	loose   int // sinkings whose place is not settled
	sinking [battleship.MaxShips]loose
	sizes   int                      // different lengths afloat
	length  [battleship.MaxShips]int // of a size, longest first
}

// A loose sinking is a sunk ship whose place is not settled: it lies inside
// and holds at.
type loose struct {
	length int
	at     battleship.Square
	inside battleship.Set
}

// A task is what is left to place: loose sinkings, ships by size, on free
// squares and on open hits, all of which must be covered.
type task struct {
	free, open battleship.Set
	loose      uint16
	ships      int
	left       [battleship.MaxShips]uint8 // ships of each size
	looped     [battleship.MaxShips]uint8
	after      [battleship.MaxShips]uint16
	times      Number // how often each arrangement counts in the tally
}

// task reads what is left to place from k.
func (c *ships) task(k *battleship.Knowledge, missed battleship.Set) task {
	c.unshot = k.Unshot().AndNot(missed)
	t := task{free: c.unshot, open: k.Open(), times: signed(1)}
	fleet := k.Fleet()
	c.loose = 0
	for i := range k.Sinkings() {
		if s := k.Sinking(i); !s.Settled {
			c.sinking[c.loose] = loose{length: fleet.Length(s.Ship), at: s.At, inside: k.Inside(s)}
			t.loose |= 1 << c.loose
			c.loose++
		}
	}
	c.sizes = 0
	for length := k.Longest(); length > 0; length-- {
		n := uint8(0)
		for i := range fleet.Ships() {
			if k.IsAfloat(i) && fleet.Length(i) == length {
				n++
			}
		}
		if n > 0 {
			c.length[c.sizes], t.left[c.sizes] = length, n
			c.sizes++
			t.ships += int(n)
		}
	}
	t.times = signed(alike(k))
	return t
}

// alike returns in how many ways the announcements of sunk ships can be read: if one of
// three equal ships has sunk, it may be any of the three.
func alike(k *battleship.Knowledge) int64 {
	fleet := k.Fleet()
	ways := int64(1)
	for i := range fleet.Ships() {
		if k.IsAfloat(i) {
			continue
		}
		n := int64(0)
		for j := i; j < fleet.Ships(); j++ {
			if fleet.Alike(j) == fleet.Alike(i) {
				n++
			}
		}
		ways *= n
	}
	return ways
}

// done reports that nothing more need be counted.
func (c *Counter) done(total Number) bool {
	return c.any && (c.budget <= 0 || !total.IsZero())
}

// wide reports whether a count may need more than 63 bits.
func (c *ships) wide(t *task) bool {
	bound := t.times.Lo
	by := func(n int) {
		hi, lo := bits.Mul64(bound, uint64(max(n, 1)))
		if hi != 0 {
			lo = 1 << 63
		}
		bound = lo
	}
	for i := range c.loose {
		by(2 * c.sinking[i].length)
	}
	for i := range c.sizes {
		n := 0
		for _, vertical := range [2]bool{false, true} {
			n += c.board.Starts(c.length[i], vertical).Len()
		}
		for range t.left[i] {
			by(n)
		}
	}
	return bound >= 1<<63
}

// least returns how many squares the ships of a task cover.
func (c *ships) least(t *task) int {
	squares := 0
	for i := range c.sizes {
		squares += int(t.left[i]) * c.length[i]
	}
	return squares
}

// single returns the number of ships of length 1 left.
func (c *ships) single(t *task) int {
	if last := c.sizes - 1; last >= 0 && c.length[last] == 1 {
		return int(t.left[last])
	}
	return 0
}

// longest returns the length of the longest ship left, 0 if none is.
func (c *ships) longest(t *task) int {
	for i := range c.sizes {
		if t.left[i] > 0 {
			return c.length[i]
		}
	}
	return 0
}

// New returns a Counter for positions on the board.
func New(board *battleship.Board) *Counter {
	c := &Counter{ships: ships{board: board}}
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

// CountMissing counts as Count does, as if shots at the given squares, none of them shot
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
