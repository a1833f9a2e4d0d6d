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
	board    *battleship.Board
	flip     [battleship.MaxSquares]uint8 // from board order to column by column
	flop     [battleship.MaxSquares]uint8 // and back
	kernel   kernel
	tally    tally
	unshot   battleship.Set
	loose    int
	sinking  [battleship.MaxShips]loose
	sizes    int                      // different lengths afloat
	length   [battleship.MaxShips]int // of a size, longest first
	total    Number
	any      bool // stop at the first placement
	budget   int  // closed forms left when any
	sweeping bool // by sweeps
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
func (c *Counter) task(k *battleship.Knowledge, missed battleship.Set) task {
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
func (c *Counter) wide(t *task) bool {
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
func (c *Counter) least(t *task) int {
	squares := 0
	for i := range c.sizes {
		squares += int(t.left[i]) * c.length[i]
	}
	return squares
}

// single returns the number of ships of length 1 left.
func (c *Counter) single(t *task) int {
	if last := c.sizes - 1; last >= 0 && c.length[last] == 1 {
		return int(t.left[last])
	}
	return 0
}

// longest returns the length of the longest ship left, 0 if none is.
func (c *Counter) longest(t *task) int {
	for i := range c.sizes {
		if t.left[i] > 0 {
			return c.length[i]
		}
	}
	return 0
}
