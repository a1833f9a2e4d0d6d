package tubstap

import "fmt"

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

func (s *State) checkTarget(u *Unit, a Action) error {
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
	if away < MinRange || away > MaxRange {
		return fmt.Errorf("unit %d is %d cells from target %d, and %v attacks at %d to %d", a.Unit, away, t, u.Kind, MinRange, MaxRange)
	}
	return nil
}
