package tubstap

// The four neighbours in the order of the rules: right, up, left, down.
var (
	stepX = [4]int8{1, 0, -1, 0}
	stepY = [4]int8{0, -1, 0, 1}
)

// AppendAttacks adds every attack of unit id, those without damage
// included: for a direct unit by enemy id and then by direction from the
// enemy, for an indirect one by enemy id, from where it stands.
func (s *State) AppendAttacks(list []Action, id int) []Action {
	u := &s.units[id]
	if !u.Kind.Indirect() {
		s.find(id)
	}
	return s.appendAttacks(list, id)
}

func (s *State) appendAttacks(list []Action, id int) []Action {
	u := &s.units[id]
	for e := range s.units {
		enemy := &s.units[e]
		if enemy.HP == 0 || enemy.Team == u.Team {
			continue
		}
		if u.Kind.Indirect() {
			if d := distance(u.X, u.Y, enemy.X, enemy.Y); d >= MinRange && d <= MaxRange {
				list = append(list, Action{Unit: int16(id), X: u.X, Y: u.Y, Target: int16(e)})
			}
			continue
		}
		for d := range stepX {
			x, y := enemy.X+stepX[d], enemy.Y+stepY[d]
			if s.reach.end[s.m.cell(int(x), int(y))] {
				list = append(list, Action{Unit: int16(id), X: x, Y: y, Target: int16(e)})
			}
		}
	}
	return list
}

// AppendMoves adds every move of unit id, staying included, by column and
// then by row.
func (s *State) AppendMoves(list []Action, id int) []Action {
	s.find(id)
	return s.appendMoves(list, id)
}

func (s *State) appendMoves(list []Action, id int) []Action {
	r := &s.reach
	for x := r.x0; x <= r.x1; x++ {
		for y := r.y0; y <= r.y1; y++ {
			if r.end[y*r.sizeX+x] {
				list = append(list, Action{Unit: int16(id), X: int8(x), Y: int8(y), Target: NoUnit})
			}
		}
	}
	return list
}

// AppendActions adds the actions of unit id that count for search and for
// complexity: attacks that do damage, then moves.
func (s *State) AppendActions(list []Action, id int) []Action {
	s.find(id)
	kept := len(list)
	list = s.appendAttacks(list, id)
	for _, a := range list[kept:] {
		if s.Damage(id, int(a.Target)) > 0 {
			list[kept] = a
			kept++
		}
	}
	return s.appendMoves(list[:kept], id)
}

// AppendAll adds every legal action of unit id: attacks, then moves.
func (s *State) AppendAll(list []Action, id int) []Action {
	s.find(id)
	return s.appendMoves(s.appendAttacks(list, id), id)
}

// Damage is what unit id would take from the target where both stand; the
// attacker's cell does not matter for it.
func (s *State) Damage(id, target int) int {
	u, d := &s.units[id], &s.units[target]
	return s.power.damage(u.Kind, int(u.HP), d.Kind, int(d.HP), s.stars(target))
}

// Exchange is the damage and the counter of an attack.
func (s *State) Exchange(a Action) (damage, counter int) {
	u, d := &s.units[a.Unit], &s.units[a.Target]
	to := s.m.Terrain[s.m.cell(int(a.X), int(a.Y))]
	return s.power.exchange(u.Kind, int(u.HP), u.Kind.Stars(to), d.Kind, int(d.HP), s.stars(int(a.Target)))
}

func distance(x0, y0, x1, y1 int8) int {
	return max(int(x0-x1), int(x1-x0)) + max(int(y0-y1), int(y1-y0))
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
	steps := [4]cell{1, cell(-s.m.SizeX), -1, cell(s.m.SizeX)}
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
