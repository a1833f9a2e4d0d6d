package narrow

import "sakusen/engines/tubstap"

// maxSide is the greatest number of units of a side on a board.
const maxSide = 16

// layout is what never changes on a map.
type layout struct {
	rows, stride uint // playable rows; cells from one column to the next
	limit        int  // half-turns
	threshold    int  // HP
	cheap, dear  [tubstap.Kinds]set
	points       [tubstap.Kinds]uint8
	// free is what a unit reaches when no enemy is in its way.
	free [tubstap.Kinds][Cells]set
	// inner are the cells of free that lead on to others; enemies elsewhere
	// take nothing but their own cells.
	inner  [tubstap.Kinds][Cells]set
	beside [Cells]set      // the four neighbours
	ring   [Cells]set      // cells at the distance of an indirect attack
	stars  [2][Cells]uint8 // defence on the ground and in the air
	power  [tubstap.Kinds][8]uint32
}

// Fits says whether a map of that size and so many units a side fits a
// board: a spare row in every column and a spare column at the end.
func Fits(s *tubstap.State) bool {
	m := s.Map()
	if (m.SizeX-2+1)*(m.SizeY-2+1) > Cells {
		return false
	}
	var n [2]int
	for id := range s.Units() {
		u := s.Unit(id)
		n[u.Team]++
		if u.HP > tubstap.FullHP {
			return false
		}
	}
	return n[0] <= maxSide && n[1] <= maxSide
}

func newLayout(s *tubstap.State) *layout {
	m := s.Map()
	l := &layout{rows: uint(m.SizeY - 2), stride: uint(m.SizeY - 1), limit: m.TurnLimit, threshold: m.Threshold}
	var kinds [tubstap.Kinds]bool
	for id := range s.Units() {
		kinds[s.Unit(id).Kind] = true
	}
	for x := 1; x <= m.SizeX-2; x++ {
		for y := 1; y <= m.SizeY-2; y++ {
			l.cell(m, x, y)
		}
	}
	for k := range tubstap.Kind(tubstap.Kinds) {
		l.points[k] = uint8(k.MovePoints())
		for d := range tubstap.Kind(tubstap.Kinds) {
			l.power[k][d] = uint32(s.Power()[k][d])
		}
		if !kinds[k] {
			continue
		}
		for x := 1; x <= m.SizeX-2; x++ {
			for y := 1; y <= m.SizeY-2; y++ {
				c := l.at(x, y)
				l.free[k][c] = l.flood(uint8(k), c, set{})
				l.inner[k][c] = l.leading(uint8(k), c)
			}
		}
	}
	return l
}

// at is the cell of map coordinates.
func (l *layout) at(x, y int) uint { return uint(x-1)*l.stride + uint(y-1) }

// xy are the map coordinates of a cell.
func (l *layout) xy(c uint) (x, y int) { return int(c/l.stride) + 1, int(c%l.stride) + 1 }

func (l *layout) cell(m *tubstap.Map, x, y int) {
	c := l.at(x, y)
	t := m.At(x, y)
	for k := range tubstap.Kind(tubstap.Kinds) {
		switch k.Cost(t) {
		case 1:
			l.cheap[k] = l.cheap[k].or(bit(c))
		case 2:
			l.dear[k] = l.dear[k].or(bit(c))
		}
	}
	l.stars[0][c] = uint8(t.Stars())
	for dx := -tubstap.MaxRange; dx <= tubstap.MaxRange; dx++ {
		for dy := -tubstap.MaxRange; dy <= tubstap.MaxRange; dy++ {
			away := max(dx, -dx) + max(dy, -dy)
			if !m.Playable(x+dx, y+dy) || away == 0 || away > tubstap.MaxRange {
				continue
			}
			if n := bit(l.at(x+dx, y+dy)); away == 1 {
				l.beside[c] = l.beside[c].or(n)
			} else {
				l.ring[c] = l.ring[c].or(n)
			}
		}
	}
}

// spread is a set and its four neighbours.
func (s set) spread(stride uint) set {
	return s.or(s.up(1)).or(s.down(1)).or(s.up(stride)).or(s.down(stride))
}

// flood is what a unit of the kind reaches from a cell when enemies are in
// its way: layer by layer of equal cost, terrain of cost 2 one layer late.
func (l *layout) flood(kind uint8, from uint, enemies set) set {
	cheap, dear := l.cheap[kind].without(enemies), l.dear[kind].without(enemies)
	now := bit(from)
	var before set // neighbours of the layer before
	if dear.empty() {
		for range l.points[kind] {
			now = now.or(now.spread(l.stride).and(cheap))
		}
		return now
	}
	for range l.points[kind] {
		near := now.spread(l.stride)
		now = now.or(near.and(cheap)).or(before.and(dear))
		before = near
	}
	return now
}

// leading are the cells in free reach, apart from the start, on which a unit
// arrives with points left for a neighbour.
func (l *layout) leading(kind uint8, from uint) set {
	var inner set
	cheap, dear := l.cheap[kind], l.dear[kind]
	full := l.points[kind]
	defer func() { l.points[kind] = full }()
	for left := range full {
		// Cells that have more than left points on arrival.
		l.points[kind] = full - 1 - left
		arrived := l.flood(kind, from, set{})
		next := cheap
		if left >= 1 {
			next = next.or(dear)
		}
		inner = inner.or(arrived.and(next.spread(l.stride)))
	}
	return inner.without(bit(from))
}
