package count

// list returns the list of a class.
func (s *sweep[T]) list(id int32) *list {
	for int(id) >= len(s.lists) {
		s.lists = append(s.lists, nil)
	}
	if l := s.lists[id]; l != nil {
		return l
	}
	r, c := s.book.ring, &s.book.classes[id]
	l := &list{place: make([]int16, r.size*(s.down+1)), more: make([]int32, len(r.ships)), start: make([][]pair, len(r.ships))}
	for u := range r.size {
		covers := r.covers(u, c)
		for d := range s.down + 1 {
			l.place[u*(s.down+1)+d] = -1
			if covers && d >= c.active && d <= r.members[u] {
				l.place[u*(s.down+1)+d] = int16(l.n)
				l.n++
			}
		}
	}
	s.lists[id] = l
	return l
}

// each calls yield for every number of a list.
func (s *sweep[T]) each(l *list, yield func(n uint16, multiset, down int)) {
	for i, n := range l.place {
		if n >= 0 {
			yield(uint16(n), i/(s.down+1), i%(s.down+1))
		}
	}
}

// starts returns the class that follows when a ship of a size starts, -1 if none may, and
// where the numbers go.
func (s *sweep[T]) starts(id int32, size int) (int32, []pair) {
	l := s.list(id)
	if l.more[size] != 0 {
		return l.more[size], l.start[size]
	}
	r := s.book.ring
	more := int32(-1)
	if s.book.classes[id].active < s.down {
		more = s.book.more(id, r.lengths[size])
	}
	l.more[size] = more
	if more < 0 {
		return more, nil
	}
	to := s.list(more)
	s.each(l, func(n uint16, u, d int) {
		if d < s.down && int(r.digits[u][size]) < r.ships[size] {
			l.start[size] = append(l.start[size], pair{n, uint16(to.place[(u+r.stride[size])*(s.down+1)+d+1])})
		}
	})
	return more, l.start[size]
}

// ends returns the class after a row, and where the numbers go.
func (s *sweep[T]) ends(id int32) (int32, []pair) {
	l := s.list(id)
	if l.less == 0 {
		l.less = s.book.less(id)
		to := s.list(l.less)
		s.each(l, func(n uint16, u, d int) {
			l.after = append(l.after, pair{n, uint16(to.place[u*(s.down+1)+d])})
		})
	}
	return l.less, l.after
}

// puts returns where the numbers of a class go when ships are put across, by
// the multiset of these.
func (s *sweep[T]) puts(id int32) [][]pair {
	l := s.list(id)
	if l.put == nil {
		r := s.book.ring
		l.put = make([][]pair, r.size)
		for j := range r.size {
			if r.squares[j] > s.field.width {
				continue
			}
			s.each(l, func(n uint16, u, d int) {
				if r.fits(u, j) {
					l.put[j] = append(l.put[j], pair{n, uint16(l.place[(u+j)*(s.down+1)+d])})
				}
			})
		}
	}
	return l.put
}
