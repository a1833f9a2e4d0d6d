package count

import (
	"math"
	"math/bits"

	"sakusen/engines/battleship"
)

// A side is one of the two sweeps: row by row those arrangements in which at
// most down ships lie down, column by column those in which more do.
type side struct {
	field  *field
	book   *book
	down   int  // -1: no sweep
	all    bool // there is memory to keep all layers
	before profiles
	within profiles
	// numbers of a layer at most: in a row, and between rows, if not all are kept
	inside, between int
}

// profiles are how many there may be of each class, before each row or in it,
// its starts done.
type profiles [battleship.MaxSide][]float64

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

// A price is what a sweep takes.
type price struct {
	steps float64
	// words of memory in a row, at most, and between rows, at most and of all
	inside, between, layers float64
	kept                    float64 // of those kept at a time when not all are
	// the same in numbers
	insideNumbers, betweenNumbers float64
}

// all reports whether all layers are kept, and not one in a few.
func (p *price) all() bool { return p.layers < keepWords }

func (p *price) words() float64 {
	if p.all() {
		return p.inside + p.layers
	}
	return p.inside + p.kept
}

func (d *side) set(down int, p price) {
	d.down, d.all = down, p.all()
	if d.inside, d.between = int(p.insideNumbers), 0; !d.all {
		d.between = int(p.betweenNumbers)
	}
}

// price returns what a sweep with at most so many ships down takes, square by
// square.
func (d *side) price(down int) price {
	p := price{}
	if down < 0 {
		return p
	}
	r := d.book.ring
	sums := r.sums(d.field.width)
	numbers, products := make([]float64, len(d.book.classes)), make([]float64, len(d.book.classes))
	for id := 1; id < len(numbers); id++ {
		c := &d.book.classes[id]
		if c.active > down {
			continue
		}
		if c.active == mostDown && down > mostDown && d.field.width > mostDown {
			p.steps = math.Inf(1)
			return p
		}
		for u := range r.size {
			if n := min(r.members[u], down) - c.active + 1; n > 0 && r.covers(u, c) {
				numbers[id] += float64(n)
				products[id] += float64(n * sums[u])
			}
		}
	}
	var words [battleship.MaxSide]float64
	for row := range d.field.height {
		var inside, between, profiles, others float64
		for id, n := range d.within[row] {
			if numbers[id] > 0 {
				p.steps += n * (300 + 10*numbers[id] + 3*products[id])
				inside += n * numbers[id]
				profiles += n
			}
		}
		for id, n := range d.before[row] {
			if numbers[id] > 0 {
				between += n * numbers[id]
				others += n
			}
		}
		p.insideNumbers, p.betweenNumbers = max(p.insideNumbers, inside), max(p.betweenNumbers, between)
		p.inside, p.between = max(p.inside, inside+9*profiles), max(p.between, between+5*others)
		p.layers += between + 5*others
		words[row] = between + 5*others
	}
	p.kept = keptWords(words[:d.field.height]) + 2*p.between
	if !p.all() {
		p.steps *= 4.0 / 3
	}
	return p
}

// keptWords returns the words of the layers that a sweep keeps at a time, given
// those before each row: one in a few, and those of the rows between two.
func keptWords(words []float64) float64 {
	apart := apart(len(words))
	kept, most := 0.0, 0.0
	for first := 0; first < len(words); first += apart {
		kept += words[first]
		between := 0.0
		for row := first + 1; row < min(first+apart, len(words)); row++ {
			between += words[row]
		}
		most = max(most, between)
	}
	return kept + most
}

// apart returns how many rows the layers kept are apart, if not all are.
func apart(rows int) int {
	return int(math.Ceil(math.Sqrt(float64(rows))))
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

const (
	mostDown  = 7       // ships in a profile at most
	keepWords = 1 << 24 // memory below which a sweep keeps all its layers
	mostBits  = 100     // bits of a number whose high half a float64 can tell
	narrow    = 1.8e19  // below 2^64 by more than the error of a float64
)

// A pair says that number to takes in number from.
type pair struct{ from, to uint16 }

// A term is a multiset of ships across and the ways to put it into a row.
type term[T word] struct {
	ships uint16
	ways  T
	worth T // the arrangements that come of one of the ways
}

// gather adds numbers of from to those of to.
func gather[T word](to, from []T, pairs []pair) {
	for _, p := range pairs {
		to[p.to] += from[p.from]
	}
}

// back does what gather does, the other way: from takes in what it has given to.
func back[T word](to, from []T, pairs []pair) {
	for _, p := range pairs {
		from[p.from] += to[p.to]
	}
}

// multiply adds to out the product of in and the ways of a row.
func multiply[T word](out, in []T, terms []term[T], pairs [][]pair) {
	for i := range terms {
		n := terms[i].ways
		for _, p := range pairs[terms[i].ships] {
			out[p.to] += in[p.from] * n
		}
	}
}

// multiplyBack does what multiply does, backwards. Given by how much each number of out
// changes the total, it adds the same for the numbers of in to worth, and for one way of
// each term to the term.
func multiplyBack[T word](worth, out, in []T, terms []term[T], pairs [][]pair) {
	for i := range terms {
		t := &terms[i]
		n, sum := t.ways, T(0)
		for _, p := range pairs[t.ships] {
			o := out[p.to]
			worth[p.from] += o * n
			sum += o * in[p.from]
		}
		t.worth += sum
	}
}

// product returns the sum of the products of numbers side by side.
func product[T word](a, b []T) T {
	b = b[:len(a)]
	sum := T(0)
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}
