package narrow

import "sakusen/engines/tubstap"

// kinds is the length of a table by kinds of unit: a power of two, so that an index is a mask.
const kinds = 8

// maxSide is the greatest number of units of a side on a board.
const maxSide = 16

// room is where a unit can go from a cell.
type room struct {
	free set // reach when no enemy is in the way
	// inner are the cells of free that lead on to others. An enemy on any other cell blocks
	// only that cell.
	inner set
}

// layout is what never changes on a map.
type layout struct {
	m           *tubstap.Map
	rules       tubstap.Rules
	kinds       [tubstap.Kinds]bool // kinds the tables are made for
	limit       int                 // half-turns
	threshold   int                 // HP
	cheap, dear [kinds]set
	points      [kinds]uint8
	rooms       [kinds]*[cells]room
	beside      [cells]set      // the four neighbours
	around      [cells][4]uint8 // and in the order of the move list: right, up, left, down; last if off the map
	ring        [cells]set      // cells at the distance of an indirect attack
	stars       [2][cells]uint8 // defence on the ground and in the air
	power       [kinds][kinds]uint32
}

// Fits reports whether the state has few enough cells, units and HP.
func Fits(s *tubstap.State) bool {
	m := s.Map()
	if m.SizeX-2 > maxColumns || m.SizeY-2 > maxRows {
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
	l := &layout{m: m, rules: s.Rules(), limit: m.TurnLimit, threshold: m.Threshold}
	for id := range s.Units() {
		if u := s.Unit(id); u.Alive() {
			l.kinds[u.Kind] = true
		}
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
		if !l.kinds[k] {
			continue
		}
		if k == tubstap.AntiAir && l.kinds[tubstap.Panzer] {
			// They move alike, and one table stays in the processor's cache better than two.
			l.rooms[k] = l.rooms[tubstap.Panzer]
			continue
		}
		l.rooms[k] = &[cells]room{}
		for x := 1; x <= m.SizeX-2; x++ {
			for y := 1; y <= m.SizeY-2; y++ {
				c := l.at(x, y)
				l.rooms[k][c] = room{l.flood(uint8(k), c, set{}), l.leading(uint8(k), c)}
			}
		}
	}
	return l
}

// serves reports whether the tables fit a state.
func (l *layout) serves(s *tubstap.State) bool {
	if s.Map() != l.m || s.Rules() != l.rules {
		return false
	}
	for id := range s.Units() {
		if u := s.Unit(id); u.Alive() && (!l.kinds[u.Kind] || u.HP > tubstap.FullHP) {
			return false
		}
	}
	return Fits(s)
}

// at returns the cell of map coordinates.
func (l *layout) at(x, y int) uint { return at(x-1, y-1) }

// xy returns the map coordinates of a cell.
func (l *layout) xy(c uint) (x, y int) {
	x, y = place(c)
	return x + 1, y + 1
}

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
	for i, d := range [4][2]int{{1, 0}, {0, -1}, {-1, 0}, {0, 1}} {
		l.around[c][i] = last
		if m.Playable(x+d[0], y+d[1]) {
			l.around[c][i] = uint8(l.at(x+d[0], y+d[1]))
		}
	}
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

// spread returns a set and its four neighbours.
func (s set) spread() set {
	return s.or(s.up()).or(s.down()).or(s.left()).or(s.right())
}

// leading returns the cells in free reach, apart from the start, on which a unit
// arrives with points left for a neighbour.
func (l *layout) leading(kind uint8, from uint) set {
	var inner set
	cheap, dear := l.cheap[kind], l.dear[kind]
	full := l.points[kind]
	defer func() { l.points[kind] = full }()
	for left := range full {
		// Cells on which a unit arrives with more than left points.
		l.points[kind] = full - 1 - left
		arrived := l.flood(kind, from, set{})
		next := cheap
		if left >= 1 {
			next = next.or(dear)
		}
		inner = inner.or(arrived.and(next.spread()))
	}
	return inner.without(bit(from))
}
