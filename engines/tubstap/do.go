package tubstap

// Action is what one unit does: it goes to X, Y (its own cell to stay) and
// then attacks Target, unless that is NoUnit.
type Action struct {
	Unit   int16
	X, Y   int8
	Target int16
}

// Undo is what Do changed; State.Undo takes it back.
type Undo struct {
	Action
	fromX, fromY    int8
	Damage, Counter int8 // HP lost by the target and by the unit itself
}

// Do applies a legal action of a unit of either side; it checks nothing
// (Check does). The turn goes on until EndTurn.
func (s *State) Do(a Action) Undo {
	u := &s.units[a.Unit]
	undo := Undo{Action: a, fromX: u.X, fromY: u.Y}
	to := s.m.cell(int(a.X), int(a.Y))
	if a.Target != NoUnit {
		d := &s.units[a.Target]
		damage, counter := s.power.exchange(
			u.Kind, int(u.HP), u.Kind.Stars(s.m.Terrain[to]),
			d.Kind, int(d.HP), s.stars(int(a.Target)))
		undo.Damage, undo.Counter = int8(damage), int8(counter)
	}
	s.apply(undo, to)
	return undo
}

// apply moves the unit and takes the HP the undo names.
func (s *State) apply(undo Undo, to cell) {
	u := &s.units[undo.Unit]
	s.at[s.m.cell(int(u.X), int(u.Y))] = NoUnit
	s.at[to] = undo.Unit
	u.X, u.Y = undo.X, undo.Y
	u.Finished = true
	s.unmoved[u.Team]--
	if undo.Target == NoUnit {
		return
	}
	s.hurt(int(undo.Target), undo.Damage)
	s.hurt(int(undo.Unit), undo.Counter)
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

// heal gives back what hurt took.
func (s *field) heal(id int, points int8) {
	u := &s.units[id]
	if u.HP == 0 && points > 0 {
		s.alive[u.Team]++
		if !u.Finished {
			s.unmoved[u.Team]++
		}
		s.at[s.m.cell(int(u.X), int(u.Y))] = int16(id)
	}
	u.HP += points
	s.hp[u.Team] += int(points)
}

// undo takes back the last action done.
func (s *State) undo(undo Undo) {
	u := &s.units[undo.Unit]
	if undo.Target != NoUnit {
		s.heal(int(undo.Unit), undo.Counter)
		s.heal(int(undo.Target), undo.Damage)
	}
	s.at[s.m.cell(int(u.X), int(u.Y))] = NoUnit
	u.X, u.Y = undo.fromX, undo.fromY
	s.at[s.m.cell(int(u.X), int(u.Y))] = undo.Unit
	u.Finished = false
	s.unmoved[u.Team]++
}

// TurnUndo is what EndTurn changed: the ids of the mover's finished units.
type TurnUndo [MaxUnits / 64]uint64

// EndTurn ends the mover's turn: its units may act again, the counter goes
// up, the other side moves.
func (s *State) EndTurn() TurnUndo {
	var undo TurnUndo
	for id := range s.units {
		u := &s.units[id]
		if u.Team != s.mover || u.HP == 0 || !u.Finished {
			continue
		}
		undo[id>>6] |= 1 << (id & 63)
		u.Finished = false
	}
	s.unmoved[s.mover] = s.alive[s.mover]
	s.counter++
	s.mover = s.mover.Other()
	return undo
}

// undoTurn takes back the last EndTurn.
func (s *State) undoTurn(undo TurnUndo) {
	s.mover = s.mover.Other()
	s.counter--
	for id := range s.units {
		if undo[id>>6]&(1<<(id&63)) != 0 {
			s.units[id].Finished = true
			s.unmoved[s.mover]--
		}
	}
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
