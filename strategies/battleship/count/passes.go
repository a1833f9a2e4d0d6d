package count

import (
	"math/bits"

	"sakusen/engines/battleship"
)

// run counts placements; with squares also square by square, by going back up the rows. It
// needs the layers again for that. It keeps all of them or, to save memory, one in a few,
// and computes those in between a second time.
func (s *sweep[T]) run(squares, all bool) {
	rows := s.field.height
	apart := apart(rows)
	if all {
		apart = 1
	}
	kept := make([]*layer[T], rows)
	now := s.layer()
	now.open(0, 1, s.list(1).n)
	now.data[s.list(1).place[0]] = 1
	for row := range rows {
		next := s.layer()
		s.pass(row, now, next)
		if squares && row%apart == 0 {
			kept[row] = now
		} else {
			s.spare = append(s.spare, now)
		}
		now = next
	}
	s.finish(now)
	if !squares {
		return
	}
	for first := (rows - 1) / apart * apart; first >= 0; first -= apart {
		last := min(first+apart, rows) - 1
		for row := first; row < last; row++ {
			kept[row+1] = s.layer()
			s.pass(row, kept[row], kept[row+1])
		}
		for row := last; row >= first; row-- {
			s.back(row, kept[row], now)
			s.spare = append(s.spare, kept[row])
			kept[row] = nil
		}
	}
}

// finish reads the total from the layer after the last row, and puts there by how much each
// number changes the total.
func (s *sweep[T]) finish(last *layer[T]) {
	l, full := s.list(1), s.book.ring.size-1
	for i := range last.keys {
		block := last.data[last.at[i]:][:l.n]
		for n := range block {
			number := block[n]
			block[n] = 0
			for d := range s.down + 1 {
				if int(l.place[full*(s.down+1)+d]) == n {
					s.total += number
					block[n] = 1
				}
			}
		}
	}
}

// begin makes here: the layer before a row and all starts of ships in it.
func (s *sweep[T]) begin(row int, now *layer[T]) {
	f, r, here := s.field, s.book.ring, &s.here
	here.copy(now)
	s.begun, s.able = s.begun[:0], s.able[:0]
	for e, id := range here.class {
		if s.book.classes[id].active < s.down {
			s.able = append(s.able, int32(e))
		}
	}
	for c := range f.width {
		able := s.able
		for i, length := range r.lengths {
			if f.down[i][row]>>c&1 == 0 {
				continue
			}
			for _, e := range able {
				if here.keys[e]>>(4*c)&15 != 0 {
					continue
				}
				more, pairs := s.starts(here.class[e], i)
				if more < 0 {
					continue
				}
				profiles := len(here.keys)
				to := here.open(here.keys[e]|uint64(length)<<(4*c), more, s.list(more).n)
				if to == profiles && s.book.classes[more].active < s.down {
					s.able = append(s.able, int32(to))
				}
				gather(s.block(here.data, to), s.block(here.data, int(e)), pairs)
				s.begun = append(s.begun, begun{e, int32(to), int32(i)})
			}
		}
	}
	for _, taken := range s.taken {
		s.known[taken] = nil
	}
	s.taken = s.taken[:0]
}

// pass puts the ships across into a row and ends it.
func (s *sweep[T]) pass(row int, now, next *layer[T]) {
	s.begin(row, now)
	here := &s.here
	for e, key := range here.keys {
		terms := s.ways(row, columns(key))
		if len(terms) == 0 {
			continue
		}
		id := here.class[e]
		block := s.block(here.data, e)
		out := s.out[:len(block)]
		clear(out)
		multiply(out, block, terms, s.puts(id))
		less, after := s.ends(id)
		to := next.open(key-filled(key), less, s.lists[less].n)
		gather(next.data[next.at[to]:], out, after)
	}
}

// back goes through a row backwards. after says by how much each number after the row
// changes the total; now, the numbers before the row, is overwritten with the same for
// them.
func (s *sweep[T]) back(row int, now, after *layer[T]) {
	s.begin(row, now)
	f, here := s.field, &s.here
	// What a number changes overwrites the number once that has been used.
	for e, key := range here.keys {
		taken := columns(key)
		terms := s.ways(row, taken)
		block := s.block(here.data, e)
		if len(terms) == 0 {
			clear(block)
			continue
		}
		id := here.class[e]
		out, price := s.out[:len(block)], s.price[:len(block)]
		clear(out)
		clear(price)
		to := after.find(key - filled(key))
		_, ends := s.ends(id)
		back(after.data[after.at[to]:], out, ends)
		multiplyBack(price, out, block, terms, s.puts(id))
		there := product(block, price)
		for ; taken != 0; taken &= taken - 1 {
			s.sum[f.square[row][bits.TrailingZeros16(taken)]] += there
		}
		copy(block, price)
	}
	for _, taken := range s.taken {
		s.cross(row, taken, s.known[taken])
	}
	for i := len(s.begun) - 1; i >= 0; i-- {
		b := &s.begun[i]
		_, pairs := s.starts(here.class[b.from], int(b.size))
		back(s.block(here.data, int(b.to)), s.block(here.data, int(b.from)), pairs)
	}
	after.copy(now)
	copy(after.data, here.data)
}

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
