package tubstap

// reach is the scratch of the cheapest-path search: which cells a unit can
// end its move on. Costs depend only on the entered cell, so the set does
// not depend on the order of ties.
type reach struct {
	left   []int8   // cell -> points left on arrival, -1 unreached
	end    []bool   // cell -> valid end of the move
	queue  [][]cell // cells by points left
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
	r.queue = make([][]cell, 10)
	for i := range r.queue {
		r.queue[i] = make([]cell, 0, 2*len(r.left))
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
