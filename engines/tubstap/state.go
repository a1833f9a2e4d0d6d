package tubstap

import "slices"

// NoUnit stands where a unit id is absent.
const NoUnit = -1

// State is a position and the turn it stands in. It changes by Do and
// EndTurn and goes back by Undo and UndoTurn, without allocation. A state
// has scratch memory of its own and belongs to one goroutine; Clone makes
// another.
type State struct {
	m        *Map
	rules    Rules
	power    Power
	units    []Unit
	at       []int16 // cell -> unit id or NoUnit
	mover    Team
	counter  int // half-turns played
	alive    [2]int
	unmoved  [2]int
	hp       [2]int
	resigned Team // the side that gave up, or Nobody
	reach    reach
}

// NewState puts units on the map. mover is the side to move after counter
// half-turns. Ids are the indexes of units; a unit with HP 0 is absent.
// Units stand on distinct cells within the border (Map.Check).
func NewState(m *Map, rules Rules, units []Unit, mover Team, counter int) *State {
	s := &State{
		m: m, rules: rules, power: powerOf(rules),
		units: append([]Unit(nil), units...), at: make([]int16, m.SizeX*m.SizeY),
		mover: mover, counter: counter, resigned: Nobody,
	}
	s.reach.init(m)
	s.settle()
	return s
}

// settle derives the sums and the grid from the units.
func (s *State) settle() {
	for c := range s.at {
		s.at[c] = NoUnit
	}
	s.alive, s.unmoved, s.hp = [2]int{}, [2]int{}, [2]int{}
	for id := range s.units {
		u := &s.units[id]
		if !u.Alive() {
			continue
		}
		s.at[s.m.cell(int(u.X), int(u.Y))] = int16(id)
		s.alive[u.Team]++
		s.hp[u.Team] += int(u.HP)
		if !u.Finished {
			s.unmoved[u.Team]++
		}
	}
}

// Clone is an independent copy.
func (s *State) Clone() *State {
	c := *s
	c.units = append([]Unit(nil), s.units...)
	c.at = append([]int16(nil), s.at...)
	c.reach.init(s.m)
	return &c
}

// CopyFrom makes s equal to t, a state of the same map, without allocating
// when both have as many units.
func (s *State) CopyFrom(t *State) {
	s.m, s.rules, s.power = t.m, t.rules, t.power
	s.units = append(s.units[:0], t.units...)
	s.at = append(s.at[:0], t.at...)
	s.mover, s.counter, s.resigned = t.mover, t.counter, t.resigned
	s.alive, s.unmoved, s.hp = t.alive, t.unmoved, t.hp
}

// Map is the map the state stands on.
func (s *State) Map() *Map { return s.m }

// Rules are the rules the state is played by.
func (s *State) Rules() Rules { return s.rules }

// Power is the table of attack powers in force.
func (s *State) Power() *Power { return &s.power }

// Units is the number of ids, dead ones included.
func (s *State) Units() int { return len(s.units) }

// Unit is a copy of unit id.
func (s *State) Unit(id int) Unit { return s.units[id] }

// unitAt is the id of the unit at x, y, or NoUnit.
func (s *State) unitAt(x, y int) int { return int(s.at[s.m.cell(x, y)]) }

// Mover is the side whose turn it is.
func (s *State) Mover() Team { return s.mover }

// Counter is the number of half-turns played.
func (s *State) Counter() int { return s.counter }

// Alive is the number of units team t has.
func (s *State) Alive(t Team) int { return s.alive[t] }

// Unmoved is the number of units of team t that have not acted.
func (s *State) Unmoved(t Team) int { return s.unmoved[t] }

// HP is the sum of the HP of team t.
func (s *State) HP(t Team) int { return s.hp[t] }

// stars is the defence of unit id where it stands.
func (s *State) stars(id int) int {
	u := &s.units[id]
	return u.Kind.Stars(s.m.Terrain[s.m.cell(int(u.X), int(u.Y))])
}

// Movable says whether unit id may act now.
func (s *State) Movable(id int) bool {
	u := &s.units[id]
	return u.HP > 0 && !u.Finished && u.Team == s.mover
}

// FirstUnmoved is the lowest id that may act now, or NoUnit.
func (s *State) FirstUnmoved() int {
	for id := range s.units {
		if s.Movable(id) {
			return id
		}
	}
	return NoUnit
}

// TurnDone says whether the mover's turn is at its end: every unit has
// acted, or a side has none, or the mover has resigned.
func (s *State) TurnDone() bool {
	return s.unmoved[s.mover] == 0 || s.alive[0] == 0 || s.alive[1] == 0 || s.resigned != Nobody
}

// Equal says whether two states of one map are the same: units, turn, and
// whose it is.
func (s *State) Equal(t *State) bool {
	return s.m == t.m && s.rules == t.rules && s.mover == t.mover && s.counter == t.counter &&
		s.resigned == t.resigned && slices.Equal(s.units, t.units)
}

// Start is the state at the first turn, Red to move.
func (m *Map) Start(rules Rules) *State { return NewState(m, rules, m.Units, Red, 0) }

// StartSwapped is the state in which the sides have exchanged their units
// and Blue moves first, as in the second half of a match.
func (m *Map) StartSwapped(rules Rules) *State {
	units := append([]Unit(nil), m.Units...)
	for i := range units {
		units[i].Team = units[i].Team.Other()
	}
	return NewState(m, rules, units, Blue, 0)
}
