package tubstap

import (
	"fmt"
	"strconv"

	"sakusen/engines/arena"
)

// actionType is the type field of a recorded action.
type actionType int

// The types.
const (
	TypeResign  actionType = 0
	typeMove    actionType = 1 // staying included
	typeAttack  actionType = 2 // with or without a move
	TypeTurnEnd actionType = 3
)

// Step is an action as files and the network write it: eleven numbers.
type Step struct {
	Unit             int
	ToX, ToY         int
	FromX, FromY     int
	Target           int // NoUnit for none
	TargetX, TargetY int // 0, 0 without a target
	Type             actionType
	Damage, Counter  int
}

// TurnEnd is the step that lets every unmoved unit stay.
func TurnEnd() Step { return Step{Unit: -1, ToX: -1, ToY: -1, Target: NoUnit, Type: TypeTurnEnd} }

// Resign is the step that gives the game to the other side.
func Resign() Step { return Step{Unit: -1, ToX: -1, ToY: -1, Target: NoUnit, Type: TypeResign} }

// Action is the action of a step of type TypeMove or TypeAttack.
func (s Step) Action() (Action, error) {
	for _, f := range []struct {
		name  string
		value int
	}{{"unit", s.Unit}, {"destX", s.ToX}, {"destY", s.ToY}} {
		if f.value < 0 || f.value > MaxUnits {
			return Action{}, fmt.Errorf("%s %d: want 0 or more, below the size of the map", f.name, f.value)
		}
	}
	if s.ToX >= MaxSize || s.ToY >= MaxSize {
		return Action{}, fmt.Errorf("destination (%d,%d) is off the map", s.ToX, s.ToY)
	}
	a := Action{Unit: int16(s.Unit), X: int8(s.ToX), Y: int8(s.ToY), Target: NoUnit}
	switch s.Type {
	case typeMove:
		return a, nil
	case typeAttack:
		if s.Target < 0 || s.Target >= MaxUnits {
			return Action{}, fmt.Errorf("target %d: an attack needs a unit", s.Target)
		}
		a.Target = int16(s.Target)
		return a, nil
	}
	return Action{}, fmt.Errorf("type %d: want 1 (move) or 2 (attack)", s.Type)
}

// StepOf describes an action before it is done; damage and counter are what
// it will do.
func (s *field) StepOf(a Action) Step {
	u := s.units[a.Unit]
	step := Step{
		Unit: int(a.Unit), ToX: int(a.X), ToY: int(a.Y), FromX: int(u.X), FromY: int(u.Y),
		Target: NoUnit, Type: typeMove,
	}
	if a.Target != NoUnit {
		d := s.units[a.Target]
		step.Type, step.Target, step.TargetX, step.TargetY = typeAttack, int(a.Target), int(d.X), int(d.Y)
		step.Damage, step.Counter = s.Exchange(a)
	}
	return step
}

// AppendText adds the eleven numbers, comma separated.
func (s Step) AppendText(b []byte) []byte {
	for i, n := range [...]int{s.Unit, s.ToX, s.ToY, s.FromX, s.FromY, s.Target, s.TargetX, s.TargetY, int(s.Type), s.Damage, s.Counter} {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return b
}

var stepFields = []string{"unit", "destX", "destY", "fromX", "fromY", "target", "targetX", "targetY", "type", "damage", "counter"}

// ParseStep reads the eleven numbers.
func ParseStep(text string) (Step, error) { return parseStep(tag{name: "ACTION", text: text}) }

func parseStep(t tag) (Step, error) {
	n, err := t.numbers(-1, MaxUnits, stepFields...)
	if err != nil {
		return Step{}, err
	}
	s := Step{
		Unit: n[0], ToX: n[1], ToY: n[2], FromX: n[3], FromY: n[4],
		Target: n[5], TargetX: n[6], TargetY: n[7], Type: actionType(n[8]), Damage: n[9], Counter: n[10],
	}
	if s.Type < TypeResign || s.Type > TypeTurnEnd {
		return Step{}, t.errorf("type %d: want 0 (resign), 1 (move), 2 (attack) or 3 (turn end)", s.Type)
	}
	return s, nil
}

// shake applies the start noise to the units of a map, in id order: first
// the position (left, right, up or down, if that cell is empty and the unit
// may enter it), then the HP (a coin: one up below 10, or one down above 1).
func shake(m *Map, units []Unit, pos, hp bool, chance *arena.Stream) {
	taken := func(x, y int8) bool {
		for _, u := range units {
			if u.X == x && u.Y == y {
				return true
			}
		}
		return false
	}
	for i := range units {
		u := &units[i]
		if pos {
			d := chance.IntN(4)
			x, y := u.X+[4]int8{-1, 1, 0, 0}[d], u.Y+[4]int8{0, 0, -1, 1}[d]
			if m.Playable(int(x), int(y)) && u.Kind.Cost(m.At(int(x), int(y))) < impassable && !taken(x, y) {
				u.X, u.Y = x, y
			}
		}
		if hp {
			switch up := chance.IntN(2) == 0; {
			case up && u.HP < FullHP:
				u.HP++
			case !up && u.HP > 1:
				u.HP--
			}
		}
	}
}
