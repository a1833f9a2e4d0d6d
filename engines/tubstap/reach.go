package tubstap

// reach is the scratch of the cheapest-path search: which cells a unit can
// end its move on. Costs depend only on the entered cell, so the set does
// not depend on the order of ties.
type reach struct {
	left   []int8   // cell -> points left on arrival, -1 unreached
	end    []bool   // cell -> valid end of the move
	queue  [][]Cell // cells by points left
	x0, x1 int      // columns and rows that may hold reached cells
	y0, y1 int
	sizeX  int
}

func (r *reach) init(m *Map) {
	r.left = make([]int8, m.SizeX*m.SizeY)
	for c := range r.left {
		r.left[c] = -1
	}
	r.end = make([]bool, m.SizeX*m.SizeY)
	r.queue = make([][]Cell, 10)
	for i := range r.queue {
		r.queue[i] = make([]Cell, 0, 2*len(r.left))
	}
	r.sizeX = m.SizeX
	r.x0, r.x1, r.y0, r.y1 = 0, -1, 0, -1
}

// clear forgets the last search.
func (r *reach) clear() {
	for y := r.y0; y <= r.y1; y++ {
		for c := y*r.sizeX + r.x0; c <= y*r.sizeX+r.x1; c++ {
			r.left[c] = -1
			r.end[c] = false
		}
	}
}

// find runs the search for unit id. Enemies block, friends may be passed,
// the unit's own cell is always a valid end.
func (s *State) find(id int) {
	r := &s.reach
	r.clear()
	u := &s.units[id]
	points := u.Kind.MovePoints()
	r.x0, r.x1 = max(0, int(u.X)-points), min(s.m.SizeX-1, int(u.X)+points)
	r.y0, r.y1 = max(0, int(u.Y)-points), min(s.m.SizeY-1, int(u.Y)+points)
	from := s.m.cell(int(u.X), int(u.Y))
	costs := &entryCost[u.Kind]
	steps := [4]Cell{1, Cell(-s.m.SizeX), -1, Cell(s.m.SizeX)}
	r.left[from] = int8(points)
	r.end[from] = true
	r.queue[points] = append(r.queue[points], from)
	for p := points; p >= 0; p-- {
		for i := 0; i < len(r.queue[p]); i++ {
			c := r.queue[p][i]
			if int(r.left[c]) != p {
				continue // reached again with more points left
			}
			for _, step := range steps {
				n := c + step
				if n < 0 || int(n) >= len(r.left) {
					continue
				}
				left := p - int(costs[s.m.Terrain[n]])
				if left < 0 || left <= int(r.left[n]) {
					continue
				}
				other := s.at[n]
				if other != NoUnit && s.units[other].Team != u.Team {
					continue
				}
				r.left[n] = int8(left)
				if other == NoUnit {
					r.end[n] = true
				}
				r.queue[left] = append(r.queue[left], n)
			}
		}
		r.queue[p] = r.queue[p][:0]
	}
}
