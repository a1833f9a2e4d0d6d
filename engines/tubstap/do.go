package tubstap

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

// ClearFinished lets all units of a side act again, whoever is to move.
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
