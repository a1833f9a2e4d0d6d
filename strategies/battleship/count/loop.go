package count

import (
	"math"
	"runtime"

	"sakusen/engines/battleship"
)

// loop tries the places of one ship, of the size that has the fewest. A second ship of the
// same size is put only on later places than the first, and so on; each set of places then
// counts for all its orders.
func (c *Counter) loop(t *task) Number {
	size, fewest := 0, 1<<30
	var from [2]battleship.Set
	for i := range c.sizes {
		if t.left[i] == 0 {
			continue
		}
		starts := c.fits(c.length[i], t.free, battleship.Set{})
		if n := starts[0].Len() + starts[1].Len(); n < fewest {
			size, fewest, from = i, n, starts
		}
	}
	var total Number
	for o := range from {
		for starts := from[o]; !starts.Empty() && !c.done(total); {
			start := starts.Pop()
			order := uint16(o)<<8 | uint16(start) + 1
			if order <= t.after[size] {
				continue
			}
			next := *t
			next.after[size] = order
			next.looped[size]++
			total = total.plus(c.place(&next, size, o, start, int64(next.looped[size])))
		}
	}
	return total
}

// leaf counts at most four ships on the given squares with no hit to be
// covered; ships may lie on open hits, but not wholly.
func (c *Counter) leaf(t *task, free, open battleship.Set, times Number) int64 {
	z := &c.kernel
	z.ships, z.alike = 0, false
	either := free.Or(open)
	// sizes with several ships last: the closed form of four gains by it
	for _, several := range [2]bool{false, true} {
		for i := range c.sizes {
			if n := int(t.left[i]); n > 0 && n > 1 == several && !c.list(i, n, c.fits(c.length[i], either, open)) {
				return 0
			}
		}
	}
	c.budget--
	z.count()
	if c.tally.on && z.total != 0 {
		for i := range z.listed() {
			if i == 2 && z.alike {
				times = times.plus(times)
			}
			c.tally.take(z, i, times)
		}
	}
	return z.total
}

// list gives n ships of a size to the kernel; false if they have no place.
func (c *Counter) list(size, n int, from [2]battleship.Set) bool {
	z := &c.kernel
	first := z.ships
	z.ships += n
	z.alike = n > 1 && z.ships == 4
	listed := z.listed()
	for i := first; i < z.ships; i++ {
		z.length[i] = uint8(c.length[size])
	}
	for o, starts := range from {
		list := &z.lists[first][o]
		list.n = 0
		for !starts.Empty() {
			s := uint8(starts.Pop())
			if o == 1 {
				s = c.flip[s]
			}
			list.at[list.n] = s
			list.n++
		}
	}
	for i := first + 1; i < min(z.ships, listed); i++ {
		z.lists[i] = z.lists[first]
	}
	return z.lists[first][0].n+z.lists[first][1].n > 0
}

// scatter places ships of length 1. They take any of the squares not shot that the other
// ships leave, and the others, which must cover all open hits, always leave the same number
// of squares.
func (c *Counter) scatter(t *task) Number {
	n := c.single(t)
	rest := *t
	rest.left[c.sizes-1] = 0
	rest.ships -= n
	spare := t.free.Len() + t.open.Len() - c.least(&rest)
	through := signed(int64(n)) // ways that have a ship on one given square
	for i := 1; i < n; i++ {
		through = through.mul(signed(int64(spare - i)))
	}
	all := signed(int64(spare))
	for i := 1; i < n; i++ {
		all = all.mul(signed(int64(spare - i)))
	}
	// A square that the others leave is on through ways for each of theirs,
	// so a square of theirs is worth that much less.
	rest.times = t.times.mul(all.plus(through.mul(signed(-1))))
	others := c.solve(&rest)
	if c.tally.on {
		worth := others.mul(through).mul(t.times)
		for free := t.free; !free.Empty(); {
			s := uint8(free.Pop())
			c.tally.add(0, s, s, worth)
		}
	}
	return others.mul(all)
}

// An Effort is what a count takes: steps, each about a nanosecond on one core
// of a server of 2020, and bytes of memory beyond the Counter's own.
type Effort struct{ Steps, Bytes float64 }

// formSteps is the steps that one closed form takes for each square of the
// board.
const formSteps = 130

// fewForms is the closed forms that are counted without looking for a cheaper
// way.
const fewForms = 2000

// Effort estimates what Count will take for k; infinite steps if there is no
// way. The estimate is worth a few milliseconds itself when many ships are
// afloat, and hardly anything when at most five are.
func (c *Counter) Effort(k *battleship.Knowledge) Effort {
	t := c.task(k, battleship.Set{})
	if c.least(&t) > t.free.Len()+t.open.Len() {
		return Effort{} // there is no room
	}
	forms := c.Cost(k)
	least := Effort{Steps: forms * formSteps * float64(c.board.Squares())}
	if t.ships-c.single(&t) <= 5 || forms <= fewForms {
		return least
	}
	if swept := c.swept(&t); swept.Steps < least.Steps {
		return swept
	}
	return least
}

// swept returns the effort of sweeping a task.
func (c *ships) swept(t *task) Effort {
	var e Effort
	for open := range c.residues(t) {
		next := *t
		next.loose, next.open = 0, open
		one := c.sweepEffort(&next)
		e.Steps += one.Steps
		e.Bytes = max(e.Bytes, one.Bytes)
	}
	return e
}

func (c *ships) sweepEffort(t *task) Effort {
	if t.ships == c.single(t) {
		return Effort{Steps: 1000}
	}
	if c.longest(t) < battleship.MaxSide {
		p := c.plan(t)
		return Effort{p.steps, 8 * p.words}
	}
	// A ship as long as a board may be goes through its places.
	from := c.fits(battleship.MaxSide, t.free.Or(t.open), t.open)
	next := *t
	next.left[0]--
	next.ships--
	one := c.sweepEffort(&next)
	one.Steps *= float64(from[0].Len() + from[1].Len())
	return one
}

// choose reports whether a count of a task should be swept.
func (c *Counter) choose(t *task, k *battleship.Knowledge) bool {
	if t.ships-c.single(t) <= 5 || c.least(t) > t.free.Len()+t.open.Len() {
		return false
	}
	forms := c.Cost(k)
	return forms > fewForms && c.swept(t).Steps < forms*formSteps*float64(c.board.Squares())
}

// residues returns the open hits that the loose sinkings of a task leave to the
// ships afloat, with the number of ways in which they do.
func (c *ships) residues(t *task) map[battleship.Set]int64 {
	ways := map[battleship.Set]int64{}
	var deeper func(loose uint16, open battleship.Set)
	deeper = func(loose uint16, open battleship.Set) {
		if loose == 0 {
			ways[open]++
			return
		}
		next := task{loose: loose, open: open}
		i, from := c.tightest(&next)
		for o, starts := range from {
			for !starts.Empty() {
				deeper(loose&^(1<<i), open.AndNot(c.board.Line(starts.Pop(), c.sinking[i].length, o == 1)))
			}
		}
	}
	deeper(t.loose, t.open)
	return ways
}

// Cost estimates how many closed forms of up to four ships a count of k takes,
// without those for hits when at most four ships are left. One takes 5 to 40
// microseconds.
func (c *Counter) Cost(k *battleship.Knowledge) float64 {
	t := c.task(k, battleship.Set{})
	from := c.starts(&t, t.free, t.open)
	hits := t.open.Len()
	cover := 0 // placements that may cover a hit
	for i := range c.sizes {
		cover += 2 * c.length[i]
	}
	forms := 1.0
	t.ships -= c.single(&t)
	var looped [battleship.MaxShips]int
	for ; t.ships > len(c.kernel.lists); t.ships-- {
		size, fewest := 0, 1<<30
		for i := range c.sizes {
			if n := from[i][0].Len() + from[i][1].Len(); t.left[i] > 0 && c.length[i] > 1 && n < fewest {
				size, fewest = i, n
			}
		}
		t.left[size]--
		if hits > 0 && cover < fewest {
			forms *= float64(cover)
			hits--
			continue
		}
		looped[size]++
		forms *= float64(fewest) / float64(looped[size])
	}
	return forms
}

// A plan is how a task is to be swept, and what that takes.
type plan struct {
	ring  *ring
	log   float64 // bits of the arrangements at most
	sides [2]side
	steps float64
	words float64 // of memory at most
}

// plan finds the cheapest way to sweep a task. A task that cannot be swept has infinitely
// many steps.
func (c *ships) plan(t *task) *plan {
	var lengths, ships []int
	n := 0
	for i := range c.sizes {
		if c.length[i] > 1 && t.left[i] > 0 {
			lengths, ships = append(lengths, c.length[i]), append(ships, int(t.left[i]))
			n += int(t.left[i])
		}
	}
	p := &plan{steps: math.Inf(1)}
	if n == 0 || lengths[0] >= battleship.MaxSide {
		return p
	}
	p.ring = newRing(lengths, ships)
	for o := range p.sides {
		side := &p.sides[o]
		side.field = c.newField(t, o == 1)
		side.book = newBook(p.ring, min(n, mostDown))
		if !side.count() {
			return p
		}
	}
	if p.log = p.sides[0].bits(); p.log > mostBits {
		return p
	}
	for down := -1; down <= n; down++ {
		a, b := p.sides[0].price(down), p.sides[1].price(n-1-down)
		if steps := a.steps + b.steps; steps < p.steps {
			p.steps, p.words = steps, max(a.words(), b.words())
			p.sides[0].set(down, a)
			p.sides[1].set(n-1-down, b)
		}
	}
	switch {
	case p.log > 66:
		p.steps *= 2.25
	case p.log > 64:
		p.steps *= 1.25
	}
	return p
}

// do sweeps a task as planned. The total and the squares are of arrangements
// in which ships of one length are alike. Numbers are found modulo 2^64, and,
// where they may be greater, a second time in floating point: all terms are
// positive, so its error is far below 2^64.
func (p *plan) do(squares bool, sum *[battleship.MaxSquares]Number) (total Number) {
	for o := range p.sides {
		side := &p.sides[o]
		if side.down < 0 {
			continue
		}
		if o > 0 {
			p.collect()
		}
		low := newSweep[uint64](side)
		low.run(squares, side.all)
		lowTotal, lowSum := low.total, &low.sum
		high := &sweep[float64]{}
		if p.log > 64 {
			low = nil
			p.collect()
			high = newSweep[float64](side)
			high.run(false, side.all)
			if squares && high.total > narrow {
				high = nil
				p.collect()
				high = newSweep[float64](side)
				high.run(true, side.all)
			}
		}
		total = total.plus(whole(lowTotal, high.total))
		if squares {
			for i, n := range lowSum {
				sum[i] = sum[i].plus(whole(n, high.sum[i]))
			}
		}
	}
	return total
}

// collect frees the memory of a finished sweep, so that a second large one does not need as
// much again.
func (p *plan) collect() {
	if p.words > keepWords {
		runtime.GC()
	}
}

// whole returns the number whose low 64 bits are low and which is about high.
func whole(low uint64, high float64) Number {
	if high < narrow {
		return Number{0, low}
	}
	return Number{uint64(math.Round((high - float64(low)) / (1 << 64))), low}
}
