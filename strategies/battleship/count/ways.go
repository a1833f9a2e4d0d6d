package count

import "sakusen/engines/battleship"

// ways returns the ways to put ships across in a row whose taken columns are
// given: a term for each multiset that can be.
func (s *sweep[T]) ways(row int, taken uint16) []term[T] {
	if known := s.known[taken]; known != nil {
		return known
	}
	right := s.right(row, taken)
	terms := make([]term[T], 0, 8)
	for u, n := range right[0] {
		if n != 0 {
			terms = append(terms, term[T]{ships: uint16(u), ways: n})
		}
	}
	s.known[taken] = terms
	s.taken = append(s.taken, taken)
	return terms
}

// right returns, for each column, the ways to put each multiset of ships into
// the columns from there on, covering the open hits that are not taken.
func (s *sweep[T]) right(row int, taken uint16) *[battleship.MaxSide + 1][]T {
	f, r, right := s.field, s.book.ring, &s.putRight
	last := right[f.width]
	clear(last)
	last[0] = 1
	for c := f.width - 1; c >= 0; c-- {
		to := right[c]
		if (f.open[row]&^taken)>>c&1 != 0 {
			clear(to)
		} else {
			copy(to, right[c+1])
		}
		for i, length := range r.lengths {
			if f.across[i][row]>>c&1 == 0 || taken>>c&(1<<length-1) != 0 {
				continue
			}
			from, with := right[c+length], to[r.stride[i]:]
			for _, u := range r.room[i] {
				with[u] += from[u]
			}
		}
	}
	return right
}

// cross adds to the counts of the squares of a row those of the ships across,
// given what one way of each term is worth.
func (s *sweep[T]) cross(row int, taken uint16, terms []term[T]) {
	f, r := s.field, s.book.ring
	right := s.right(row, taken)
	worth := &s.worthRight
	for c := range f.width + 1 {
		clear(worth[c])
	}
	for _, t := range terms {
		worth[0][t.ships] = t.worth
	}
	for c := range f.width {
		from := worth[c]
		if (f.open[row]&^taken)>>c&1 == 0 {
			to := worth[c+1]
			for u, n := range from {
				to[u] += n
			}
		}
		for i, length := range r.lengths {
			if f.across[i][row]>>c&1 == 0 || taken>>c&(1<<length-1) != 0 {
				continue
			}
			there := T(0)
			ways, to, with := right[c+length], worth[c+length], from[r.stride[i]:]
			for _, u := range r.room[i] {
				n := with[u]
				there += n * ways[u]
				to[u] += n
			}
			for x := range length {
				s.sum[f.square[row][c+x]] += there
			}
		}
	}
}
