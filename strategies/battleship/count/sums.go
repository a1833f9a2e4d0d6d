package count

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

// back is gather the other way: from takes in what it has given to.
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

// multiplyBack is multiply backwards. Given by how much each number of out changes the
// total, it adds the same for the numbers of in to worth, and for one way of each term to
// the term.
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

// product is the sum of the products of numbers side by side.
func product[T word](a, b []T) T {
	b = b[:len(a)]
	sum := T(0)
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}
