package count

import (
	"math"
	"math/bits"

	"sakusen/engines/battleship"
)

// A plan is how a task is to be swept, and what that takes.
type plan struct {
	ring  *ring
	log   float64 // bits of the arrangements at most
	sides [2]side
	steps float64
	words float64 // of memory at most
}

// A side is one of the two sweeps: row by row those arrangements in which at
// most down ships lie down, column by column those in which more do.
type side struct {
	field  *field
	book   *book
	down   int  // -1: no sweep
	all    bool // there is memory to keep all layers
	before profiles
	within profiles
}

// profiles are how many there may be of each class, before each row or in it,
// its starts done.
type profiles [battleship.MaxSide][]float64

const (
	mostDown  = 7       // ships in a profile at most
	keepWords = 1 << 24 // memory below which a sweep keeps all its layers
	mostBits  = 100     // of arrangements that a float64 tells the high half of
)

// plan finds the cheapest way to sweep a task. A task without a price has
// infinitely many steps.
func (c *Counter) plan(t *task) *plan {
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
		a, aw, aAll := p.sides[0].price(down)
		b, bw, bAll := p.sides[1].price(n - 1 - down)
		if p.log > 64 {
			a, b = 2*a, 2*b
		}
		if a+b < p.steps {
			p.steps, p.words = a+b, max(aw, bw)
			p.sides[0].down, p.sides[0].all = down, aAll
			p.sides[1].down, p.sides[1].all = n-1-down, bAll
		}
	}
	return p
}

// count counts the profiles of every class before and within every row; false
// if there are too many classes.
func (d *side) count() bool {
	for row := range d.field.height {
		d.before[row] = d.profiles(d.field.goes(d.book.ring.lengths, row, 1))
		d.within[row] = d.profiles(d.field.goes(d.book.ring.lengths, row, 0))
		if d.book.full {
			return false
		}
	}
	return true
}

func (d *side) profiles(goes [battleship.MaxSide]uint32) []float64 {
	counts := []float64{0, 1}
	for column := range d.field.width {
		next := append([]float64(nil), counts...)
		for values := goes[column]; values != 0; values &= values - 1 {
			v := bits.TrailingZeros32(values)
			for id, n := range counts {
				if n == 0 {
					continue
				}
				more := int(d.book.more(int32(id), v))
				if more < 0 {
					continue
				}
				for more >= len(next) {
					next = append(next, 0)
				}
				next[more] += n
			}
		}
		counts = next
	}
	return counts
}

// price returns the steps of a sweep with at most so many ships down, square by
// square, and the words of memory it takes; and whether that is with all layers
// kept.
func (d *side) price(down int) (steps, words float64, all bool) {
	if down < 0 {
		return 0, 0, true
	}
	r := d.book.ring
	sums := r.sums(d.field.width)
	type cost struct{ numbers, products float64 }
	costs := make([]cost, len(d.book.classes))
	for id := 1; id < len(costs); id++ {
		c := &d.book.classes[id]
		if c.active > down {
			continue
		}
		if c.active == mostDown && down > mostDown && d.field.width > mostDown {
			return math.Inf(1), math.Inf(1), false
		}
		for u := range r.size {
			if n := min(r.members[u], down) - c.active + 1; n > 0 && r.covers(u, c) {
				costs[id].numbers += float64(n)
				costs[id].products += float64(n * sums[u])
			}
		}
	}
	var most, widest, layers float64
	for row := range d.field.height {
		var here, between float64
		for id, n := range d.within[row] {
			if costs[id].numbers > 0 {
				steps += n * (300 + 10*costs[id].numbers + 3*costs[id].products)
				here += n * (9 + 2*costs[id].numbers)
			}
		}
		for id, n := range d.before[row] {
			if costs[id].numbers > 0 {
				between += n * (6 + costs[id].numbers)
			}
		}
		most, widest = max(most, here), max(widest, between)
		layers += between
	}
	if layers < keepWords {
		return steps, layers + most + 2*widest, true
	}
	root := math.Ceil(math.Sqrt(float64(d.field.height)))
	return steps * 4 / 3, 2*root*widest + most, false
}

// bits returns how many bits the number of arrangements has at most.
func (d *side) bits() float64 {
	sum := 0.0
	for i, ships := range d.book.ring.ships {
		places := 0
		for row := range d.field.height {
			places += bits.OnesCount16(d.field.across[i][row]) + bits.OnesCount16(d.field.down[i][row])
		}
		for n := range ships {
			sum += math.Log2(float64(max(places, 1)) / float64(n+1))
		}
	}
	return sum + 0.01
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
		low := newSweep[uint64](side.field, side.book, side.down)
		low.run(squares, side.all)
		high := newSweep[float64](side.field, side.book, side.down)
		if p.log > 64 {
			high.run(false, side.all)
			if squares && high.total > 1<<63 {
				high = newSweep[float64](side.field, side.book, side.down)
				high.run(true, side.all)
			}
		}
		total = total.plus(whole(low.total, high.total))
		if squares {
			for i, n := range low.sum {
				sum[i] = sum[i].plus(whole(n, high.sum[i]))
			}
		}
	}
	return total
}

// whole returns the number that is low modulo 2^64 and about high, or low if
// high is 0.
func whole(low uint64, high float64) Number {
	if high < 1<<63 {
		return Number{0, low}
	}
	return Number{uint64(math.Round((high - float64(low)) / (1 << 64))), low}
}
