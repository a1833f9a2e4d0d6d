package tubstap

import (
	"fmt"
	"math"
)

// Action is what one unit does: it goes to X, Y (its own cell to stay) and
// then attacks Target, unless that is NoUnit.
type Action struct {
	Unit   int16
	X, Y   int8
	Target int16
}

// Do applies a legal action of a unit of either side; it checks nothing
// (Check does), and returns the HP lost by the target and by the unit itself. The
// turn goes on until EndTurn.
func (s *State) Do(a Action) (damage, counter int) {
	u := &s.units[a.Unit]
	to := s.m.cell(int(a.X), int(a.Y))
	if a.Target != NoUnit {
		d := &s.units[a.Target]
		damage, counter = s.power.exchange(
			u.Kind, int(u.HP), u.Kind.Stars(s.m.Terrain[to]),
			d.Kind, int(d.HP), s.stars(int(a.Target)))
	}
	s.at[s.m.cell(int(u.X), int(u.Y))] = NoUnit
	s.at[to] = a.Unit
	u.X, u.Y = a.X, a.Y
	u.Finished = true
	s.unmoved[u.Team]--
	if a.Target != NoUnit {
		s.hurt(int(a.Target), int8(damage))
		s.hurt(int(a.Unit), int8(counter))
	}
	return damage, counter
}

// hurt takes HP from a unit and removes it at 0.
func (s *field) hurt(id int, points int8) {
	u := &s.units[id]
	u.HP -= points
	s.hp[u.Team] -= int(points)
	if u.HP > 0 {
		return
	}
	s.alive[u.Team]--
	if !u.Finished {
		s.unmoved[u.Team]--
	}
	s.at[s.m.cell(int(u.X), int(u.Y))] = NoUnit
}

// EndTurn ends the mover's turn: its units may act again, the counter goes
// up, the other side moves.
func (s *State) EndTurn() {
	for id := range s.units {
		if u := &s.units[id]; u.Team == s.mover && u.HP != 0 {
			u.Finished = false
		}
	}
	s.unmoved[s.mover] = s.alive[s.mover]
	s.counter++
	s.mover = s.mover.Other()
}

// ClearFinished lets all units of a side act again, also where the other side is to move.
func (s *State) ClearFinished(t Team) {
	for id := range s.units {
		if u := &s.units[id]; u.Team == t {
			u.Finished = false
		}
	}
	s.unmoved[t] = s.alive[t]
}

// resign ends the game against the mover at the end of its turn.
func (s *State) resign() { s.resigned = s.mover }

// The four neighbours in the order of the rules: right, up, left, down.
var (
	stepX = [4]int8{1, 0, -1, 0}
	stepY = [4]int8{0, -1, 0, 1}
)

// AppendAttacks adds every attack of unit id, those without damage
// included: for a direct unit by enemy id and then by direction from the
// enemy, for an indirect one by enemy id, from where it stands.
func (s *field) AppendAttacks(list []Action, id int) []Action {
	u := &s.units[id]
	if !u.Kind.Indirect() {
		s.find(id)
	}
	return s.appendAttacks(list, id)
}

func (s *field) appendAttacks(list []Action, id int) []Action {
	u := &s.units[id]
	for e := range s.units {
		enemy := &s.units[e]
		if enemy.HP == 0 || enemy.Team == u.Team {
			continue
		}
		if u.Kind.Indirect() {
			if d := distance(u.X, u.Y, enemy.X, enemy.Y); d >= minRange && d <= MaxRange {
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
func (s *field) AppendMoves(list []Action, id int) []Action {
	s.find(id)
	return s.appendMoves(list, id)
}

func (s *field) appendMoves(list []Action, id int) []Action {
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
func (s *field) AppendActions(list []Action, id int) []Action {
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
func (s *field) AppendAll(list []Action, id int) []Action {
	s.find(id)
	return s.appendMoves(s.appendAttacks(list, id), id)
}

// Damage returns what unit id would take from the target where both stand; the
// attacker's cell does not matter for it.
func (s *field) Damage(id, target int) int {
	u, d := &s.units[id], &s.units[target]
	return s.power.damage(u.Kind, int(u.HP), d.Kind, int(d.HP), s.stars(target))
}

// Exchange returns the damage and the counter of an attack.
func (s *field) Exchange(a Action) (damage, counter int) {
	u, d := &s.units[a.Unit], &s.units[a.Target]
	to := s.m.Terrain[s.m.cell(int(a.X), int(a.Y))]
	return s.power.exchange(u.Kind, int(u.HP), u.Kind.Stars(to), d.Kind, int(d.HP), s.stars(int(a.Target)))
}

func distance(x0, y0, x1, y1 int8) int {
	return max(int(x0-x1), int(x1-x0)) + max(int(y0-y1), int(y1-y0))
}

// find runs the search for unit id. Enemies block, friends may be passed,
// the unit's own cell is always a valid end.
func (s *field) find(id int) {
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

// Check explains why the action is illegal now, or returns nil. It is
// strict: the program 0.108 itself accepts unreachable cells.
func (s *State) Check(a Action) error {
	id := int(a.Unit)
	if id < 0 || id >= len(s.units) {
		return fmt.Errorf("unit %d: the map has units 0 to %d", id, len(s.units)-1)
	}
	u := &s.units[id]
	switch {
	case u.HP == 0:
		return fmt.Errorf("unit %d is off the board", id)
	case u.Team != s.mover:
		return fmt.Errorf("unit %d is %v, and %v is to move", id, u.Team, s.mover)
	case u.Finished:
		return fmt.Errorf("unit %d has already acted in this turn", id)
	case !s.m.Playable(int(a.X), int(a.Y)):
		return fmt.Errorf("unit %d to (%d,%d): outside the playable cells", id, a.X, a.Y)
	}
	s.find(id)
	if !s.reach.end[s.m.cell(int(a.X), int(a.Y))] {
		return fmt.Errorf("unit %d (%v at (%d,%d)) cannot end its move at (%d,%d)", id, u.Kind, u.X, u.Y, a.X, a.Y)
	}
	if a.Target == NoUnit {
		return nil
	}
	return s.checkTarget(u, a)
}

func (s *field) checkTarget(u *Unit, a Action) error {
	t := int(a.Target)
	if t < 0 || t >= len(s.units) {
		return fmt.Errorf("target %d: the map has units 0 to %d", t, len(s.units)-1)
	}
	d := &s.units[t]
	if d.HP == 0 {
		return fmt.Errorf("target %d is off the board", t)
	}
	if d.Team == u.Team {
		return fmt.Errorf("target %d is %v, a friend of unit %d", t, d.Team, a.Unit)
	}
	away := distance(a.X, a.Y, d.X, d.Y)
	if !u.Kind.Indirect() {
		if away != 1 {
			return fmt.Errorf("unit %d at (%d,%d) is %d cells from target %d, and %v attacks the next cell", a.Unit, a.X, a.Y, away, t, u.Kind)
		}
		return nil
	}
	if a.X != u.X || a.Y != u.Y {
		return fmt.Errorf("unit %d is a %v: it cannot move and attack in one action", a.Unit, u.Kind)
	}
	if away < minRange || away > MaxRange {
		return fmt.Errorf("unit %d is %d cells from target %d, and %v attacks at %d to %d", a.Unit, away, t, u.Kind, minRange, MaxRange)
	}
	return nil
}

// LogMoves returns the estimated number of legal moves of team t's turn, as a
// logarithm to base 10: |U|! times the product of |A(s,u)|, over all units
// of the team, acted or not (Sagehashi, Muto and Nishino 2017, equation 2).
func (s *State) LogMoves(t Team) float64 {
	var buf [256]Action
	sum, n := 0.0, 0
	for id := range s.units {
		if s.units[id].HP == 0 || s.units[id].Team != t {
			continue
		}
		n++
		sum += math.Log10(float64(n))
	}
	for id := range s.units {
		if s.units[id].HP > 0 && s.units[id].Team == t {
			sum += math.Log10(float64(len(s.AppendActions(buf[:0], id))))
		}
	}
	return sum
}
